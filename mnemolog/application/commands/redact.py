"""Redaction: content of memories and events destroyed for good, with what was merged from it."""

from functools import partial
from typing import NamedTuple

from mnemolog.application.commands.command import (
    PlannedAppend,
    append_planned,
    ending_conflicts,
    expected_of,
    still_there,
    taking_turns,
)
from mnemolog.application.commands.consulting import Consulted, in_turn
from mnemolog.application.commands.receipts import Redaction, drafts, receipt
from mnemolog.application.commands.undo import reached_by, reinstated_parts
from mnemolog.application.home.space import WritableSpace, event_named
from mnemolog.application.redaction.copies import sources_of
from mnemolog.application.redaction.quotations import about, quoting
from mnemolog.application.redaction.redact import (
    checked_timeout,
    erase,
    erasing,
    traces_of,
    words_of_others,
)
from mnemolog.application.redaction.replaced_logs import copies_beside
from mnemolog.ledger.errors import InvalidField, StorageFailed
from mnemolog.ledger.events import Draft
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Quiet


class _Redacting(NamedTuple):
    batch: list[Draft]
    positions: list[Position]
    again: list[Position]  # those of an earlier, incomplete redaction
    told: tuple[str, ...]  # other effects


def redact(
    space: WritableSpace,
    *references: str,
    reason: str | None = None,
    override: bool = False,
    timeout_s: float = 10.0,
) -> Redaction:
    """Redaction of memories, or of single events: destroys their content for good.

    A memory's id covers all events about it; the id or `@position` of another event covers
    that event alone. Redaction of a memory includes those merged from it, and the copies that a
    replacement of it made: the rest that still holds, and a quotation. Redaction of such a memory
    includes its parts, or what it copied, unless that was undone; `changed` names all of them.
    Envelope, structure and digest stay, so the log still verifies. Waits up to `timeout_s` for
    readers of old pages, and searches foreign files for as long, at least half a second. Tries an
    incomplete redaction again.
    Raises `UnknownEvent`, `AmbiguousId`, `ImmutableMemory`, or `InvalidState` if nothing is left.
    """
    if not references:
        raise InvalidField("reference", "is missing", "name what to redact")
    checked_timeout(timeout_s)

    def decide(consulted: Consulted) -> tuple[PlannedAppend, _Redacting]:
        home, cut = space.home, space.cut()
        named = [event_named(space, reference) for reference in references]
        memories = [MemoryId(one.event_id) for one in named if one.kind == "remembered"]
        reached = reached_by(home, memories, cut)
        known = {*memories, *reached.because}
        sources = [one for one in sources_of(home, memories, cut) if one.source not in known]
        standing = {one.source: one.memory for one in sources if one.until is None}
        concerned = [*named, *still_there(space, [*reached.because, *standing])]
        overrides = frozenset(event.event_id for event in concerned if override)
        plan = erasing(home, concerned, cut, overrides, reason, partial(quoting, home))
        gone = [MemoryId(event.event_id) for event in concerned if event.kind == "remembered"]
        again = reinstated_parts(home, space.name, reached.again, cut, consulted)
        decisions = [*plan.decisions, *ending_conflicts(space, gone, cut), *again]
        batch = drafts(decisions, space.author, cut.instant)
        told = (
            *reached.told(),
            *(
                f"{source} is redacted as well: {copy} holds words of it"
                for source, copy in standing.items()
            ),
            *(
                f"{one.source} keeps its words, of which {one.memory} held some"
                for one in sources
                if one.source not in standing
            ),
            *words_of_others(home.log.events_at(plan.positions), named),
        )
        decided = _Redacting(batch, plan.positions, plan.again, told)
        if not batch:
            return PlannedAppend((), None), decided
        # A concurrent merge or quotation would keep a copy of the words.
        quiet = Quiet(space.name, cut.position, about(concerned, gone))
        expected, traces = expected_of(space, gone, cut, quiet), traces_of(home.log, plan.positions)
        return PlannedAppend(batch, expected, plan.positions, traces), decided

    plan, appended = in_turn(
        Consulted(space.home),
        partial(taking_turns, space),
        decide,
        lambda consulted: append_planned(space, partial(decide, consulted)),
    )
    positions = sorted({*plan.positions, *plan.again})
    left = erase(space.home, plan.positions, timeout_s)
    whole = receipt(plan.batch, appended)
    try:
        named = [event.event_id for event in space.home.log.events_at(positions)]
        places = copies_beside(space.home.path, named)
        advice = "may still hold it, a log that a restore replaced: delete that as well"
        kept = [f"{place} {advice}" for place in places]
    except StorageFailed as error:
        kept = [f"whether a log that a restore replaced still holds it is not known: {error}"]
    return Redaction(
        memory_id=whole.memory_id,
        # A redaction that is only tried again appends nothing.
        position=whole.position or positions[0],
        recorded_at=whole.recorded_at,
        events=whole.events,
        erased=tuple(positions),
        complete=not left,
        changed=(f"events whose content is destroyed: {len(positions)}", *plan.told),
        warnings=(*whole.warnings, *kept),
        left=left,
    )

"""Redaction of memories and events; decided again after each lost race."""

from collections.abc import Sequence
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
from mnemolog.application.commands.undo import reached_by, standing_again
from mnemolog.application.home.home import copies_beside
from mnemolog.application.home.space import Cut, Space, WritableSpace, event_named
from mnemolog.application.redaction.quotations import about, quoting
from mnemolog.application.redaction.redact import (
    checked_timeout,
    erase,
    erasing,
    traces_of,
    words_of_others,
)
from mnemolog.ledger.errors import InvalidField, StorageFailed
from mnemolog.ledger.events import Draft, Event
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Appended, Quiet


def redact(
    space: WritableSpace,
    *references: str,
    reason: str | None = None,
    override: bool = False,
    timeout_s: float = 10.0,
) -> Redaction:
    """Redaction of memories, or of single events: destroys their content for good.

    A memory's id covers all events about it; the id or `@position` of another event covers
    that event alone. Redaction of a memory includes those merged from it; redaction of a
    merged memory includes its parts; `changed` names them. Envelope, structure and digest
    stay, so the log still verifies. Waits up to `timeout_s` for readers of old pages, and
    searches foreign files for as long, at least half a second. Tries an incomplete redaction
    again. Raises `UnknownEvent`, `AmbiguousId`, `ImmutableMemory`, and `InvalidState` if
    nothing is left to redact.
    """
    if not references:
        raise InvalidField("reference", "is missing", "name what to redact")
    checked_timeout(timeout_s)

    def act(consulted: Consulted) -> tuple[_Redacting, Appended]:
        def planned() -> tuple[PlannedAppend, _Redacting]:
            cut = space.cut()
            plan = _redacting(space, references, reason, override, consulted, cut)
            if not plan.batch:
                return PlannedAppend((), None), plan
            # A concurrent merge or quotation would keep a copy of the words.
            quiet = Quiet(space.name, cut.position, about(plan.concerned, plan.gone))
            expected = expected_of(space, plan.gone, cut, quiet)
            traces = traces_of(space.home.log, plan.positions)
            return PlannedAppend(plan.batch, expected, plan.positions, traces), plan

        return append_planned(space, planned)

    plan, appended = in_turn(
        Consulted(space.home),
        partial(taking_turns, space),
        lambda asked: _redacting(space, references, reason, override, asked, space.cut()),
        act,
    )
    positions = sorted({*plan.positions, *plan.again})
    left = erase(space.home, plan.positions, timeout_s)
    whole = receipt(plan.batch, appended)
    kept = _copies_told(space, positions)
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


def _copies_told(space: Space, positions: Sequence[Position]) -> list[str]:
    """Warnings about logs beside the home that may still hold the content at these positions."""
    try:
        named = [event.event_id for event in space.home.log.events_at(positions)]
        places = copies_beside(space.home.path, named)
    except StorageFailed as error:
        return [f"whether a log that a restore replaced still holds it is not known: {error}"]
    advice = "may still hold it, a log that a restore replaced: delete that as well"
    return [f"{place} {advice}" for place in places]


class _Redacting(NamedTuple):
    """Decided redaction: its events, and the positions and memories whose content it destroys.

    `again` are positions of an earlier, incomplete redaction; `told` describes other effects.
    """

    batch: list[Draft]
    positions: list[Position]
    again: list[Position]
    gone: list[MemoryId]
    concerned: list[Event]
    told: tuple[str, ...]


def _redacting(  # noqa: PLR0913, PLR0917 - as `redact`
    space: WritableSpace,
    references: Sequence[str],
    reason: str | None,
    override: bool,  # noqa: FBT001 - as `redact`
    consulted: Consulted,
    cut: Cut,
) -> _Redacting:
    home = space.home
    named = [event_named(space, reference) for reference in references]
    memories = [MemoryId(one.event_id) for one in named if one.kind == "remembered"]
    reached = reached_by(home, memories, cut)
    events = [*named, *still_there(space, reached.because)]
    overrides = frozenset(event.event_id for event in events if override)
    plan = erasing(home, events, cut, overrides, reason, partial(quoting, home))
    gone = [MemoryId(event.event_id) for event in events if event.kind == "remembered"]
    again = standing_again(home, space.name, reached.again, cut, consulted)
    decisions = [*plan.decisions, *ending_conflicts(space, gone, cut), *again]
    batch = drafts(decisions, space.author, cut.instant)
    told = (*reached.told(), *words_of_others(home.log.events_at(plan.positions), named))
    return _Redacting(batch, plan.positions, plan.again, gone, events, told)

"""Undo of commands, with reasons to ask first, and the parting of merged memories."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from operator import attrgetter

import msgspec
from msgspec.structs import replace

from mnemolog.application.commands import command_history
from mnemolog.application.commands.command import (
    Drafted,
    command_in_turn,
    overdue_falls,
    raised,
)
from mnemolog.application.commands.consulting import Consulted
from mnemolog.application.commands.receipts import Receipt, as_event, drafts
from mnemolog.application.history import entry
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, WritableSpace, event_named, present
from mnemolog.application.redaction.copies import copies_of
from mnemolog.ledger import events
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.decay import DAY_US, reinforced
from mnemolog.ledger.errors import CannotUndo, UnconfirmedUndo
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import LogRange, events_in
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.supersession import Decision, after_falls, decide_undo, why
from mnemolog.projections.memory_queries import rows_as_of, superseders
from mnemolog.projections.spaces import MergeRow, is_undone, merges_of
from mnemolog.projections.strengths import pace_as_of, strength_changed_at, strengths_as_of
from mnemolog.recall.items import parts
from mnemolog.results import Value

_UPKEEP = ("ticked", "maintained", "consolidated")
Pairs = Sequence[tuple[MemoryId, MemoryId]]


class UndoPreview(Value, frozen=True):
    """Preview of the command that an undo would reverse.

    `kind`, `summary` and `memory_id` are those of its first event, `events` is their number.
    `content` is the memory's text, None without a memory or after a redaction. `reasons` are
    those to ask a person first.
    """

    position: Position
    recorded_at: datetime
    actor: str
    kind: str
    summary: str
    memory_id: MemoryId | None
    content: str | None
    events: int
    reasons: tuple[str, ...]


def undo(
    space: WritableSpace, reference: str | None = None, *, reason: str | None = None
) -> Receipt:
    """Receipt of an undo, which reverses the command of an event, or the last one not undone yet.

    `changed` names the command first. Raises `CannotUndo` for redactions, for events of a
    caller's own kind, and if later events depend on the command, with their positions.
    Raises `UnconfirmedUndo` if there are reasons to look at it first; a reference confirms it.
    """
    home = space.home

    def decide(consulted: Consulted, cut: Cut) -> Drafted:
        command, decisions = _reversing(space, reference, reason, cut)
        if reference is None:
            preview = _preview(home, command, cut, space.author.actor)
            if preview.reasons:
                raise UnconfirmedUndo(
                    position=preview.position,
                    kind=preview.kind,
                    content=preview.content,
                    recorded_at=preview.recorded_at,
                    actor=preview.actor,
                    events=preview.events,
                    reasons=preview.reasons,
                )
        touched = [d.memory_id for d in decisions if d.memory_id is not None]
        if command[0].kind != "ticked":
            overdue = overdue_falls(home, space.name, [*dict.fromkeys(touched)], cut, consulted)
            rows = home.views.read(lambda db: rows_as_of(db, touched, cut.position))
            tiers = {one: row.tier for one, row in rows.items()}
            for fall in overdue:
                if fall.memory_id is not None and isinstance(fall.structure, events.Degraded):
                    tiers[fall.memory_id] = fall.structure.tier
            decisions = after_falls(decisions, overdue, tiers)
            if command[0].kind == "consolidated":
                parted = [
                    (one.memory_id, one.structure.by)
                    for one in decisions
                    if one.memory_id is not None and isinstance(one.structure, events.Reinstated)
                ]
                decisions += credited_uses(home, space.name, parted, cut)
            decisions += raised(home, space.name, decisions, cut)
        return drafts(decisions, space.author, cut.instant), touched

    batch, told = command_in_turn(space, decide)
    appended = (VOCABULARY.structure(as_event(one, Position(0))) for one in batch)
    undone = [one.command for one in appended if isinstance(one, events.Undone)]
    (position,) = home.log.positions_of(undone).values()
    said = f"the command at position {position} is undone"
    return replace(told, changed=(said, *told.changed[1:]))


def preview_undo(space: WritableSpace, reference: str | None = None) -> UndoPreview:
    """Preview of an undo, with reasons to ask a person first. Raises `CannotUndo`."""
    cut = space.cut()
    command, _ = _reversing(space, reference, None, cut)
    return _preview(space.home, command, cut, space.author.actor if reference is None else None)


def _reversing(
    space: WritableSpace, reference: str | None, reason: str | None, cut: Cut
) -> tuple[list[Event], list[Decision]]:
    """Command, by default the last one, and the decisions that reverse it as of a moment."""
    home = space.home
    named = None if reference is None else event_named(space, reference)
    command = command_history.command_events(
        home.log, named or command_history.last_command(home, space.name, cut)
    )
    if command_history.is_command_undone(home, command[0], cut):
        raise CannotUndo(command[0].position, "it is undone already")
    later = command_history.dependents(home, command, cut)
    before = command_history.BeforeCommand(home, space.name, command[0].position, cut)
    return command, decide_undo(command, later, before, reason)


def _preview(home: Home, command: Sequence[Event], cut: Cut, actor: str | None) -> UndoPreview:
    """Preview of a command's undo; `actor` is the one who undoes it without a reference."""
    first, content = command[0], None
    if first.memory_id is not None:
        _, content = parts(home.log.concerning(first.memory_id)[0])
    return UndoPreview(
        position=first.position,
        recorded_at=to_datetime(first.recorded_at),
        actor=first.actor,
        kind=first.kind,
        summary=entry(first).summary,
        memory_id=first.memory_id,
        content=None if content is None else content.text,
        events=len(command),
        reasons=tuple(_reasons(home, command, cut, actor or first.actor)),
    )


def _reasons(home: Home, command: Sequence[Event], cut: Cut, actor: str) -> Iterator[str]:
    """Reasons to ask before an undo: age, later upkeep in force (the first), another actor."""
    first, last = command[0], command[-1]
    age = present(home, cut) - first.recorded_at
    days = age // DAY_US
    if age < -DAY_US:
        yield "it was recorded by a clock that stood ahead, so that its age is unknown"
    elif age > DAY_US:
        yield f"it is {days:,} {'day' if days == 1 else 'days'} old"
    later = events_in(home.log, LogRange(last.position, cut.position, last.space, _UPKEEP))
    for upkeep in islice((one for one in later if command_history.stands(home, one, cut)), 1):
        yield f"upkeep ran since, at position {upkeep.position}"
    if first.actor != actor:
        yield f"it was given by {first.actor}, not by {actor}"


class Reached(msgspec.Struct, frozen=True):
    """Memories that a redaction includes besides the named ones, and memories that it reinstates.

    `because` maps each included memory to its relation to a named one. `again` pairs each part
    to reinstate with its redacted successor, `apart` independent memories with a redacted one
    that was merged from them until an undo.
    """

    because: Mapping[MemoryId, str]
    again: Pairs
    apart: Pairs

    def told(self) -> tuple[str, ...]:
        """Descriptions of the effects besides the requested redaction."""
        kept = "was merged into {} once, and keeps its words"
        return (
            *(f"{one} is redacted as well: {because}" for one, because in self.because.items()),
            *(f"{part} stands by itself again" for part, _ in self.again),
            *(f"{part} {kept.format(merged)}" for part, merged in self.apart),
        )


def reached_by(home: Home, named: Sequence[MemoryId], cut: Cut) -> Reached:
    """Memories to redact with these, and parts to reinstate, as of a moment.

    The rest of a memory that was corrected, and a correction that quotes it, go with it, even if
    the correction was undone. A merged memory has the words of its parts. It is redacted with each
    of them, even if the merge was undone. If it is named itself, its parts are redacted too, except
    parts whose merge was undone: these are independent. If only a part is named, the other parts
    are reinstated, unless another memory had superseded the merged one.
    """
    because: dict[MemoryId, str] = {}
    merges: list[MergeRow] = []
    ahead = [*named]
    while ahead:  # down, to the parts and theirs
        found = [merge for merge in _merges(home, ahead, cut) if merge.merged in ahead]
        merges += found
        standing = [merge for merge in found if merge.until is None]
        ahead = [merge.part for merge in standing if merge.part not in because]
        because |= {merge.part: f"{merge.merged} was merged from it" for merge in standing}
    ahead = [*named, *because]
    seen, copied = set(ahead), set[MemoryId]()
    while ahead:  # up, to what any of these became part of
        found = _merges(home, ahead, cut)
        merges += found
        upward = [merge for merge in found if merge.part in seen and merge.merged not in seen]
        reached = {merge.merged: f"it was merged from {merge.part}" for merge in upward}
        copies = copies_of(home, [one for one in ahead if one not in copied], cut)
        reached |= {one.memory: f"it holds words of {one.source}" for one in copies}
        copied |= {one.memory for one in copies if one.memory not in seen}
        ahead = [one for one in reached if one not in seen]
        because |= {one: reached[one] for one in ahead}
        seen.update(ahead)
    gone = {*named, *because}
    again, apart = [], []
    for merge in dict.fromkeys(merges):
        if merge.merged not in gone or merge.part in gone:
            continue
        if merge.until is not None and merge.merged in named:
            apart.append((merge.part, merge.merged))
        # A correction that goes as well had superseded the merged memory for good.
        if merge.until is None and _stood(home, merge.merged, gone - copied, cut):
            again.append((merge.part, merge.merged))
    return Reached({one: said for one, said in because.items() if one not in named}, again, apart)


def _merges(home: Home, memory_ids: Sequence[MemoryId], cut: Cut) -> list[MergeRow]:
    return home.views.read(lambda db: merges_of(db, memory_ids, cut.position))


def _stood(home: Home, merged: MemoryId, gone: set[MemoryId], cut: Cut) -> bool:
    newest = merged
    ask = partial(superseders, position=cut.position)
    while above := home.views.read(partial(ask, memory_id=newest)):
        if not gone.issuperset(above):
            return False
        newest = above[-1]
    rows = home.views.read(lambda db: rows_as_of(db, [newest], cut.position))
    return newest in rows and rows[newest].status not in {"withdrawn", "redacted", "superseded"}


def reinstated_parts(
    home: Home, space: str, again: Pairs, cut: Cut, consulted: Consulted
) -> list[Decision]:
    """Events that reinstate parts whose merged memory is redacted."""
    given = credited_uses(home, space, again, cut)
    because = why("what it was merged into is redacted")
    return [
        *(Decision(events.Reinstated(merged), part, because) for part, merged in again),
        *overdue_falls(home, space, [part for part, _ in again], cut, consulted),
        *given,
        *raised(home, space, given, cut),
    ]


def credited_uses(home: Home, space: str, again: Pairs, cut: Cut) -> list[Decision]:
    """Events that credit parts with the uses of the memory that each was merged into, if any."""
    pace = home.views.read(lambda db: pace_as_of(db, space, cut.position))
    held = home.views.read(lambda db: strengths_as_of(db, [one for one, _ in again], cut.position))
    found = []
    for part, merged in again:
        uses = _uses_as(home, part, merged, cut)
        trace, decay = held[part].trace, held[part].decay
        for used in uses:
            trace = reinforced(decay, trace, pace, used)
        if uses:
            accesses, at = held[part].accesses + len(uses), trace.since
            now = events.Strengthened(trace.strength, at, trace.slowing, accesses, at)
            found.append(Decision(now, part))
    return found


def _uses_as(home: Home, part: MemoryId, merged: MemoryId, cut: Cut) -> list[events.Recalled]:
    """Uses of a memory, except undone ones, while it was merged into another, and that further."""
    uses: dict[Position, events.Recalled] = {}
    ahead = [(part, merged)]
    for one, whole in ahead:
        changed = home.views.read(partial(strength_changed_at, memory_id=whole))
        for merge in _merges(home, [one], cut):
            if (merge.part, merge.merged) != (one, whole):
                continue
            until = cut.position if merge.until is None else merge.until
            for event in home.log.events_at([at for at in changed if merge.since < at <= until]):
                used = VOCABULARY.structure(event)
                undone = partial(is_undone, command=event.event_id, position=cut.position)
                if isinstance(used, events.Recalled) and not home.views.read(undone):
                    at = min(used.at, event.recorded_at)
                    uses[event.position] = replace(used, at=at)
        above = _merges(home, [whole], cut)
        ahead += [(merge.part, merge.merged) for merge in above if merge.part == whole]
    return sorted(uses.values(), key=attrgetter("at"))

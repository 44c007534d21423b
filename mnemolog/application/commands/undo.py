"""Undo of a command, and its preview: the command, and reasons to ask before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter

import msgspec

from mnemolog.application.commands.command import command_in_turn, overdue_of
from mnemolog.application.commands.command_history import (
    BeforeCommand,
    check_not_undone,
    command_events,
    dependents,
    last_command,
    stands,
    undone_by,
)
from mnemolog.application.commands.consulting import Consulted
from mnemolog.application.commands.overdue_falls import overdue_falls, raised, tiers_after
from mnemolog.application.commands.receipts import Receipt, drafts
from mnemolog.application.history.entries import entry
from mnemolog.application.home.elapsed import present
from mnemolog.application.home.home import Home
from mnemolog.application.home.references import event_named
from mnemolog.application.home.space import Cut, WritableSpace
from mnemolog.ledger.clock import Micros, to_datetime
from mnemolog.ledger.decay import DAY_US
from mnemolog.ledger.errors import UnconfirmedUndo
from mnemolog.ledger.events import (
    VOCABULARY,
    Decoded,
    Draft,
    Event,
    MemoryContent,
    Recalled,
    Reinstated,
    Strengthened,
)
from mnemolog.ledger.falls import reinforced
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import Log
from mnemolog.ledger.paging import LogRange, events_in
from mnemolog.ledger.rows import check_content
from mnemolog.policies.supersession import Decision, why
from mnemolog.policies.undo import after_falls, decide_undo
from mnemolog.projections.memory_queries import rows_as_of, superseders
from mnemolog.projections.strengths import pace_as_of, strength_changed_at, strengths_as_of
from mnemolog.projections.undos import is_undone
from mnemolog.projections.upkeep import MergeRow, merges_of
from mnemolog.results import Value

_UPKEEP = ("ticked", "maintained", "consolidated")


class UndoPreview(Value, frozen=True):
    """Preview of the command that an undo would reverse.

    `kind`, `summary` and `memory_id` are those of its first event; `content` is the memory's
    text, None if the event concerns no memory or the text was redacted. `events` is the number
    of events. `reasons` are those to ask a person first; empty if there is no need.
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


def preview_of(home: Home, command: Sequence[Event], cut: Cut) -> UndoPreview:
    """Preview of a command's undo, with the reasons to ask a person first."""
    first = command[0]
    return UndoPreview(
        position=first.position,
        recorded_at=to_datetime(first.recorded_at),
        actor=first.actor,
        kind=first.kind,
        summary=entry(first).summary,
        memory_id=first.memory_id,
        content=None if first.memory_id is None else _text_of(home.log, first.memory_id),
        events=len(command),
        reasons=(*_age(first, present(home, cut)), *_upkeep_since(home, command[-1], cut)),
    )


def by_another(preview: UndoPreview, actor: str) -> UndoPreview:
    """Preview of an undo without a reference: one more reason if another actor gave the command."""
    if preview.actor == actor:
        return preview
    reason = f"it was given by {preview.actor}, not by {actor}"
    return msgspec.structs.replace(preview, reasons=(*preview.reasons, reason))


def check_unasked(preview: UndoPreview) -> None:
    """Check that there is no reason to ask before an undo. Raises `UnconfirmedUndo`."""
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


def _text_of(log: Log, memory_id: MemoryId) -> str | None:
    remembered = log.concerning(memory_id)[0]
    check_content(remembered)
    decoded = VOCABULARY.decode(remembered)
    content = decoded.content if isinstance(decoded, Decoded) else None
    return content.text if isinstance(content, MemoryContent) else None


def _age(first: Event, now: Micros) -> tuple[str, ...]:
    age = now - first.recorded_at
    if age < -DAY_US:
        return ("it was recorded by a clock that stood ahead, so that its age is unknown",)
    if age <= DAY_US:
        return ()
    days = age // DAY_US
    return (f"it is {days:,} {'day' if days == 1 else 'days'} old",)


def _upkeep_since(home: Home, last: Event, cut: Cut) -> tuple[str, ...]:
    """Reason to ask before an undo: later upkeep that is in force; only the first is named."""
    later = LogRange(last.position, cut.position, last.space, _UPKEEP)
    for event in events_in(home.log, later):
        if stands(home, event, cut):
            return (f"upkeep ran since, at position {event.position}",)
    return ()


def undo(
    space: WritableSpace, reference: str | None = None, *, reason: str | None = None
) -> Receipt:
    """Receipt of an undo, which reverses the command of an event, or the last one not undone yet.

    `changed` names the command first. Raises `CannotUndo` for redactions, for events of a
    caller's own kind, and if later events depend on the command, with their positions.
    Raises `UnconfirmedUndo` for a last command that there are reasons to look at first;
    a reference confirms it.
    """

    def decide(consulted: Consulted, cut: Cut) -> tuple[list[Draft], list[MemoryId]]:
        command, decisions = _reversing(space, reference, reason, cut)
        if reference is None:
            check_unasked(by_another(preview_of(space.home, command, cut), space.author.actor))
        touched = [d.memory_id for d in decisions if d.memory_id is not None]
        if command[0].kind != "ticked":
            overdue = overdue_of(space, list(dict.fromkeys(touched)), cut, consulted)
            tiers = tiers_after(space.home, touched, overdue, cut)
            decisions = after_falls(decisions, overdue, tiers)
            decisions += given_back(space.home, space.name, parted(command, decisions), cut)
            decisions += raised(space.home, space.name, decisions, cut)
        return drafts(decisions, space.author, cut.instant), touched

    batch, told = command_in_turn(space, decide)
    (undone,) = space.home.log.positions_of(undone_by(batch)).values()
    said = f"the command at position {undone} is undone"
    return msgspec.structs.replace(told, changed=(said, *told.changed[1:]))


def preview_undo(space: WritableSpace, reference: str | None = None) -> UndoPreview:
    """Preview of the command that `undo` would reverse, with the reasons to ask a person first.

    Changes nothing, and raises `CannotUndo` as `undo` would.
    """
    cut = space.cut()
    command, _ = _reversing(space, reference, None, cut)
    preview = preview_of(space.home, command, cut)
    return preview if reference is not None else by_another(preview, space.author.actor)


def _reversing(
    space: WritableSpace, reference: str | None, reason: str | None, cut: Cut
) -> tuple[list[Event], list[Decision]]:
    """Command, by default the last one, and the decisions that reverse it as of a moment."""
    event = (
        last_command(space.home, space.name, cut)
        if reference is None
        else event_named(space, reference)
    )
    command = command_events(space.home.log, event)
    check_not_undone(space.home, command, cut)
    later = dependents(space.home, command, cut)
    before = BeforeCommand(space.home, space.name, command[0].position, cut)
    return command, decide_undo(command, later, before, reason)


_STANDS_AGAIN = "what it was merged into is redacted"


class Reached(msgspec.Struct, frozen=True):
    """Memories that a redaction includes besides the named ones, and memories that it reinstates.

    `because` maps each included memory to its relation to a named one. `again` are parts
    to reinstate, each with the redacted memory that superseded it. `apart` are independent
    memories that keep words of a redacted one: it was merged from them until an undo.
    """

    because: Mapping[MemoryId, str]
    again: Sequence[tuple[MemoryId, MemoryId]]
    apart: Sequence[tuple[MemoryId, MemoryId]]

    def told(self) -> tuple[str, ...]:
        """Descriptions of the effects besides the requested redaction."""
        return (
            *(f"{one} is redacted as well: {because}" for one, because in self.because.items()),
            *(f"{part} stands by itself again" for part, _ in self.again),
            *(
                f"{part} was merged into {merged} once, and keeps its words"
                for part, merged in self.apart
            ),
        )


def reached_by(home: Home, named: Sequence[MemoryId], cut: Cut) -> Reached:
    """Memories to redact with these, and parts to reinstate, as of a moment.

    A merged memory has the words of its parts. It is redacted with each of them, even if
    the merge was undone. If it is named itself, its parts are redacted too, except parts
    whose merge was undone: these are independent. If only a part is named, the other parts
    are reinstated, unless another memory had superseded the merged one.
    """
    because: dict[MemoryId, str] = {}
    merges = _parts_of(home, named, because, cut)
    merges += _merged_from(home, [*named, *because], because, cut)
    gone = {*named, *because}
    spared = [
        merge for merge in dict.fromkeys(merges) if merge.merged in gone and merge.part not in gone
    ]
    again = [
        (merge.part, merge.merged)
        for merge in spared
        if merge.until is None and _stood(home, merge.merged, gone, cut)
    ]
    apart = [
        (merge.part, merge.merged)
        for merge in spared
        if merge.until is not None and merge.merged in named
    ]
    return Reached({one: said for one, said in because.items() if one not in named}, again, apart)


def _parts_of(
    home: Home, named: Iterable[MemoryId], because: dict[MemoryId, str], cut: Cut
) -> list[MergeRow]:
    """Merges of these memories from their parts, and of the parts from theirs."""
    found: list[MergeRow] = []
    ahead = [*named]
    while ahead:
        merges = home.views.read(partial(merges_of, memory_ids=ahead, position=cut.position))
        merges = [merge for merge in merges if merge.merged in ahead]
        found += merges
        merges = [merge for merge in merges if merge.until is None]
        ahead = [merge.part for merge in merges if merge.part not in because]
        because.update({m.part: f"{m.merged} was merged from it" for m in merges})
    return found


def _merged_from(
    home: Home, gone: Iterable[MemoryId], because: dict[MemoryId, str], cut: Cut
) -> list[MergeRow]:
    """Merges of these memories into others, transitively, and all merges that these are part of."""
    found: list[MergeRow] = []
    ahead = [*gone]
    seen = set(ahead)
    while ahead:
        merges = home.views.read(partial(merges_of, memory_ids=ahead, position=cut.position))
        found += merges
        upward = [merge for merge in merges if merge.part in seen and merge.merged not in seen]
        because.update({m.merged: f"it was merged from {m.part}" for m in upward})
        ahead = [*dict.fromkeys(merge.merged for merge in upward)]
        seen.update(ahead)
    return found


def _stood(home: Home, merged: MemoryId, gone: set[MemoryId], cut: Cut) -> bool:
    """True if a redacted memory, or the redacted one it was merged into, was in force until now."""
    newest = merged
    while True:
        above = home.views.read(partial(superseders, memory_id=newest, position=cut.position))
        if not above:
            break
        if not gone.issuperset(above):
            return False
        newest = above[-1]
    rows = home.views.read(partial(rows_as_of, memory_ids=[newest], position=cut.position))
    return newest in rows and rows[newest].status not in {"withdrawn", "redacted", "superseded"}


# -- reinstatement of parts --------------------------------------------------------------


def standing_again(
    home: Home,
    space: str,
    again: Sequence[tuple[MemoryId, MemoryId]],
    cut: Cut,
    consulted: Consulted,
) -> list[Decision]:
    """Events that reinstate parts whose merged memory is redacted."""
    parts = [part for part, _ in again]
    given = given_back(home, space, again, cut)
    return [
        *(Decision(Reinstated(merged), part, why(_STANDS_AGAIN)) for part, merged in again),
        *overdue_falls(home, space, parts, cut, consulted),
        *given,
        *raised(home, space, given, cut),
    ]


def parted(
    command: Sequence[Event], decisions: Sequence[Decision]
) -> list[tuple[MemoryId, MemoryId]]:
    """Parts that the undo of a command separates, each with the memory it was merged into."""
    if command[0].kind != "consolidated":
        return []
    return [
        (one.memory_id, one.structure.by)
        for one in decisions
        if one.memory_id is not None and isinstance(one.structure, Reinstated)
    ]


def given_back(
    home: Home, space: str, again: Sequence[tuple[MemoryId, MemoryId]], cut: Cut
) -> list[Decision]:
    """Events that credit parts with the uses of the memory that they were merged into.

    `again` pairs each part with its merged memory. A part without such uses has no event.
    """
    pace = home.views.read(lambda db: pace_as_of(db, space, cut.position))
    held = home.views.read(lambda db: strengths_as_of(db, [one for one, _ in again], cut.position))
    found = []
    for part, merged in again:
        uses = _uses_as(home, part, merged, cut)
        trace, decay = held[part].trace, held[part].decay
        for used in uses:
            trace = reinforced(decay, trace, pace, used)
        if uses:
            whole = Strengthened(
                trace.strength,
                since=trace.since,
                slowing=trace.slowing,
                accesses=held[part].accesses + len(uses),
                accessed_at=trace.since,
            )
            found.append(Decision(whole, part))
    return found


def _uses_as(home: Home, part: MemoryId, merged: MemoryId, cut: Cut) -> list[Recalled]:
    """Uses of a memory while it was merged into another, and while that was merged further."""
    uses: dict[Position, Recalled] = {}
    ahead = [(part, merged)]
    for one, whole in ahead:
        for merge in home.views.read(partial(merges_of, memory_ids=[one], position=cut.position)):
            if (merge.part, merge.merged) != (one, whole):
                continue
            until = cut.position if merge.until is None else merge.until
            uses |= _uses_between(home, whole, merge.since, until, cut)
        above = home.views.read(partial(merges_of, memory_ids=[whole], position=cut.position))
        ahead += [(merge.part, merge.merged) for merge in above if merge.part == whole]
    return sorted(uses.values(), key=attrgetter("at"))


def _uses_between(
    home: Home, memory_id: MemoryId, after: Position, until: Position, cut: Cut
) -> dict[Position, Recalled]:
    """Uses of a memory after one position and up to another, without undone ones."""
    changed = home.views.read(partial(strength_changed_at, memory_id=memory_id))
    events = home.log.events_at([one for one in changed if after < one <= until])
    found = {}
    for event in events:
        structure = VOCABULARY.structure(event)
        undone = partial(is_undone, command=event.event_id, position=cut.position)
        if isinstance(structure, Recalled) and not home.views.read(undone):
            at = min(structure.at, event.recorded_at)
            found[event.position] = msgspec.structs.replace(structure, at=at)
    return found

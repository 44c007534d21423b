"""Merges and their undo: what a redaction of merged memories includes, and what parts regain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter

import msgspec

from mnemolog.application.commands.consulting import Consulted
from mnemolog.application.commands.overdue_falls import overdue_falls, raised
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.ledger.decay import reinforced
from mnemolog.ledger.events import Event, Recalled, Reinstated, Strengthened
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.supersession import Decision, why
from mnemolog.projections.memory_queries import rows_as_of, superseders
from mnemolog.projections.strengths import pace_as_of, strength_changed_at, strengths_as_of
from mnemolog.projections.undos import is_undone
from mnemolog.projections.upkeep import MergeRow, merges_of

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

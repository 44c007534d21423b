"""What a redaction reaches beside what it names: memories that were merged from it, or into it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import msgspec

from ledger.events import Reinstated
from ledger.ids import MemoryId
from mnemolog.home import Home
from mnemolog.naming import Cut
from policies.corrections import Decision, why
from projections.memory_queries import rows_as_of, superseders
from projections.upkeep import MergeRow, merges_of

_STANDS_AGAIN = "what it was merged into is redacted"


class Reached(msgspec.Struct, frozen=True):
    """The memories whose redaction another's calls for, and those that stand again for it.

    `because` says of each of the former what it has to do with what was named.
    `again` are memories that were merged with a redacted one, each with what it is no
    longer superseded by.
    """

    because: Mapping[MemoryId, str]
    again: Sequence[tuple[MemoryId, MemoryId]]

    def decisions(self) -> list[Decision]:
        """The events by which what was merged with others stands by itself again."""
        return [
            Decision(Reinstated(merged), part, why(_STANDS_AGAIN)) for part, merged in self.again
        ]

    def told(self) -> tuple[str, ...]:
        """What was done beside what was asked for, in words."""
        return (
            *(
                f"{one[:13]} is redacted as well: {because}"
                for one, because in self.because.items()
            ),
            *(f"{part[:13]} stands by itself again" for part, _ in self.again),
        )


def reached_by(home: Home, named: Sequence[MemoryId], cut: Cut) -> Reached:
    """What else has to be redacted with these memories of a space, as of a moment.

    A merged memory has the words of its parts: it goes with each of them, undone merges
    included, and the parts go with it where it is named itself. Where only a part is
    named, the others were not asked for: they stand again, unless something else had
    taken the place of what they were merged into.
    """
    because: dict[MemoryId, str] = {}
    merges = _parts_of(home, named, because, cut)
    merges += _merged_from(home, [*named, *because], because, cut)
    gone = {*named, *because}
    spared = [
        merge
        for merge in dict.fromkeys(merges)
        if merge.merged in gone and merge.part not in gone and merge.until is None
    ]
    again = [
        (merge.part, merge.merged) for merge in spared if _stood(home, merge.merged, gone, cut)
    ]
    return Reached({one: said for one, said in because.items() if one not in named}, again)


def _parts_of(
    home: Home, named: Iterable[MemoryId], because: dict[MemoryId, str], cut: Cut
) -> list[MergeRow]:
    """The parts of merged memories, and theirs; the merges themselves."""
    found: list[MergeRow] = []
    ahead = [*named]
    while ahead:
        merges = home.views.read(partial(merges_of, memory_ids=ahead, position=cut.position))
        merges = [merge for merge in merges if merge.merged in ahead]
        found += merges
        ahead = [merge.part for merge in merges if merge.part not in because]
        because.update({m.part: f"{m.merged[:13]} was merged from it" for m in merges})
    return found


def _merged_from(
    home: Home, gone: Iterable[MemoryId], because: dict[MemoryId, str], cut: Cut
) -> list[MergeRow]:
    """What was merged from memories, and what from that; all merges that these are part of."""
    found: list[MergeRow] = []
    ahead = [*gone]
    seen = set(ahead)
    while ahead:
        merges = home.views.read(partial(merges_of, memory_ids=ahead, position=cut.position))
        found += merges
        upward = [merge for merge in merges if merge.part in seen and merge.merged not in seen]
        because.update({m.merged: f"it was merged from {m.part[:13]}" for m in upward})
        ahead = [*dict.fromkeys(merge.merged for merge in upward)]
        seen.update(ahead)
    return found


def _stood(home: Home, merged: MemoryId, gone: set[MemoryId], cut: Cut) -> bool:
    """Whether a memory that goes stood until now, or what it was merged into that goes as well."""
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

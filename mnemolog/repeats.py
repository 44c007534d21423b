"""What says again what is consolidated: found among what is new, by the sentences that are told."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.ids import MemoryId, Position
from mnemolog.home import Home
from mnemolog.likes import Likes
from mnemolog.naming import Cut
from policies.consolidation import are_duplicates, may_merge
from policies.duplicates import Words, told
from projections.memory_queries import MemoryRow
from projections.upkeep import last_done
from recall.items import parts

_MOST = 2_000
"""So many new memories, the newest, are looked at."""
_PAGE = 1_000


def repeats(
    home: Home,
    space: str,
    cut: Cut,
    known: Sequence[MemoryRow],
    others: Sequence[MemoryRow],
) -> frozenset[MemoryId]:
    """Those of some memories that are duplicates of a consolidated one, and may be merged with it.

    `known` are those that are consolidated, `others` are not; of these only what was stored
    since the last consolidation is looked at: what is older was looked at then. By the
    sentences of all of them, since most are like none.
    """
    since = home.views.read(lambda db: last_done(db, space, "consolidation", cut.position))
    new = [row for row in others if row.memory > since][-_MOST:]
    if not known or not new:
        return frozenset()
    by_sentence: dict[Words, list[MemoryRow]] = {}
    for row, sentences in zip(known, _told(home, known), strict=True):
        for sentence in sentences[:1]:
            by_sentence.setdefault(_words(sentence), []).append(row)
    likes = Likes(home, space, cut)
    return frozenset(
        row.memory_id
        for row, sentences in zip(new, _told(home, new), strict=True)
        for sentence in sentences
        for other in by_sentence.get(_words(sentence), ())
        if _are_duplicates(likes, row, other)
    )


def _words(sentence: Words) -> Words:
    """The words of a sentence in whatever order: a phrase may stand first or last."""
    return tuple(sorted(sentence))


def _told(home: Home, rows: Sequence[MemoryRow]) -> list[list[Words]]:
    """The sentences of each of these memories; none of one that is redacted meanwhile."""
    found: dict[Position, list[Words]] = {}
    for start in range(0, len(rows), _PAGE):
        page = [row.memory for row in rows[start : start + _PAGE]]
        for event in home.log.events_at(page):
            _, content = parts(event)
            found[event.position] = [] if content is None else told(content.text)
    return [found.get(row.memory, []) for row in rows]


def _are_duplicates(likes: Likes, one: MemoryRow, other: MemoryRow) -> bool:
    both = likes.parts([one, other])
    return len(both) == len((one, other)) and all(map(may_merge, both)) and are_duplicates(*both)

"""Repeats: new memories that duplicate a consolidated one, found by their sentences' words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial

from mnemolog.application.home.elapsed import present
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.application.retention.near_duplicates import Likes
from mnemolog.language.sameness.near_identical import sorted_words
from mnemolog.language.sameness.normalised_sentences import Words
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import LogRange, events_in
from mnemolog.policies.retention.merging import MergePart, are_duplicates, may_merge
from mnemolog.projections.conflicts import conflicts_as_of
from mnemolog.projections.memory_queries import MemoryRow
from mnemolog.projections.pins import pins_as_of
from mnemolog.projections.upkeep import JobRun, jobs_done
from mnemolog.recall.answers.items import parts

_PAGE = 1_000
_FREEING = ("unpinned", "restored", "reinstated", "revived")
"""Kinds of events that can make a memory mergeable."""
_NEVER = JobRun(0, Position(0))

Said = tuple[Words, ...]


def repeats(
    home: Home,
    space: str,
    cut: Cut,
    known: Sequence[MemoryRow],
    others: Sequence[MemoryRow],
) -> frozenset[MemoryId]:
    """Ids of memories in `others` that duplicate, and may merge with, a consolidated one.

    `known` are the consolidated memories, `others` the rest. Pairs that the last recorded
    consolidation compared are skipped, unless an event since then made one of the two
    mergeable. Memories match by the words of all their sentences, so the cost is linear in the
    texts read.
    """
    freed = _freed(home, space, cut)
    new = [row for row in others if freed(row)]
    if any(map(freed, known)):
        new = [*others]
    if not known or not new:
        return frozenset()
    ours: dict[Said, list[MemoryRow]] = {}
    for row, said in _said(home, known):
        ours.setdefault(said, []).append(row)
    theirs: dict[Said, list[MemoryRow]] = {}
    for row, said in _said(home, new):
        if said in ours:
            theirs.setdefault(said, []).append(row)
    likes = Likes(home, space, cut)
    of = _parts(likes, [row for said in theirs for row in (*ours[said], *theirs[said])])
    return frozenset(
        one
        for said, rows in theirs.items()
        for one in _again(
            [of[row.memory_id] for row in ours[said] if row.memory_id in of],
            [of[row.memory_id] for row in rows if row.memory_id in of],
        )
    )


def _freed(home: Home, space: str, cut: Cut) -> Callable[[MemoryRow], bool]:
    """Predicate for memories that are new or newly mergeable since the last consolidation."""
    done = home.views.read(lambda db: jobs_done(db, space, cut.position))
    last = done.get("consolidation", _NEVER)
    freed: set[MemoryId | None] = set()
    freeing = LogRange(last.through, cut.position, space, _FREEING)
    freed.update(event.memory_id for event in events_in(home.log, freeing))
    pins = home.views.read(lambda db: pins_as_of(db, space, cut.position))
    now = present(home, cut)
    freed.update(one for one, ends in pins.items() if ends is not None and last.at < ends <= now)
    for conflict in home.views.read(lambda db: conflicts_as_of(db, space, cut.position)):
        if conflict.until is not None and conflict.until > last.through:
            freed |= {conflict.new, conflict.other}
    return lambda row: row.memory > last.through or row.memory_id in freed


def _said(home: Home, rows: Sequence[MemoryRow]) -> Iterator[tuple[MemoryRow, Said]]:
    """Memories with the words of their sentences; those that cannot be compared are omitted."""
    for start in range(0, len(rows), _PAGE):
        page = {row.memory: row for row in rows[start : start + _PAGE]}
        for event in home.log.events_at(list(page)):
            _, content = parts(event)
            if content is not None and (said := sorted_words(content.text)):
                yield page[event.position], said


def _parts(likes: Likes, rows: Sequence[MemoryRow]) -> dict[MemoryId, MergePart]:
    """Memories among these that may be merged, by id."""
    found: dict[MemoryId, MergePart] = {}
    for start in range(0, len(rows), _PAGE):
        page = likes.parts(rows[start : start + _PAGE])
        found.update((part.memory_id, part) for part in page if may_merge(part))
    return found


def _again(known: Sequence[MergePart], others: Sequence[MergePart]) -> Iterator[MemoryId]:
    """Ids of `others` that duplicate a memory in `known`."""
    alike: dict[Hashable, list[MergePart]] = {}
    for part in known:
        alike.setdefault(_beside(part), []).append(part)
    for part in others:
        if any(map(partial(are_duplicates, part), alike.get(_beside(part), ()))):
            yield part.memory_id


def _beside(part: MergePart) -> Hashable:
    """Key of the fields, other than the words, that two duplicates share."""
    structure = part.structure
    return (
        frozenset(part.content.tags),
        structure.kind,
        structure.category,
        structure.place,
        structure.source or part.actor,
    )

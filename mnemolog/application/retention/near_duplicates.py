"""Near-duplicates: candidates of merges, repeats of consolidated memories, and what is due."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

import msgspec

from mnemolog.application.commands.command_history import root_of
from mnemolog.application.commands.consulting import ComparedMemory, Consulted, Failure, Verdict
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, present
from mnemolog.application.questions.persistence import standings
from mnemolog.language.sameness import Words, sorted_words
from mnemolog.ledger.decay import strength_at
from mnemolog.ledger.errors import CorruptLog, InvalidState
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import LogRange, events_in, proven
from mnemolog.policies.contradictions.judge import Party, statement
from mnemolog.policies.retention import consolidation
from mnemolog.policies.retention.consolidation import MergePart, Standing
from mnemolog.projections.memories import conflicts_as_of, conflicts_of, is_open
from mnemolog.projections.memory_queries import MemoryRow, listed, rows_as_of
from mnemolog.projections.spaces import JobRun, MergeRow, consolidated_as_of, jobs_done, merges_of
from mnemolog.projections.strengths import pace_as_of, pins_as_of, strengths_as_of, weights_as_of
from mnemolog.recall.items import parts as parts_of
from mnemolog.recall.search.neighbours import Neighbours

_T = TypeVar("_T")
_DESTROYING = frozenset({"redacted", "ticked"})  # commands that destroy a merged memory
_FREEING = ("unpinned", "restored", "reinstated", "revived")  # can make a memory mergeable
_PAGE = 1_000
_Said = tuple[Words, ...]


class Likes:
    """Memories of a space as consolidation reads them, as of one cut."""

    def __init__(self, home: Home, space: str, cut: Cut) -> None:
        self._home, self._space, self._cut = home, space, cut
        pins = home.views.read(lambda db: pins_as_of(db, space, cut.position))
        self._now = now = present(home, cut)
        self._pinned = {memory_id for memory_id, ends in pins.items() if ends is None or ends > now}

    def part(self, row: MemoryRow) -> MergePart:
        """Memory as a possible part of a merge. Raises `CorruptLog`."""
        for part in self.parts([row]):
            return part
        raise CorruptLog(f"event {row.memory} is missing", Position(row.memory - 1))

    def of(self, part: MergePart) -> list[MergePart]:
        """Memories that share the most distinctive words with one, the best match first."""
        # Words only: embeddings are computed when a query needs them.
        state = self._home.index(self._space).words_at(self._cut.position, -1)
        near = Neighbours(state, self._cut.position, self._home.parts.analyzer)
        text = "\n".join([part.content.text, *part.content.aliases])
        places = near.positions([one.ordinal for one in near.of(text, None)])
        named = [event.memory_id for event in self._home.log.events_at(places)]
        ids = [one for one in named if one is not None and one != part.memory_id]
        rows = self._home.views.read(lambda db: rows_as_of(db, ids, self._cut.position))
        return self.parts([rows[one] for one in ids if one in rows])

    def disagree(self, consulted: Consulted, one: MergePart, other: MergePart) -> bool:
        """True if the judge finds a contradiction. Raises `InvalidState` if the judge failed."""
        first, second = (
            ComparedMemory(Party(part.memory_id, said), stored=True)
            for part in (one, other)
            for said in [statement(part.structure, part.content, part.said_at)]
        )
        said = [consulted.judged(first, second), consulted.judged(second, first)]
        for failed in said:
            if isinstance(failed, Failure):
                problem = f"not judged: {failed.problem}"
                raise InvalidState(one.memory_id, problem, "try again later")
        return any(isinstance(found, Verdict) and found.likely for found in said)

    def parts(self, rows: Sequence[MemoryRow]) -> list[MergePart]:
        """Merge parts of these memories; those without content are omitted."""
        position, ids = self._cut.position, [row.memory_id for row in rows]
        events = proven(self._home.log, [row.memory for row in rows])
        merges, conflicts, pace, held, weights = self._home.views.read(
            lambda db: (
                merges_of(db, ids, position),
                conflicts_of(db, ids, position),
                pace_as_of(db, self._space, position),
                strengths_as_of(db, ids, position),
                weights_as_of(db, ids, position),
            )
        )
        disputed = {one for row in conflicts if is_open(row) for one in (row.new, row.other)}
        ended = {one.until: one.part for one in merges if one.until is not None}
        # A merge that ended by the destruction of the merged memory does not set parts apart.
        apart = {
            ended[event.position]
            for event in self._home.log.events_at(sorted(ended))
            if root_of(self._home.log, event).kind not in _DESTROYING
        }
        found = []
        for row in [row for row in rows if row.memory in events]:
            event, one = events[row.memory], row.memory_id
            structure, content = parts_of(event)
            if content is None:
                continue
            weight, strength = weights.get(one, structure.depth_weight), held[one]
            part = MergePart(
                memory_id=one,
                structure=msgspec.structs.replace(structure, depth_weight=weight),
                content=content,
                actor=event.actor,
                position=event.position,
                said_at=row.said_at,
                status="contested" if one in disputed else row.status,
                pinned=one in self._pinned,
                strength=strength_at(strength.decay, strength.trace, pace, self._now),
                trace=strength.trace,
                accesses=strength.accesses,
                accessed_at=strength.accessed_at,
                set_apart=one in apart,
            )
            found.append(self._spoken(part, merges))
        return found

    def _spoken(self, part: MergePart, merges: Sequence[MergeRow]) -> MergePart:
        """Memory with its original speaker: for a merged one, that of its first part."""
        of = next((merge.part for merge in merges if merge.merged == part.memory_id), None)
        if of is None:
            return part
        rows = self._home.views.read(lambda db: rows_as_of(db, [of], self._cut.position))
        said = self.parts([*rows.values()])
        return msgspec.structs.replace(part, actor=said[0].actor) if said else part


def worthy(home: Home, space: str, cut: Cut) -> list[tuple[MemoryId, Standing]]:
    """Memories due for consolidation as of a cut, by descending persistence."""
    done = home.views.read(lambda db: consolidated_as_of(db, space, cut.position))
    active = home.views.read(lambda db: listed(db, space, cut.position, ("active",)))
    rows = [row for row in active if row.memory_id not in done]
    if not rows:
        return []
    known = [row for row in active if row.memory_id in done]
    found = standings(home, space, cut, rows)
    for one in repeats(home, space, cut, known, rows):
        found[one] = msgspec.structs.replace(found[one], repeats=True)
    # For its own sake, or to join a consolidated one.
    chosen = [
        each for each in found.items() if each[1].repeats or consolidation.deserves_it(each[1])
    ]
    return sorted(chosen, key=lambda each: -each[1].persistence.value)


def repeats(
    home: Home, space: str, cut: Cut, known: Sequence[MemoryRow], others: Sequence[MemoryRow]
) -> set[MemoryId]:
    """Ids of memories in `others` that duplicate, and may merge with, a consolidated one.

    Pairs that the last recorded consolidation compared are skipped, unless an event since then made
    one of the two mergeable. Memories match by the words of all their sentences, in linear time.
    """
    freed = _freed(home, space, cut)
    new = others if any(map(freed, known)) else [row for row in others if freed(row)]
    if not known or not new:
        return set()
    ours: dict[_Said, list[MemoryRow]] = defaultdict(list)
    theirs: dict[_Said, list[MemoryRow]] = defaultdict(list)
    for row, said in _said(home, known):
        ours[said].append(row)
    for row, said in _said(home, new):
        if said in ours:
            theirs[said].append(row)
    likes = Likes(home, space, cut)
    rows = [row for said in theirs for row in (*ours[said], *theirs[said])]
    every = chain.from_iterable(map(likes.parts, pages(rows)))
    parts = {part.memory_id: part for part in every if consolidation.may_merge(part)}
    found = set()
    for said, again in theirs.items():
        alike: dict[Hashable, list[MergePart]] = defaultdict(list)
        for part in [parts[row.memory_id] for row in ours[said] if row.memory_id in parts]:
            alike[_beside(part)].append(part)
        for part in [parts[row.memory_id] for row in again if row.memory_id in parts]:
            if any(consolidation.are_duplicates(part, one) for one in alike[_beside(part)]):
                found.add(part.memory_id)
    return found


def _freed(home: Home, space: str, cut: Cut) -> Callable[[MemoryRow], bool]:
    """Predicate for memories that are new or newly mergeable since the last consolidation."""
    done = home.views.read(lambda db: jobs_done(db, space, cut.position))
    last, now = done.get("consolidation", JobRun(0, Position(0))), present(home, cut)
    freeing = LogRange(last.through, cut.position, space, _FREEING)
    freed: set[MemoryId | None] = {event.memory_id for event in events_in(home.log, freeing)}
    pins = home.views.read(lambda db: pins_as_of(db, space, cut.position))
    freed.update(one for one, ends in pins.items() if ends is not None and last.at < ends <= now)
    for conflict in home.views.read(lambda db: conflicts_as_of(db, space, cut.position)):
        if conflict.until is not None and conflict.until > last.through:
            freed |= {conflict.new, conflict.other}
    return lambda row: row.memory > last.through or row.memory_id in freed


def _said(home: Home, rows: Sequence[MemoryRow]) -> Iterator[tuple[MemoryRow, _Said]]:
    for page in pages(rows):
        at = {row.memory: row for row in page}
        for event in home.log.events_at(list(at)):
            _, content = parts_of(event)
            if content is not None and (said := sorted_words(content.text)):
                yield at[event.position], said


def pages(items: Sequence[_T]) -> Iterator[Sequence[_T]]:
    """Items in order, a thousand at a time."""
    for start in range(0, len(items), _PAGE):
        yield items[start : start + _PAGE]


def _beside(part: MergePart) -> Hashable:
    """Key of the fields, other than the words, that two duplicates share."""
    structure = part.structure
    kept = structure.kind, structure.category, structure.place, structure.source or part.actor
    return frozenset(part.content.tags), kept

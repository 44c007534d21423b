"""Near-duplicate candidates of a memory: found in the index, read from the log."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mnemolog.application.commands.command_history import root_of
from mnemolog.application.commands.consulting import ComparedMemory, Consulted, Failure
from mnemolog.application.home.elapsed import present
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.ledger.decay import strength_at
from mnemolog.ledger.errors import CorruptLog, InvalidState
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.ledger.log import proven
from mnemolog.policies.contradictions.settlement import Party, statement
from mnemolog.policies.retention.merging import MergePart
from mnemolog.projections.conflicts import conflicts_of, is_open
from mnemolog.projections.memory_queries import MemoryRow, rows_as_of
from mnemolog.projections.pins import pins_as_of
from mnemolog.projections.strengths import pace_as_of, strengths_as_of
from mnemolog.projections.upkeep import MergeRow, merges_of
from mnemolog.projections.weights import weights_as_of
from mnemolog.recall.answers.items import parts as parts_of
from mnemolog.recall.search.neighbours import Neighbours

_DESTROYING = frozenset({"redacted", "ticked"})
"""Kinds of commands that end a merge by destroying the merged memory."""


class Likes:
    """Memories of a space as consolidation reads them, as of one cut."""

    def __init__(self, home: Home, space: str, cut: Cut) -> None:
        self._home = home
        self._space = space
        self._cut = cut
        pins = home.views.read(lambda db: pins_as_of(db, space, cut.position))
        self._now = now = present(home, cut)
        self._pinned = {memory_id for memory_id, ends in pins.items() if ends is None or ends > now}

    def part(self, row: MemoryRow) -> MergePart:
        """Memory as a possible part of a merge. Raises `CorruptLog`."""
        found = self.parts([row])
        if not found:
            raise CorruptLog(f"event {row.memory} is missing", Position(row.memory - 1))
        return found[0]

    def of(self, part: MergePart) -> list[MergePart]:
        """Memories that share the most distinctive words with one, the best match first.

        Matches by words alone: near-identical texts share them.
        """
        index = self._home.index(self._space)
        # Words only: embeddings are computed when a query needs them.
        state = index.words_at(self._cut.position, -1)
        near = Neighbours(state, self._cut.position, self._home.parts.analyzer)
        text = "\n".join([part.content.text, *part.content.aliases])
        places = [near.position(one.ordinal) for one in near.of(text, None)]
        ids = [
            event.memory_id
            for event in self._home.log.events_at(places)
            if event.memory_id is not None and event.memory_id != part.memory_id
        ]
        rows = self._home.views.read(lambda db: rows_as_of(db, ids, self._cut.position))
        return self.parts([rows[one] for one in ids if one in rows])

    def disagree(self, consulted: Consulted, one: MergePart, other: MergePart) -> bool:
        """True if the judge finds that two memories contradict each other.

        Raises `InvalidState` if the judge failed.
        """
        first, second = (
            ComparedMemory(
                Party(part.memory_id, statement(part.structure, part.content, part.said_at)),
                stored=True,
            )
            for part in (one, other)
        )
        said = [consulted.judged(first, second), consulted.judged(second, first)]
        for failed in said:
            if isinstance(failed, Failure):
                raise InvalidState(
                    one.memory_id, f"not judged: {failed.problem}", "try again later"
                )
        return any(found is not None for found in said)

    def parts(self, rows: Sequence[MemoryRow]) -> list[MergePart]:
        """Merge parts of these memories; those without content are omitted."""
        events = proven(self._home.log, [row.memory for row in rows])
        ids = [row.memory_id for row in rows]
        merges = self._home.views.read(lambda db: merges_of(db, ids, self._cut.position))
        conflicts = self._home.views.read(lambda db: conflicts_of(db, ids, self._cut.position))
        disputed = {one for row in conflicts if is_open(row) for one in (row.new, row.other)}
        rows = [
            msgspec.structs.replace(row, status="contested") if row.memory_id in disputed else row
            for row in rows
        ]
        apart = self._set_apart(merges)
        found = [self._part(events[row.memory], row, apart) for row in rows if row.memory in events]
        return [self._spoken(part, merges) for part in found if part is not None]

    def _set_apart(self, merges: Sequence[MergeRow]) -> set[MemoryId]:
        """Parts whose merge was undone; excludes merges that ended by destruction."""
        ended = {one.until: one.part for one in merges if one.until is not None}
        return {
            ended[event.position]
            for event in self._home.log.events_at(sorted(ended))
            if root_of(self._home.log, event).kind not in _DESTROYING
        }

    def _spoken(self, part: MergePart, merges: Sequence[MergeRow]) -> MergePart:
        """Memory with its original speaker: for a merged one, that of its first part."""
        of = next((merge.part for merge in merges if merge.merged == part.memory_id), None)
        if of is None:
            return part
        rows = self._home.views.read(lambda db: rows_as_of(db, [of], self._cut.position))
        said = self.parts([*rows.values()])
        return msgspec.structs.replace(part, actor=said[0].actor) if said else part

    def _part(self, event: Event, row: MemoryRow, apart: set[MemoryId]) -> MergePart | None:
        structure, content = parts_of(event)
        if content is None:
            return None
        one, position = row.memory_id, self._cut.position
        pace, held, grown = self._home.views.read(
            lambda db: (
                pace_as_of(db, self._space, position),
                strengths_as_of(db, [one], position)[one],
                weights_as_of(db, [one], position),
            )
        )
        weight = grown.get(one, structure.depth_weight)
        return MergePart(
            memory_id=row.memory_id,
            structure=msgspec.structs.replace(structure, depth_weight=weight),
            content=content,
            actor=event.actor,
            position=event.position,
            said_at=row.said_at,
            status=row.status,
            pinned=row.memory_id in self._pinned,
            strength=strength_at(held.decay, held.trace, pace, self._now),
            trace=held.trace,
            accesses=held.accesses,
            accessed_at=held.accessed_at,
            set_apart=row.memory_id in apart,
        )

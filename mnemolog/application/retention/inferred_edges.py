"""Inferred edges: which ones lost the memories that state them, and which are still stated.

The evidence of an edge is the memories that stated it when it was drawn. Others may have stated
it since: it continues while one of them is current.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from mnemolog.application.commands.command_history import root_of
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.language.names.stated_relations import Relation, relations
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.policies.linking import NewEdge
from mnemolog.policies.retention.consolidation import (
    FAINT,
    MergePart,
    WeighedEdge,
    reason_to_drop,
    stated_edge,
)
from mnemolog.projections.edges import Between, EdgeRow, between_things, evidence_of, thing_key
from mnemolog.projections.memory_queries import rows_as_of
from mnemolog.projections.upkeep import consolidated_as_of, merges_as_of
from mnemolog.recall.answers.items import parts

_OUT = frozenset({"superseded", "withdrawn", "redacted"})
_AGAIN = 500
"""Maximum edges restored per run, oldest first; the next run continues."""
_PAGE = 1_000

Dropped = tuple[EdgeRow, str]
"""Dropped edge and the reason, as text."""


class Stated:
    """Edges of a space and the memories that they were inferred from, as of one cut."""

    def __init__(self, home: Home, space: str, cut: Cut) -> None:
        self._home = home
        self._space = space
        self._cut = cut

    def dropped(self, rows: Sequence[EdgeRow]) -> Iterator[Dropped]:
        """Edges to drop, with reasons; an edge that an undo restored is kept."""
        unfounded = self._unfounded(rows)
        for row in rows:
            edge = WeighedEdge(
                row.edge_id,
                row.source,
                row.type,
                row.confidence,
                row.origin,
                unfounded=row.since in unfounded,
            )
            reason = reason_to_drop(edge)
            if reason is not None and not self._comes_of(row.since, "undone"):
                yield row, reason

    def drawn_again(self, dropped: Sequence[EdgeRow]) -> Iterator[NewEdge]:
        """New edges for dropped relations that current consolidated memories still state.

        Includes relations that an earlier run dropped and that a memory, current again, states.
        If a dropped edge's names were redacted, its relation is unknown: every stated relation
        that was never drawn may be it, and is included.
        """
        drawn = self._home.views.read(
            lambda db: between_things(db, self._space, self._cut.position)
        )
        unfounded = self._unfounded(dropped)
        unnamed = unfounded - {row.since for row in drawn.values()}
        again = {*sorted(self._founded_again([*drawn.values()]))[:_AGAIN]}
        wanted = {
            between
            for between, row in drawn.items()
            if row.since in unfounded or row.since in again
        }
        if wanted or unnamed:
            stating = self._stating(
                lambda one: one in wanted or (bool(unnamed) and one not in drawn)
            )
            for parts_of, relation in stating:
                surest = max(parts_of, key=_sureness)
                if _sureness(surest) >= FAINT:
                    said = relation.source, relation.type, relation.target
                    yield stated_edge(said, surest, tuple(part.memory_id for part in parts_of))

    def _stating(
        self, wanted: Callable[[Between], bool]
    ) -> Iterator[tuple[list[MergePart], Relation]]:
        """Wanted relations, each with the consolidated memories that state it."""
        position = self._cut.position
        ids = self._home.views.read(lambda db: consolidated_as_of(db, self._space, position))
        rows = self._home.views.read(partial(rows_as_of, memory_ids=sorted(ids), position=position))
        places = sorted(row.memory for row in rows.values() if row.status not in _OUT)
        found: dict[Between, tuple[list[MergePart], Relation]] = {}
        for start in range(0, len(places), _PAGE):
            for event in self._home.log.events_at(places[start : start + _PAGE]):
                structure, content = parts(event)
                if content is None or event.memory_id is None:
                    continue
                part = MergePart(
                    event.memory_id,
                    structure,
                    content,
                    event.actor,
                    event.position,
                    event.recorded_at,
                )
                for relation in relations(content.text):
                    between = self._between(relation)
                    if wanted(between):
                        by, _ = found.setdefault(between, ([], relation))
                        by += [] if part in by else [part]
        yield from found.values()

    def _between(self, relation: Relation) -> Between:
        secret = self._home.log.secret
        source, target = thing_key(secret, relation.source), thing_key(secret, relation.target)
        return Between(relation.type, source, target)

    def _unfounded(self, rows: Iterable[EdgeRow]) -> frozenset[Position]:
        """Positions of edges whose evidence includes no current memory."""
        drawn = self._evidence(rows)
        standing = self._standing({one for by in drawn.values() for one in by})
        return frozenset(edge for edge, by in drawn.items() if standing.isdisjoint(by))

    def _founded_again(self, rows: Iterable[EdgeRow]) -> frozenset[Position]:
        """Positions of edges that consolidation ended and that have current evidence again."""
        drawn = self._evidence(row for row in rows if row.until is not None)
        standing = self._standing({one for by in drawn.values() for one in by})
        ended = {row.since: row.until for row in rows if row.until is not None}
        return frozenset(
            edge
            for edge, by in drawn.items()
            if not standing.isdisjoint(by) and self._comes_of(ended[edge], "consolidated")
        )

    def _evidence(self, rows: Iterable[EdgeRow]) -> dict[Position, tuple[MemoryId, ...]]:
        inferred = [row.since for row in rows if row.origin == "inferred"]
        return self._home.views.read(lambda db: evidence_of(db, inferred))

    def _standing(self, memory_ids: Iterable[MemoryId]) -> frozenset[MemoryId]:
        """Memories that are current, or were merged into one that is."""
        of = {one: one for one in memory_ids}
        position = self._cut.position
        merges = self._home.views.read(lambda db: merges_as_of(db, self._space, position))
        newest = {merge.part: merge.merged for merge in merges if merge.until is None}
        for one, stands in of.items():
            while stands in newest:
                stands = newest[stands]  # noqa: PLW2901 - up the chain
            of[one] = stands
        ids = sorted({*of.values()})
        rows = self._home.views.read(lambda db: rows_as_of(db, ids, position))
        return frozenset(
            one for one, stands in of.items() if stands in rows and rows[stands].status not in _OUT
        )

    def _comes_of(self, position: Position, kind: str) -> bool:
        """True if an event's command began with an event of this kind."""
        log = self._home.log
        return any(root_of(log, event).kind == kind for event in log.events_at([position]))


def _sureness(part: MergePart) -> float:
    return part.structure.source_confidence * part.structure.extraction_confidence

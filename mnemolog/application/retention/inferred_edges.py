"""Edges drawn from what memories state: those that have lost their ground, and that have it still.

An edge names as evidence the memories that stated it when it was drawn. Others may have
stated the same since: it lives on while one of them stands.
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
    WeighedEdge,
    reason_to_drop,
    stated_edge,
)
from mnemolog.policies.retention.merging import MergePart
from mnemolog.projections.edges import Between, EdgeRow, between_things, evidence_of, thing_key
from mnemolog.projections.memory_queries import rows_as_of
from mnemolog.projections.upkeep import consolidated_as_of, merges_as_of
from mnemolog.recall.answers.items import parts

_OUT = frozenset({"superseded", "withdrawn", "redacted"})
_AGAIN = 500
"""So many edges come back at once, the oldest first: the next run goes on."""
_PAGE = 1_000

Dropped = tuple[EdgeRow, str]
"""An edge that is dropped, and why, in words."""


class Stated:
    """The edges of a space, and the memories that they were drawn from, as of one moment."""

    def __init__(self, home: Home, space: str, cut: Cut) -> None:
        self._home = home
        self._space = space
        self._cut = cut

    def dropped(self, rows: Sequence[EdgeRow]) -> Iterator[Dropped]:
        """Those of these edges that are to be dropped; what an undo brought back stays."""
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
        """What memories that were consolidated and stand state of what is dropped now.

        And of what was dropped before, where what had stated that stands again. Of an edge
        whose names were redacted nobody knows what it said: what is stated and was never
        drawn may have been it.
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
        """Relations between two things that are wanted, and the consolidated that state each."""
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
        """Those of these edges that were drawn from memories of which none stands any more."""
        drawn = self._evidence(rows)
        standing = self._standing({one for by in drawn.values() for one in by})
        return frozenset(edge for edge, by in drawn.items() if standing.isdisjoint(by))

    def _founded_again(self, rows: Iterable[EdgeRow]) -> frozenset[Position]:
        """Those of these edges that upkeep had ended, of whose memories one stands again."""
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
        """Those memories that stand, or that were merged into one that does."""
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
        """Whether an event belongs to a command that began with an event of a kind."""
        log = self._home.log
        return any(root_of(log, event).kind == kind for event in log.events_at([position]))


def _sureness(part: MergePart) -> float:
    return part.structure.source_confidence * part.structure.extraction_confidence

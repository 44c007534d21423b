"""Changes of a space after a position, gathered from all projections that an index follows."""

from __future__ import annotations

import apsw
import msgspec

from mnemolog.ledger.decay import Pace
from mnemolog.ledger.ids import Position
from mnemolog.projections.edges import EdgeChange, edge_changes, edges_erased
from mnemolog.projections.lessons import LessonChanges, learned_after
from mnemolog.projections.memory_queries import (
    MemoryRow,
    SupersessionRow,
    memories_erased,
    rows_after,
    supersessions_after,
)
from mnemolog.projections.strengths import StrengthChange, pace_as_of, strength_changes
from mnemolog.projections.weights import WeightChange, weight_changes


class Changes(msgspec.Struct, frozen=True):
    """Changes of a space's memories and edges after a position, and the position reached.

    `digest` is that of the moment reached; None if it is not known.
    `redacted` says that content of earlier memories or edges was destroyed, so
    that what was made from them has to be made anew.
    """

    reached: Position
    digest: bytes | None
    rows: list[MemoryRow]
    supersessions: list[SupersessionRow]
    redacted: bool
    edges: list[EdgeChange] = []
    strengths: list[StrengthChange] = []
    pace: Pace = Pace()
    weights: list[WeightChange] = []
    lessons: LessonChanges = LessonChanges()


def changes_after(db: apsw.Connection, space: str, after: Position) -> Changes:
    """The changes of a space after a position, each list in order of position."""
    reached, digest = db.execute("SELECT position, digest FROM checkpoint").get
    return Changes(
        Position(reached),
        digest,
        rows_after(db, space, after),
        supersessions_after(db, space, after),
        memories_erased(db, space, after) or edges_erased(db, space, after),
        edge_changes(db, space, after),
        strength_changes(db, space, after),
        pace_as_of(db, space, Position(reached)),
        weights=weight_changes(db, space, after),
        lessons=learned_after(db, space, after),
    )

"""How much memories weigh, through time, where something was reinforced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import apsw
import msgspec

from mnemolog.ledger.events import VOCABULARY, Event, Reinforced
from mnemolog.ledger.ids import MemoryId, Position


class WeightChange(msgspec.Struct, frozen=True, array_like=True):
    """The depth weight that a memory has from a position on, by where it was remembered."""

    at: Position
    memory: Position
    alpha: float
    beta: float


class Weights:
    """One row a memory and depth weight, with the positions [since, until) at which it held.

    A memory that was never reinforced has no row: it weighs what it began with. So
    does an immutable one, whatever an event says.
    """

    name = "weights"
    version = 1
    kinds = frozenset({"reinforced"})
    tables = ("weights",)
    indexes = """
    CREATE INDEX weights_by_space ON weights (space, since);
    """
    schema = """
    CREATE TABLE weights (
        memory_id BLOB NOT NULL,
        since     INTEGER NOT NULL,
        until     INTEGER,
        space     TEXT NOT NULL,
        alpha     REAL NOT NULL,
        beta      REAL NOT NULL,
        PRIMARY KEY (memory_id, since)
    ) STRICT, WITHOUT ROWID;
    """

    def apply(self, db: apsw.Connection, events: Sequence[Event]) -> None:
        """Fold events; see `projections.projection.Projection.apply`."""
        for event in events:
            structure = VOCABULARY.structure(event) if event.kind in self.kinds else None
            if not isinstance(structure, Reinforced) or event.memory_id is None:
                continue
            memory_id = bytes.fromhex(event.memory_id)
            changes = db.execute(
                "SELECT EXISTS (SELECT 1 FROM memories WHERE memory_id = ? AND since = memory "
                "AND memory < ? AND NOT immutable)",
                (memory_id, event.position),
            ).get
            if changes:
                db.execute(
                    "UPDATE weights SET until = ? WHERE memory_id = ? AND until IS NULL",
                    (event.position, memory_id),
                )
                db.execute(
                    "INSERT INTO weights VALUES (?, ?, NULL, ?, ?, ?)",
                    (memory_id, event.position, event.space, *structure.depth_weight),
                )


def weights_as_of(
    db: apsw.Connection, memory_ids: Sequence[MemoryId], position: Position
) -> dict[MemoryId, tuple[float, float]]:
    """The depth weights of those of these memories that were reinforced, as of a position."""
    found: dict[MemoryId, tuple[float, float]] = {}
    for memory_id in memory_ids:
        for row in db.execute(
            "SELECT alpha, beta FROM weights WHERE memory_id = ?1 AND since <= ?2 "
            "AND (until IS NULL OR until > ?2)",
            (bytes.fromhex(memory_id), position),
        ).fetchall():
            found[memory_id] = cast("tuple[float, float]", row)
    return found


def reinforced_in(
    db: apsw.Connection, space: str, position: Position
) -> dict[MemoryId, tuple[float, float]]:
    """The depth weights of all memories of a space that were reinforced, as of a position."""
    rows = db.execute(
        "SELECT memory_id, alpha, beta FROM weights WHERE space = ?1 AND since <= ?2 "
        "AND (until IS NULL OR until > ?2)",
        (space, position),
    ).fetchall()
    known = cast("list[tuple[bytes, float, float]]", rows)
    return {MemoryId(memory_id.hex()): (alpha, beta) for memory_id, alpha, beta in known}


def weight_changes(db: apsw.Connection, space: str, after: Position) -> list[WeightChange]:
    """What changed in the weights of a space's memories after a position, in that order."""
    rows = db.execute(
        "SELECT w.since, m.memory, w.alpha, w.beta FROM weights w "
        "JOIN memories m ON m.memory_id = w.memory_id AND m.since = m.memory "
        "WHERE w.space = ?1 AND w.since > ?2 ORDER BY w.since",
        (space, after),
    ).fetchall()
    return [msgspec.convert(row, WeightChange) for row in rows]

"""Depth weights of memories through time, for memories that were reinforced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import apsw
import msgspec

from mnemolog.ledger.events import Event, Reinforced
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.projections.projection import add_row, end_row, exists, held, on, projection


class WeightChange(msgspec.Struct, frozen=True, array_like=True):
    """The depth weight of a memory from the position `at` on."""

    at: Position
    memory: Position
    alpha: float
    beta: float


def _reinforce(db: apsw.Connection, event: Event, structure: Reinforced) -> None:
    if event.memory_id is None:
        return
    memory_id = bytes.fromhex(event.memory_id)
    query = (
        "SELECT 1 FROM memories WHERE memory_id = ? AND since = memory "
        "AND memory < ? AND NOT immutable"
    )
    if exists(db, query, (memory_id, event.position)):
        end_row(db, "weights", event.position, memory_id=memory_id)
        row = (memory_id, event.position, None, event.space, *structure.depth_weight)
        add_row(db, "weights", *row)


WEIGHTS = projection(
    "weights",
    1,
    """
    CREATE TABLE weights (
        memory_id BLOB NOT NULL,
        since     INTEGER NOT NULL,
        until     INTEGER,
        space     TEXT NOT NULL,
        alpha     REAL NOT NULL,
        beta      REAL NOT NULL,
        PRIMARY KEY (memory_id, since)
    ) STRICT, WITHOUT ROWID;
    """,
    on(Reinforced, _reinforce),
    indexes="CREATE INDEX weights_by_space ON weights (space, since);",
)
"""One row a memory and depth weight, with the positions [since, until) at which it held.

A memory that was never reinforced has no row and its first weight. So has an immutable
one, whatever an event says.
"""


def weights_as_of(
    db: apsw.Connection, memory_ids: Sequence[MemoryId], position: Position
) -> dict[MemoryId, tuple[float, float]]:
    """The depth weights of those of these memories that were reinforced, as of a position."""
    found: dict[MemoryId, tuple[float, float]] = {}
    for memory_id in memory_ids:
        row = db.execute(
            f"SELECT alpha, beta FROM weights WHERE memory_id = ?1 AND {held('?2')}",
            (bytes.fromhex(memory_id), position),
        ).fetchone()
        if row is not None:
            found[memory_id] = cast("tuple[float, float]", row)
    return found


def reinforced_in(
    db: apsw.Connection, space: str, position: Position
) -> dict[MemoryId, tuple[float, float]]:
    """The depth weights of all memories of a space that were reinforced, as of a position."""
    rows = db.execute(
        f"SELECT memory_id, alpha, beta FROM weights WHERE space = ?1 AND {held('?2')}",
        (space, position),
    ).fetchall()
    known = cast("list[tuple[bytes, float, float]]", rows)
    return {MemoryId(memory_id.hex()): (alpha, beta) for memory_id, alpha, beta in known}


def weight_changes(db: apsw.Connection, space: str, after: Position) -> list[WeightChange]:
    """The changes of weights in a space after a position, in order."""
    rows = db.execute(
        "SELECT w.since, m.memory, w.alpha, w.beta FROM weights w "
        "JOIN memories m ON m.memory_id = w.memory_id AND m.since = m.memory "
        "WHERE w.space = ?1 AND w.since > ?2 ORDER BY w.since",
        (space, after),
    ).fetchall()
    return [msgspec.convert(row, WeightChange) for row in rows]

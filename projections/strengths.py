"""How strong memories are, through time, where that is not 1."""

from __future__ import annotations

from collections.abc import Sequence

import apsw
import msgspec

from ledger.events import VOCABULARY, Event, Strengthened, Weakened
from ledger.ids import MemoryId, Position

FULL = 1.0
"""The strength of a memory of which nothing else is known."""

_MEMORY = "JOIN memories m ON m.memory_id = s.memory_id AND m.since = m.memory"


class StrengthChange(msgspec.Struct, frozen=True, array_like=True):
    """The strength that a memory has from a position on, by where it was remembered."""

    at: Position
    memory: Position
    strength: float


class Strengths:
    """One row a memory and strength, with the positions [since, until) at which it held.

    A memory of full strength has no row.
    """

    name = "strengths"
    version = 2
    kinds = frozenset({"weakened", "strengthened"})
    tables = ("strengths",)
    schema = """
    CREATE TABLE strengths (
        memory_id BLOB NOT NULL,
        since     INTEGER NOT NULL,
        until     INTEGER,
        space     TEXT NOT NULL,
        strength  REAL NOT NULL,
        PRIMARY KEY (memory_id, since)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX strengths_by_space ON strengths (space, since);
    CREATE INDEX strengths_by_end ON strengths (space, until) WHERE until IS NOT NULL;
    """

    def apply(self, db: apsw.Connection, events: Sequence[Event]) -> None:
        """Fold events; see `projections.projection.Projection.apply`."""
        for event in events:
            structure = VOCABULARY.structure(event) if event.kind in self.kinds else None
            if event.memory_id is None:
                continue
            memory_id = bytes.fromhex(event.memory_id)
            if isinstance(structure, Weakened):
                strength = _strength(db, memory_id) * structure.factor
            elif isinstance(structure, Strengthened):
                strength = structure.strength
            else:
                continue
            db.execute(
                "UPDATE strengths SET until = ? WHERE memory_id = ? AND until IS NULL",
                (event.position, memory_id),
            )
            if strength != FULL:
                db.execute(
                    "INSERT INTO strengths VALUES (?, ?, NULL, ?, ?)",
                    (memory_id, event.position, event.space, strength),
                )


def _strength(db: apsw.Connection, memory_id: bytes) -> float:
    found: float | None = db.execute(
        "SELECT strength FROM strengths WHERE memory_id = ? AND until IS NULL", (memory_id,)
    ).get
    return FULL if found is None else found


def strength_as_of(db: apsw.Connection, memory_id: MemoryId, position: Position) -> float:
    """The strength of a memory as of a position, in [0, 1]."""
    found: float | None = db.execute(
        "SELECT strength FROM strengths WHERE memory_id = ?1 AND since <= ?2 "
        "AND (until IS NULL OR until > ?2)",
        (bytes.fromhex(memory_id), position),
    ).get
    return FULL if found is None else found


def strengths_as_of(db: apsw.Connection, space: str, position: Position) -> dict[MemoryId, float]:
    """The strengths of a space's memories that are not at full strength as of a position."""
    rows = db.execute(
        "SELECT memory_id, strength FROM strengths WHERE space = ?1 AND since <= ?2 "
        "AND (until IS NULL OR until > ?2) ORDER BY since",
        (space, position),
    )
    return {MemoryId(memory_id.hex()): strength for memory_id, strength in rows}


def strength_changes(db: apsw.Connection, space: str, after: Position) -> list[StrengthChange]:
    """What changed in the strengths of a space's memories after a position, in that order."""
    rows = db.execute(
        f"""
        SELECT s.since AS at, m.memory, s.strength FROM strengths s {_MEMORY}
        WHERE s.space = ?1 AND s.since > ?2
        UNION ALL
        SELECT s.until, m.memory, {FULL} FROM strengths s {_MEMORY}
        WHERE s.space = ?1 AND s.until > ?2
        AND NOT EXISTS (SELECT 1 FROM strengths n
                        WHERE n.memory_id = s.memory_id AND n.since = s.until)
        ORDER BY at
        """,
        (space, after),
    ).fetchall()
    return [msgspec.convert(row, StrengthChange) for row in rows]

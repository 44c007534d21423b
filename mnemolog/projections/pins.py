"""Pins: memories held in working memory, and until when."""

from __future__ import annotations

from typing import cast

import apsw

from mnemolog.ledger.events import Event, Pinned, Unpinned
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.projections.projection import add_row, end_row, held, on, position_column, projection


def _pin(db: apsw.Connection, event: Event, structure: Pinned) -> None:
    _unpin(db, event, structure)
    if event.memory_id is not None:
        memory_id = bytes.fromhex(event.memory_id)
        add_row(db, "pins", memory_id, event.position, None, event.space, structure.expires_at)


def _unpin(db: apsw.Connection, event: Event, _structure: Pinned | Unpinned) -> None:
    if event.memory_id is not None:
        end_row(db, "pins", event.position, memory_id=bytes.fromhex(event.memory_id))


# `expires_at` is compared with the instant that a question asks about: no event marks it.
PINS = projection(
    "pins",
    1,
    """
    CREATE TABLE pins (
        memory_id  BLOB NOT NULL,
        since      INTEGER NOT NULL,
        until      INTEGER,
        space      TEXT NOT NULL,
        expires_at INTEGER,
        PRIMARY KEY (memory_id, since)
    ) STRICT, WITHOUT ROWID;
    """,
    on(Pinned, _pin),
    on(Unpinned, _unpin),
    indexes="CREATE INDEX pins_by_space ON pins (space, since);",
)
"""One row a pin, with the positions [since, until) at which it held."""


def pinned_positions(
    db: apsw.Connection, space: str, position: Position, instant: int
) -> frozenset[Position]:
    """The positions of the memories that are pinned as of a position and instant."""
    rows = db.execute(
        "SELECT m.memory FROM pins p JOIN memories m ON m.memory_id = p.memory_id "
        f"AND m.since = m.memory WHERE p.space = ?1 AND {held('?2', 'p.')} "
        "AND (p.expires_at IS NULL OR p.expires_at > ?3)",
        (space, position, instant),
    )
    return frozenset(position_column(rows))


def pins_as_of(db: apsw.Connection, space: str, position: Position) -> dict[MemoryId, int | None]:
    """The pinned memories of a space as of a position, with the instant at which each expires."""
    rows = db.execute(
        f"SELECT memory_id, expires_at FROM pins WHERE space = ?1 AND {held('?2')} ORDER BY since",
        (space, position),
    )
    return {MemoryId(cast("bytes", row[0]).hex()): cast("int | None", row[1]) for row in rows}

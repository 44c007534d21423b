"""Which memories are held in working memory, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import apsw

from mnemolog.ledger.events import VOCABULARY, Event, Pinned
from mnemolog.ledger.ids import MemoryId, Position


class Pins:
    """One row a pin, with the positions [since, until) at which it held.

    `expires_at` is compared with the instant that a question is asked for; no
    event marks the passing of it.
    """

    name = "pins"
    version = 1
    kinds = frozenset({"pinned", "unpinned"})
    tables = ("pins",)
    indexes = """
    CREATE INDEX pins_by_space ON pins (space, since);
    """
    schema = """
    CREATE TABLE pins (
        memory_id  BLOB NOT NULL,
        since      INTEGER NOT NULL,
        until      INTEGER,
        space      TEXT NOT NULL,
        expires_at INTEGER,
        PRIMARY KEY (memory_id, since)
    ) STRICT, WITHOUT ROWID;
    """

    def apply(self, db: apsw.Connection, events: Sequence[Event]) -> None:
        """Fold events; see `projections.projection.Projection.apply`."""
        for event in events:
            if event.kind not in {"pinned", "unpinned"} or event.memory_id is None:
                continue
            structure = VOCABULARY.structure(event)
            memory_id = bytes.fromhex(event.memory_id)
            db.execute(
                "UPDATE pins SET until = ? WHERE memory_id = ? AND until IS NULL",
                (event.position, memory_id),
            )
            if isinstance(structure, Pinned):
                db.execute(
                    "INSERT INTO pins VALUES (?, ?, NULL, ?, ?)",
                    (memory_id, event.position, event.space, structure.expires_at),
                )


def pinned_positions(
    db: apsw.Connection, space: str, position: Position, instant: int
) -> frozenset[Position]:
    """Where the memories were remembered that are pinned as of a position and instant."""
    rows = db.execute(
        "SELECT m.memory FROM pins p JOIN memories m ON m.memory_id = p.memory_id "
        "AND m.since = m.memory WHERE p.space = ?1 AND p.since <= ?2 "
        "AND (p.until IS NULL OR p.until > ?2) AND (p.expires_at IS NULL OR p.expires_at > ?3)",
        (space, position, instant),
    )
    return frozenset(cast("Position", memory) for (memory,) in rows)


def pins_as_of(db: apsw.Connection, space: str, position: Position) -> dict[MemoryId, int | None]:
    """The pinned memories of a space as of a position, with the instant at which each expires."""
    rows = db.execute(
        "SELECT memory_id, expires_at FROM pins WHERE space = ?1 AND since <= ?2 "
        "AND (until IS NULL OR until > ?2) ORDER BY since",
        (space, position),
    )
    return {MemoryId(row[0].hex()): row[1] for row in rows}

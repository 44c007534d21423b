"""What waits in the buffer of each space, through time."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from mnemolog.ledger.events import (
    VOCABULARY,
    Admitted,
    Buffered,
    Dropped,
    Event,
    Redacted,
    Reinforced,
)
from mnemolog.ledger.ids import EventId, Position


class Buffers:
    """One row a stay in the buffer, with the positions [since, until) at which it lasted.

    `item` is the id of the event that holds the content. Content that is redacted
    waits no longer.
    """

    name = "buffers"
    version = 1
    kinds = frozenset({"buffered", "admitted", "reinforced", "dropped", "redacted"})
    tables = ("buffers",)
    indexes = """
    CREATE INDEX buffers_by_space ON buffers (space, since);
    """
    schema = """
    CREATE TABLE buffers (
        item  BLOB NOT NULL,
        since INTEGER NOT NULL,
        until INTEGER,
        space TEXT NOT NULL,
        PRIMARY KEY (item, since)
    ) STRICT, WITHOUT ROWID;
    """

    def apply(self, db: apsw.Connection, events: Sequence[Event]) -> None:
        """Fold events; see `projections.projection.Projection.apply`."""
        for event in events:
            structure = VOCABULARY.structure(event) if event.kind in self.kinds else None
            if isinstance(structure, Buffered):
                _enter(db, event, structure.of)
            elif isinstance(structure, Admitted | Reinforced | Dropped):
                if structure.of is not None:
                    _leave(db, structure.of, event.position)
            elif isinstance(structure, Redacted):
                for event_id in structure.events:
                    _leave(db, event_id, event.position)


def _enter(db: apsw.Connection, event: Event, of: EventId | None) -> None:
    item = bytes.fromhex(event.event_id if of is None else of)
    db.execute(
        """
        INSERT INTO buffers SELECT ?1, ?2, NULL, ?3
        WHERE NOT EXISTS (SELECT 1 FROM buffers WHERE item = ?1 AND until IS NULL)
        AND (?4 OR EXISTS (SELECT 1 FROM buffers WHERE item = ?1 AND space = ?3))
        """,
        (item, event.position, event.space, of is None),
    )


def _leave(db: apsw.Connection, item: EventId, position: Position) -> None:
    db.execute(
        "UPDATE buffers SET until = ? WHERE item = ? AND until IS NULL",
        (position, bytes.fromhex(item)),
    )


def buffered_as_of(db: apsw.Connection, space: str, position: Position) -> list[EventId]:
    """The events that hold what waits in a space's buffer as of a position, oldest first."""
    rows = db.execute(
        "SELECT item FROM buffers WHERE space = ?1 AND since <= ?2 "
        "AND (until IS NULL OR until > ?2) ORDER BY since",
        (space, position),
    ).fetchall()
    return [EventId(row[0].hex()) for row in rows if isinstance(row[0], bytes)]


def left_at(db: apsw.Connection, item: EventId) -> Position | None:
    """Where content last left the buffer; None if it waits there, or never did."""
    found: int | None = db.execute(
        "SELECT until FROM buffers WHERE item = ? ORDER BY since DESC LIMIT 1",
        (bytes.fromhex(item),),
    ).get
    return None if found is None else Position(found)

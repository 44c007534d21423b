"""Buffers: content that waits in each space for a decision, through time."""

from __future__ import annotations

import apsw

from mnemolog.ledger.events import Admitted, Buffered, Dropped, Event, Redacted, Reinforced
from mnemolog.ledger.ids import EventId, Position
from mnemolog.projections.projection import end_row, held, id_column, on, projection


def _enter(db: apsw.Connection, event: Event, structure: Buffered) -> None:
    item = bytes.fromhex(structure.of or event.event_id)
    db.execute(
        """
        INSERT INTO buffers SELECT ?1, ?2, NULL, ?3
        WHERE NOT EXISTS (SELECT 1 FROM buffers WHERE item = ?1 AND until IS NULL)
        AND (?4 OR EXISTS (SELECT 1 FROM buffers WHERE item = ?1 AND space = ?3))
        """,
        (item, event.position, event.space, structure.of is None),
    )


def _decide(db: apsw.Connection, event: Event, structure: Admitted | Reinforced | Dropped) -> None:
    if structure.of is not None:
        end_row(db, "buffers", event.position, item=bytes.fromhex(structure.of))


def _redact(db: apsw.Connection, event: Event, structure: Redacted) -> None:
    for event_id in structure.events:
        end_row(db, "buffers", event.position, item=bytes.fromhex(event_id))


BUFFERS = projection(
    "buffers",
    1,
    """
    CREATE TABLE buffers (
        item  BLOB NOT NULL,
        since INTEGER NOT NULL,
        until INTEGER,
        space TEXT NOT NULL,
        PRIMARY KEY (item, since)
    ) STRICT, WITHOUT ROWID;
    """,
    on(Buffered, _enter),
    on(Admitted, _decide),
    on(Reinforced, _decide),
    on(Dropped, _decide),
    on(Redacted, _redact),
    indexes="CREATE INDEX buffers_by_space ON buffers (space, since);",
)
"""One row a stay in the buffer, with the positions [since, until) at which it lasted.

`item` is the id of the event that holds the content. Redacted content waits no longer.
"""


def buffered_as_of(db: apsw.Connection, space: str, position: Position) -> list[EventId]:
    """The events that hold the content in a space's buffer as of a position, oldest first."""
    rows = db.execute(
        f"SELECT item FROM buffers WHERE space = ?1 AND {held('?2')} ORDER BY since",
        (space, position),
    )
    return [EventId(item) for item in id_column(rows)]


def left_at(db: apsw.Connection, item: EventId) -> Position | None:
    """The position at which content last left the buffer; None if it waits, or never did."""
    found: Position | None = db.execute(
        "SELECT until FROM buffers WHERE item = ? ORDER BY since DESC LIMIT 1",
        (bytes.fromhex(item),),
    ).get
    return found

"""Undos: commands that have been undone, through time."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from mnemolog.ledger.events import Event, Undone
from mnemolog.ledger.ids import EventId, Position
from mnemolog.projections.projection import (
    add_row,
    end_row,
    exists,
    held,
    on,
    position_column,
    projection,
)

_ENDED_BY = """
    SELECT ended.command FROM undos mine
    JOIN undos ended ON ended.event_id = mine.command AND ended.until = mine.since
    WHERE mine.event_id = ? AND mine.until IS NULL
"""


def _undo(db: apsw.Connection, event: Event, structure: Undone) -> None:
    command, by = bytes.fromhex(structure.command), bytes.fromhex(event.event_id)
    # An undo of an undo had brought commands back: they are undone again.
    again = db.execute(_ENDED_BY, (command,)).fetchall()
    end_row(db, "undos", event.position, event_id=command)
    for one in dict.fromkeys([command, *(row[0] for row in again)]):
        add_row(db, "undos", one, event.position, None, by)


UNDOS = projection(
    "undos",
    3,
    """
    CREATE TABLE undos (
        command BLOB NOT NULL,
        since   INTEGER NOT NULL,
        until   INTEGER,
        event_id BLOB NOT NULL,
        PRIMARY KEY (command, since)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX undos_by_event ON undos (event_id);
    """,
    on(Undone, _undo),
    indexes="""
    CREATE INDEX undos_by_start ON undos (since);
    CREATE INDEX undos_by_end ON undos (until);
    """,
)
"""One row an undone command, keyed by the id of the command's first event.

`since` is the position of the `undone` event, `event_id` its id. Undoing that event's
command ends the row at `until`, and undoing this once more begins another.
"""


def not_undone(command: str, position: str) -> str:
    """The condition that a command, such as 'j.command', is not undone as of a position."""
    return (
        f"NOT EXISTS (SELECT 1 FROM undos u WHERE u.command = {command} AND {held(position, 'u.')})"
    )


def is_undone(db: apsw.Connection, command: EventId, position: Position) -> bool:
    """True if the command that begins with this event is undone as of a position."""
    query = f"SELECT 1 FROM undos WHERE command = ?1 AND {held('?2')}"
    return exists(db, query, (bytes.fromhex(command), position))


def undone_at(db: apsw.Connection, commands: Sequence[EventId]) -> list[Position]:
    """The positions at which any of these commands was ever undone, in order."""
    found: list[Position] = []
    for command in commands:
        rows = db.execute("SELECT since FROM undos WHERE command = ?", (bytes.fromhex(command),))
        found += position_column(rows)
    return sorted(found)

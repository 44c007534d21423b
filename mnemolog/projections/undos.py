"""Which commands have been undone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import apsw

from mnemolog.ledger.events import VOCABULARY, Event, Undone
from mnemolog.ledger.ids import EventId, Position


class Undos:
    """One row an undone command, keyed by the id of the command's first event.

    `since` is the position of the `undone` event, `event_id` its id. Undoing that event's
    command in turn ends the row at `until`, and undoing this once more begins another.
    """

    name = "undos"
    version = 3
    kinds = frozenset({"undone"})
    tables = ("undos",)
    indexes = """
    CREATE INDEX undos_by_start ON undos (since);
    CREATE INDEX undos_by_end ON undos (until);
    """
    schema = """
    CREATE TABLE undos (
        command BLOB NOT NULL,
        since   INTEGER NOT NULL,
        until   INTEGER,
        event_id BLOB NOT NULL,
        PRIMARY KEY (command, since)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX undos_by_event ON undos (event_id);
    """

    def apply(self, db: apsw.Connection, events: Sequence[Event]) -> None:
        """Fold events; see `projections.projection.Projection.apply`."""
        for event in events:
            structure = VOCABULARY.structure(event) if event.kind == "undone" else None
            if not isinstance(structure, Undone):
                continue
            command, by = bytes.fromhex(structure.command), bytes.fromhex(event.event_id)
            # What that command had brought back, as an undo of an undo, is undone again.
            again = db.execute(_ENDED_BY, (command,)).fetchall()
            db.execute(
                "UPDATE undos SET until = ? WHERE event_id = ? AND until IS NULL",
                (event.position, command),
            )
            db.executemany(
                "INSERT INTO undos VALUES (?, ?, NULL, ?)",
                [
                    (one, event.position, by)
                    for one in dict.fromkeys([command, *(row[0] for row in again)])
                ],
            )


_ENDED_BY = """
    SELECT ended.command FROM undos mine
    JOIN undos ended ON ended.event_id = mine.command AND ended.until = mine.since
    WHERE mine.event_id = ? AND mine.until IS NULL
"""


def is_undone(db: apsw.Connection, command: EventId, position: Position) -> bool:
    """Whether the command that begins with this event is undone as of a position."""
    found = db.execute(
        "SELECT EXISTS (SELECT 1 FROM undos WHERE command = ?1 AND since <= ?2 "
        "AND (until IS NULL OR until > ?2))",
        (bytes.fromhex(command), position),
    ).get
    return bool(found)


def undone_at(db: apsw.Connection, commands: Sequence[EventId]) -> list[Position]:
    """Where any of these commands was ever undone, in order."""
    found: list[Position] = []
    for command in commands:
        rows = db.execute("SELECT since FROM undos WHERE command = ?", (bytes.fromhex(command),))
        found += [Position(cast("int", row[0])) for row in rows]
    return sorted(found)

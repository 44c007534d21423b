"""Where events stood in the log that they were imported from, and when that recorded them."""

from __future__ import annotations

from collections.abc import Sequence

import apsw
import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import VOCABULARY, Event, Imported
from mnemolog.ledger.ids import Position


class Origins:
    """One row an event that was appended anew, by its position here."""

    name = "origins"
    version = 1
    kinds = frozenset({"imported"})
    tables = ("origins",)
    indexes = ""
    schema = """
    CREATE TABLE origins (
        position    INTEGER PRIMARY KEY,
        stood_at    INTEGER NOT NULL,
        recorded_at INTEGER NOT NULL
    ) STRICT;
    """

    def apply(self, db: apsw.Connection, events: Sequence[Event]) -> None:
        """Fold events; see `projections.projection.Projection.apply`."""
        for event in events:
            structure = VOCABULARY.structure(event) if event.kind == "imported" else None
            if isinstance(structure, Imported):
                count = min(len(structure.positions), len(structure.recorded_at))
                first = event.position - count
                # A copy of the event elsewhere may have fewer events before it.
                rows = zip(
                    range(first, event.position),
                    structure.positions,
                    structure.recorded_at,
                    strict=False,
                )
                db.executemany(
                    "INSERT OR IGNORE INTO origins VALUES (?, ?, ?)",
                    [row for row in rows if row[0] > 0],
                )


class OriginRow(msgspec.Struct, frozen=True):
    """The position and time of an event in the log that it was imported from."""

    position: Position
    recorded_at: Micros


def origins_of(db: apsw.Connection, positions: Sequence[Position]) -> dict[Position, OriginRow]:
    """The origins of those events that were appended anew by an import."""
    found: dict[Position, OriginRow] = {}
    for position in positions:
        rows = db.execute(
            "SELECT stood_at, recorded_at FROM origins WHERE position = ?", (position,)
        )
        for stood_at, recorded_at in rows:
            found[position] = OriginRow(Position(stood_at), Micros(recorded_at))
    return found

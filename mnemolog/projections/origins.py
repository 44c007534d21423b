"""Origins of imported events: their position and time in the log that they came from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import apsw
import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import Event, Imported
from mnemolog.ledger.ids import Position
from mnemolog.projections.projection import on, projection


def _note(db: apsw.Connection, event: Event, structure: Imported) -> None:
    count = min(len(structure.positions), len(structure.recorded_at))
    first = event.position - count
    # A copy of the event elsewhere may have fewer events before it.
    rows = zip(
        range(first, event.position), structure.positions, structure.recorded_at, strict=False
    )
    db.executemany(
        "INSERT OR IGNORE INTO origins VALUES (?, ?, ?)", [row for row in rows if row[0] > 0]
    )


ORIGINS = projection(
    "origins",
    1,
    """
    CREATE TABLE origins (
        position    INTEGER PRIMARY KEY,
        stood_at    INTEGER NOT NULL,
        recorded_at INTEGER NOT NULL
    ) STRICT;
    """,
    on(Imported, _note),
)
"""One row an event that was appended anew by an import, by its position here."""


class OriginRow(msgspec.Struct, frozen=True):
    """The position and time of an event in the log that it was imported from."""

    position: Position
    recorded_at: Micros


def origins_of(db: apsw.Connection, positions: Sequence[Position]) -> dict[Position, OriginRow]:
    """The origins of those events that were appended anew by an import."""
    found: dict[Position, OriginRow] = {}
    for position in positions:
        row = db.execute(
            "SELECT stood_at, recorded_at FROM origins WHERE position = ?", (position,)
        ).fetchone()
        if row is not None:
            found[position] = OriginRow(*cast("tuple[Position, Micros]", row))
    return found

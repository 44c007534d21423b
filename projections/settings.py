"""The settings of each space that change outcomes, through time."""

from __future__ import annotations

from collections.abc import Sequence

import apsw
import msgspec

from ledger.events import VOCABULARY, Configured, Event, SettingValue
from ledger.ids import Position

_value = msgspec.json.Decoder(SettingValue)


class SettingChanges:
    """One row a setting and value, with the positions [since, until) at which it held.

    `value` is JSON; a setting that is back at its default has no row.
    """

    name = "settings"
    version = 1
    kinds = frozenset({"configured"})
    tables = ("settings",)
    indexes = ""
    schema = """
    CREATE TABLE settings (
        space TEXT NOT NULL,
        name  TEXT NOT NULL,
        since INTEGER NOT NULL,
        until INTEGER,
        value TEXT NOT NULL,
        PRIMARY KEY (space, name, since)
    ) STRICT, WITHOUT ROWID;
    """

    def apply(self, db: apsw.Connection, events: Sequence[Event]) -> None:
        """Fold events; see `projections.projection.Projection.apply`."""
        for event in events:
            structure = VOCABULARY.structure(event) if event.kind == "configured" else None
            if not isinstance(structure, Configured):
                continue
            for name, value in structure.settings.items():
                db.execute(
                    "UPDATE settings SET until = ? WHERE space = ? AND name = ? AND until IS NULL",
                    (event.position, event.space, name),
                )
                if value is not None:
                    db.execute(
                        "INSERT INTO settings VALUES (?, ?, ?, NULL, ?)",
                        (event.space, name, event.position, msgspec.json.encode(value).decode()),
                    )


def settings_as_of(db: apsw.Connection, space: str, position: Position) -> dict[str, SettingValue]:
    """The settings of a space that are not at their default as of a position."""
    rows = db.execute(
        "SELECT name, value FROM settings WHERE space = ?1 AND since <= ?2 "
        "AND (until IS NULL OR until > ?2)",
        (space, position),
    )
    return {name: _value.decode(value) for name, value in rows}

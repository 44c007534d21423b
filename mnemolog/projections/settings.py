"""The settings of each space that change outcomes, through time."""

from __future__ import annotations

from collections.abc import Sequence

import apsw
import msgspec

from mnemolog.ledger.events import VOCABULARY, Configured, Event, Imported, SettingValue
from mnemolog.ledger.ids import Position

_value = msgspec.json.Decoder(SettingValue)


class SettingChanges:
    """One row a setting and value, with the positions [since, until) at which it held.

    `value` is JSON; a setting that is back at its default has no row. What was adopted
    from another log without being asked for never held: `imported` takes it out.
    """

    name = "settings"
    version = 2
    kinds = frozenset({"configured", "imported"})
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
            structure = VOCABULARY.structure(event) if event.kind in self.kinds else None
            # What it says of other events than those right before it was copied, or forged.
            if isinstance(structure, Imported) and structure.through == event.position - 1:
                _take_out(db, structure)
            elif isinstance(structure, Configured):
                _configure(db, event, structure)


def _configure(db: apsw.Connection, event: Event, configured: Configured) -> None:
    for name, value in configured.settings.items():
        db.execute(
            "UPDATE settings SET until = ? WHERE space = ? AND name = ? AND until IS NULL",
            (event.position, event.space, name),
        )
        if value is not None:
            db.execute(
                "INSERT INTO settings VALUES (?, ?, ?, NULL, ?)",
                (event.space, name, event.position, msgspec.json.encode(value).decode()),
            )


def _take_out(db: apsw.Connection, imported: Imported) -> None:
    """Let settings be what they were before events were adopted, but for those asked for."""
    kept = ",".join("?" * len(imported.settings))
    adopted = (imported.after, imported.through, *imported.settings)
    db.execute(
        f"DELETE FROM settings WHERE since > ? AND since <= ? AND name NOT IN ({kept})", adopted
    )
    db.execute(
        f"UPDATE settings SET until = NULL WHERE until > ? AND until <= ? AND name NOT IN ({kept})",
        adopted,
    )


def all_settings_as_of(
    db: apsw.Connection, position: Position
) -> dict[tuple[str, str], SettingValue]:
    """The settings of all spaces, by space and name, that are not at their default."""
    rows = db.execute(
        "SELECT space, name, value FROM settings WHERE since <= ?1 "
        "AND (until IS NULL OR until > ?1)",
        (position,),
    )
    return {(space, name): _value.decode(value) for space, name, value in rows}


def settings_as_of(db: apsw.Connection, space: str, position: Position) -> dict[str, SettingValue]:
    """The settings of a space that are not at their default as of a position."""
    rows = db.execute(
        "SELECT name, value FROM settings WHERE space = ?1 AND since <= ?2 "
        "AND (until IS NULL OR until > ?2)",
        (space, position),
    )
    return {name: _value.decode(value) for name, value in rows}

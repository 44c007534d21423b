"""Settings of each space that change outcomes, through time, and origins of imported events."""

from collections.abc import Sequence

import msgspec
from apsw import Connection

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import Configured, Event, Imported, SettingValue
from mnemolog.ledger.ids import Position
from mnemolog.projections import sql

_value = msgspec.json.Decoder(SettingValue)


def _configure(db: Connection, event: Event, structure: Configured) -> None:
    for name, value in structure.settings.items():
        sql.end_row(db, "settings", event.position, space=event.space, name=name)
        if value is not None:
            encoded = msgspec.json.encode(value).decode()
            sql.add_row(db, "settings", event.space, name, event.position, None, encoded)


def _take_out(db: Connection, event: Event, structure: Imported) -> None:
    """Restore settings to their state before events were adopted, but for those asked for."""
    # Adopted events lie right before this one: otherwise it was copied, or forged.
    if structure.through == event.position - 1:
        others = f"name NOT IN ({','.join('?' * len(structure.settings))})"
        adopted = (structure.after, structure.through, *structure.settings)
        ended = f"until > ? AND until <= ? AND {others}"
        db.execute(f"DELETE FROM settings WHERE since > ? AND since <= ? AND {others}", adopted)
        db.execute(f"UPDATE settings SET until = NULL WHERE {ended}", adopted)


_SETTINGS = """
    CREATE TABLE settings (
        space TEXT NOT NULL, name TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER,
        value TEXT NOT NULL, PRIMARY KEY (space, name, since)) STRICT, WITHOUT ROWID;
"""
SETTINGS = sql.projection("settings", 2, _SETTINGS, _configure, _take_out)
"""One row a setting and value, with the positions [since, until) at which it held.

`value` is JSON; a setting at its default has no row. A setting that was adopted from
another log without being asked for never held: `imported` takes it out.
"""


def all_settings_as_of(db: Connection, position: Position) -> dict[tuple[str, str], SettingValue]:
    """The settings of all spaces, by space and name, that are not at their default."""
    query = f"SELECT space, name, value FROM settings WHERE {sql.held('?1')}"
    rows = db.execute(query, (position,))
    return {(space, name): _value.decode(value) for space, name, value in rows}


def settings_as_of(db: Connection, space: str, position: Position) -> dict[str, SettingValue]:
    """The settings of a space that are not at their default as of a position."""
    query = f"SELECT name, value FROM settings WHERE space = ?1 AND {sql.AS_OF}"
    return {name: _value.decode(value) for name, value in db.execute(query, (space, position))}


# -- origins ---------------------------------------------------------------------------
def _note_origins(db: Connection, event: Event, structure: Imported) -> None:
    count = min(len(structure.positions), len(structure.recorded_at))
    places = range(event.position - count, event.position)
    rows = zip(places, structure.positions, structure.recorded_at, strict=False)
    # A copy of the event elsewhere may have fewer events before it.
    known = [row for row in rows if row[0] > 0]
    db.executemany("INSERT OR IGNORE INTO origins VALUES (?, ?, ?)", known)


_ORIGINS = """
    CREATE TABLE origins (
        position INTEGER PRIMARY KEY, stood_at INTEGER NOT NULL, recorded_at INTEGER NOT NULL
    ) STRICT;
"""
ORIGINS = sql.projection("origins", 1, _ORIGINS, _note_origins)
"""One row an event that was appended anew by an import, by its position here."""


class OriginRow(msgspec.Struct, frozen=True, array_like=True):
    """The position and time of an event in the log that it was imported from."""

    position: Position
    recorded_at: Micros


def origins_of(db: Connection, positions: Sequence[Position]) -> dict[Position, OriginRow]:
    """The origins of those events that were appended anew by an import."""
    query = "SELECT stood_at, recorded_at FROM origins WHERE position = ?"
    return {one: row for one in positions for row in sql.fetch(db, OriginRow, query, one)}

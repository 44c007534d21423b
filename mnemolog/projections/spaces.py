"""Spaces through time: settings, origins, undone commands, ticks, uses, jobs and merges."""

from collections.abc import Sequence
from typing import NamedTuple, cast

import msgspec
from apsw import Connection

from mnemolog.ledger import events as kinds
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.events import Event, Job, SettingValue
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.projections import sql
from mnemolog.results import Value

# -- settings --------------------------------------------------------------------------
_value = msgspec.json.Decoder(SettingValue)


def _configure(db: Connection, event: Event, structure: kinds.Configured) -> None:
    for name, value in structure.settings.items():
        sql.end_row(db, "settings", event.position, space=event.space, name=name)
        if value is not None:
            encoded = msgspec.json.encode(value).decode()
            sql.add_row(db, "settings", event.space, name, event.position, None, encoded)


def _take_out(db: Connection, event: Event, structure: kinds.Imported) -> None:
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
def _note_origins(db: Connection, event: Event, structure: kinds.Imported) -> None:
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


# -- undone commands -------------------------------------------------------------------
_ENDED_BY = """
    SELECT ended.command FROM undos mine
    JOIN undos ended ON ended.event_id = mine.command AND ended.until = mine.since
    WHERE mine.event_id = ? AND mine.until IS NULL
"""


def _undo(db: Connection, event: Event, structure: kinds.Undone) -> None:
    command, by = bytes.fromhex(structure.command), bytes.fromhex(event.event_id)
    # An undo of an undo had brought commands back: they are undone again.
    again = db.execute(_ENDED_BY, (command,)).fetchall()
    sql.end_row(db, "undos", event.position, event_id=command)
    for one in dict.fromkeys([command, *(row[0] for row in again)]):
        sql.add_row(db, "undos", one, event.position, None, by)


_UNDOS = """
    CREATE TABLE undos (
        command BLOB NOT NULL, since INTEGER NOT NULL, until INTEGER, event_id BLOB NOT NULL,
        PRIMARY KEY (command, since)) STRICT, WITHOUT ROWID;
    CREATE INDEX undos_by_event ON undos (event_id);
"""
_UNDOS_BY_TIME = """
    CREATE INDEX undos_by_start ON undos (since);
    CREATE INDEX undos_by_end ON undos (until);
"""
UNDOS = sql.projection("undos", 3, _UNDOS, _undo, indexes=_UNDOS_BY_TIME)
"""One row an undone command, keyed by the id of the command's first event.

`since` is the position of the `undone` event, `event_id` its id. Undoing that event's
command ends the row at `until`, and undoing this once more begins another.
"""


def command_of(event: Event) -> bytes:
    """The id of the first event of the command that an event belongs to."""
    return bytes.fromhex(event.causation_id or event.event_id)


def not_undone(command: str, position: str) -> str:
    """The condition that a command, such as 'j.command', is not undone as of a position."""
    undone = f"SELECT 1 FROM undos u WHERE u.command = {command} AND {sql.held(position, 'u.')}"
    return f"NOT EXISTS ({undone})"


def is_undone(db: Connection, command: EventId, position: Position) -> bool:
    """True if the command that begins with this event is undone as of a position."""
    query = f"SELECT 1 FROM undos WHERE command = ?1 AND {sql.AS_OF}"
    return sql.exists(db, query, bytes.fromhex(command), position)


def undone_at(db: Connection, commands: Sequence[EventId]) -> list[Position]:
    """The positions at which any of these commands was ever undone, in order."""
    query = "SELECT since FROM undos WHERE command = ?"
    return sorted(at for one in commands for at in sql.positions(db, query, bytes.fromhex(one)))


# -- ticks and uses --------------------------------------------------------------------
def _tick(db: Connection, event: Event, structure: kinds.Ticked) -> None:
    sql.add_row(db, "ticks", event.space, event.position, structure.until)


def _use(db: Connection, event: Event, structure: kinds.Recalled) -> None:
    sql.add_row(db, "uses", event.space, event.position, len(structure.memories))


_ACTIVITY = """
    CREATE TABLE ticks (
        space TEXT NOT NULL, since INTEGER NOT NULL, until_at INTEGER NOT NULL,
        PRIMARY KEY (space, since)) STRICT, WITHOUT ROWID;
    CREATE TABLE uses (
        space TEXT NOT NULL, since INTEGER NOT NULL, memories INTEGER NOT NULL,
        PRIMARY KEY (space, since)) STRICT, WITHOUT ROWID;
"""
ACTIVITY = sql.projection("activity", 1, _ACTIVITY, _tick, _use)
"""One row a `ticked` event, with the instant up to which it looked, and one a use."""


class Uses(Value, frozen=True):
    """The number of recalls that were reported as used, and of the memories that they used."""

    recalls: int
    memories: int


def last_tick_as_of(db: Connection, space: str, position: Position, until: Micros) -> Micros | None:
    """The instant, `until` at most, up to which a space was ticked as of a position, or None."""
    query = "SELECT max(until_at) FROM ticks WHERE space = ? AND since <= ? AND until_at <= ?"
    return cast("Micros | None", db.execute(query, (space, position, until)).get)


def uses_between(db: Connection, space: str, after: Position, position: Position) -> Uses:
    """The uses in a space after one position, up to another."""
    query = """
        SELECT count(*), coalesce(sum(memories), 0) FROM uses
        WHERE space = ? AND since > ? AND since <= ?
    """
    return Uses(*sql.fetch(db, tuple[int, int], query, space, after, position)[0])


# -- jobs, consolidations and merges ---------------------------------------------------
def _maintain(db: Connection, event: Event, structure: kinds.Maintained) -> None:
    at = event.recorded_at if structure.at is None else structure.at
    # Nobody has looked beyond where it is said.
    through = min(event.position, structure.through or event.position)
    insert = "INSERT OR IGNORE INTO jobs VALUES (?, ?, ?, ?, ?, ?)"
    for job in structure.jobs:
        db.execute(insert, (event.space, job, event.position, at, through, command_of(event)))


def _consolidate(db: Connection, event: Event, structure: kinds.Consolidated) -> None:
    if event.memory_id is not None:
        at, space = event.position, event.space
        sql.add_row(db, "consolidations", at, bytes.fromhex(event.memory_id), space)
        if structure.merged is not None:
            for part in structure.parts:
                row = (bytes.fromhex(part), bytes.fromhex(structure.merged), at, space)
                db.execute("INSERT OR IGNORE INTO merges VALUES (?, ?, ?, ?)", row)


_UPKEEP = """
    CREATE TABLE consolidations (
        since INTEGER PRIMARY KEY, memory_id BLOB NOT NULL, space TEXT NOT NULL) STRICT;
    CREATE INDEX consolidations_by_space ON consolidations (space, since);
    CREATE INDEX consolidations_by_memory ON consolidations (memory_id);
    CREATE TABLE merges (
        part BLOB NOT NULL, merged BLOB NOT NULL, since INTEGER NOT NULL, space TEXT NOT NULL,
        PRIMARY KEY (part, merged)) STRICT, WITHOUT ROWID;
    CREATE INDEX merges_by_merged ON merges (merged);
    CREATE INDEX merges_by_space ON merges (space, since);
    CREATE TABLE jobs (
        space TEXT NOT NULL, job TEXT NOT NULL, since INTEGER NOT NULL, at INTEGER NOT NULL,
        through INTEGER NOT NULL, command BLOB NOT NULL,
        PRIMARY KEY (space, job, since)) STRICT, WITHOUT ROWID;
"""
UPKEEP = sql.projection("upkeep", 2, _UPKEEP, _maintain, _consolidate)
"""Consolidations and merges, and when each job of a space was last done.

A consolidation is never taken back: undone, it is left as it is. A job that was done is:
undone, it is due again. It looked at events up to `through`; `command` is the first event
of the command that did it.
"""


class MergeRow(msgspec.Struct, frozen=True, array_like=True):
    """A memory that became part of a merged one; `until` is where the merge was undone."""

    part: MemoryId
    merged: MemoryId
    since: Position
    until: Position | None


class JobRun(NamedTuple):
    """A job that was done: when, in microseconds since 1970 UTC, and how far it looked."""

    at: int
    through: Position


def consolidated_as_of(db: Connection, space: str, position: Position) -> frozenset[MemoryId]:
    """The memories of a space that were consolidated, or made by it, as of a position."""
    query = """
        SELECT memory_id FROM consolidations WHERE space = ?1 AND since <= ?2
        UNION SELECT merged FROM merges WHERE space = ?1 AND since <= ?2
    """
    return frozenset(sql.ids(db, query, space, position))


def is_consolidated(db: Connection, memory_id: MemoryId, position: Position) -> bool:
    """True if a memory was consolidated, or made by it, as of a position."""
    query = """
        SELECT 1 FROM consolidations WHERE memory_id = ?1 AND since <= ?2
        UNION ALL SELECT 1 FROM merges WHERE merged = ?1 AND since <= ?2
    """
    return sql.exists(db, query, bytes.fromhex(memory_id), position)


# A merge holds as long as its supersession does; an undo or a redaction ends that.
_MERGES = f"""
    SELECT {sql.hex("g.part")}, {sql.hex("g.merged")}, g.since, (
        SELECT max(s.until) FROM supersessions s
        WHERE s.old = g.part AND s.new = g.merged AND s.since > g.since AND s.until <= ?1
        AND NOT EXISTS (SELECT 1 FROM supersessions n WHERE n.old = g.part AND n.new = g.merged
                        AND {sql.held("?1", "n.")}))
    FROM merges g WHERE g.since <= ?1
"""


def merges_as_of(db: Connection, space: str, position: Position) -> list[MergeRow]:
    """The merges of a space as of a position, undone ones included, oldest first."""
    query = f"{_MERGES} AND g.space = ?2 ORDER BY g.since, g.part"
    return sql.fetch(db, MergeRow, query, position, space)


def merges_of(db: Connection, memory_ids: Sequence[MemoryId], position: Position) -> list[MergeRow]:
    """The merges of which one of these memories is a part, or the result, oldest first."""
    either = f"(g.part IN {sql.AMONG} OR g.merged IN {sql.AMONG})"
    query = f"{_MERGES} AND {either} ORDER BY g.since, g.part"
    return sql.fetch(db, MergeRow, query, position, sql.as_list(memory_ids))


def jobs_done(db: Connection, space: str, position: Position) -> dict[Job, JobRun]:
    """The last run of each job of a space as of a position, undone ones left out."""
    # Beside a lone max() SQLite takes the other columns from the row that has it.
    query = f"""
        SELECT j.job, j.at, j.through, max(j.since) FROM jobs j
        WHERE j.space = ?1 AND j.since <= ?2 AND {not_undone("j.command", "?2")} GROUP BY j.job
    """
    rows = sql.fetch(db, tuple[Job, int, Position, int], query, space, position)
    return {job: JobRun(at, through) for job, at, through, _ in rows}

"""Tables of a log in SQLite, SQL of the table `events`, and reading for every such log."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, suppress
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

import apsw
from apsw import Connection

from mnemolog.ledger.clock import NEVER, Micros
from mnemolog.ledger.digests import EMPTY, Head, events_of
from mnemolog.ledger.errors import CorruptLog, ForeignFormat
from mnemolog.ledger.events import Event, HashedRow, Row
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.sqlite.connections import insert, refusal

if TYPE_CHECKING:
    from apsw import SQLiteValue

APPLICATION_ID = 0x6D6E_656D  # "mnem"
FORMAT = 2

_SCHEMA = """
CREATE TABLE properties (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE events (
    position       INTEGER PRIMARY KEY,
    event_id       BLOB NOT NULL,
    space          TEXT NOT NULL,
    kind           TEXT NOT NULL,
    version        INTEGER NOT NULL,
    recorded_at    INTEGER NOT NULL,
    actor          TEXT NOT NULL,
    memory_id      BLOB,
    correlation_id TEXT,
    causation_id   BLOB,
    structure      TEXT NOT NULL,
    content        TEXT,
    salt           BLOB,
    content_hash   BLOB,
    digest         BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_by_id ON events (event_id);
CREATE INDEX events_by_memory ON events (memory_id, position) WHERE memory_id <> event_id;
-- Positions whose content was destroyed in the log but may still be in a derived file.
CREATE TABLE pending_erasures (position INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER events_are_kept BEFORE DELETE ON events
BEGIN SELECT raise(ABORT, 'events are never deleted'); END;
CREATE TRIGGER events_are_facts BEFORE UPDATE OF position, event_id, space, kind, version,
    recorded_at, actor, memory_id, correlation_id, causation_id, structure, content_hash, digest
    ON events
BEGIN SELECT raise(ABORT, 'events never change'); END;
CREATE TRIGGER content_is_only_destroyed BEFORE UPDATE OF content, salt ON events
WHEN new.content IS NOT NULL OR new.salt IS NOT NULL
BEGIN SELECT raise(ABORT, 'content never changes'); END;
"""


def ensure_schema(db: Connection, path: Path) -> None:
    """Create the tables in a new file; raises `ForeignFormat` for one that is no ledger of ours."""
    application = db.pragma("application_id")
    version = db.pragma("user_version")
    if application == 0 and is_empty(db):
        with db:
            db.execute(_SCHEMA).fetchall()
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}").fetchall()
            db.execute(f"PRAGMA user_version = {FORMAT}").fetchall()
            secret = (secrets.token_bytes(32),)
            db.execute("INSERT INTO properties VALUES ('secret', ?)", secret)
    elif application != APPLICATION_ID:
        raise ForeignFormat(str(path), "another program's database", "its own ledgers")
    elif version != FORMAT:
        raise ForeignFormat(str(path), f"ledger format {version}", f"format {FORMAT}")


def is_empty(db: Connection) -> bool:
    """True if a database has no tables yet."""
    return not db.execute("SELECT 1 FROM sqlite_schema").fetchall()


def secret_of(db: Connection) -> bytes:
    """The key of a log; raises `CorruptLog` if it is missing."""
    for (value,) in db.execute("SELECT value FROM properties WHERE name = 'secret'"):
        if isinstance(value, bytes):
            return value
    raise CorruptLog("its property 'secret' is missing", 0)


def _schema_of(db: Connection) -> dict[str, str]:
    own = "name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    rows = db.execute(f"SELECT type || ' ' || name, sql FROM sqlite_schema WHERE {own}")
    return {str(name): " ".join(str(sql).split()) for name, sql in rows}


COLUMNS = (
    "position, event_id, space, kind, version, recorded_at, actor, memory_id, "
    "correlation_id, causation_id, structure, content, salt, content_hash, digest"
)
_SELECT = f"SELECT {COLUMNS} FROM events "
_TABLE = f"events ({COLUMNS})"
_MARKS = f"({','.join('?' * len(COLUMNS.split(',')))})"
_INSERT = f"INSERT INTO {_TABLE} VALUES {_MARKS}"
_LAST_TWO = "SELECT position, recorded_at, digest FROM events ORDER BY position DESC LIMIT 2"
# Values that are not blobs sort before the empty blob: comparing costs half of typeof().
_HASHED = """
    SELECT position, recorded_at,
           CASE WHEN event_id >= x'' AND length(event_id) = 16
                 AND (memory_id IS NULL OR memory_id = event_id
                      OR memory_id >= x'' AND length(memory_id) = 16)
                 AND (causation_id IS NULL OR causation_id >= x'' AND length(causation_id) = 16)
                 AND (content_hash IS NULL OR content_hash >= x'' AND length(content_hash) = 32)
                 AND structure < x''
           THEN CAST(event_id || coalesce(x'01' || memory_id, x'00')
                || coalesce(x'01' || causation_id, x'00')
                || coalesce(x'01' || content_hash, x'00')
                || json_array(position, space, kind, version, recorded_at, actor, correlation_id)
                || structure AS BLOB) END,
           CASE WHEN content < x'' AND salt >= x''
           THEN CAST(salt || content AS BLOB)
           WHEN content IS NOT NULL OR salt IS NOT NULL THEN x'' END,
           content_hash, digest
    FROM events WHERE position BETWEEN ? AND ? ORDER BY position
"""
_SIZES = """
    SELECT ifnull(octet_length(structure), 0) + ifnull(octet_length(content), 0)
    FROM events WHERE position <= ? ORDER BY position DESC LIMIT ?
"""
LAST_ABOUT = """
    SELECT max(position) FROM (
        SELECT position FROM events WHERE event_id = ?1 UNION ALL
        SELECT max(position) FROM events WHERE memory_id = ?1 AND memory_id <> event_id)
"""
# `+space`: walk the events after the position, not all of the space back from its last.
LAST_IN_SPACE_AFTER = "SELECT max(position) FROM events WHERE position > ? AND +space = ?"
LAST_IN_SPACE = "SELECT position FROM events WHERE space = ? ORDER BY position DESC LIMIT 1"
_ABOUT = f"""
    WHERE (memory_id = ?1 AND event_id = ?1) UNION ALL
    {_SELECT} WHERE memory_id = ?1 AND memory_id <> event_id ORDER BY position
"""
# Errors of reading rows, whether the file is damaged or the system refused.
_UNREAD = (apsw.Error, UnicodeDecodeError)
_CHUNK = 500

_Values = Sequence["SQLiteValue"]
_Id = TypeVar("_Id", bound="SQLiteValue")


def insert_events(db: Connection, rows: Sequence[Row]) -> None:
    """Insert events; raises `apsw.ConstraintError` for an event id that is there."""
    if len(rows) == 1:
        db.execute(_INSERT, rows[0])
    else:
        insert(db, _TABLE, _MARKS, rows)


def head_of(db: Connection) -> Head:
    """The last event that a connection sees, or `EMPTY`; `CorruptLog` if it is misplaced or bad."""
    rows = db.execute(_LAST_TWO).fetchall()
    if not rows:
        return EMPTY
    position, recorded_at, digest = cast("tuple[Position, Micros, bytes]", rows[0])
    previous = cast("Position", rows[1][0]) if rows[1:] else Position(0)
    if position != previous + 1:
        raise _misplaced(position, previous)
    if not isinstance(digest, bytes) or not isinstance(recorded_at, int):
        raise CorruptLog(f"event {position} cannot be read", previous)
    if not 0 <= recorded_at < NEVER:
        raise CorruptLog(f"event {position} has an impossible time", previous)
    return Head(position, recorded_at, digest)


def _misplaced(position: int, previous: int) -> CorruptLog:
    return CorruptLog(f"event {position} is found in the place of {previous + 1}", previous)


def recorded_at(db: Connection, position: int) -> Micros | None:
    """The time of an event; None if it is missing or damaged."""
    found = db.execute("SELECT recorded_at FROM events WHERE position = ?", (position,)).get
    return Micros(found) if isinstance(found, int) else None


def last_position(db: Connection, query: str, *values: SQLiteValue) -> Position | None:
    """The position that one of the queries above finds; None if there is none."""
    return cast("Position | None", db.execute(query, values).get)


def rows_with_id(db: Connection, event_id: EventId) -> list[Row]:
    """The row of an event id, if there is one."""
    rows = db.execute(f"{_SELECT} WHERE event_id = ?", (bytes.fromhex(event_id),))
    return cast("list[Row]", rows.fetchall())


def events_in_after(db: Connection, space: str, after: Position) -> list[Event]:
    """All events of a space after a position."""
    later = f"{_SELECT} WHERE position > ? AND +space = ? ORDER BY position"
    return events_of(cast("list[Row]", db.execute(later, (after, space)).fetchall()))


def has_events(db: Connection) -> bool:
    """True if a log holds any event."""
    return bool(db.execute("SELECT 1 FROM events LIMIT 1").fetchall())


def holds_content(db: Connection, events: Iterable[EventId]) -> bool:
    """True if a log holds the content of any of these events."""
    found = "SELECT 1 FROM events WHERE event_id = ? AND content IS NOT NULL"
    return any(db.execute(found, (bytes.fromhex(one),)).fetchall() for one in events)


class Tail(NamedTuple):
    """End of a log: its first position, the head before it if readable, and hash inputs."""

    first: Position
    before: Head | None
    rows: Iterator[list[HashedRow]]


class LogReader(ABC):
    """Reading of a log in SQLite, as of `ledger.log.Log`, up to damage (`CorruptLog`)."""

    path: Path

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Connection]:
        """A connection for a block that leaves no cursor behind."""

    def head(self) -> Head:
        """The last event, or `EMPTY`."""
        with self._reading() as db:
            return head_of(db)

    def position_at(self, instant: Micros) -> Position:
        """The last position recorded at or before an instant, by bisection; 0 if none."""

        def time(position: int) -> Micros:
            found = recorded_at(db, position)
            return Micros(1 << 63) if found is None else found

        with self._reading() as db:
            return Position(bisect_right(range(1, head_of(db).position + 1), instant, key=time))

    def tail(self, last: Position, events: int, size: int) -> Tail:
        """The last events up to `last`: at most so many, of so many bytes, or one."""
        # One reading: a connection looks up all its pages anew after an append.
        with self._reading() as db:
            sizes = db.execute(_SIZES, (last, events)).fetchall()
            fit = sum(total <= size for total in accumulate(cast("int", one) for (one,) in sizes))
            first = max(last - max(fit, 1), 0) + 1
            rows, damage = self._rows(db, _HASHED, (first - 1, last))
        before = EMPTY if first == 1 else None
        if rows and rows[0][0] == first - 1:
            position, recorded_at, *_, digest = cast("HashedRow", rows.pop(0))
            if isinstance(digest, bytes) and isinstance(recorded_at, int):
                before = Head(Position(position), Micros(recorded_at), digest)
        return Tail(Position(first), before, _up_to_damage(rows, damage, first))

    def positions_of(self, event_ids: Sequence[EventId]) -> dict[EventId, Position]:
        """The positions of these events; absent ones are left out."""
        found: dict[EventId, Position] = {}
        query = "SELECT event_id, position FROM events WHERE event_id IN"
        with self._reading() as db:
            for part in _parts([bytes.fromhex(event_id) for event_id in event_ids]):
                rows = db.execute(f"{query} ({_marks(part)})", part)
                found |= {EventId(one.hex()): Position(position) for one, position in rows}
        return found

    def read(
        self, after: Position, limit: int, space: str | None = None, kinds: Sequence[str] = ()
    ) -> list[Event]:
        """Up to `limit` events after a position, in order, of a space and kinds if given."""
        in_space = "" if space is None else " AND space = ?"
        condition = f"WHERE position > ?{in_space}{_of_kinds(kinds)} ORDER BY position LIMIT ?"
        values = (after, *([] if space is None else [space]), *kinds, limit)
        with self._reading() as db:
            events = self._events(db, condition, values, after)
        gapless = space is None and not kinds and after >= 0
        last = int(after)
        # A damaged page can give one row in the place of another.
        for event in events:
            if gapless and event.position != last + 1:
                raise _misplaced(event.position, last)
            if event.position <= last:
                raise CorruptLog(f"event {event.position} is found behind {last}", last)
            last = event.position
        return events

    def events_at(self, positions: Sequence[Position]) -> list[Event]:
        """The events at these positions that exist, ascending."""
        events: list[Event] = []
        with self._reading() as db:
            for part in _parts(sorted(set(positions))):
                condition = f"WHERE position IN ({_marks(part)}) ORDER BY position"
                events += self._events(db, condition, part, part[0] - 1)
        return events

    def with_content(self, positions: Sequence[Position]) -> set[Position]:
        """Those of these positions whose events still have content, which is not read."""
        found: set[Position] = set()
        query = "SELECT position FROM events WHERE content IS NOT NULL AND position IN"
        with self._reading() as db:
            for part in _parts(positions):
                found.update(
                    Position(one) for (one,) in db.execute(f"{query} ({_marks(part)})", part)
                )
        return found

    def concerning(self, memory_id: MemoryId) -> list[Event]:
        """Every event about a memory, in order, beginning with its own."""
        with self._reading() as db:
            return self._events(db, _ABOUT, (bytes.fromhex(memory_id),), 0)

    def events_with_prefix(
        self, digits: str, limit: int, space: str, kinds: Sequence[str] = ()
    ) -> list[Event]:
        """Up to `limit` events of a space, and of kinds if given, whose id begins so, by id."""
        low, high = (bytes.fromhex(digits.ljust(32, filler)) for filler in "0f")
        where = f"WHERE event_id BETWEEN ? AND ? AND space = ?{_of_kinds(kinds)}"
        values = (low, high, space, *kinds, limit)
        with self._reading() as db:
            return self._events(db, f"{where} ORDER BY event_id LIMIT ?", values, 0)

    def hashed_between(self, first: int, last: int) -> Iterator[list[HashedRow]]:
        """The hash inputs of an inclusive range, in chunks, for verification."""
        for start in range(first, last + 1, _CHUNK):
            end = min(last, start + _CHUNK - 1)
            with self._reading() as db:
                rows, damage = self._rows(db, _HASHED, (start, end))
            yield from _up_to_damage(rows, damage, start)

    def integrity(self) -> list[str]:
        """Problems that SQLite's own check finds in the file; empty if there are none."""
        with self._reading() as db:
            rows = [str(row[0]) for row in db.execute("PRAGMA integrity_check(20)")]
        return [] if rows == ["ok"] else rows

    def schema_differences(self) -> list[str]:
        """Tables, indexes and triggers that are not as this format creates them, in words."""
        with self._reading() as db, closing(Connection(":memory:")) as created:
            created.execute(_SCHEMA).fetchall()
            found, wanted = _schema_of(db), _schema_of(created)
        differing = {name for name, _ in found.items() ^ wanted.items()}
        words = dict.fromkeys(found, "not ours") | dict.fromkeys(wanted, "missing")
        words |= dict.fromkeys(found.keys() & wanted.keys(), "altered")
        return [f"{name} is {words[name]}" for name in sorted(differing)]

    def _events(self, db: Connection, where: str, values: _Values, last_good: int) -> list[Event]:
        rows, damage = self._rows(db, _SELECT + where, values)
        events = events_of(cast("list[Row]", rows))
        if damage is not None:
            raise CorruptLog(damage, events[-1].position if events else last_good)
        return events

    def _rows(
        self, db: Connection, query: str, values: _Values
    ) -> tuple[list[tuple[SQLiteValue, ...]], str | None]:
        """The rows of a query up to the first damage, and that damage in words."""
        try:
            return db.execute(query, values).fetchall(), None
        except _UNREAD as error:
            # Only damage is worth reading up to, not what the system refused.
            if refusal(error, self.path, db) is not None:
                raise
            rows = []
            with suppress(*_UNREAD):
                for row in db.execute(query, values):
                    rows.append(row)  # noqa: PERF402 - rows before the error count
            return rows, str(error)


def _up_to_damage(
    found: list[tuple[SQLiteValue, ...]], damage: str | None, first: int
) -> Iterator[list[HashedRow]]:
    rows = cast("list[HashedRow]", found)
    yield rows
    if damage is not None:
        raise CorruptLog(damage, rows[-1][0] if rows else first - 1)


def _parts(ids: Sequence[_Id]) -> Iterator[Sequence[_Id]]:
    return (ids[start : start + _CHUNK] for start in range(0, len(ids), _CHUNK))


def _of_kinds(kinds: Sequence[str]) -> str:
    return f" AND kind IN ({_marks(kinds)})" if kinds else ""


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))

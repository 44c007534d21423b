"""SQL of the table `events`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import TypeVar, cast

import apsw

from mnemolog.ledger.clock import NEVER, Micros
from mnemolog.ledger.digests import EMPTY, HashedRow, Head, Row, events_of
from mnemolog.ledger.errors import CorruptLog
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.sqlite.connections import insert, refusal

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
_LAST_ABOUT = """
    SELECT max(position) FROM (
        SELECT position FROM events WHERE event_id = ?1 UNION ALL
        SELECT max(position) FROM events WHERE memory_id = ?1 AND memory_id <> event_id)
"""
# `+space`: walk the events after the position, not all of the space back from its last.
_LATER_IN_SPACE = "WHERE position > ? AND +space = ?"
_UNREAD = (apsw.Error, UnicodeDecodeError)
"""Errors of reading rows, whether the file is damaged or the system refused."""
_ID_CHUNK = 500

_AnyRow = TypeVar("_AnyRow", Row, HashedRow)


# -- writing ---------------------------------------------------------------------------


def insert_events(db: apsw.Connection, rows: Sequence[Row]) -> None:
    """Insert events; raises `apsw.ConstraintError` for an event id that is there."""
    if len(rows) == 1:
        db.execute(_INSERT, rows[0])
    else:
        insert(db, _TABLE, _MARKS, rows)


# -- single values ---------------------------------------------------------------------


def head_of(db: apsw.Connection) -> Head:
    """The last event that a connection sees, or `EMPTY`.

    Raises `CorruptLog` for a misnumbered or unreadable one: the log would look shorter
    or longer than it is, and the next append would follow it.
    """
    rows = db.execute(_LAST_TWO).fetchall()
    if not rows:
        return EMPTY
    position, recorded_at, digest = cast("tuple[Position, Micros, bytes]", rows[0])
    previous = cast("Position", rows[1][0]) if rows[1:] else Position(0)
    if position != previous + 1:
        problem = f"event {position} is found in the place of {previous + 1}"
        raise CorruptLog(problem, previous)
    if not isinstance(digest, bytes) or not isinstance(recorded_at, int):
        raise CorruptLog(f"event {position} cannot be read", previous)
    if not 0 <= recorded_at < NEVER:
        raise CorruptLog(f"event {position} has an impossible time", previous)
    return Head(position, recorded_at, digest)


def recorded_at(db: apsw.Connection, position: int) -> Micros | None:
    """The time of an event; None if it is missing or damaged."""
    found = db.execute("SELECT recorded_at FROM events WHERE position = ?", (position,)).get
    return Micros(found) if isinstance(found, int) else None


def last_about(db: apsw.Connection, memory_id: MemoryId) -> int:
    """The position of the last event about a memory; 0 if there is none."""
    found: int | None = db.execute(_LAST_ABOUT, (bytes.fromhex(memory_id),)).get
    return found or 0


def last_in(db: apsw.Connection, space: str) -> int:
    """The position of the last event of a space; 0 if there is none."""
    found: int | None = db.execute(
        "SELECT position FROM events WHERE space = ? ORDER BY position DESC LIMIT 1", (space,)
    ).get
    return found or 0


def last_in_after(db: apsw.Connection, space: str, after: Position) -> Position:
    """The position of the last event of a space after a position; `after` if there is none."""
    found: Position | None = db.execute(
        f"SELECT max(position) FROM events {_LATER_IN_SPACE}", (after, space)
    ).get
    return after if found is None else found


def position_at(db: apsw.Connection, instant: Micros) -> Position:
    """The last position recorded at or before an instant, by bisection; 0 if none."""
    low, high = 0, int(head_of(db).position)
    while low < high:
        middle = (low + high + 1) // 2
        time = recorded_at(db, middle)
        if time is not None and time <= instant:
            low = middle
        else:
            high = middle - 1
    return Position(low)


def fitting_tail(db: apsw.Connection, head: Position, events: int, size: int) -> int:
    """The number of last events up to `head`, at most `events`, that fit into `size` bytes."""
    sizes = db.execute(_SIZES, (head, events)).fetchall()
    return sum(total <= size for total in accumulate(cast("int", one) for (one,) in sizes))


# -- events ----------------------------------------------------------------------------


def rows_with_id(db: apsw.Connection, event_id: EventId) -> list[Row]:
    """The row of an event id, if there is one."""
    rows = db.execute(f"{_SELECT} WHERE event_id = ?", (bytes.fromhex(event_id),))
    return cast("list[Row]", rows.fetchall())


def events_in_after(db: apsw.Connection, space: str, after: Position) -> list[Event]:
    """All events of a space after a position."""
    rows = db.execute(f"{_SELECT} {_LATER_IN_SPACE} ORDER BY position", (after, space))
    return events_of(cast("list[Row]", rows.fetchall()))


def positions_of(db: apsw.Connection, event_ids: Sequence[EventId]) -> dict[EventId, Position]:
    """The positions of these events; absent ones are left out."""
    found: dict[EventId, Position] = {}
    for start in range(0, len(event_ids), _ID_CHUNK):
        part = [bytes.fromhex(event_id) for event_id in event_ids[start : start + _ID_CHUNK]]
        rows = db.execute(
            f"SELECT event_id, position FROM events WHERE event_id IN ({_marks(part)})", part
        )
        found.update({EventId(row[0].hex()): Position(row[1]) for row in rows})
    return found


class EventReader:
    """Whole events and hash inputs, read on one connection.

    Damage raises `CorruptLog` with the position of the last good event.
    """

    def __init__(self, db: apsw.Connection, path: Path) -> None:
        self._db = db
        self._path = path

    def after(
        self, after: Position, limit: int, space: str | None, kinds: Sequence[str]
    ) -> list[Event]:
        """Up to `limit` events after a position, in order, of a space and kinds if given."""
        condition = "WHERE position > ?"
        values: list[str | int | bytes] = [after]
        if space is not None:
            condition += " AND space = ?"
            values.append(space)
        condition += f"{_of_kinds(kinds)} ORDER BY position LIMIT ?"
        events = self._events(condition, (*values, *kinds, limit), after)
        gapless = space is None and not kinds and after >= 0
        last = int(after)
        # A damaged page can give one row in the place of another.
        for event in events:
            if gapless and event.position != last + 1:
                problem = f"event {event.position} is found in the place of {last + 1}"
                raise CorruptLog(problem, last)
            if event.position <= last:
                raise CorruptLog(f"event {event.position} is found behind {last}", last)
            last = event.position
        return events

    def at(self, positions: Sequence[Position]) -> list[Event]:
        """The events at these positions that exist, ascending."""
        events: list[Event] = []
        ordered = sorted(set(positions))
        for start in range(0, len(ordered), _ID_CHUNK):
            part = ordered[start : start + _ID_CHUNK]
            condition = f"WHERE position IN ({_marks(part)}) ORDER BY position"
            events += self._events(condition, part, part[0] - 1)
        return events

    def about(self, memory_id: MemoryId) -> list[Event]:
        """Every event about a memory, in order, beginning with its own."""
        condition = (
            "WHERE (memory_id = ?1 AND event_id = ?1) UNION ALL "
            f"{_SELECT} WHERE memory_id = ?1 AND memory_id <> event_id ORDER BY position"
        )
        return self._events(condition, (bytes.fromhex(memory_id),), 0)

    def with_prefix(self, digits: str, limit: int, space: str, kinds: Sequence[str]) -> list[Event]:
        """Up to `limit` events of a space, and of kinds if given, whose id begins so, by id."""
        low, high = (bytes.fromhex(digits.ljust(32, filler)) for filler in "0f")
        condition = f"WHERE event_id BETWEEN ? AND ? AND space = ?{_of_kinds(kinds)}"
        return self._events(
            f"{condition} ORDER BY event_id LIMIT ?", (low, high, space, *kinds, limit), 0
        )

    def _events(
        self, condition: str, values: Sequence[str | int | bytes], last_good: int
    ) -> list[Event]:
        try:
            rows = cast("list[Row]", self._db.execute(_SELECT + condition, values).fetchall())
        except _UNREAD as error:
            self._raise_refusal(error)
            before = cast("Iterable[Row]", self._db.execute(_SELECT + condition, values))
            events = events_of(_readable(before))
            raise CorruptLog(str(error), events[-1].position if events else last_good) from None
        return events_of(rows)

    def hashed(self, first: int, last: int) -> tuple[list[HashedRow], CorruptLog | None]:
        """The hash inputs of a range, up to the first damage, and that damage."""
        try:
            rows = self._db.execute(_HASHED, (first, last)).fetchall()
            return cast("list[HashedRow]", rows), None
        except _UNREAD as error:
            self._raise_refusal(error)
            before = cast("Iterable[HashedRow]", self._db.execute(_HASHED, (first, last)))
            good = _readable(before)
            return good, CorruptLog(str(error), good[-1][0] if good else first - 1)

    def _raise_refusal(self, error: BaseException) -> None:
        """Raise an error again if the system refused: only damage is worth reading up to."""
        if refusal(error, self._path, self._db) is not None:
            raise error


def _readable(rows: Iterable[_AnyRow]) -> list[_AnyRow]:
    """The rows before the first that cannot be read."""
    found: list[_AnyRow] = []
    with suppress(*_UNREAD):
        for row in rows:
            found.append(row)  # noqa: PERF402 - rows before the error count
    return found


def _of_kinds(kinds: Sequence[str]) -> str:
    return f" AND kind IN ({_marks(kinds)})" if kinds else ""


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


# -- logs that are not opened ----------------------------------------------------------


def has_events(db: apsw.Connection) -> bool:
    """True if a log holds any event."""
    return bool(db.execute("SELECT 1 FROM events LIMIT 1").fetchall())


def holds_content(db: apsw.Connection, events: Iterable[EventId]) -> bool:
    """True if a log holds the content of any of these events."""
    found = "SELECT 1 FROM events WHERE event_id = ? AND content IS NOT NULL"
    return any(db.execute(found, (bytes.fromhex(one),)).fetchall() for one in events)

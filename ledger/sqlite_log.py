"""The log in one SQLite file, written by many threads and processes at once.

Threads that append at the same time share one transaction and one flush to
disk (group commit): a thread that finds nobody writing commits for itself;
others hand over to a writer thread, which gathers what waits. A lock file puts
processes in line before SQLite's own lock, which polls.
"""

from __future__ import annotations

import os
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, cast

import apsw

from ledger.clock import Clock, Micros, SystemClock
from ledger.connections import connect
from ledger.errors import (
    ClosedHandle,
    CorruptLog,
    ForeignFormat,
    InvalidField,
    LedgerError,
    LogBusy,
    MissingLog,
    StaleExpectation,
)
from ledger.events import Draft, Event
from ledger.ids import EventId, MemoryId, Position
from ledger.locks import FileLock
from ledger.log import EMPTY, Appended, Durability, Expected, Head
from ledger.rows import Prepared, Row, adopted, chained, check_same, event_of, prepare

if TYPE_CHECKING:
    from pathlib import Path

APPLICATION_ID = 0x6D6E_656D  # "mnem"
FORMAT = 1

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

COLUMNS = (
    "position, event_id, space, kind, version, recorded_at, actor, memory_id, "
    "correlation_id, causation_id, structure, content, salt, content_hash, digest"
)
_SELECT = f"SELECT {COLUMNS} FROM events "
_INSERT = f"INSERT INTO events ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_HEAD = "SELECT position, recorded_at, digest FROM events ORDER BY position DESC LIMIT 1"

_AUTOCHECKPOINT_PAGES = 4000
_GROUP_LIMIT = 256
_POLL_S = 0.02
_ID_CHUNK = 500
_END_OF_TIME = 253_402_300_800_000_000  # the year 10000, in microseconds
_UNREADABLE = (
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.IOError,
    apsw.SQLError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.FormatError,
    apsw.MismatchError,
    apsw.TooBigError,
    UnicodeDecodeError,
)
"""What reading a damaged file comes to: a schema may be hit, or the bytes of a text."""


class _Request:
    """One caller's append on its way through the writer thread."""

    __slots__ = ("answered", "erase", "error", "expected", "prepared", "result")

    def __init__(
        self, prepared: list[Prepared], expected: Expected | None, erase: Sequence[Position]
    ) -> None:
        self.prepared = prepared
        self.expected = expected
        self.erase = erase
        self.result: Appended | None = None
        self.error: BaseException | None = None
        self.answered = threading.Lock()
        self.answered.acquire()


class SqliteLog:
    """A log in the file `path`, created if `create` allows and it is not there.

    Raises `ForeignFormat` for a file that is not a ledger or is a newer one,
    `CorruptLog` for one that cannot be read at all.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Clock | None = None,
        durability: Durability = Durability.DURABLE,
    ) -> None:
        self.path = path
        self.durability = durability
        self._clock = clock or SystemClock()
        self._closed = False
        self._open()

    def _open(self) -> None:
        self._pid = os.getpid()
        self._turn = threading.Lock()
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        # Whether appends have lately come together: then nobody commits for itself, so that
        # what waits is not held up by a transaction for one.
        self._crowded = False
        self._grown = threading.Condition()
        self._readers: list[apsw.Connection] = []
        self._lock = FileLock(self.path.with_name(self.path.name + ".lock"))
        try:
            with self._lock.held():
                self._writer = self._connect_writer()
                self._check_format()
            self.secret: bytes = self._property("secret")
            self._inode = self.path.stat().st_ino
        except _UNREADABLE as error:
            raise CorruptLog(str(error), 0) from None

    def _check_format(self) -> None:
        application = self._writer.pragma("application_id")
        version = self._writer.pragma("user_version")
        if application == 0 and not self._writer.execute("SELECT 1 FROM sqlite_schema").fetchall():
            self._create()
        elif application != APPLICATION_ID:
            raise ForeignFormat(str(self.path), "another program's database", "its own ledgers")
        elif version != FORMAT:
            raise ForeignFormat(str(self.path), f"ledger format {version}", f"format {FORMAT}")

    def _create(self) -> None:
        with self._writer:
            for statement in (_SCHEMA, f"PRAGMA application_id = {APPLICATION_ID}"):
                self._writer.execute(statement).fetchall()
            self._writer.execute(f"PRAGMA user_version = {FORMAT}").fetchall()
            self._writer.execute(
                "INSERT INTO properties VALUES ('secret', ?)", (secrets.token_bytes(32),)
            )

    def _property(self, name: str) -> bytes:
        rows = self._writer.execute("SELECT value FROM properties WHERE name = ?", (name,))
        for (value,) in rows:
            return bytes(value)
        raise CorruptLog(f"its property {name!r} is missing", 0)

    def _ensure_usable(self) -> None:
        if self._closed:
            raise ClosedHandle("log")
        if self._pid != os.getpid():
            # Connections and locks must not be shared with the parent of a fork, nor
            # closed here: closing would release the parent's POSIX locks.
            self._abandoned = (self._writer, self._readers)
            self._open()

    def _ensure_current(self) -> None:
        """Open the file that is there now, if a restore has put another in place."""
        if self._replaced():
            with self._turn:
                if self._replaced():
                    self._reopen()

    def _replaced(self) -> bool:
        """Whether another file has taken the log's place, as a restore does."""
        try:
            return self.path.stat().st_ino != self._inode
        except FileNotFoundError:
            raise MissingLog(self.path) from None

    def _reopen(self) -> None:
        """Let go of a file that was replaced: what is written to it would be lost."""
        while self._readers:
            self._readers.pop().close()
        self._writer.close()
        self._writer = self._connect_writer()
        self._inode = self.path.stat().st_ino
        self.secret = self._property("secret")

    def _connect_writer(self) -> apsw.Connection:
        full = self.durability is Durability.DURABLE
        writer = connect(self.path, synchronous="FULL" if full else "NORMAL")
        writer.wal_autocheckpoint(_AUTOCHECKPOINT_PAGES)
        return writer

    # -- appending ---------------------------------------------------------------------

    def append(
        self,
        drafts: Sequence[Draft],
        expected: Expected | None = None,
        erase: Sequence[Position] = (),
    ) -> Appended:
        """Append all of `drafts` or nothing; see `ledger.log.Log.append`."""
        self._ensure_usable()
        request = _Request(prepare(drafts), expected, erase)
        if not self._crowded and self._turn.acquire(blocking=False):
            try:
                self._commit([request])
            finally:
                self._turn.release()
        else:
            self._hand_over(request)
        if request.error is not None:
            raise request.error
        if request.result is None:
            raise ClosedHandle("log")
        return request.result

    def _hand_over(self, request: _Request) -> None:
        if self._thread is None:
            with self._grown:
                if self._thread is None:
                    self._thread = threading.Thread(
                        target=self._write_groups, name="mnemolog-log-writer", daemon=True
                    )
                    self._thread.start()
        self._requests.put(request)
        request.answered.acquire()

    def _write_groups(self) -> None:
        while (request := self._requests.get()) is not None:
            group = [request]
            with self._turn:
                while len(group) < _GROUP_LIMIT:
                    try:
                        waiting = self._requests.get_nowait()
                    except queue.Empty:
                        break
                    if waiting is None:
                        self._requests.put(None)
                        break
                    group.append(waiting)
                self._commit(group)
                self._crowded = len(group) > 1 or not self._requests.empty()
            for answered in group:
                answered.answered.release()

    def _commit(self, group: list[_Request]) -> None:
        """Write what can be written of `group` in one transaction, and answer each."""
        try:
            with self._transaction() as head:
                if not self._written_together(group, head):
                    self._write_each(group, head)
        except BaseException as error:  # noqa: BLE001 - every waiting caller must learn of it
            for request in group:
                request.result, request.error = None, request.error or error
        with self._grown:
            self._grown.notify_all()

    def _written_together(self, group: list[_Request], head: Head) -> bool:
        """Insert the events of requests that ask for no more; False if it must be one by one."""
        if len(group) == 1 or any(request.expected or request.erase for request in group):
            return False
        together = [item for request in group for item in request.prepared]
        now = self._clock.now()
        try:
            rows, _ = chained(together, head, Micros(max(now, head.recorded_at)))
            with self._writer:
                self._writer.executemany(_INSERT, rows)
        except (apsw.ConstraintError, InvalidField):
            return False
        end = int(head.position)
        recorded_at = Micros(max(now, head.recorded_at))
        for request in group:
            start, end = end, end + len(request.prepared)
            positions = tuple(Position(position) for position in range(start + 1, end + 1))
            request.result = Appended(positions, recorded_at, max(0, recorded_at - now))
        return True

    def _write_each(self, group: list[_Request], start: Head) -> None:
        head = start
        for request in group:
            try:
                head = self._write(request, head)
            except LedgerError as error:
                request.error = error

    @contextmanager
    def _transaction(self) -> Iterator[Head]:
        """A write transaction, committed if the body ends well; gives the head."""
        with self._lock.held(), _translated(self):
            if self._replaced():
                self._reopen()
            # A deferred transaction would read first and then fail at once with
            # BUSY_SNAPSHOT, whatever the timeout: another process may have appended.
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._head(self._writer)
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    def _write(self, request: _Request, head: Head) -> Head:
        """Insert a request's events, those that are there already excepted."""
        try:
            if request.expected is not None:
                self._check_expected(request.expected)
            if len(request.prepared) == 1:
                after = self._insert(request, request.prepared, {}, head)
            else:
                # A savepoint, so that a batch that meets a known id leaves no half behind.
                with self._writer:
                    after = self._insert(request, request.prepared, {}, head)
        except (apsw.ConstraintError, StaleExpectation) as error:
            # A retry of what was acknowledged: looked for only now, because fresh ids
            # are the rule and a look-up an event would cost a third of the append.
            known = self._known(request.prepared)
            fresh = [item for item in request.prepared if item.event_id not in known]
            if not known or (fresh and isinstance(error, StaleExpectation)):
                raise
            after = self._insert(request, fresh, known, head)
        return after

    def _insert(
        self,
        request: _Request,
        fresh: list[Prepared],
        known: dict[bytes, Position],
        head: Head,
    ) -> Head:
        now = self._clock.now()
        rows, new_head = chained(fresh, head, Micros(max(now, head.recorded_at)))
        self._writer.executemany(_INSERT, rows)
        if request.erase:
            self._erase(request.erase)
        if known:
            written = {row[1]: Position(row[0]) for row in rows}
            positions = [(known | written)[item.event_id] for item in request.prepared]
            recorded_at = new_head.recorded_at if rows else self._recorded_at(min(positions))
        else:
            positions = [Position(row[0]) for row in rows]
            recorded_at = new_head.recorded_at
        request.result = Appended(tuple(positions), recorded_at, max(0, recorded_at - now))
        return new_head

    def _known(self, prepared: list[Prepared]) -> dict[bytes, Position]:
        """Positions of the events that are in the log already, their payloads compared."""
        known: dict[bytes, Position] = {}
        for item in prepared:
            rows = self._writer.execute(_SELECT + "WHERE event_id = ?", (item.event_id,))
            for row in rows.fetchall():
                check_same(item, cast("Row", row))
                known[item.event_id] = cast("Position", row[0])
        return known

    def _check_expected(self, expected: Expected) -> None:
        for memory_id, position in expected.memories.items():
            expected_id = bytes.fromhex(memory_id)
            found = self._writer.execute(
                "SELECT max(position) FROM (SELECT position FROM events WHERE event_id = ?1 "
                "UNION ALL SELECT max(position) FROM events WHERE memory_id = ?1 "
                "AND memory_id <> event_id)",
                (expected_id,),
            ).get
            _compare(f"memory {memory_id}", position, found or 0)
        if expected.space is not None:
            space, position = expected.space
            found = self._writer.execute(
                "SELECT position FROM events WHERE space = ? ORDER BY position DESC LIMIT 1",
                (space,),
            ).get
            _compare(f"space {space!r}", position, found or 0)

    def _erase(self, positions: Sequence[Position]) -> None:
        ids = [(position,) for position in positions]
        self._writer.executemany(
            "UPDATE events SET content = NULL, salt = NULL WHERE position = ?", ids
        )
        self._writer.executemany("INSERT OR IGNORE INTO pending_erasures VALUES (?)", ids)

    def _recorded_at(self, position: Position) -> Micros:
        rows = self._writer.execute(
            "SELECT recorded_at FROM events WHERE position = ?", (position,)
        ).fetchall()
        return cast("Micros", rows[0][0])

    def adopt(self, events: Sequence[Event]) -> None:
        """Append another log's events as they are; see `ledger.log.Log.adopt`."""
        self._ensure_usable()
        with self._turn, self._transaction() as head:
            rows = adopted(events, head)
            try:
                self._writer.executemany(_INSERT, rows)
            except apsw.ConstraintError:
                raise CorruptLog("an event id is in it already", head.position) from None

    # -- erasure -----------------------------------------------------------------------

    def pending_erasures(self) -> list[Position]:
        """Positions whose content is destroyed here but perhaps not yet in derived files."""
        with self._reading() as connection:
            rows = connection.execute("SELECT position FROM pending_erasures ORDER BY position")
            return [Position(position) for (position,) in rows]

    def finish_erasure(self, positions: Sequence[Position], timeout_s: float) -> bool:
        """Empty the WAL of old pages and forget that these erasures were pending.

        False if readers kept the WAL in use until time was up; the erasures
        then stay pending.
        """
        self._ensure_usable()
        deadline = time.monotonic() + timeout_s
        with self._turn, self._lock.held(), _translated(self):
            # In this order: whoever dies in between leaves the erasures pending.
            if not self._truncate_wal(deadline):
                return False
            self._writer.executemany(
                "DELETE FROM pending_erasures WHERE position = ?", [(p,) for p in positions]
            )
            return True

    def _truncate_wal(self, deadline: float) -> bool:
        # The idle connections of the pool hold no snapshot; other readers get until the
        # deadline, in steps short enough to see it.
        self._writer.set_busy_timeout(50)
        try:
            while True:
                try:
                    self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                except apsw.BusyError:
                    if time.monotonic() >= deadline:
                        return False
                else:
                    return True
        finally:
            self._writer.set_busy_timeout(60_000)

    # -- reading -----------------------------------------------------------------------

    def read(
        self,
        after: Position,
        limit: int,
        space: str | None = None,
        kinds: Sequence[str] = (),
    ) -> list[Event]:
        """Events after a position; see `ledger.log.Log.read`.

        Raises `CorruptLog` with the last good position where SQLite cannot read on.
        """
        where = "WHERE position > ?"
        values: list[str | int] = [after]
        if space is not None:
            where += " AND space = ?"
            values.append(space)
        if kinds:
            where += f" AND kind IN ({','.join('?' * len(kinds))})"
            values.extend(kinds)
        return self._events(f"{where} ORDER BY position LIMIT ?", (*values, limit), after)

    def events_at(self, positions: Sequence[Position]) -> list[Event]:
        """The events at these positions that exist, ascending."""
        events: list[Event] = []
        ordered = sorted(set(positions))
        for start in range(0, len(ordered), _ID_CHUNK):
            part = ordered[start : start + _ID_CHUNK]
            marks = ",".join("?" * len(part))
            events += self._events(
                f"WHERE position IN ({marks}) ORDER BY position", part, part[0] - 1
            )
        return events

    def positions_of(self, event_ids: Sequence[EventId]) -> dict[EventId, Position]:
        """Where these events stand; absent ones are left out."""
        found: dict[EventId, Position] = {}
        with self._reading() as connection:
            for start in range(0, len(event_ids), _ID_CHUNK):
                part = [
                    bytes.fromhex(event_id) for event_id in event_ids[start : start + _ID_CHUNK]
                ]
                rows = connection.execute(
                    "SELECT event_id, position FROM events "
                    f"WHERE event_id IN ({','.join('?' * len(part))})",
                    part,
                )
                found.update({EventId(row[0].hex()): Position(row[1]) for row in rows})
        return found

    def concerning(self, memory_id: MemoryId) -> list[Event]:
        """Every event about a memory, in order, beginning with its own."""
        blob = bytes.fromhex(memory_id)
        return self._events(
            "WHERE (memory_id = ?1 AND event_id = ?1) UNION ALL "
            f"{_SELECT} WHERE memory_id = ?1 AND memory_id <> event_id ORDER BY position",
            (blob,),
            0,
        )

    def events_with_prefix(self, digits: str, limit: int, space: str) -> list[Event]:
        """Up to `limit` events of a space whose id begins with these digits, by id."""
        low = bytes.fromhex(digits.ljust(32, "0"))
        high = bytes.fromhex(digits.ljust(32, "f"))
        return self._events(
            "WHERE event_id BETWEEN ? AND ? AND space = ? ORDER BY event_id LIMIT ?",
            (low, high, space, limit),
            0,
        )

    def position_at(self, instant: Micros) -> Position:
        """The last position recorded at or before an instant, by bisection; 0 if none."""
        with self._reading() as connection:
            low, high = 0, int(self._head(connection).position)
            while low < high:
                middle = (low + high + 1) // 2
                recorded_at = connection.execute(
                    "SELECT recorded_at FROM events WHERE position = ?", (middle,)
                ).get
                if isinstance(recorded_at, int) and recorded_at <= instant:
                    low = middle
                else:
                    high = middle - 1
        return Position(low)

    def rows_between(self, first: int, last: int) -> Iterator[Sequence[Row]]:
        """Raw rows of an inclusive range in chunks, for verification.

        Raises `CorruptLog` with the last good position where SQLite cannot read on.
        """
        step = 20_000
        for start in range(first, last + 1, step):
            statement = _SELECT + "WHERE position BETWEEN ? AND ? ORDER BY position"
            values = (start, min(last, start + step - 1))
            damage = None
            with self._reading() as connection:
                try:
                    rows = cast("list[Row]", connection.execute(statement, values).fetchall())
                except _UNREADABLE as error:
                    damage = str(error)
                    rows = _readable(cast("Iterable[Row]", connection.execute(statement, values)))
            yield rows
            if damage is not None:
                raise CorruptLog(damage, rows[-1][0] if rows else start - 1)

    def _events(
        self, condition: str, values: Sequence[str | int | bytes], last_good: int
    ) -> list[Event]:
        with self._reading() as connection:
            events: list[Event] = []
            try:
                for row in connection.execute(_SELECT + condition, values):
                    events.append(event_of(row))  # noqa: PERF401 - what was read counts
            except _UNREADABLE as error:
                good = int(events[-1].position) if events else last_good
                raise CorruptLog(str(error), good) from None
        return events

    def head(self) -> Head:
        """The last event, or `EMPTY`."""
        with self._reading() as connection:
            return self._head(connection)

    def _head(self, connection: apsw.Connection) -> Head:
        for row in connection.execute(_HEAD).fetchall():
            position, recorded_at, digest = cast("tuple[Position, Micros, bytes]", row)
            if not isinstance(digest, bytes) or not isinstance(recorded_at, int):
                raise CorruptLog(f"event {position} cannot be read", position - 1)
            if not 0 <= recorded_at < _END_OF_TIME:
                raise CorruptLog(f"event {position} has an impossible time", position - 1)
            return Head(position, recorded_at, digest)
        return EMPTY

    def wait(self, after: Position, timeout_s: float) -> Head:
        """The head once it is beyond `after`, or as it stands when time is up.

        Appends of this process wake it at once; those of others are seen by
        polling every 20 ms.
        """
        deadline = time.monotonic() + timeout_s
        while (head := self.head()).position <= after:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            with self._grown:
                self._grown.wait(min(_POLL_S, left))
        return head

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        """A connection of the pool, for the length of the block and this thread alone."""
        self._ensure_usable()
        self._ensure_current()
        try:
            connection = self._readers.pop()
        except IndexError:
            with _translated(self):
                flags = apsw.SQLITE_OPEN_READWRITE
                connection = connect(self.path, synchronous="NORMAL", flags=flags)
        try:
            with _translated(self):
                yield connection
        finally:
            self._readers.append(connection)

    def backup_to(
        self, path: Path, progress: Callable[[str, int, int], None] | None = None
    ) -> None:
        """Copy the log into a new file while others go on writing.

        `progress` is told what is being done, pages done and pages in all.
        """
        # Pages copied while other processes write would restart the copy; the write
        # lock is not held, so SQLite's backup must run in one step to end for sure.
        with self._reading() as connection:
            target = apsw.Connection(str(path))
            try:
                with target.backup("main", connection, "main") as backup:
                    backup.step(-1)
                    if progress is not None:
                        progress("copying", backup.page_count, backup.page_count)
            finally:
                target.close()

    def integrity(self) -> list[str]:
        """What SQLite's own check finds wrong with the file; empty if nothing."""
        with self._reading() as connection:
            rows = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
        return [] if rows == ["ok"] else rows

    def close(self) -> None:
        """Finish what is queued and close every connection."""
        if self._closed or self._pid != os.getpid():
            return
        self._closed = True
        if self._thread is not None:
            self._requests.put(None)
            self._thread.join()
        with self._turn:
            for connection in (*self._readers, self._writer):
                connection.close()
            self._readers.clear()
            self._lock.close()


def _compare(subject: str, expected: int, actual: int) -> None:
    if expected != actual:
        raise StaleExpectation(subject, expected, actual)


def _readable(rows: Iterable[Row]) -> list[Row]:
    """The rows before the first that cannot be read."""
    found: list[Row] = []
    with suppress(*_UNREADABLE):
        for row in rows:
            found.append(row)  # noqa: PERF402 - what was read before the error counts
    return found


@contextmanager
def _translated(log: SqliteLog) -> Iterator[None]:
    """Turn SQLite's errors about a damaged or locked file into our own."""
    try:
        yield
    except _UNREADABLE as error:
        raise CorruptLog(str(error), 0) from None
    except apsw.BusyError:
        raise LogBusy(log.path, 60.0) from None

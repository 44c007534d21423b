"""The SQLite file of a log: its schema, its connections, and who may write when.

One connection writes, under a lock file that puts processes in line before
SQLite's own lock, which polls. Readers take a connection from a pool for the
length of one query.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Self, cast

import apsw

from ledger.clock import NEVER, Micros
from ledger.connections import BUSY_TIMEOUT_S, connect
from ledger.errors import ClosedHandle, CorruptLog, DiskFull, ForeignFormat, LogBusy, MissingLog
from ledger.ids import Position
from ledger.locks import FileLock
from ledger.log import EMPTY, Durability, Head

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

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

COLUMNS = (
    "position, event_id, space, kind, version, recorded_at, actor, memory_id, "
    "correlation_id, causation_id, structure, content, salt, content_hash, digest"
)
_CREATED = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
_READER = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOMUTEX
_LAST_TWO = "SELECT position, recorded_at, digest FROM events ORDER BY position DESC LIMIT 2"
_AUTOCHECKPOINT_PAGES = 4000
UNREADABLE = (
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


class LedgerFile:
    """An open ledger, created if it is not there; safe for several threads.

    A fork opens it anew; forked while another thread is inside SQLite, it may wait
    for ever for locks that nobody in it holds.

    Raises `ForeignFormat` for a file that is not a ledger or is of another format,
    `CorruptLog` for one that cannot be read at all.
    """

    def __init__(self, path: Path, durability: Durability) -> None:
        self.path = path
        self.durability = durability
        self._name = str(path)
        self._closed = False
        self._open()

    def _open(self) -> None:
        self._pid = os.getpid()
        self.turn = threading.Lock()
        self._readers: list[apsw.Connection] = []
        self._head: tuple[int, Head] | None = None
        self._lock = FileLock(self.path.with_name(self.path.name + ".lock"))
        try:
            with self._lock.held():
                self.writer = self._connect_writer(_CREATED)
                self._inode = self.path.stat().st_ino
                self._check_format()
            self.secret: bytes = self._property("secret")
        except UNREADABLE as error:
            raise CorruptLog(str(error), 0) from None

    def _connect_writer(self, flags: int) -> apsw.Connection:
        full = self.durability is Durability.DURABLE
        writer = connect(self.path, synchronous="FULL" if full else "NORMAL", flags=flags)
        writer.wal_autocheckpoint(_AUTOCHECKPOINT_PAGES)
        return writer

    def _check_format(self) -> None:
        application = self.writer.pragma("application_id")
        version = self.writer.pragma("user_version")
        if application == 0 and not self.writer.execute("SELECT 1 FROM sqlite_schema").fetchall():
            self._create()
        elif application != APPLICATION_ID:
            raise ForeignFormat(str(self.path), "another program's database", "its own ledgers")
        elif version != FORMAT:
            raise ForeignFormat(str(self.path), f"ledger format {version}", f"format {FORMAT}")

    def _create(self) -> None:
        with self.writer:
            for statement in (_SCHEMA, f"PRAGMA application_id = {APPLICATION_ID}"):
                self.writer.execute(statement).fetchall()
            self.writer.execute(f"PRAGMA user_version = {FORMAT}").fetchall()
            self.writer.execute(
                "INSERT INTO properties VALUES ('secret', ?)", (secrets.token_bytes(32),)
            )

    def _property(self, name: str) -> bytes:
        rows = self.writer.execute("SELECT value FROM properties WHERE name = ?", (name,))
        for (value,) in rows:
            return bytes(value)
        raise CorruptLog(f"its property {name!r} is missing", 0)

    def ensure_usable(self) -> bool:
        """Open anew after a fork, and say whether that was needed.

        Raises `ClosedHandle` if the file was closed.
        """
        if self._closed:
            raise ClosedHandle("log")
        if self._pid == os.getpid():
            return False
        # Connections and locks must not be shared with the parent of a fork, nor closed
        # here: closing would release the parent's POSIX locks.
        self._abandoned = (self.writer, self._readers)
        self._open()
        return True

    def _ensure_current(self) -> None:
        """Open the file that is there now, if a restore has put another in place."""
        if self._replaced():
            with self.turn:
                if self._replaced():
                    self._reopen()

    def _replaced(self) -> bool:
        """Whether another file has taken the log's place, as a restore does."""
        try:
            return os.stat(self._name).st_ino != self._inode  # noqa: PTH116 - in every append
        except FileNotFoundError:
            raise MissingLog(self.path) from None

    def _reopen(self) -> None:
        """Let go of a file that was replaced: what is written to it would be lost."""
        # A new list: what is in use now goes back to the old one, and never comes out again.
        pool, self._readers = self._readers, []
        _close_all(pool)
        self.writer.close()
        self._head = None
        # Looked at first: a file that takes its place in between is then noticed in its turn.
        self._inode = self.path.stat().st_ino
        self.writer = self._connect_writer(apsw.SQLITE_OPEN_READWRITE)
        self.secret = self._property("secret")

    # -- writing: only by who holds `turn` ---------------------------------------------

    def transaction(self) -> WriteTransaction:
        """A write transaction, committed if the body ends well; gives the head."""
        return WriteTransaction(self)

    def begin(self) -> Head:
        """Take the lock and begin to write; the head as it stands.

        Raises `ClosedHandle` if the file was closed while a caller waited for its turn.
        """
        if self._closed:
            raise ClosedHandle("log")
        try:
            self._lock.acquire()
            if self._replaced():
                self._reopen()
            if self.writer.in_transaction:
                # Left open by an interrupt behind an earlier beginning.
                self._head = None
                self.writer.execute("ROLLBACK")
            # A deferred transaction would read first and then fail at once with
            # BUSY_SNAPSHOT, whatever the timeout: another process may have appended.
            self.writer.execute("BEGIN IMMEDIATE")
            if self._head is None or self.writer.data_version() != self._head[0]:
                return head_of(self.writer)
            return self._head[1]
        except BaseException:
            self.abandon()
            raise

    def begin_again(self) -> None:
        """Take back what the transaction wrote, and go on in another under the same lock."""
        self.writer.execute("ROLLBACK")
        self.writer.execute("BEGIN IMMEDIATE")

    def commit(self, head: Head | None) -> None:
        """End the transaction well; `head` is the new one if the caller knows it."""
        self.writer.execute("COMMIT")
        # As long as the version stays, nobody else has written, and the head need not be read.
        self._head = None if head is None else (self.writer.data_version(), head)
        self._lock.release()

    def abandon(self) -> None:
        """Take back what the transaction wrote, and let go."""
        self._head = None
        if self.writer.in_transaction:
            self.writer.execute("ROLLBACK")
        self._lock.release()

    @contextmanager
    def held_alone(self) -> Iterator[apsw.Connection]:
        """The writing connection outside a transaction, while no other process writes."""
        with self._lock.held(), self.translated():
            yield self.writer

    def truncate_wal(self, deadline: float) -> bool:
        """Empty the WAL of old pages; False if readers kept it in use until the deadline."""
        # The idle connections of the pool hold no snapshot; other readers get until the
        # deadline, in steps short enough to see it.
        self.writer.set_busy_timeout(50)
        try:
            while True:
                try:
                    self.writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                except apsw.BusyError:
                    if time.monotonic() >= deadline:
                        return False
                else:
                    return True
        finally:
            self.writer.set_busy_timeout(60_000)

    # -- reading -----------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A connection of the pool, for the length of the block and this thread alone.

        Since no two threads ever use one at a time, SQLite need not lock it: it would
        once for each value that is read. After an error that ends the block it is closed,
        lest a cursor that a traceback keeps alive be let go by another thread while this
        one is in use; so let none that has rows left outlive the block.
        """
        self.ensure_usable()
        self._ensure_current()
        pool = self._readers
        try:
            connection = pool.pop()
        except IndexError:
            with self.translated():
                connection = connect(self.path, synchronous="NORMAL", flags=_READER)
        try:
            with self.translated():
                yield connection
        except BaseException:
            connection.close()
            raise
        pool.append(connection)
        # Behind the append: whoever closes meanwhile finds it there, or is seen here.
        if self._closed:
            _close_all(pool)

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn SQLite's errors about a damaged, locked or full file into our own."""
        try:
            yield
        except apsw.Error as error:
            raise self.translation(error) from None
        except UnicodeDecodeError as error:
            raise CorruptLog(str(error), 0) from None

    def translation(self, error: BaseException) -> BaseException:
        """What an error of SQLite is called here; other errors as they are."""
        if isinstance(error, UNREADABLE):
            return CorruptLog(str(error), 0)
        if isinstance(error, apsw.BusyError):
            return LogBusy(self.path, BUSY_TIMEOUT_S)
        if isinstance(error, apsw.FullError):
            return DiskFull(self.path)
        return error

    def backup_to(
        self, path: Path, progress: Callable[[str, int, int], None] | None = None
    ) -> None:
        """Copy the log into a new file while others go on writing.

        `progress` is told what is being done, pages done and pages in all.
        """
        # Pages copied while other processes write would restart the copy; the write
        # lock is not held, so SQLite's backup must run in one step to end for sure.
        with self.reading() as connection:
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
        with self.reading() as connection:
            rows = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
        return [] if rows == ["ok"] else rows

    def close(self) -> None:
        """Close every connection; nothing happens in a fork that never used the file."""
        if self._closed or self._pid != os.getpid():
            return
        self._closed = True
        with self.turn:
            _close_all(self._readers)
            self.writer.close()
            self._lock.close()


def _close_all(pool: list[apsw.Connection]) -> None:
    # One by one: other threads take connections from the pool at the same time.
    with suppress(IndexError):
        while True:
            pool.pop().close()


class WriteTransaction:
    """A write transaction of a ledger's file; set `after` to the new head before it ends.

    A class, not a generator: this is entered once an append.
    """

    def __init__(self, file: LedgerFile) -> None:
        self._file = file
        self.after: Head | None = None
        self.head = EMPTY

    def __enter__(self) -> Self:
        try:
            self.head = self._file.begin()
        except apsw.Error as error:
            raise self._file.translation(error) from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        failed = error
        if failed is None:
            try:
                self._file.commit(self.after)
            except apsw.Error as refused:
                failed = refused
            except BaseException:
                # Interrupted behind the commit, the lock would keep other processes out.
                self._file.abandon()
                raise
            else:
                return
        self._file.abandon()
        translation = self._file.translation(failed)
        if translation is not error:
            raise translation from None


def head_of(connection: apsw.Connection) -> Head:
    """The last event that a connection sees, or `EMPTY`.

    Raises `CorruptLog` where it cannot be that: misnumbered, it would make the log look
    shorter than it is, or longer, and the next append would go behind it.
    """
    rows = connection.execute(_LAST_TWO).fetchall()
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

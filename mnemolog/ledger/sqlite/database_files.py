"""SQLite files: that of a log, with its lock and restores, and those of derived state.

One connection writes a log, under a lock file that queues processes: SQLite's own lock polls.
Readers borrow a connection from a pool for one query.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import apsw

from mnemolog.ledger.digests import Head
from mnemolog.ledger.errors import (
    ClosedHandle,
    CorruptLog,
    ForeignFormat,
    MissingLog,
    StorageFailed,
)
from mnemolog.ledger.files import FileLock, remove_database
from mnemolog.ledger.log import Durability
from mnemolog.ledger.sqlite import connections, switching, tables
from mnemolog.ledger.sqlite.connections import ReaderPool, is_current

_WRITER = apsw.SQLITE_OPEN_READWRITE
_READER = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOMUTEX
_AUTOCHECKPOINT_PAGES = 4000
_Result = TypeVar("_Result")


def _inode_of(name: str) -> int | None:
    try:
        return os.stat(name).st_ino  # noqa: PTH116 - in every append
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageFailed.from_os(error, Path(name)) from error


def damage_in_log(problem: str) -> CorruptLog:
    """Damage at a place in the log that SQLite does not tell."""
    return CorruptLog(problem, 0)


class LedgerFile:
    """An open ledger file, created if it is missing; safe for several threads.

    A fork opens it again; one made while another thread is inside SQLite may wait forever. If
    the system refuses writing, it is open for reading; `refused` is why, each write tries again.

    Raises `ForeignFormat` for what is no ledger of this format, `CorruptLog` for bytes that
    cannot be read, `StorageFailed` for a file that the system does not let us read.
    """

    def __init__(self, path: Path, durability: Durability) -> None:
        self.path = path
        self._synchronous = "FULL" if durability is Durability.DURABLE else "NORMAL"
        self._name = str(path)
        self._switch_name = str(switching.record_of(path))
        self.switched: switching.Switch | None = None
        self.withdrawn = False
        self.secret = b""
        self._closed = False
        self._open()

    def _open(self) -> None:
        self._pid = os.getpid()
        self.turn = threading.Lock()
        self._readers = ReaderPool()
        self.known_head: tuple[int, Head] | None = None
        """The head after this process's last commit, with SQLite's data version then."""
        self.refused: StorageFailed | None = None
        try:
            self._open_for_writing()
        except StorageFailed as refused:
            if self._switching():
                # The file on disk is neither the old log nor the new one.
                raise switching.unfinished(self.path, refused) from refused
            self.refused = refused
            self._open_for_reading(refused)

    def _open_for_writing(self) -> None:
        lock = FileLock(self.path.with_name(self.path.name + ".lock"))
        with ExitStack() as unless_opened:
            unless_opened.callback(lock.close)
            with lock.held(), self.translated(), ExitStack() as unless_usable:
                self.withdrawn = self._finish_restore()
                switching.refuse_foreign_side_files(self.path)
                writer = self._connect_writer(_WRITER | apsw.SQLITE_OPEN_CREATE)
                unless_usable.callback(writer.close)
                inode = self._found_inode()
                tables.ensure_schema(writer, self.path)
                self._keep_secret(writer)
                unless_usable.pop_all()
            unless_opened.pop_all()
        self.writer, self._lock, self._inode = writer, lock, inode

    def _open_for_reading(self, refused: StorageFailed) -> None:
        try:
            inode = self._found_inode()
            with self.translated():
                reader = connections.connect_reading(self.path)
        except (MissingLog, StorageFailed):
            # Neither works: the reason why it cannot be made or written is more useful.
            raise refused from None
        with closing(reader), self.translated(reader):
            if tables.is_empty(reader):
                raise refused
            tables.ensure_schema(reader, self.path)
            self._keep_secret(reader)
        self._inode = inode

    def _found_inode(self) -> int:
        if (inode := _inode_of(self._name)) is None:
            raise MissingLog(self.path)
        return inode

    def _connect_writer(self, flags: int) -> apsw.Connection:
        writer = connections.connect(self.path, synchronous=self._synchronous, flags=flags)
        writer.wal_autocheckpoint(_AUTOCHECKPOINT_PAGES)
        return writer

    def _open_reader(self) -> apsw.Connection:
        with self.translated():
            if self.refused is None:
                return connections.connect(self.path, synchronous="NORMAL", flags=_READER)
            return connections.connect_reading(self.path)

    def _keep_secret(self, connection: apsw.Connection) -> None:
        found = tables.secret_of(connection)
        if self.secret not in {b"", found}:
            problem = "was replaced by the log of another home"
            raise StorageFailed(self.path, problem, "open the home again")
        self.secret = found

    def ensure_usable(self) -> bool:
        """Open again after a fork; whether that was needed. `ClosedHandle` if it was closed."""
        if self._closed:
            raise ClosedHandle("log")
        if self._pid == os.getpid():
            return False
        # Connections and locks must not be shared with the parent of a fork, nor closed
        # here: closing would release the parent's POSIX locks.
        self._abandoned = (None if self.refused else self.writer, self._readers)
        self._open()
        return True

    def _switching(self) -> bool:
        return os.path.lexists(self._switch_name)

    def _replaced(self) -> bool:
        return self._found_inode() != self._inode

    def _finish_restore(self) -> bool:
        """Finish a decided restore; whether any other's staged log was removed. Under the lock."""
        self.switched = switching.finish_switch(self.path) or self.switched
        return switching.withdraw_staged(self.path)

    def _settle(self) -> None:
        """Finish a restore, and open the file that is there then; under the lock."""
        self._finish_restore()
        if self._replaced():
            self._reopen()

    def _follow_switch(self) -> None:
        """Open the file that a restore has put in place."""
        with self.turn:
            if self.refused is None:
                with self._lock.held():
                    self._settle()
            elif self._switching():
                raise switching.unfinished(self.path, self.refused) from self.refused
            elif self._replaced():
                self._reopen()

    def _leave_readers(self) -> None:
        self._readers.close()
        self._readers = ReaderPool()

    def _reopen(self) -> None:
        """Leave a file that was replaced; `StorageFailed`, at every call, for a foreign log."""
        self._leave_readers()
        # The inode first: a file that replaces this one in between is noticed next time.
        self.known_head, inode = None, self._found_inode()
        with closing(self._open_reader()) as reader, self.translated(reader):
            self._keep_secret(reader)
        if self.refused is None:
            with self.translated():
                writer = self._connect_writer(_WRITER)
            self.writer.close()
            self.writer = writer
        self._inode = inode

    def ensure_writable(self) -> None:
        """Open the file for writing if that was refused; `StorageFailed` if it still is."""
        if self._closed:
            raise ClosedHandle("log")
        if self.refused is not None:
            self._open_for_writing()
            self.refused = None
            # Connections that only read keep the state of when they were opened.
            self._leave_readers()

    def lock(self) -> None:
        """Take the lock between processes, and follow a restore that came before."""
        self._lock.acquire()
        if self._switching() or self._replaced():
            self._settle()

    def unlock(self) -> None:
        """Release the lock between processes."""
        self._lock.release()

    @contextmanager
    def held_alone(self) -> Iterator[apsw.Connection]:
        """The writing connection outside a transaction, while no other process writes."""
        self.ensure_writable()
        with self._lock.held():
            self._settle()
            with self.translated(self.writer):
                yield self.writer

    def truncate_wal(self, deadline: float) -> bool:
        """Empty the WAL of old pages; False if readers kept it in use until the deadline."""
        # Idle connections of the pool hold no snapshot. Short steps, to see the deadline.
        self.writer.set_busy_timeout(50)
        try:
            while True:
                with suppress(apsw.BusyError):
                    self.writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
                    return True
                if time.monotonic() >= deadline:
                    return False
        finally:
            self.writer.set_busy_timeout(int(connections.BUSY_TIMEOUT_S * 1000))

    def reading(self) -> "PooledReading":
        """A pooled connection for a block and thread."""
        return PooledReading(self)

    def lend(self) -> tuple[apsw.Connection, ReaderPool]:
        """A connection for reading, and the pool to give it back to."""
        self.ensure_usable()
        if self._replaced():
            self._follow_switch()
        pool = self._readers
        connection = pool.take()
        if connection is None:
            connection = self._connect_reader()
            pool = self._readers
        return connection, pool

    def _connect_reader(self) -> apsw.Connection:
        while True:
            connection = self._open_reader()
            # Opened while a restore switches files, it would read one log's pages and the
            # other's WAL. The WAL goes after the record has come, and before the record goes.
            if not self._switching() and not self._replaced():
                return connection
            connection.close()
            self._follow_switch()

    def translated(self, connection: apsw.Connection | None = None) -> AbstractContextManager[None]:
        """Turn SQLite's errors into our own; see `connections.translated`."""
        return connections.translated(self.path, damage_in_log, connection)

    def close(self) -> None:
        """Close every connection; nothing happens in a fork that never used the file."""
        if self._closed or self._pid != os.getpid():
            return
        self._closed = True
        with self.turn:
            self._readers.close()
            if self.refused is None:
                self.writer.close()
                self._lock.close()


# A class, because a generator costs more and every query enters one.
class PooledReading:
    """Block with a pooled connection, for one thread; no cursor with rows may outlive it.

    An error closes it: a traceback may keep a cursor, which another thread would release.
    """

    def __init__(self, file: LedgerFile) -> None:
        self._file = file

    def __enter__(self) -> apsw.Connection:
        self._connection, self._pool = self._file.lend()
        return self._connection

    def __exit__(self, _: object, error: BaseException | None, trace: object) -> None:
        connection, path = self._connection, self._file.path
        try:
            if error is not None:
                connections.check_ours(error, path, damage_in_log, connection)
        finally:
            if error is not None:
                connection.close()
            # Results, and errors, count only if no process wrote the file meanwhile.
            if not is_current(connection):
                connection.close()
                problem = "was written by another process meanwhile"
                raise StorageFailed(path, problem, "try again")
        if error is None:
            self._pool.give(connection)


class DamagedFile(Exception):
    """The file cannot be used, for the reason in the text. Callers of `run` never see it."""


class DerivedFile:
    """A SQLite file with one connection, which all threads use in turn.

    `user_version` keeps the `version` of the tables of `schema`. `renewed` is told the problem
    before a damaged file is removed. A fork, or a replaced file, gets a connection of its own.
    """

    def __init__(
        self, path: Path, version: int, schema: str, renewed: Callable[[str], None]
    ) -> None:
        self.path, self._version, self._schema = path, version, schema
        self._renewed = renewed
        self._lock = threading.Lock()
        self._connection: apsw.Connection | None = None
        self._inode: int | None = None
        self._pid = os.getpid()
        self._closed = False

    def run(self, work: Callable[[apsw.Connection], _Result]) -> _Result:
        """The result of `work`, in a new file if this one is damaged; raises `StorageFailed`."""
        with self._lock:
            try:
                return self._done(work)
            except (DamagedFile, ForeignFormat) as error:
                self._renewed(str(error))
                self._disconnect()
                remove_database(self.path)
            try:
                return self._done(work)
            except (DamagedFile, ForeignFormat) as error:
                raise StorageFailed(self.path, f"cannot be begun anew: {error}") from None

    def _done(self, work: Callable[[apsw.Connection], _Result]) -> _Result:
        with connections.translated(self.path, DamagedFile):
            connection = self._open()
        with connections.translated(self.path, DamagedFile, connection):
            return work(connection)

    def _open(self) -> apsw.Connection:
        if self._closed:
            raise ClosedHandle("home")
        mine = self._pid == os.getpid()
        if mine and self._connection is not None and _inode_of(str(self.path)) == self._inode:
            return self._connection
        self._disconnect()
        self._pid = os.getpid()
        connection = connections.connect(self.path, synchronous="NORMAL")
        with ExitStack() as unless_ready:
            unless_ready.callback(connection.close)
            # IMMEDIATE: of two processes that find the file missing, one creates its tables.
            connection.execute("BEGIN IMMEDIATE")
            version, wanted = connection.pragma("user_version"), self._version
            if version == 0:
                connection.execute(self._schema).fetchall()
                connection.execute(f"PRAGMA user_version = {wanted}").fetchall()
            elif version != wanted:
                raise ForeignFormat(str(self.path), f"version {version}", f"version {wanted}")
            connection.execute("COMMIT")
            self._inode = _inode_of(str(self.path))
            unless_ready.pop_all()
        self._connection = connection
        return connection

    def _disconnect(self) -> None:
        if self._connection is not None and self._pid == os.getpid():
            self._connection.close()
        self._connection = None

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._closed = True
            self._disconnect()

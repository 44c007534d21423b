"""The SQLite file of a log: its connections, and who may write when.

One connection writes, under a lock file that puts processes in line before
SQLite's own lock, which polls. Readers take a connection from a pool for the
length of one query.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Self

import apsw

from mnemolog.ledger.connections import BUSY_TIMEOUT_S, connect, is_damage, refusal, translated
from mnemolog.ledger.errors import (
    ClosedHandle,
    CorruptLog,
    DiskFull,
    LedgerError,
    MissingLog,
    OutcomeUnknown,
    StorageFailed,
)
from mnemolog.ledger.files import create_private
from mnemolog.ledger.locks import FileLock
from mnemolog.ledger.log import EMPTY, Durability, Head
from mnemolog.ledger.read_only import UnlockedConnection, connect_reading
from mnemolog.ledger.schema import FORMAT, ensure_schema, head_of, is_empty, secret_of
from mnemolog.ledger.side_files import refuse_foreign_side_files
from mnemolog.ledger.switching import (
    Switch,
    finish_switch,
    record_of,
    unfinished,
    withdraw_staged,
)

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_CREATED = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
_READER = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOMUTEX
_AUTOCHECKPOINT_PAGES = 4000


class LedgerFile:
    """An open ledger, created if it is not there; safe for several threads.

    A fork opens it anew; forked while another thread is inside SQLite, it may wait
    for ever for locks that nobody in it holds.

    Where the system refuses to have it written, it is open for reading alone: `refused`
    says why, and each attempt to write tries once more.

    Raises `ForeignFormat` for a file that is not a ledger or is of another format,
    `CorruptLog` for one whose bytes cannot be read, `StorageFailed` for one that the
    system does not let be read.
    """

    def __init__(self, path: Path, durability: Durability) -> None:
        self.path = path
        self.durability = durability
        self._name = str(path)
        self._switch_name = str(record_of(path))
        self.switched: Switch | None = None
        self.withdrawn = False
        self.secret = b""
        self._closed = False
        self._open()

    def _open(self) -> None:
        self._pid = os.getpid()
        self.turn = threading.Lock()
        self._readers: list[apsw.Connection] = []
        self._head: tuple[int, Head] | None = None
        self.refused: StorageFailed | None = None
        try:
            self._open_for_writing()
        except StorageFailed as refused:
            if self._switching():
                # What is there is neither log.
                raise unfinished(self.path, refused) from refused
            self.refused = refused
            self._open_for_reading(refused)

    def _open_for_writing(self) -> None:
        lock = FileLock(self.path.with_name(self.path.name + ".lock"))
        try:
            with lock.held(), self.translated():
                self._finish_switch()
                self.withdrawn = withdraw_staged(self.path)
                refuse_foreign_side_files(self.path)
                writer = self._connect_writer(_CREATED)
                try:
                    inode = self._found_inode()
                    ensure_schema(writer, self.path)
                    self._keep_secret(writer)
                except BaseException:
                    writer.close()
                    raise
        except BaseException:
            lock.close()
            raise
        self.writer, self._lock, self._inode = writer, lock, inode

    def _open_for_reading(self, refused: StorageFailed) -> None:
        try:
            inode = self._found_inode()
            with self.translated():
                reader = connect_reading(self.path)
        except (MissingLog, StorageFailed):
            # Neither is possible: why it cannot be made or written says more.
            raise refused from None
        with closing(reader), self.translated(reader):
            if is_empty(reader):
                raise refused
            ensure_schema(reader, self.path)
            self._keep_secret(reader)
        self._inode = inode

    def _ensure_writable(self) -> None:
        """Open the file for writing if that was refused; raises `StorageFailed` if it still is."""
        if self.refused is None:
            return
        self._open_for_writing()
        self.refused = None
        # What only reads keeps what it saw when it was opened.
        pool, self._readers = self._readers, []
        _close_all(pool)

    def _found_inode(self) -> int:
        try:
            return os.stat(self._name).st_ino  # noqa: PTH116 - in every append
        except FileNotFoundError:
            raise MissingLog(self.path) from None
        except OSError as error:
            raise StorageFailed.from_os(error, self.path) from error

    def _connect_writer(self, flags: int) -> apsw.Connection:
        full = self.durability is Durability.DURABLE
        writer = connect(self.path, synchronous="FULL" if full else "NORMAL", flags=flags)
        writer.wal_autocheckpoint(_AUTOCHECKPOINT_PAGES)
        return writer

    def _open_reader(self) -> apsw.Connection:
        with self.translated():
            if self.refused is None:
                return connect(self.path, synchronous="NORMAL", flags=_READER)
            return connect_reading(self.path)

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
        self._abandoned = (None if self.refused else self.writer, self._readers)
        self._open()
        return True

    def _ensure_current(self) -> None:
        """Open the file that is there now, if a restore has put another in place."""
        if self._replaced():
            with self.turn:
                self._follow_switch()

    def _follow_switch(self) -> None:
        """Finish a restore that was decided on, and open what is there then; under `turn`."""
        if self.refused is None:
            with self._lock.held():
                self._finish_switch()
        elif self._switching():
            raise unfinished(self.path, self.refused) from self.refused
        if self._replaced():
            self._reopen()

    def _finish_switch(self) -> None:
        """Finish a restore that was decided on, and keep which; under the lock."""
        finished = finish_switch(self.path)
        if finished is not None:
            self.switched = finished

    def _switching(self) -> bool:
        """Whether a restore was decided on, but is not finished."""
        return os.path.lexists(self._switch_name)

    def _replaced(self) -> bool:
        """Whether another file has taken the log's place, as a restore does."""
        return self._found_inode() != self._inode

    def _reopen(self) -> None:
        """Let go of a file that was replaced: what is written to it would be lost.

        Raises `StorageFailed` for another home's log, at every call.
        """
        # A new list: what is in use now goes back to the old one, and never comes out again.
        pool, self._readers = self._readers, []
        _close_all(pool)
        # Looked at first: a file that takes its place in between is then noticed in its turn.
        self._head, inode = None, self._found_inode()
        with closing(self._open_reader()) as reader, self.translated(reader):
            self._keep_secret(reader)
        if self.refused is None:
            with self.translated():
                writer = self._connect_writer(apsw.SQLITE_OPEN_READWRITE)
            self.writer.close()
            self.writer = writer
        self._inode = inode

    def _keep_secret(self, connection: apsw.Connection) -> None:
        """Learn the log's secret, once: what this process derives is made with it.

        Raises `StorageFailed` for a log with another one.
        """
        found = secret_of(connection)
        if self.secret not in {b"", found}:
            raise StorageFailed(
                self.path, "was replaced by the log of another home", "open the home again"
            )
        self.secret = found

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
        self._ensure_writable()
        try:
            self._lock.acquire()
            if self._switching():
                self._finish_switch()
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
        if self.refused is not None:
            return
        self._head = None
        try:
            if self.writer.in_transaction:
                self.writer.execute("ROLLBACK")
        finally:
            self._lock.release()

    def take_back(self, error: apsw.Error) -> LedgerError:
        """Take back a transaction whose commit failed, and let go; what to say of it.

        `OutcomeUnknown` where its events may come back.
        """
        self._head = None
        try:
            told = refusal(error, self.path, self.writer) or CorruptLog(str(error), 0)
            try:
                if self.writer.in_transaction:
                    self.writer.execute("ROLLBACK")
                # A transaction whose last flush failed may lie whole in the write-ahead log.
                # A recovery after a crash would bring it back, unless another one is written
                # over it: one that writes a page as it was.
                self.writer.execute("BEGIN IMMEDIATE")
                self.writer.execute(f"PRAGMA user_version = {FORMAT}").fetchall()
                self.writer.execute("COMMIT")
            except apsw.Error:
                if self.writer.in_transaction:
                    with suppress(apsw.Error):
                        self.writer.execute("ROLLBACK")
                # What found no space is not there whole.
                if isinstance(told, StorageFailed) and not isinstance(told, DiskFull):
                    return OutcomeUnknown(self.path, told.problem)
            return told
        finally:
            self._lock.release()

    @contextmanager
    def held_alone(self) -> Iterator[apsw.Connection]:
        """The writing connection outside a transaction, while no other process writes."""
        self._ensure_writable()
        with self._lock.held():
            self._finish_switch()
            withdraw_staged(self.path)
            if self._replaced():
                self._reopen()
            with self.translated(self.writer):
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
            self.writer.set_busy_timeout(int(BUSY_TIMEOUT_S * 1000))

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
        connection = self._pooled(pool)
        if connection is None:
            connection = self._connect_reader()
            pool = self._readers
        try:
            with self.translated(connection):
                yield connection
        except BaseException:
            connection.close()
            raise
        finally:
            # What was read, be it an error, counts only if nobody wrote it meanwhile.
            self._check_current(connection)
        pool.append(connection)
        # Behind the append: whoever closes meanwhile finds it there, or is seen here.
        if self._closed:
            _close_all(pool)

    @staticmethod
    def _pooled(pool: list[apsw.Connection]) -> apsw.Connection | None:
        """A connection of the pool that is still good; None if there is none."""
        # Other threads take connections from the pool at the same time.
        with suppress(IndexError):
            while True:
                connection = pool.pop()
                if not isinstance(connection, UnlockedConnection) or connection.is_current():
                    return connection
                connection.close()
        return None

    def _check_current(self, connection: apsw.Connection) -> None:
        if isinstance(connection, UnlockedConnection) and not connection.is_current():
            connection.close()
            raise StorageFailed(self.path, "was written by another process meanwhile", "try again")

    def _connect_reader(self) -> apsw.Connection:
        while True:
            connection = self._open_reader()
            # Opened while a restore switches files, it would read one log's pages and the
            # other's WAL. The WAL goes after the record has come, and before the record goes.
            if not self._switching() and not self._replaced():
                return connection
            connection.close()
            with self.turn:
                self._follow_switch()

    @contextmanager
    def translated(self, connection: apsw.Connection | None = None) -> Iterator[None]:
        """Turn SQLite's errors into our own; see `ledger.connections.translated`."""
        with translated(self.path, lambda problem: CorruptLog(problem, 0), connection):
            yield

    def translation(self, error: BaseException) -> BaseException:
        """What an error of the writing connection is called here; other errors as they are."""
        refused = refusal(error, self.path, self.writer)
        if refused is not None:
            return refused
        if is_damage(error) and not isinstance(error, apsw.ConstraintError):
            return CorruptLog(str(error), 0)
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
            _copy(connection, path, progress)

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
            if self.refused is None:
                self.writer.close()
                self._lock.close()


def _copy(
    source: apsw.Connection, path: Path, progress: Callable[[str, int, int], None] | None
) -> None:
    """Copy a database into a new file; what is wrong with that file is told of it."""
    target = None
    try:
        create_private(path).close()
        target = apsw.Connection(str(path))
        with target.backup("main", source, "main") as backup:
            backup.step(-1)
            if progress is not None:
                progress("copying", backup.page_count, backup.page_count)
    except apsw.Error as error:
        refused = refusal(error, path, target)
        if refused is not None:
            raise refused from error
        raise
    finally:
        if target is not None:
            target.close()


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
        if error is None:
            try:
                self._file.commit(self.after)
            except apsw.Error as failed:
                raise self._file.take_back(failed) from failed
            except BaseException:
                # Interrupted behind the commit, the lock would keep other processes out.
                self._file.abandon()
                raise
            return
        # Before anything else is asked of the connection: it knows the last error alone.
        translation = self._file.translation(error)
        with suppress(apsw.Error):
            self._file.abandon()
        if translation is not error:
            raise translation from error

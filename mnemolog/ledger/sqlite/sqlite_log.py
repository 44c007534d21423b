"""Logs in SQLite: in a file, for many threads and processes at once, and in memory."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Self, cast

import apsw

from mnemolog.ledger import errors
from mnemolog.ledger.clock import Clock, SystemClock
from mnemolog.ledger.digests import EMPTY, Head, sealed
from mnemolog.ledger.events import Draft, Event
from mnemolog.ledger.files import create_private
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Appended, Durability, Expected, Traces
from mnemolog.ledger.sqlite import group_commit, tables
from mnemolog.ledger.sqlite.connections import check_refused, is_damage, refusal
from mnemolog.ledger.sqlite.database_files import LedgerFile
from mnemolog.ledger.sqlite.switching import Switch

_POLL_S = 0.02
_PENDING = "SELECT position FROM pending_erasures ORDER BY position"
# `properties` holds notes on the erasure at position N: 'traces N' identifies the content until
# no file has it, 'cleaned N' says that no file of the home has it.
_UNCLEANED = """
    SELECT position FROM pending_erasures WHERE NOT EXISTS
    (SELECT 1 FROM properties WHERE name = 'cleaned ' || position) ORDER BY position
"""
_TRACES = "SELECT value FROM pending_erasures JOIN properties ON name = 'traces ' || position"


class SqliteLog(tables.LogReader):
    """Log in the SQLite file `path`, created if missing; raises the errors of `LedgerFile`."""

    def __init__(
        self, path: Path, *, clock: Clock | None = None, durability: Durability = Durability.DURABLE
    ) -> None:
        self.path = path
        self._clock = clock or SystemClock()
        self._file = LedgerFile(path, durability)
        self.secret = self._file.secret  # It keys digests in derived files.
        self.withdrawn = self._file.withdrawn  # The opening removed an undecided restore.
        self._waiting = 0
        self._begin_waiting()

    def _begin_waiting(self) -> None:
        self._grown = threading.Condition()
        self._group = group_commit.GroupCommit(self._file.turn, self._commit)

    def _ensure_usable(self) -> None:
        if self._file.ensure_usable():
            self._begin_waiting()

    def _reading(self) -> AbstractContextManager[apsw.Connection]:
        self._ensure_usable()
        return self._file.reading()

    @property
    def switched(self) -> Switch | None:
        """Last restore that this process finished after another was killed, if any."""
        return self._file.switched

    def append(
        self,
        drafts: Sequence[Draft],
        expected: Expected | None = None,
        erase: Sequence[Position] = (),
        traces: Traces = (),
    ) -> Appended:
        """Append all of `drafts` or nothing; `traces` are kept until the erasure is finished."""
        self._ensure_usable()
        request = group_commit.Request(drafts, expected, erase, traces)
        self._group.carry_out(request)
        if request.error is not None:
            raise request.error
        return cast("Appended", request.result)

    def _commit(self, group: list[group_commit.Request]) -> None:
        transaction = WriteTransaction(self._file)
        try:
            with transaction:
                writer = group_commit.GroupWriter(self._file.writer, self._clock)
                transaction.after = writer.write_all(group, transaction.head)
        except (errors.LedgerError, apsw.Error, OSError) as error:
            # The group is written together or not at all: every waiting caller must learn it.
            for request in group:
                request.result, request.error = None, request.error or error
        except BaseException:
            # An interrupt may have kept the transaction itself from ending.
            transaction.abandon()
            for request in group:
                request.result = request.error = None
            raise
        if self._waiting:
            with self._grown:
                self._grown.notify_all()

    def adopt(
        self,
        events: Iterable[Event],
        *,
        onto: Head | None = None,
        then: Sequence[Draft] = (),
        erase: Sequence[Position] = (),
        traces: Traces = (),
    ) -> Head:
        """Append another log's events as they are, all or none; see `ledger.log.Log.adopt`.

        `events` are taken in chunks inside the transaction, and may raise. The drafts `then` follow
        at the last event's time: the same call gives the same log elsewhere. `erase` and `traces`
        are as in `append`. Raises `StaleExpectation` unless the head is `onto`.
        """
        self._ensure_usable()
        with self._file.turn, WriteTransaction(self._file) as transaction:
            head, db = transaction.head, self._file.writer
            # Compare the whole head: a restore may have put another log of equal length in place.
            if onto not in {None, head}:
                raise errors.StaleExpectation("the log", onto.position, head.position)
            head = group_commit.adopt_events(db, events, head)
            rows, head = sealed(then, head, head.recorded_at)
            tables.insert_events(db, rows)
            group_commit.erase_contents(db, erase, traces)
            transaction.after = head
        return head

    def pending_erasures(self, *, unclean: bool = False) -> list[Position]:
        """Erased positions not yet known to be gone from all files or, if `unclean`, the home."""
        with self._reading() as db:
            found = db.execute(_UNCLEANED if unclean else _PENDING)
            return [Position(position) for (position,) in found]

    def pending_traces(self) -> list[bytes]:
        """Traces of erased content that may still be in some file."""
        with self._reading() as db:
            return [cast("bytes", value) for (value,) in db.execute(_TRACES)]

    def clean_erasure(self, positions: Sequence[Position], timeout_s: float) -> bool:
        """Empty the WAL and note that no file of the home has these contents; False on timeout."""
        note = "INSERT OR IGNORE INTO properties VALUES ('cleaned ' || ?, x'')"
        return self._without_wal(positions, timeout_s, (), note)

    def finish_erasure(self, positions: Sequence[Position], timeout_s: float) -> bool:
        """Empty the WAL and forget pending erasures; False on timeout, and all stay pending."""
        # In this order: the traces leave the WAL with the rest, and a process that dies
        # in between leaves the erasures pending.
        forget = "DELETE FROM properties WHERE name = '{} ' || ?"
        traces = (forget.format("traces"), forget.format("cleaned"))
        done = "DELETE FROM pending_erasures WHERE position = ?"
        return self._without_wal(positions, timeout_s, traces, done)

    def _without_wal(
        self, positions: Sequence[Position], timeout_s: float, before: Sequence[str], then: str
    ) -> bool:
        self._ensure_usable()
        deadline = time.monotonic() + timeout_s
        each = [(position,) for position in positions]
        with self._file.turn, self._file.held_alone() as db:
            with db:
                for statement in before:
                    db.executemany(statement, each)
            if not self._file.truncate_wal(deadline):
                return False
            with db:
                db.executemany(then, each)
            return True

    def wait(self, after: Position, timeout_s: float) -> Head:
        """Head once it is beyond `after`, or on timeout; polls for appends of other processes."""
        deadline = time.monotonic() + timeout_s
        while (head := self.head()).position <= after:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            with self._grown:
                self._waiting += 1
                try:
                    self._grown.wait(min(_POLL_S, left))
                finally:
                    self._waiting -= 1
        return head

    def backup_to(
        self, path: Path, progress: Callable[[str, int, int], None] | None = None
    ) -> None:
        """Copy the log into a new file while others write; `progress` gets stage, pages, total."""
        target = None
        with self._reading() as source:
            try:
                create_private(path).close()
                target = apsw.Connection(str(path))
                with target.backup("main", source, "main") as backup:
                    # In one step, to end for sure: pages that other processes write would
                    # restart it, and the write lock is not held.
                    backup.step(-1)
                    if progress is not None:
                        progress("copying", backup.page_count, backup.page_count)
            except apsw.Error as error:
                # Errors name the new file.
                check_refused(error, path, target)
                raise
            finally:
                if target is not None:
                    target.close()

    def close(self) -> None:
        """Wait for a write in progress, and close every connection."""
        self._file.close()


# A class, because a generator costs more and every append enters one.
class WriteTransaction:
    """A write transaction of a ledger file; set `after` to the new head before it ends."""

    def __init__(self, file: LedgerFile) -> None:
        self._file = file
        self.after: Head | None = None
        self.head = EMPTY

    def __enter__(self) -> Self:
        file = self._file
        file.ensure_writable()
        try:
            file.lock()
            if file.writer.in_transaction:
                # Left open by an interrupt after an earlier BEGIN.
                file.known_head = None
                file.writer.execute("ROLLBACK")
            # A deferred transaction would read first and then fail at once with
            # BUSY_SNAPSHOT, whatever the timeout: another process may have appended.
            file.writer.execute("BEGIN IMMEDIATE")
            known = file.known_head
            # The version changes only with a commit of another connection.
            fresh = known is not None and file.writer.data_version() == known[0]
            self.head = known[1] if known and fresh else tables.head_of(file.writer)
        except BaseException as error:
            if (ours := self._undone(error)) is not error:
                raise ours from None
            raise
        return self

    def __exit__(self, _: object, error: BaseException | None, trace: object) -> None:
        file = self._file
        if error is not None:
            if (ours := self._undone(error)) is not error:
                raise ours from error
            return
        try:
            file.writer.execute("COMMIT")
            version = file.writer.data_version()
            file.known_head = None if self.after is None else (version, self.after)
            file.unlock()
        except apsw.Error as failed:
            raise self._rolled_back(failed) from failed
        except BaseException:
            # After an interrupt, a lock that stays held would keep other processes out.
            self.abandon()
            raise

    def _undone(self, error: BaseException) -> BaseException:
        """Abandon the transaction after an error, and return the error to raise."""
        try:
            # Before the rollback: the connection knows only its last error.
            refused = refusal(error, self._file.path, self._file.writer)
        finally:
            with suppress(apsw.Error):
                self.abandon()
        damaged = is_damage(error) and not isinstance(error, apsw.ConstraintError)
        return refused or (errors.CorruptLog(str(error), 0) if damaged else error)

    def abandon(self) -> None:
        """Roll back what the transaction wrote, and release the lock."""
        file = self._file
        if file.refused is not None:
            return
        file.known_head = None
        try:
            if file.writer.in_transaction:
                file.writer.execute("ROLLBACK")
        finally:
            file.unlock()

    def _rolled_back(self, error: apsw.Error) -> errors.LedgerError:
        """Roll back a failed commit, whose events may come back, and return the error to raise."""
        file, writer = self._file, self._file.writer
        file.known_head = None
        try:
            found = refusal(error, file.path, writer) or errors.CorruptLog(str(error), 0)
            try:
                if writer.in_transaction:
                    writer.execute("ROLLBACK")
                # If its last flush failed, the whole transaction may lie in the write-ahead
                # log, and recovery after a crash would bring it back. A transaction that
                # writes a page unchanged overwrites it.
                writer.execute("BEGIN IMMEDIATE")
                writer.execute(f"PRAGMA user_version = {tables.FORMAT}").fetchall()
                writer.execute("COMMIT")
            except apsw.Error:
                if writer.in_transaction:
                    with suppress(apsw.Error):
                        writer.execute("ROLLBACK")
                # On a full disk the transaction was not written in full, so it cannot come back.
                full = isinstance(found, errors.DiskFull)
                if isinstance(found, errors.StorageFailed) and not full:
                    return errors.OutcomeUnknown(file.path, found.problem)
            return found
        finally:
            file.unlock()


class VolatileLog(tables.LogReader):
    """A log in a database in memory, for one process."""

    path = Path(":memory:")

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._db = apsw.Connection(":memory:")
        tables.ensure_schema(self._db, self.path)
        self._closed = False
        self._grown = threading.Condition()

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        with self._grown:
            if self._closed:
                raise errors.ClosedHandle("log")
            yield self._db

    def append(
        self,
        drafts: Sequence[Draft],
        expected: Expected | None = None,
        erase: Sequence[Position] = (),
    ) -> Appended:
        """Append all of `drafts` or nothing; see `ledger.log.Log.append`."""
        request = group_commit.Request(drafts, expected, erase)
        with self._reading() as db:
            group_commit.GroupWriter(db, self._clock).write(request, tables.head_of(db))
            self._grown.notify_all()
        return cast("Appended", request.result)

    def adopt(self, events: Iterable[Event]) -> Head:
        """Append another log's events as they are; see `ledger.log.Log.adopt`."""
        with self._reading() as db, db:
            self._grown.notify_all()
            group_commit.adopt_events(db, events, tables.head_of(db))
        return self.head()

    def wait(self, after: Position, timeout_s: float) -> Head:
        """The head once it is beyond `after`, or as it is when time is up."""
        with self._reading():
            self._grown.wait_for(lambda: self.head().position > after, timeout_s)
            return self.head()

    def close(self) -> None:
        """Forget everything."""
        self._closed = True
        self._db.close()

"""Write transaction of a ledger file, under the lock that orders the processes."""

from __future__ import annotations

from contextlib import suppress
from typing import Self

import apsw

from mnemolog.ledger.digests import EMPTY, Head
from mnemolog.ledger.errors import CorruptLog, DiskFull, LedgerError, OutcomeUnknown, StorageFailed
from mnemolog.ledger.sqlite.connections import is_damage, refusal
from mnemolog.ledger.sqlite.events_table import head_of
from mnemolog.ledger.sqlite.ledger_file import LedgerFile
from mnemolog.ledger.sqlite.schema import FORMAT


class WriteTransaction:
    """A write transaction of a ledger file; set `after` to the new head before it ends.

    A class, not a generator: one is entered for every append.
    """

    def __init__(self, file: LedgerFile) -> None:
        self._file = file
        self.after: Head | None = None
        self.head = EMPTY

    @property
    def writer(self) -> apsw.Connection:
        """The connection that writes; another one after a restore."""
        return self._file.writer

    def __enter__(self) -> Self:
        try:
            self._begin()
        except apsw.Error as error:
            raise self._translation(error) from None
        return self

    def _begin(self) -> None:
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
            # The version changes with every commit of others, and with nothing else.
            fresh = known is not None and file.writer.data_version() == known[0]
            self.head = known[1] if known and fresh else head_of(file.writer)
        except BaseException:
            self.abandon()
            raise

    def __exit__(self, _: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            try:
                self._commit()
            except apsw.Error as failed:
                raise self._rolled_back(failed) from failed
            except BaseException:
                # Interrupted after the commit, the lock would keep other processes out.
                self.abandon()
                raise
            return
        # Before the rollback: the connection knows its last error alone.
        translation = self._translation(error)
        with suppress(apsw.Error):
            self.abandon()
        if translation is not error:
            raise translation from error

    def _commit(self) -> None:
        file = self._file
        file.writer.execute("COMMIT")
        file.known_head = None if self.after is None else (file.writer.data_version(), self.after)
        file.unlock()

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

    def _rolled_back(self, error: apsw.Error) -> LedgerError:
        """Roll back after a failed commit; the error to raise: its events may come back."""
        file, writer = self._file, self.writer
        file.known_head = None
        try:
            found = refusal(error, file.path, writer) or CorruptLog(str(error), 0)
            try:
                if writer.in_transaction:
                    writer.execute("ROLLBACK")
                # If its last flush failed, the whole transaction may lie in the write-ahead
                # log, and recovery after a crash would bring it back. Another transaction
                # overwrites it: one that writes a page as it was.
                writer.execute("BEGIN IMMEDIATE")
                writer.execute(f"PRAGMA user_version = {FORMAT}").fetchall()
                writer.execute("COMMIT")
            except apsw.Error:
                if writer.in_transaction:
                    with suppress(apsw.Error):
                        writer.execute("ROLLBACK")
                # Without space, not all of it was written.
                if isinstance(found, StorageFailed) and not isinstance(found, DiskFull):
                    return OutcomeUnknown(file.path, found.problem)
            return found
        finally:
            file.unlock()

    def _translation(self, error: BaseException) -> BaseException:
        if (refused := refusal(error, self._file.path, self.writer)) is not None:
            return refused
        damaged = is_damage(error) and not isinstance(error, apsw.ConstraintError)
        return CorruptLog(str(error), 0) if damaged else error

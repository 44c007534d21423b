"""The log in one SQLite file, written by many threads and processes at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, cast

import apsw

from mnemolog.ledger.clock import Clock, Micros, SystemClock
from mnemolog.ledger.digests import HashedRow, Head, adopted, sealed
from mnemolog.ledger.errors import CorruptLog, LedgerError, StaleExpectation
from mnemolog.ledger.events import Draft, Event
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Appended, Durability, Expected, Traces
from mnemolog.ledger.sqlite import erasures_table as erasures
from mnemolog.ledger.sqlite.events_table import (
    EventReader,
    fitting_tail,
    head_of,
    insert_events,
    position_at,
    positions_of,
)
from mnemolog.ledger.sqlite.group_commit import GroupCommit, Request
from mnemolog.ledger.sqlite.group_writer import GroupWriter
from mnemolog.ledger.sqlite.ledger_file import LedgerFile
from mnemolog.ledger.sqlite.schema import schema_differences
from mnemolog.ledger.sqlite.switching import Switch
from mnemolog.ledger.sqlite.write_transaction import WriteTransaction

if TYPE_CHECKING:
    from pathlib import Path

_VERIFIED_CHUNK = 500
_ADOPTED_CHUNK = 100
"""At the default limit of a content, 100 MiB at most are in memory at a time."""
_POLL_S = 0.02


class SqliteLog:
    """A log in the file `path`, created if it is missing.

    Raises `ForeignFormat` for a file that is not a ledger or has another format,
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
        self._clock = clock or SystemClock()
        self._file = LedgerFile(path, durability)
        self._waiting = 0
        self._begin_waiting()

    def _begin_waiting(self) -> None:
        self._grown = threading.Condition()
        self._group = GroupCommit(self._file.turn, self._commit)

    def _ensure_usable(self) -> None:
        if self._file.ensure_usable():
            self._begin_waiting()

    @property
    def secret(self) -> bytes:
        """The 32 bytes that key digests in derived files."""
        return self._file.secret

    @property
    def switched(self) -> Switch | None:
        """The last restore that this process finished for a killed one, if any."""
        return self._file.switched

    @property
    def withdrawn(self) -> bool:
        """True if opening removed the staged log of a restore that was never decided."""
        return self._file.withdrawn

    # -- appending ---------------------------------------------------------------------

    def append(
        self,
        drafts: Sequence[Draft],
        expected: Expected | None = None,
        erase: Sequence[Position] = (),
        traces: Traces = (),
    ) -> Appended:
        """Append all of `drafts` or nothing; see `ledger.log.Log.append`.

        `traces` are kept, for `pending_traces`, until the erasure is finished.
        """
        self._ensure_usable()
        request = Request(drafts, expected, erase, traces)
        self._group.carry_out(request)
        if request.error is not None:
            raise request.error
        return cast("Appended", request.result)

    def _commit(self, group: list[Request]) -> None:
        """Write the requests of a group in one transaction, and answer each."""
        transaction = WriteTransaction(self._file)
        try:
            with transaction:
                transaction.after = GroupWriter(transaction, self._clock).write(group)
        except (LedgerError, apsw.Error, OSError) as error:
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

        `events` are taken in chunks inside the transaction, and may raise. The drafts
        `then` follow with the time of the last event, so that the same call gives the same
        log elsewhere. The same transaction destroys the content of the events at `erase`;
        `traces` are as of `append`. Raises `StaleExpectation` unless the head is `onto`,
        if that is given.
        """
        self._ensure_usable()
        waiting = iter(events)
        with self._file.turn, WriteTransaction(self._file) as transaction:
            head, db = transaction.head, transaction.writer
            # The whole head: a restore may have put another log of the same length in place.
            if onto not in {None, head}:
                raise StaleExpectation("the log", onto.position, head.position)
            while chunk := list(islice(waiting, _ADOPTED_CHUNK)):
                rows = adopted(chunk, head)
                try:
                    insert_events(db, rows)
                except apsw.ConstraintError:
                    raise CorruptLog("an event id is in it already", head.position) from None
                last = chunk[-1]
                head = Head(last.position, last.recorded_at, last.digest)
            rows, head = sealed(then, head, head.recorded_at)
            insert_events(db, rows)
            erasures.erase_contents(db, erase, traces)
            transaction.after = head
        return head

    # -- erasure -----------------------------------------------------------------------

    def pending_erasures(self) -> list[Position]:
        """Positions whose content is destroyed here, but perhaps not yet in derived files."""
        with self._file.reading() as db:
            return erasures.pending_erasures(db)

    def uncleaned_erasures(self) -> list[Position]:
        """Pending positions whose content may still be in a file of ours."""
        with self._file.reading() as db:
            return erasures.uncleaned_erasures(db)

    def pending_traces(self) -> list[bytes]:
        """The traces of erased content that is not yet known to be gone from everywhere."""
        with self._file.reading() as db:
            return erasures.pending_traces(db)

    def clean_erasure(self, positions: Sequence[Position], timeout_s: float) -> bool:
        """Empty the WAL of old pages, and note that no file of ours has these contents.

        False, and nothing noted, if readers kept the WAL in use until time was up.
        """
        self._ensure_usable()
        deadline = time.monotonic() + timeout_s
        with self._file.turn, self._file.held_alone() as db:
            if not self._file.truncate_wal(deadline):
                return False
            erasures.note_cleaned(db, positions)
            return True

    def finish_erasure(self, positions: Sequence[Position], timeout_s: float) -> bool:
        """Forget that these erasures were pending, and empty the WAL of old pages.

        False if readers kept the WAL in use until time was up; the erasures stay pending.
        """
        self._ensure_usable()
        deadline = time.monotonic() + timeout_s
        with self._file.turn, self._file.held_alone() as db:
            # In this order: the traces leave the WAL with the rest, and a process that dies
            # in between leaves the erasures pending.
            erasures.drop_notes(db, positions)
            if not self._file.truncate_wal(deadline):
                return False
            erasures.drop_pending(db, positions)
            return True

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
        with self._file.reading() as db:
            return EventReader(db, self.path).after(after, limit, space, kinds)

    def events_at(self, positions: Sequence[Position]) -> list[Event]:
        """The events at these positions that exist, ascending."""
        with self._file.reading() as db:
            return EventReader(db, self.path).at(positions)

    def positions_of(self, event_ids: Sequence[EventId]) -> dict[EventId, Position]:
        """The positions of these events; absent ones are left out."""
        with self._file.reading() as db:
            return positions_of(db, event_ids)

    def concerning(self, memory_id: MemoryId) -> list[Event]:
        """Every event about a memory, in order, beginning with its own."""
        with self._file.reading() as db:
            return EventReader(db, self.path).about(memory_id)

    def events_with_prefix(
        self, digits: str, limit: int, space: str, kinds: Sequence[str] = ()
    ) -> list[Event]:
        """Up to `limit` events of a space, and of kinds if given, whose id begins so, by id."""
        with self._file.reading() as db:
            return EventReader(db, self.path).with_prefix(digits, limit, space, kinds)

    def position_at(self, instant: Micros) -> Position:
        """The last position recorded at or before an instant, by bisection; 0 if none."""
        with self._file.reading() as db:
            return position_at(db, instant)

    def first_of_last(self, head: Position, events: int, size: int) -> Position:
        """The first of the last events up to `head`: at most so many, of so many bytes, or one."""
        with self._file.reading() as db:
            fit = fitting_tail(db, head, events, size)
        return Position(max(head - max(fit, 1), 0) + 1)

    def hashed_between(self, first: int, last: int) -> Iterator[list[HashedRow]]:
        """The hash inputs of an inclusive range, in chunks, for verification.

        Raises `CorruptLog` with the last good position where SQLite cannot read on.
        """
        for start in range(first, last + 1, _VERIFIED_CHUNK):
            end = min(last, start + _VERIFIED_CHUNK - 1)
            with self._file.reading() as db:
                rows, damage = EventReader(db, self.path).hashed(start, end)
            yield rows
            if damage is not None:
                raise damage

    def head(self) -> Head:
        """The last event, or `EMPTY`."""
        self._ensure_usable()
        with self._file.reading() as db:
            return head_of(db)

    def wait(self, after: Position, timeout_s: float) -> Head:
        """The head once it is beyond `after`, or as it is when time is up.

        Appends of this process wake it at once; those of others are seen by
        polling every 20 ms.
        """
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
        """Copy the log into a new file; see `LedgerFile.backup_to`."""
        self._file.backup_to(path, progress)

    def integrity(self) -> list[str]:
        """Problems that SQLite's own check finds in the file; empty if there are none."""
        with self._file.reading() as db:
            rows = [str(row[0]) for row in db.execute("PRAGMA integrity_check(20)")]
        return [] if rows == ["ok"] else rows

    def schema_differences(self) -> list[str]:
        """Tables, indexes and triggers that are not as this format creates them, in words."""
        with self._file.reading() as db:
            return schema_differences(db)

    def close(self) -> None:
        """Wait for the write that is under way, and close every connection."""
        self._file.close()

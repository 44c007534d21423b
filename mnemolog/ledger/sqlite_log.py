"""The log in one SQLite file, written by many threads and processes at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar, cast

import apsw

from mnemolog.ledger.clock import Clock, Micros, SystemClock, recorded_after
from mnemolog.ledger.connections import insert, refusal
from mnemolog.ledger.errors import CorruptLog, InvalidField, LedgerError, StaleExpectation
from mnemolog.ledger.events import Draft, Event
from mnemolog.ledger.group_commit import GroupCommit, Request, Traces
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Appended, Durability, Expected, Head, Quiet
from mnemolog.ledger.rows import HashedRow, Row, adopted, check_same, events_of, sealed
from mnemolog.ledger.schema import COLUMNS, head_of, schema_differences
from mnemolog.ledger.sqlite_file import LedgerFile
from mnemolog.ledger.switching import Switch

if TYPE_CHECKING:
    from pathlib import Path

_SELECT = f"SELECT {COLUMNS} FROM events "
_TABLE = f"events ({COLUMNS})"
_MARKS = f"({','.join('?' * len(COLUMNS.split(',')))})"
_INSERT = f"INSERT INTO {_TABLE} VALUES {_MARKS}"
# Whatever is no blob sorts before the empty blob: half the price of asking for types by name.
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
_NO_DRAFT = (InvalidField, TypeError, ValueError, OverflowError, AttributeError)
"""What sealing raises for values that are no draft's: the fault of one request alone."""
_UNREAD = (apsw.Error, UnicodeDecodeError)
"""What reading rows raises, be the file damaged or not to be read."""
_VERIFIED_CHUNK = 500
_POLL_S = 0.02
_ID_CHUNK = 500


_AnyRow = TypeVar("_AnyRow", Row, HashedRow)


class SqliteLog:
    """A log in the file `path`, created if it is not there.

    Raises `ForeignFormat` for a file that is not a ledger or is of another format,
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
        self._grown = threading.Condition()
        self._waiting = 0
        self._group = GroupCommit(self._file.turn, self._commit)

    @property
    def secret(self) -> bytes:
        """The 32 bytes that key digests in derived files."""
        return self._file.secret

    @property
    def switched(self) -> Switch | None:
        """The last restore that this process finished for another one that was killed, if any."""
        return self._file.switched

    @property
    def withdrawn(self) -> bool:
        """Whether the opening removed what a restore had staged and not decided on."""
        return self._file.withdrawn

    def _ensure_usable(self) -> None:
        if self._file.ensure_usable():
            self._grown = threading.Condition()
            self._group = GroupCommit(self._file.turn, self._commit)

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
        """Write what can be written of `group` in one transaction, and answer each."""
        try:
            with self._file.transaction() as writing:
                together = self._written_together(group, writing.head)
                writing.after = together or self._write_each(group, writing.head)
        except (LedgerError, apsw.Error, OSError) as error:
            # Every waiting caller must learn of it: the group is written together or not.
            for request in group:
                request.result, request.error = None, request.error or error
        except BaseException:
            # An interrupt may have kept the transaction itself from letting go.
            self._file.abandon()
            for request in group:
                request.result = request.error = None
            raise
        if self._waiting:
            with self._grown:
                self._grown.notify_all()

    def _written_together(self, group: list[Request], head: Head) -> Head | None:
        """Insert the events of requests that ask for no more; None if it must be one by one."""
        for request in group:
            if request.expected or request.erase:
                return None
        together = (
            group[0].drafts
            if len(group) == 1
            else [draft for request in group for draft in request.drafts]
        )
        now = self._clock.now()
        try:
            rows, after = sealed(together, head, recorded_after(now, head.recorded_at))
            if len(rows) == 1:
                self._file.writer.execute(_INSERT, rows[0])
            else:
                insert(self._file.writer, _TABLE, _MARKS, rows)
        except (apsw.ConstraintError, *_NO_DRAFT):
            self._file.begin_again()
            return None
        recorded_at = recorded_after(now, head.recorded_at)
        future = max(0, recorded_at - now)
        behind = head.position + 1
        for request in group:
            first, behind = behind, behind + len(request.drafts)
            positions: tuple[Position, ...] = tuple(range(first, behind))  # type: ignore[arg-type]
            request.result = Appended(positions, recorded_at, future)
        return after

    def _write_each(self, group: list[Request], start: Head) -> Head:
        head = start
        for request in group:
            try:
                head = self._write(request, head)
            except (LedgerError, *_NO_DRAFT) as error:
                request.error = error
        return head

    def _write(self, request: Request, head: Head) -> Head:
        """Insert a request's events, those that are there already excepted."""
        try:
            if request.expected is not None:
                self._check_expected(request.expected)
            # A savepoint, so that a request that fails leaves nothing behind.
            with self._file.writer:
                after = self._insert(request, request.drafts, {}, head)
        except (apsw.ConstraintError, StaleExpectation) as error:
            # A retry of what was acknowledged: looked for only now, because fresh ids
            # are the rule and a look-up an event would cost a third of the append.
            known = self._known(request.drafts)
            fresh = [draft for draft in request.drafts if draft.event_id not in known]
            if not known or (fresh and isinstance(error, StaleExpectation)):
                raise
            with self._file.writer:
                after = self._insert(request, fresh, known, head)
        return after

    def _insert(
        self,
        request: Request,
        fresh: Sequence[Draft],
        known: dict[EventId, Position],
        head: Head,
    ) -> Head:
        now = self._clock.now()
        rows, new_head = sealed(fresh, head, recorded_after(now, head.recorded_at))
        insert(self._file.writer, _TABLE, _MARKS, rows)
        if request.erase:
            self._erase(request.erase, request.traces)
        if known:
            written = {
                draft.event_id: Position(row[0]) for draft, row in zip(fresh, rows, strict=True)
            }
            positions = [(known | written)[draft.event_id] for draft in request.drafts]
            recorded_at = new_head.recorded_at if rows else self._recorded_at(min(positions))
        else:
            positions = [Position(row[0]) for row in rows]
            recorded_at = new_head.recorded_at
        request.result = Appended(tuple(positions), recorded_at, max(0, recorded_at - now))
        return new_head

    def _known(self, drafts: Sequence[Draft]) -> dict[EventId, Position]:
        """Positions of the events that are in the log already, their payloads compared."""
        known: dict[EventId, Position] = {}
        for draft in drafts:
            blob = bytes.fromhex(draft.event_id)
            rows = self._file.writer.execute(_SELECT + "WHERE event_id = ?", (blob,))
            for row in rows.fetchall():
                check_same(draft, cast("Row", row))
                known[draft.event_id] = cast("Position", row[0])
        return known

    def _check_expected(self, expected: Expected) -> None:
        for memory_id, position in expected.memories.items():
            expected_id = bytes.fromhex(memory_id)
            found = self._file.writer.execute(
                "SELECT max(position) FROM (SELECT position FROM events WHERE event_id = ?1 "
                "UNION ALL SELECT max(position) FROM events WHERE memory_id = ?1 "
                "AND memory_id <> event_id)",
                (expected_id,),
            ).get
            _compare(f"memory {memory_id}", position, found or 0)
        if expected.space is not None:
            space, position = expected.space
            found = self._file.writer.execute(
                "SELECT position FROM events WHERE space = ? ORDER BY position DESC LIMIT 1",
                (space,),
            ).get
            _compare(f"space {space!r}", position, found or 0)
        if expected.quiet is not None:
            last = self._last_that_matters(expected.quiet)
            _compare(f"space {expected.quiet.space!r}", expected.quiet.after, last)

    def _last_that_matters(self, quiet: Quiet) -> Position:
        """The last position that breaks a quiet; where it began if none does."""
        # Read from there on alone: the space's own last event may lie far back.
        since = "WHERE position > ? AND +space = ?"
        if quiet.matters is None:
            found = self._file.writer.execute(
                "SELECT max(position) FROM events " + since, (quiet.after, quiet.space)
            ).get
            return quiet.after if found is None else cast("Position", found)
        rows = self._file.writer.execute(
            _SELECT + since + " ORDER BY position", (quiet.after, quiet.space)
        ).fetchall()
        events = events_of(cast("list[Row]", rows))
        return max((one.position for one in events if quiet.matters(one)), default=quiet.after)

    def _erase(self, positions: Sequence[Position], traces: Traces = ()) -> None:
        ids = [(position,) for position in positions]
        self._file.writer.executemany(
            "UPDATE events SET content = NULL, salt = NULL WHERE position = ?", ids
        )
        self._file.writer.executemany("INSERT OR IGNORE INTO pending_erasures VALUES (?)", ids)
        self._file.writer.executemany(
            "INSERT OR REPLACE INTO properties VALUES ('traces ' || ?, ?)", traces
        )

    def _recorded_at(self, position: Position) -> Micros:
        rows = self._file.writer.execute(
            "SELECT recorded_at FROM events WHERE position = ?", (position,)
        ).fetchall()
        return cast("Micros", rows[0][0])

    def adopt(self, events: Sequence[Event]) -> None:
        """Append another log's events as they are; see `ledger.log.Log.adopt`."""
        self._ensure_usable()
        with self._file.turn, self._file.transaction() as writing:
            self._insert_adopted(events, writing.head)

    def adopt_all(
        self,
        after: Head,
        batches: Iterable[Sequence[Event]],
        behind: Sequence[Draft],
        erase: Sequence[Position],
        traces: Traces = (),
    ) -> Head:
        """Append another log's events as they are, then `behind`; all of it or nothing.

        `behind` has the time of the last of those events, so that repeated elsewhere, the
        same call gives the same log.

        `batches` are taken one after the other inside the transaction, and may raise. In the
        same transaction the content of the events at `erase` is destroyed; `traces` are as of
        `append`. Raises `StaleExpectation` unless `after` is the head, `CorruptLog` as `adopt`.
        """
        self._ensure_usable()
        with self._file.turn, self._file.transaction() as writing:
            # The whole head: a restore may have put another log of the same length in place.
            if writing.head != after:
                raise StaleExpectation("the log", after.position, writing.head.position)
            head = after
            for events in batches:
                head = self._insert_adopted(events, head)
            rows, head = sealed(behind, head, head.recorded_at)
            insert(self._file.writer, _TABLE, _MARKS, rows)
            self._erase(erase, traces)
            writing.after = head
        return head

    def _insert_adopted(self, events: Sequence[Event], head: Head) -> Head:
        rows = adopted(events, head)
        try:
            insert(self._file.writer, _TABLE, _MARKS, rows)
        except apsw.ConstraintError:
            raise CorruptLog("an event id is in it already", head.position) from None
        return (
            Head(events[-1].position, events[-1].recorded_at, events[-1].digest) if rows else head
        )

    # -- erasure -----------------------------------------------------------------------

    def pending_erasures(self) -> list[Position]:
        """Positions whose content is destroyed here but perhaps not yet in derived files."""
        with self._file.reading() as connection:
            rows = connection.execute("SELECT position FROM pending_erasures ORDER BY position")
            return [Position(position) for (position,) in rows]

    def uncleaned_erasures(self) -> list[Position]:
        """Those of the pending positions whose content may still be in a file of ours."""
        with self._file.reading() as connection:
            rows = connection.execute(
                "SELECT position FROM pending_erasures WHERE NOT EXISTS "
                "(SELECT 1 FROM properties WHERE name = 'cleaned ' || position) ORDER BY position"
            )
            return [Position(position) for (position,) in rows]

    def pending_traces(self) -> list[bytes]:
        """What was kept of content that is not yet known to be gone from everywhere."""
        with self._file.reading() as connection:
            rows = connection.execute(
                "SELECT value FROM pending_erasures JOIN properties ON name = 'traces ' || position"
            )
            return [cast("bytes", value) for (value,) in rows]

    def clean_erasure(self, positions: Sequence[Position], timeout_s: float) -> bool:
        """Empty the WAL of old pages and note that no file of ours has these contents any more.

        False if readers kept the WAL in use until time was up; nothing is then noted.
        """
        self._ensure_usable()
        deadline = time.monotonic() + timeout_s
        with self._file.turn, self._file.held_alone() as writer:
            if not self._file.truncate_wal(deadline):
                return False
            cleaned = [(position,) for position in positions]
            with writer:
                writer.executemany(
                    "INSERT OR IGNORE INTO properties VALUES ('cleaned ' || ?, x'')", cleaned
                )
            return True

    def finish_erasure(self, positions: Sequence[Position], timeout_s: float) -> bool:
        """Forget that these erasures were pending, and empty the WAL of old pages.

        False if readers kept the WAL in use until time was up; the erasures
        then stay pending.
        """
        self._ensure_usable()
        deadline = time.monotonic() + timeout_s
        done = [(position,) for position in positions]
        with self._file.turn, self._file.held_alone() as writer:
            # In this order: the traces leave the WAL with the rest, and whoever dies in between
            # leaves the erasures pending.
            with writer:
                writer.executemany("DELETE FROM properties WHERE name = 'traces ' || ?", done)
                writer.executemany("DELETE FROM properties WHERE name = 'cleaned ' || ?", done)
            if not self._file.truncate_wal(deadline):
                return False
            with writer:
                writer.executemany("DELETE FROM pending_erasures WHERE position = ?", done)
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
        where = "WHERE position > ?"
        values: list[str | int] = [after]
        if space is not None:
            where += " AND space = ?"
            values.append(space)
        if kinds:
            where += f" AND kind IN ({','.join('?' * len(kinds))})"
            values.extend(kinds)
        events = self._events(f"{where} ORDER BY position LIMIT ?", (*values, limit), after)
        if space is None and not kinds and after >= 0:
            # A damaged page can hand out one row in the place of another.
            for expected, event in enumerate(events, after + 1):
                if event.position != expected:
                    raise CorruptLog(
                        f"event {event.position} is found in the place of {expected}", expected - 1
                    )
        else:
            last = after
            for event in events:
                if event.position <= last:
                    raise CorruptLog(f"event {event.position} is found behind {last}", last)
                last = event.position
        return events

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
        with self._file.reading() as connection:
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

    def events_with_prefix(
        self, digits: str, limit: int, space: str, kinds: Sequence[str] = ()
    ) -> list[Event]:
        """Up to `limit` events of a space, and of kinds if given, whose id begins so, by id."""
        low = bytes.fromhex(digits.ljust(32, "0"))
        high = bytes.fromhex(digits.ljust(32, "f"))
        where = "WHERE event_id BETWEEN ? AND ? AND space = ?"
        if kinds:
            where += f" AND kind IN ({','.join('?' * len(kinds))})"
        return self._events(
            f"{where} ORDER BY event_id LIMIT ?", (low, high, space, *kinds, limit), 0
        )

    def position_at(self, instant: Micros) -> Position:
        """The last position recorded at or before an instant, by bisection; 0 if none."""
        with self._file.reading() as connection:
            low, high = 0, int(head_of(connection).position)
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

    def first_of_last(self, head: Position, events: int, size: int) -> Position:
        """The first of the last events up to `head`: at most so many, of so many bytes, or one."""
        with self._file.reading() as connection:
            sizes = connection.execute(_SIZES, (head, events)).fetchall()
        fit = sum(total <= size for total in accumulate(cast("int", one) for (one,) in sizes))
        return Position(max(head - max(fit, 1), 0) + 1)

    def hashed_between(self, first: int, last: int) -> Iterator[list[HashedRow]]:
        """What the hashes of an inclusive range are made of, in chunks, for verification.

        Raises `CorruptLog` with the last good position where SQLite cannot read on.
        """
        for start in range(first, last + 1, _VERIFIED_CHUNK):
            values = (start, min(last, start + _VERIFIED_CHUNK - 1))
            damage = None
            with self._file.reading() as connection:
                try:
                    rows = cast("list[HashedRow]", connection.execute(_HASHED, values).fetchall())
                except _UNREAD as error:
                    if refusal(error, self.path, connection) is not None:
                        raise
                    damage = str(error)
                    rows = _readable(
                        cast("Iterable[HashedRow]", connection.execute(_HASHED, values))
                    )
            yield rows
            if damage is not None:
                raise CorruptLog(damage, rows[-1][0] if rows else start - 1)

    def _events(
        self, condition: str, values: Sequence[str | int | bytes], last_good: int
    ) -> list[Event]:
        with self._file.reading() as connection:
            try:
                rows = cast("list[Row]", connection.execute(_SELECT + condition, values).fetchall())
            except _UNREAD as error:
                if refusal(error, self.path, connection) is not None:
                    raise
                # What was read counts: the last good position is that of the row before.
                before = cast("Iterable[Row]", connection.execute(_SELECT + condition, values))
                events = events_of(_readable(before))
                good = int(events[-1].position) if events else last_good
                raise CorruptLog(str(error), good) from None
        return events_of(rows)

    def head(self) -> Head:
        """The last event, or `EMPTY`."""
        self._ensure_usable()
        with self._file.reading() as connection:
            return head_of(connection)

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
        """What SQLite's own check finds wrong with the file; empty if nothing."""
        return self._file.integrity()

    def schema_differences(self) -> list[str]:
        """Which tables, indexes and triggers of the file are not as this format creates them."""
        with self._file.reading() as connection:
            return schema_differences(connection)

    def close(self) -> None:
        """Let what is being written end, and close every connection."""
        self._file.close()


def _compare(subject: str, expected: int, actual: int) -> None:
    if expected != actual:
        raise StaleExpectation(subject, expected, actual)


def _readable(rows: Iterable[_AnyRow]) -> list[_AnyRow]:
    """The rows before the first that cannot be read."""
    found: list[_AnyRow] = []
    with suppress(*_UNREAD):
        for row in rows:
            found.append(row)  # noqa: PERF402 - what was read before the error counts
    return found

"""Group commit: appends that come together share one transaction and one flush to disk.

A thread that finds nobody writing commits for itself. Others gather: the first of a group leads
it and waits for its turn, the rest join until then, and all are written together. A leader whose
turn comes early waits for as many as last time, though no longer than the last commit took.
"""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import apsw
import msgspec

from mnemolog.ledger.clock import Clock, recorded_after
from mnemolog.ledger.digests import Head, check_follows, check_same, row_of, sealed
from mnemolog.ledger.errors import CorruptLog, InvalidField, LedgerError, StaleExpectation
from mnemolog.ledger.events import Draft, Event
from mnemolog.ledger.ids import EventId, Position
from mnemolog.ledger.log import Appended, Expected, Traces
from mnemolog.ledger.sqlite import tables

# Time for some fifty threads to return; a commit may have waited for another process.
_LONGEST_WAIT_S = 0.001
# Errors of sealing values that are no draft's: the fault of one request alone.
_NO_DRAFT = (InvalidField, TypeError, ValueError, OverflowError, AttributeError)
# At the default limit of a content, 100 MiB at most are in memory at a time.
_ADOPTED_CHUNK = 100


class Request(msgspec.Struct, eq=False):
    """One caller's append, answered with a result or an error."""

    drafts: Sequence[Draft]
    expected: Expected | None
    erase: Sequence[Position]
    traces: Traces = ()
    result: Appended | None = None
    error: Exception | None = None

    @property
    def answered(self) -> bool:
        """True if there is a result or an error."""
        return self.result is not None or self.error is not None


class _Group:
    """Requests written together; callers wait at `gate`, the leader at `full`."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.wanted = 0
        self.gate, self.full = threading.Lock(), threading.Lock()
        self.gate.acquire()
        self.full.acquire()


class GroupCommit:
    """Collector of requests, which calls `commit` with one group at a time, holding `turn`."""

    def __init__(self, turn: threading.Lock, commit: Callable[[list[Request]], None]) -> None:
        self._turn = turn
        self._commit = commit
        self._joining = threading.Lock()
        self._open: _Group | None = None
        # While requests come together no thread commits for itself alone: its transaction
        # would delay the waiting ones.
        self._last_size = 1
        self._last_s = 0.0

    def carry_out(self, request: Request) -> None:
        """Write a request in some group, and return when it is answered."""
        if self._last_size == 1 and self._open is None and not self._turn.locked():
            # `with` alone: an interrupt behind `acquire` and before `try` would leave it locked.
            with self._turn:
                self._write([request])
        # Again if the leader was interrupted: events it had written are found by their ids.
        while not request.answered:
            self._join(request)

    def _join(self, request: Request) -> None:
        led = None
        try:
            with self._joining:
                group = self._open
                if group is None:
                    group = led = self._open = _Group()
                group.requests.append(request)
                if len(group.requests) == group.wanted:
                    group.full.release()
            if led is not None:
                self._lead(led)
        finally:
            # Even if the leader is interrupted, no thread waits forever.
            if led is not None:
                led.gate.release()
        if led is not None:
            return
        # Each thread lets the next one through: woken together, they would only wait for
        # the interpreter's lock.
        with group.gate:
            pass
        if not request.answered:
            # The leader may have been interrupted before it had closed the group.
            self._close(group)

    def _lead(self, group: _Group) -> None:
        with self._turn:
            try:
                # Threads that were answered just now append again.
                with self._joining:
                    group.wanted = self._last_size
                    enough = len(group.requests) >= group.wanted
                if not enough:
                    group.full.acquire(timeout=min(self._last_s, _LONGEST_WAIT_S))
            finally:
                self._close(group)
            self._last_size = len(group.requests)
            self._write(group.requests)

    def _write(self, requests: list[Request]) -> None:
        began = time.perf_counter()
        self._commit(requests)
        self._last_s = time.perf_counter() - began

    def _close(self, group: _Group) -> None:
        with self._joining:
            if self._open is group:
                self._open = None


class GroupWriter:
    """Writes requests in the transaction that its caller holds."""

    def __init__(self, db: apsw.Connection, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def write_all(self, group: list[Request], head: Head) -> Head:
        """Insert the events of all requests that can be written; the new head."""
        if (after := self._written_together(group, head)) is not None:
            return after
        for request in group:
            try:
                head = self.write(request, head)
            except (LedgerError, *_NO_DRAFT) as error:
                request.error = error
        return head

    def _written_together(self, group: list[Request], head: Head) -> Head | None:
        """Insert plain appends at once; None if the group must be written one by one."""
        if any(request.expected or request.erase for request in group):
            return None
        drafts = group[0].drafts if len(group) == 1 else [d for one in group for d in one.drafts]
        now = self._clock.now()
        try:
            time = recorded_after(now, head.recorded_at)
            rows, after = sealed(drafts, head, time)
            tables.insert_events(self._db, rows)
        except (apsw.ConstraintError, *_NO_DRAFT):
            # Another transaction, under the same lock between processes.
            self._db.execute("ROLLBACK")
            self._db.execute("BEGIN IMMEDIATE")
            return None
        end = head.position + 1
        for request in group:
            first, end = end, end + len(request.drafts)
            positions: tuple[Position, ...] = tuple(range(first, end))  # type: ignore[arg-type]
            request.result = Appended(positions, time, max(0, time - now))
        return after

    def write(self, request: Request, head: Head) -> Head:
        """Insert the events of a request that are not in the log yet; the new head."""
        try:
            if request.expected is not None:
                self._check_expected(request.expected)
            # A savepoint: a request that fails leaves nothing behind.
            with self._db:
                after = self._inserted(request, request.drafts, {}, head)
        except (apsw.ConstraintError, StaleExpectation) as error:
            # A retry of an acknowledged append. Looked up only now: fresh ids are the
            # rule, and a look-up an event would cost a third of the append.
            known = self._known(request.drafts)
            fresh = [draft for draft in request.drafts if draft.event_id not in known]
            if not known or (fresh and isinstance(error, StaleExpectation)):
                raise
            with self._db:
                after = self._inserted(request, fresh, known, head)
        return after

    def _inserted(
        self, request: Request, fresh: Sequence[Draft], known: dict[EventId, Position], head: Head
    ) -> Head:
        now = self._clock.now()
        rows, after = sealed(fresh, head, recorded_after(now, head.recorded_at))
        tables.insert_events(self._db, rows)
        if request.erase:
            erase_contents(self._db, request.erase, request.traces)
        written = {draft.event_id: row[0] for draft, row in zip(fresh, rows, strict=True)} | known
        positions = tuple(written[draft.event_id] for draft in request.drafts)
        time = after.recorded_at
        if known and not rows:
            time = tables.recorded_at(self._db, min(positions)) or time
        request.result = Appended(positions, time, max(0, time - now))
        return after

    def _known(self, drafts: Sequence[Draft]) -> dict[EventId, Position]:
        """Positions of the drafts that are in the log already, their payloads compared."""
        known: dict[EventId, Position] = {}
        for draft in drafts:
            for row in tables.rows_with_id(self._db, draft.event_id):
                check_same(draft, row)
                known[draft.event_id] = row[0]
        return known

    def _check_expected(self, expected: Expected) -> None:
        db = self._db
        for memory_id, position in expected.memories.items():
            last = tables.last_position(db, tables.LAST_ABOUT, bytes.fromhex(memory_id))
            _compare(f"memory {memory_id}", position, last)
        if expected.space is not None:
            space, position = expected.space
            last = tables.last_position(db, tables.LAST_IN_SPACE, space)
            _compare(f"space {space!r}", position, last)
        if (quiet := expected.quiet) is not None:
            if (matters := quiet.matters) is None:
                query = tables.LAST_IN_SPACE_AFTER
                last = tables.last_position(db, query, quiet.after, quiet.space)
            else:
                later = tables.events_in_after(db, quiet.space, quiet.after)
                last = max((one.position for one in later if matters(one)), default=None)
            _compare(f"space {quiet.space!r}", quiet.after, last or quiet.after)


def _compare(subject: str, expected: int, actual: int | None) -> None:
    if expected != (actual or 0):
        raise StaleExpectation(subject, expected, actual or 0)


def adopt_events(db: apsw.Connection, events: Iterable[Event], head: Head) -> Head:
    """Insert another log's events as they are; the new head. `CorruptLog` for a broken chain."""
    waiting = iter(events)
    while chunk := list(islice(waiting, _ADOPTED_CHUNK)):
        before = head.position
        for event in chunk:
            head = check_follows(event, head)
        try:
            tables.insert_events(db, [row_of(event) for event in chunk])
        except apsw.ConstraintError:
            raise CorruptLog("an event id is in it already", before) from None
    return head


def erase_contents(db: apsw.Connection, positions: Sequence[Position], traces: Traces) -> None:
    """Destroy content and salt of events, and note the erasure as pending."""
    ids = [(position,) for position in positions]
    db.executemany("UPDATE events SET content = NULL, salt = NULL WHERE position = ?", ids)
    db.executemany("INSERT OR IGNORE INTO pending_erasures VALUES (?)", ids)
    db.executemany("INSERT OR REPLACE INTO properties VALUES ('traces ' || ?, ?)", traces)

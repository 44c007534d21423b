"""A log in this process's memory: for scratch replays, and gone with the process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from itertools import islice

from mnemolog.ledger.clock import Clock, Micros, SystemClock, recorded_after
from mnemolog.ledger.digests import EMPTY, Head, Row, adopted, check_same, events_of, sealed
from mnemolog.ledger.errors import ClosedHandle, CorruptLog, StaleExpectation
from mnemolog.ledger.events import Draft, Event
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Appended, Expected


class VolatileLog:
    """A log that keeps its rows in a list, for one process."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._kept: list[Row] | None = []
        self._positions: dict[EventId, Position] = {}
        self._grown = threading.Condition()

    @property
    def _rows(self) -> list[Row]:
        if self._kept is None:
            raise ClosedHandle("log")
        return self._kept

    def append(
        self,
        drafts: Sequence[Draft],
        expected: Expected | None = None,
        erase: Sequence[Position] = (),
    ) -> Appended:
        """Append all of `drafts` or nothing; see `ledger.log.Log.append`."""
        with self._grown:
            for draft in drafts:
                if draft.event_id in self._positions:
                    check_same(draft, self._rows[self._positions[draft.event_id] - 1])
            fresh = [draft for draft in drafts if draft.event_id not in self._positions]
            if expected is not None and (fresh or not drafts):
                self._check_expected(expected)
            now = self._clock.now()
            head = self._head()
            rows, _ = sealed(fresh, head, recorded_after(now, head.recorded_at))
            self._extend(rows)
            for position in erase:
                row = self._rows[position - 1]
                self._rows[position - 1] = (*row[:11], None, None, *row[13:])
            positions = tuple(self._positions[draft.event_id] for draft in drafts)
            recorded_at = head.recorded_at
            if positions:
                first = rows[0] if rows else self._rows[min(positions) - 1]
                recorded_at = Micros(first[5])
            return Appended(positions, recorded_at, max(0, recorded_at - now))

    def _extend(self, rows: Sequence[Row]) -> None:
        for row in rows:
            self._rows.append(row)
            self._positions[EventId(row[1].hex())] = Position(row[0])
        self._grown.notify_all()

    def _check_expected(self, expected: Expected) -> None:
        for memory_id, position in expected.memories.items():
            blob = bytes.fromhex(memory_id)
            actual = max((row[0] for row in self._rows if row[7] == blob), default=0)
            if actual != position:
                raise StaleExpectation(f"memory {memory_id}", position, actual)
        if expected.space is not None:
            space, position = expected.space
            actual = max((row[0] for row in self._rows if row[2] == space), default=0)
            if actual != position:
                raise StaleExpectation(f"space {space!r}", position, actual)
        if expected.quiet is not None:
            space, position = expected.quiet.space, expected.quiet.after
            matters = expected.quiet.matters
            since = events_of(row for row in self._rows[position:] if row[2] == space)
            broken = [one.position for one in since if matters is None or matters(one)]
            if broken:
                raise StaleExpectation(f"space {space!r}", position, broken[-1])

    def adopt(self, events: Iterable[Event]) -> Head:
        """Append another log's events as they are; see `ledger.log.Log.adopt`."""
        adoptees = list(events)
        with self._grown:
            head = self._head()
            rows = adopted(adoptees, head)
            ids = {event.event_id for event in adoptees}
            if len(ids) < len(rows) or not ids.isdisjoint(self._positions):
                raise CorruptLog("an event id is in it already", head.position)
            self._extend(rows)
            return self._head()

    def read(
        self,
        after: Position,
        limit: int,
        space: str | None = None,
        kinds: Sequence[str] = (),
    ) -> list[Event]:
        """Events after a position; see `ledger.log.Log.read`."""
        wanted = (
            row
            for row in self._rows[max(0, after) :]
            if (space is None or row[2] == space) and (not kinds or row[3] in kinds)
        )
        return events_of(islice(wanted, limit))

    def events_at(self, positions: Sequence[Position]) -> list[Event]:
        """The events at these positions that exist, ascending."""
        return events_of(
            self._rows[position - 1]
            for position in sorted(set(positions))
            if 1 <= position <= len(self._rows)
        )

    def positions_of(self, event_ids: Sequence[EventId]) -> dict[EventId, Position]:
        """The positions of these events; absent ones are left out."""
        return {
            event_id: self._positions[event_id]
            for event_id in event_ids
            if event_id in self._positions
        }

    def concerning(self, memory_id: MemoryId) -> list[Event]:
        """Every event about a memory, in order."""
        blob = bytes.fromhex(memory_id)
        return events_of(row for row in self._rows if row[7] == blob)

    def position_at(self, instant: Micros) -> Position:
        """The last position recorded at or before an instant; 0 if there is none."""
        earlier = [row[0] for row in self._rows if row[5] <= instant]
        return Position(earlier[-1] if earlier else 0)

    def head(self) -> Head:
        """The last event, or `EMPTY`."""
        return self._head()

    def _head(self) -> Head:
        if not self._rows:
            return EMPTY
        last = self._rows[-1]
        return Head(Position(last[0]), Micros(last[5]), last[14])

    def wait(self, after: Position, timeout_s: float) -> Head:
        """The head once it is beyond `after`, or as it is when time is up."""
        deadline = time.monotonic() + timeout_s
        with self._grown:
            while self._head().position <= after:
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self._grown.wait(left)
            return self._head()

    def close(self) -> None:
        """Forget everything."""
        self._kept = None
        self._positions.clear()

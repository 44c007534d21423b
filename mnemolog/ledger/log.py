"""Logs of events: what every log can do, and reading of logs in proven parts and pages."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from itertools import chain
from typing import Protocol

import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.digests import EMPTY, Head, check_content, follows
from mnemolog.ledger.errors import CorruptLog
from mnemolog.ledger.events import Draft, Event
from mnemolog.ledger.ids import EventId, MemoryId, Position


class Durability(Enum):
    """Failures that an acknowledged append survives: the loss of power, or a process's death."""

    DURABLE = "durable"
    MAY_LOSE_LAST_MOMENTS = "may-lose-last-moments"
    """The loss of power may cost the last moments, never the rest."""


Traces = Sequence[tuple[Position, bytes]]  # Identify erased content until no file has it.


class Quiet(msgspec.Struct, frozen=True):
    """A space to which nothing, or nothing that `matters`, was appended after a position."""

    space: str
    after: Position
    matters: Callable[[Event], bool] | None = None  # Others wait: it must be quick, and not fail.


class Expected(msgspec.Struct, frozen=True):
    """State that an append was decided on: last positions, 0 for none, and a quiet space."""

    memories: dict[MemoryId, Position] = {}
    space: tuple[str, Position] | None = None
    quiet: Quiet | None = None


class Appended(msgspec.Struct, frozen=True):
    """Result of an append: one position an event, in the order given."""

    positions: tuple[Position, ...]
    recorded_at: Micros  # Of the events written, or of the first one found.
    future: int = 0  # Microseconds by which that is ahead of the clock.


class Log(Protocol):
    """An append-only sequence of events with gapless positions from 1."""

    def append(
        self,
        drafts: Sequence[Draft],
        expected: Expected | None = None,
        erase: Sequence[Position] = (),
    ) -> Appended:
        """Append all of `drafts` or nothing; destroy the contents at `erase` at once with it.

        An event id that is in the log is not appended again: `EventIdTaken` if its payload differs.
        Raises `StaleExpectation` if `expected` fails.
        """

    def adopt(self, events: Iterable[Event]) -> Head:
        """Append another log's events, all or none; `CorruptLog` if they do not follow this one."""

    def read(
        self, after: Position, limit: int, space: str | None = None, kinds: Sequence[str] = ()
    ) -> list[Event]:
        """Up to `limit` events after a position, in order, of a space and of kinds if given."""

    def events_at(self, positions: Sequence[Position]) -> list[Event]:
        """The events at these positions that exist, in ascending order."""

    def with_content(self, positions: Sequence[Position]) -> set[Position]:
        """Those of these positions whose events still have content, which is not read."""

    def positions_of(self, event_ids: Sequence[EventId]) -> dict[EventId, Position]:
        """The positions of these events; those that are not in the log are left out."""

    def concerning(self, memory_id: MemoryId) -> list[Event]:
        """Every event about a memory, in order, beginning with its own."""

    def position_at(self, instant: Micros) -> Position:
        """The last position recorded at or before an instant; 0 if there is none."""

    def head(self) -> Head:
        """The last event, or `EMPTY`."""

    def wait(self, after: Position, timeout_s: float) -> Head:
        """The head as soon as it is beyond a position, or as it is when time is up."""

    def close(self) -> None:
        """Let go of what the log holds; further calls raise `ClosedHandle`."""


def event_at(log: Log, position: Position) -> Event | None:
    """The event at a position; None if there is none."""
    return next(iter(log.events_at([position])), None)


def head_at(log: Log, position: Position) -> Head | None:
    """The head that the log had at a position; None if it holds no event there."""
    if position == EMPTY.position:
        return EMPTY
    event = event_at(log, position)
    return None if event is None else Head(event.position, event.recorded_at, event.digest)


def proven(log: Log, positions: Iterable[Position]) -> dict[Position, Event]:
    """The events at these positions that exist; `CorruptLog` if a digest or content is wrong."""
    wanted = set(positions)
    read = log.events_at(sorted(wanted | {Position(position - 1) for position in wanted}))
    events = {event.position: event for event in read}
    found = {position: events[position] for position in sorted(wanted & events.keys())}
    for position, event in found.items():
        check_content(event)
        before = events.get(Position(position - 1))
        if not follows(EMPTY.digest if before is None else before.digest, event):
            raise CorruptLog(f"event {position} is not what was appended", position - 1)
    return found


PAGE = 1000  # Events that are read at once unless a caller says otherwise.


class LogRange(msgspec.Struct, frozen=True):
    """Part of a log: events after a position, up to another, of a space and of kinds if given."""

    after: Position
    through: Position | None = None
    space: str | None = None
    kinds: tuple[str, ...] = ()


def events_in(log: Log, within: LogRange) -> Iterator[Event]:
    """The events of a range, in order."""
    return chain.from_iterable(pages_in(log, within))


def pages_in(
    log: Log,
    within: LogRange,
    size: int = PAGE,
    checked: Callable[[list[Event]], list[Event]] = list,
) -> Iterator[list[Event]]:
    """The events of a range in pages, each as `checked`.

    Events before damage come before `CorruptLog`, which a gapless range that ends early raises too.
    """
    after, through, limit = within.after, within.through, size
    gapless = within.space is None and not within.kinds
    while through is None or after < through:
        if gapless and through is not None:
            limit = min(limit, through - after)
        try:
            page = checked(log.read(after, limit, within.space, within.kinds))
        except CorruptLog:
            if limit == 1:
                raise
            # A shorter page may end before the damage.
            limit //= 2
            continue
        if not page:
            if gapless and through is not None:
                raise CorruptLog(f"event {after + 1} is missing", after)
            return
        after, limit = page[-1].position, size
        if through is not None and after > through:
            page = [event for event in page if event.position <= through]
        if page:
            yield page


def proven_pages_in(log: Log, within: LogRange, size: int = PAGE) -> Iterator[list[Event]]:
    """The pages of `pages_in`, each event's digest and content computed again."""

    def checked(page: list[Event]) -> list[Event]:
        return [*proven(log, [event.position for event in page]).values()]

    return pages_in(log, within, size, checked)


def events_back_from(log: Log, position: Position, space: str, page: int) -> Iterator[Event]:
    """The events of a space up to a position, the last one first."""
    while position > 0:
        start = Position(max(0, position - page))
        events = log.read(start, position - start, space)
        yield from (event for event in reversed(events) if event.position <= position)
        position = start

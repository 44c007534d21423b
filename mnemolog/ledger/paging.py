"""Paging over a log: events in order, read in batches that hold no cursor."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from mnemolog.ledger.errors import CorruptLog
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log
from mnemolog.ledger.rows import proven

PAGE = 1000
"""Events that are read at once unless a caller says otherwise."""


class LogRange(msgspec.Struct, frozen=True):
    """Part of a log: events after a position, up to another, of a space and of kinds if given."""

    after: Position
    through: Position | None = None
    space: str | None = None
    kinds: tuple[str, ...] = ()

    def read(self, log: Log, after: Position, limit: int) -> list[Event]:
        """Up to `limit` events of the range after a position, and perhaps later ones."""
        if self.through is not None and self.is_gapless():
            limit = min(limit, self.through - after)
        return log.read(after, limit, self.space, self.kinds)

    def is_gapless(self) -> bool:
        """True if the range has an event at every position."""
        return self.space is None and not self.kinds


def events_in(log: Log, within: LogRange) -> Iterator[Event]:
    """The events of a range, in order."""
    for page in pages_in(log, within):
        yield from page


def pages_in(log: Log, within: LogRange, size: int = PAGE) -> Iterator[list[Event]]:
    """The events of a range in pages.

    The events before a damaged one come before `CorruptLog` is raised, which is also
    raised where a gapless range ends too early.
    """
    return _pages(within, size, lambda after, limit: within.read(log, after, limit))


def proven_pages_in(log: Log, within: LogRange, size: int = PAGE) -> Iterator[list[Event]]:
    """The pages of `pages_in`, each event's digest and content computed again."""

    def read(after: Position, limit: int) -> list[Event]:
        page = within.read(log, after, limit)
        return list(proven(log, [event.position for event in page]).values())

    return _pages(within, size, read)


def _pages(
    within: LogRange, size: int, read: Callable[[Position, int], list[Event]]
) -> Iterator[list[Event]]:
    after, through = within.after, within.through
    while through is None or after < through:
        page = _readable(read, after, size)
        if not page:
            if through is not None and within.is_gapless():
                raise CorruptLog(f"event {after + 1} is missing", after)
            return
        after = page[-1].position
        if through is not None and after > through:
            page = [event for event in page if event.position <= through]
        if page:
            yield page


def _readable(
    read: Callable[[Position, int], list[Event]], after: Position, limit: int
) -> list[Event]:
    """The next page, or a shorter one that ends before damage; raises if that is empty."""
    try:
        return read(after, limit)
    except CorruptLog:
        if limit == 1:
            raise
    return _readable(read, after, limit // 2)


def events_back_from(log: Log, position: Position, space: str, page: int) -> Iterator[Event]:
    """The events of a space up to a position, the last one first."""
    while position > 0:
        start = Position(max(0, position - page))
        for event in reversed(log.read(start, position - start, space)):
            if event.position <= position:
                yield event
        position = start

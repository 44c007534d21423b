"""Verified events of a log in batches, each event checked before it is returned."""

from __future__ import annotations

from collections.abc import Iterator

from mnemolog.ledger.digests import EMPTY, Head, check_follows
from mnemolog.ledger.errors import CorruptLog
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import EventId, Position
from mnemolog.ledger.log import Log, LogRange, pages_in
from mnemolog.ledger.sqlite.verification import redacted_ids

_BATCH = 100
"""At the default limit of a content, 100 MiB at most are in memory at a time."""


class VerifiedEvents:
    """Events of a log up to its head at construction, or to the first that does not verify.

    After `batches`, `head` is the last event returned, and `damage` describes the damage
    after it, if there is any.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._behind: CorruptLog | None = None
        try:
            self.last = log.head().position
        except CorruptLog as error:
            # The last row is not a valid event; rows before it may be.
            self.last, self._behind = Position(error.last_good), error
        self.head: Head = EMPTY
        self.damage: CorruptLog | None = None
        self._redacted: dict[EventId, Position] = {}
        self._seen = Position(0)
        self._erased: set[EventId] = set()

    def batches(self) -> Iterator[list[Event]]:
        """Batches of valid events, in order."""
        pages = pages_in(self._log, LogRange(EMPTY.position, self.last), _BATCH)
        while self.damage is None and self.head.position < self.last:
            good: list[Event] = []
            try:
                for event in next(pages):
                    self._check(event)
                    good.append(event)
            except CorruptLog as error:
                last_good = max(self.head.position, error.last_good)
                self.damage = CorruptLog(error.problem, last_good)
            if good:
                yield good
        self.damage = self.damage or self._behind

    def erased(self) -> tuple[EventId, ...]:
        """Returned events without content whose redaction comes after the last returned event."""
        later = (
            one
            for one in self._erased
            if self._redacted.get(one, self.last + 1) > self.head.position
        )
        return tuple(sorted(later))

    def _check(self, event: Event) -> None:
        check_follows(event, self.head)
        if event.erased:
            self._explain(event)
        self.head = Head(event.position, event.recorded_at, event.digest)

    def _explain(self, event: Event) -> None:
        """Raise `CorruptLog` if an event's content is gone and no event redacted it.

        If the log cannot be read to its end, the redaction may be in the unreadable part.
        """
        readable = True
        if event.event_id not in self._redacted:
            try:
                for position, event_id in redacted_ids(self._log, self._seen):
                    self._redacted.setdefault(event_id, position)
                    self._seen = position
            except CorruptLog:
                readable = False
        if readable and event.event_id not in self._redacted:
            problem = f"the content of event {event.position} is gone, and no event redacted it"
            raise CorruptLog(problem, self.head.position)
        self._erased.add(event.event_id)

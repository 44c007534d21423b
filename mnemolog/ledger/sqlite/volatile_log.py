"""A log in this process's memory: for scratch replays, and gone with the process."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import apsw

from mnemolog.ledger.clock import Clock, SystemClock
from mnemolog.ledger.digests import Head
from mnemolog.ledger.errors import ClosedHandle
from mnemolog.ledger.events import Draft, Event
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Appended, Expected, Log
from mnemolog.ledger.sqlite.group_commit import GroupWriter, Request, adopt_events
from mnemolog.ledger.sqlite.tables import ensure_schema, head_of


class VolatileLog(Log):
    """A log in a database in memory, for one process."""

    path = Path(":memory:")

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._db = apsw.Connection(":memory:")
        ensure_schema(self._db, self.path)
        self._closed = False
        self._grown = threading.Condition()

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        with self._grown:
            if self._closed:
                raise ClosedHandle("log")
            yield self._db

    def append(
        self,
        drafts: Sequence[Draft],
        expected: Expected | None = None,
        erase: Sequence[Position] = (),
    ) -> Appended:
        """Append all of `drafts` or nothing; see `ledger.log.Log.append`."""
        request = Request(drafts, expected, erase)
        with self._reading() as db:
            GroupWriter(db, self._clock).write(request, head_of(db))
            self._grown.notify_all()
        return cast("Appended", request.result)

    def adopt(self, events: Iterable[Event]) -> Head:
        """Append another log's events as they are; see `ledger.log.Log.adopt`."""
        with self._reading() as db, db:
            self._grown.notify_all()
            adopt_events(db, events, head_of(db))
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

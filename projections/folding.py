"""Folding the log into a views file, batch by batch, each with its checkpoint."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import cast

import apsw
import msgspec

from ledger.errors import CorruptLog
from ledger.events import Event
from ledger.ids import Position
from ledger.log import EMPTY, Head, Log
from ledger.rows import proven
from projections.projection import Projection

_BATCH = 1000
CHECKPOINT_TABLE = """
CREATE TABLE checkpoint (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    position INTEGER NOT NULL,
    digest   BLOB NOT NULL,
    versions TEXT NOT NULL,
    crc32    INTEGER NOT NULL
) STRICT
"""
GARBLED = (ValueError, TypeError, KeyError, OverflowError, msgspec.MsgspecError)
"""What rows come to whose values are not what was written."""

Notify = Callable[[str], None]
Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""


class DamagedViews(Exception):
    """A generation cannot be used; the text says why. Never leaves this package."""


class ShortenedLog(DamagedViews):
    """The log does not hold the moment that the views had reached."""

    def __init__(self, known: Head, head: Position) -> None:
        super().__init__(
            f"they had reached position {known.position}, which the log, ending at {head}, "
            "does not hold as it was: events were lost"
        )
        self.known = known
        self.head = head


class Folding:
    """Folds what a log holds beyond the checkpoint of a views file, batch by batch."""

    def __init__(self, log: Log, projections: Sequence[Projection], versions: str) -> None:
        self._log = log
        self._projections = projections
        self._versions = versions

    def into(
        self,
        connection: apsw.Connection,
        until: Position | None,
        progress: Progress | None = None,
    ) -> Head:
        """Fold up to `until` (None: all there is); the moment reached.

        Raises `CorruptLog` where an event cannot be read; what lies before its
        batch stays folded.
        """
        while True:
            with immediate(connection):
                known, folded = self._batch(connection, until)
            if progress is not None:
                head = self._log.head().position
                progress("folding", known.position, max(known.position, head))
            if folded < _BATCH - 1:
                return known

    def _batch(self, connection: apsw.Connection, until: Position | None) -> tuple[Head, int]:
        """Fold one batch and move the checkpoint with it; where that is, and how many events."""
        known, versions = _checkpoint(connection)
        if versions != self._versions:
            raise DamagedViews("another version of mnemolog made them")
        limit = _BATCH if until is None else min(_BATCH, until - known.position + 1)
        if limit <= 0:
            return known, 0
        events = self._log.read(Position(max(0, known.position - 1)), limit)
        if known.position > 0:
            if not events or events[0].digest != known.digest:
                raise ShortenedLog(known, self._log.head().position)
            events.pop(0)
        if not events:
            return known, 0
        try:
            self._apply(connection, events)
        except (*GARBLED, apsw.ConstraintError) as error:
            # Which of the two is at fault: the log's events, or the tables?
            proven(self._log, [event.position for event in events])
            if isinstance(error, msgspec.MsgspecError):
                raise CorruptLog(f"an event cannot be read: {error}", known.position) from None
            raise DamagedViews(f"events do not fit them ({error})") from None
        last = events[-1]
        connection.execute(
            "UPDATE checkpoint SET position = ?, digest = ?, crc32 = ?",
            (last.position, last.digest, checkpoint_crc32(last.position, last.digest, versions)),
        )
        return Head(last.position, last.recorded_at, last.digest), len(events)

    def _apply(self, connection: apsw.Connection, events: Sequence[Event]) -> None:
        """Give every projection the events of its kinds."""
        kinds = {event.kind for event in events}
        for projection in self._projections:
            if kinds <= projection.kinds:
                projection.apply(connection, events)
            elif not kinds.isdisjoint(projection.kinds):
                concerned = [event for event in events if event.kind in projection.kinds]
                projection.apply(connection, concerned)


@contextmanager
def immediate(connection: apsw.Connection) -> Iterator[None]:
    """A write transaction, begun as one so that it waits for others instead of failing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _checkpoint(connection: apsw.Connection) -> tuple[Head, str]:
    rows = connection.execute("SELECT position, digest, versions, crc32 FROM checkpoint").fetchall()
    if not rows:
        raise DamagedViews("their checkpoint is missing")
    position, digest, versions, crc32 = cast("tuple[Position, bytes, str, int]", rows[0])
    if not isinstance(digest, bytes) or crc32 != checkpoint_crc32(position, digest, versions):
        # Not the log's fault: without this, a hit here would pass for a shortened log.
        raise DamagedViews("their checkpoint is damaged")
    return Head(position, EMPTY.recorded_at, digest), versions


def checkpoint_crc32(position: int, digest: bytes, versions: str) -> int:
    """What tells a damaged checkpoint from one that the log does not hold."""
    return zlib.crc32(f"{position} {digest.hex()} {versions}".encode())

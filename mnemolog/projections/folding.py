"""Folding the log into a views file, batch by batch, each with its checkpoint."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import cast

import apsw
import msgspec

from mnemolog.ledger.digests import EMPTY, Head
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log, proven
from mnemolog.projections.memories import NAME, key_of
from mnemolog.projections.projection import Projection

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
"""Errors of reading rows whose values are not as written."""

Notify = Callable[[str], None]
Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and how much there is."""


class DamagedViews(Exception):
    """A generation cannot be used; the text says why. Never leaves this package.

    Up to `last_good` the log folds, if that is known.
    """

    def __init__(self, problem: str, last_good: int = 0) -> None:
        super().__init__(problem)
        self.last_good = last_good


class ShortenedLog(DamagedViews):
    """The log does not hold the moment that the views had reached."""

    def __init__(self, known: Head, head: Position, *, replaced: bool) -> None:
        what = "it was replaced by another one" if replaced else "events were lost"
        super().__init__(
            f"they had reached position {known.position}, which the log, ending at {head}, "
            f"does not hold as it was: {what}"
        )
        self.known = known
        self.head = head
        self.replaced = replaced


def begin_tables(
    connection: apsw.Connection, projections: Sequence[Projection], versions: str
) -> None:
    """Make empty tables with a checkpoint before the first event; their indexes come later."""
    with connection:
        for projection in projections:
            connection.execute(projection.schema).fetchall()
        connection.execute(CHECKPOINT_TABLE)
        connection.execute(
            "INSERT INTO checkpoint VALUES (1, 0, ?, ?, ?)",
            (EMPTY.digest, versions, checkpoint_crc32(0, EMPTY.digest, versions)),
        )


def make_indexes(connection: apsw.Connection, projections: Sequence[Projection]) -> None:
    """Index filled tables; filling indexed ones takes longer."""
    with connection:
        for projection in projections:
            connection.execute(projection.indexes).fetchall()


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
        limit = _BATCH if until is None else min(_BATCH, until - known.position + 1)
        events = self._following(known, versions, limit) if limit > 0 else []
        # Only now: views of another version know as well how far the log had reached.
        if versions != self._versions:
            raise DamagedViews(
                "they were made with the key of another log"
                if self._has_another_key(versions)
                else "another version of mnemolog made them"
            )
        if not events:
            return known, 0
        try:
            self._apply(connection, events)
        except (*GARBLED, apsw.ConstraintError) as error:
            # Raises if the log's events are at fault; else the tables are.
            proven(self._log, [event.position for event in events])
            first, end = events[0].position, events[-1].position
            which = f"event {first} does" if first == end else f"events {first} to {end} do"
            raise DamagedViews(f"{which} not fit them ({error})", known.position) from None
        last = events[-1]
        connection.execute(
            "UPDATE checkpoint SET position = ?, digest = ?, crc32 = ?",
            (last.position, last.digest, checkpoint_crc32(last.position, last.digest, versions)),
        )
        return Head(last.position, last.recorded_at, last.digest), len(events)

    def _following(self, known: Head, versions: str, limit: int) -> list[Event]:
        """The events behind a checkpoint; raises `ShortenedLog` if the log does not hold that."""
        events = self._log.read(Position(max(0, known.position - 1)), limit)
        if known.position > 0:
            if not events or events[0].digest != known.digest:
                head = self._log.head().position
                raise ShortenedLog(known, head, replaced=self._has_another_key(versions))
            events.pop(0)
        return events

    def _has_another_key(self, versions: str) -> bool:
        """True if tables of these versions were made with the key of another log."""
        made, ours = (
            msgspec.json.decode(one, type=dict[str, int]) for one in (versions, self._versions)
        )
        return key_of(made.get(NAME, 0)) != key_of(ours.get(NAME, 0))

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
    """Checksum that tells a damaged checkpoint from one that the log does not hold."""
    return zlib.crc32(f"{position} {digest.hex()} {versions}".encode())

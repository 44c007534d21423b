"""Folding the log into a views file, batch by batch, and evidence that the log lost events."""

import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import apsw
import msgspec
from apsw import Connection

from mnemolog.ledger.digests import EMPTY, Head
from mnemolog.ledger.errors import CorruptLog, LogReplaced, LogShortened, StorageFailed
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log, proven
from mnemolog.ledger.sqlite.connections import immediate
from mnemolog.projections.manifest import DamagedViews, Loss, Manifest, ManifestFile
from mnemolog.projections.memories import NAME, key_of
from mnemolog.projections.sql import Projection

_BATCH = 1000
_CHECKPOINT = """
    CREATE TABLE checkpoint (
        id INTEGER PRIMARY KEY CHECK (id = 1), position INTEGER NOT NULL, digest BLOB NOT NULL,
        versions TEXT NOT NULL, crc32 INTEGER NOT NULL) STRICT
"""
# Errors of reading rows whose values are not as written.
GARBLED = (ValueError, TypeError, KeyError, OverflowError, msgspec.MsgspecError)
Notify = Callable[[str], None]
Progress = Callable[[str, int, int], None]  # told what is being done, how much is, and of how much


class ShortenedLog(DamagedViews):
    """The log does not hold the moment that the views had reached."""

    def __init__(self, known: Head, head: Position, *, replaced: bool) -> None:
        what = "it was replaced by another one" if replaced else "events were lost"
        super().__init__(
            f"they had reached position {known.position}, which the log, ending at {head}, "
            f"does not hold as it was: {what}"
        )
        self.loss = Loss(known.position, known.digest.hex(), head, replaced)


class Folding:
    """Folds what a log holds beyond the checkpoint of a views file, batch by batch."""

    def __init__(self, log: Log, projections: Sequence[Projection]) -> None:
        self._log = log
        self._projections = projections
        versions = {projection.name: projection.version for projection in projections}
        self._versions = msgspec.json.encode(versions).decode()

    def begin_tables(self, db: Connection) -> None:
        """Make empty tables with a checkpoint before the first event; their indexes come later."""
        with db:
            for projection in self._projections:
                db.execute(projection.schema).fetchall()
            db.execute(_CHECKPOINT)
            crc32 = _crc32(0, EMPTY.digest, self._versions)
            values = (EMPTY.digest, self._versions, crc32)
            db.execute("INSERT INTO checkpoint VALUES (1, 0, ?, ?, ?)", values)

    def make_indexes(self, db: Connection) -> None:
        """Index filled tables; filling indexed ones takes longer."""
        with db:
            for projection in self._projections:
                db.execute(projection.indexes).fetchall()

    def into(
        self, db: Connection, until: Position | None, progress: Progress | None = None
    ) -> Head:
        """Fold up to `until` (None: all there is); the moment reached.

        Raises `CorruptLog` where an event cannot be read; what lies before its batch stays folded.
        """
        while True:
            with immediate(db):
                known, folded = self._batch(db, until)
            if progress is not None:
                progress("folding", known.position, max(known.position, self._log.head().position))
            if folded < _BATCH - 1:
                return known

    def as_far_as_good(
        self, db: Connection, needed: Position | None, progress: Progress | None = None
    ) -> Head:
        """Fold all there is; if given, up to `needed` where what follows is damaged."""
        try:
            return self.into(db, None, progress)
        except CorruptLog as error:
            if needed is None or error.last_good < needed:
                raise
            return self.into(db, needed, progress)

    def anew(
        self, db: Connection, needed: Position | None, progress: Progress | None = None
    ) -> Head:
        """The same into new tables: events that do not fit are the log's fault."""
        try:
            return self.as_far_as_good(db, needed, progress)
        except ShortenedLog:
            raise
        except DamagedViews as error:
            problem = error
        # One by one, up to the event that does not fit: what lies before it can be answered.
        good = Position(problem.last_good)
        reached = self.into(db, good) if good else EMPTY
        try:
            while reached.position == good:
                good = Position(good + 1)
                reached = self.into(db, good)
        except DamagedViews as error:
            problem = error
        if needed is None or reached.position < needed:
            raise CorruptLog(str(problem), reached.position)
        return reached

    def _batch(self, db: Connection, until: Position | None) -> tuple[Head, int]:
        """Fold one batch and move the checkpoint with it; where that is, and how many events."""
        known, versions = _checkpoint(db)
        limit = _BATCH if until is None else min(_BATCH, until - known.position + 1)
        events = self._following(known, versions, limit) if limit > 0 else []
        # Only now: views of another version know as well how far the log had reached.
        if versions != self._versions:
            foreign = self._has_another_key(versions)
            made = "they were made with the key of another log"
            raise DamagedViews(made if foreign else "another version of mnemolog made them")
        if not events:
            return known, 0
        try:
            self._apply(db, events)
        except (*GARBLED, apsw.ConstraintError) as error:
            # Raises if the log's events are at fault; else the tables are.
            proven(self._log, [event.position for event in events])
            first, end = events[0].position, events[-1].position
            which = f"event {first} does" if first == end else f"events {first} to {end} do"
            raise DamagedViews(f"{which} not fit them ({error})", known.position) from None
        at, digest = events[-1].position, events[-1].digest
        moved = (at, digest, _crc32(at, digest, versions))
        db.execute("UPDATE checkpoint SET position = ?, digest = ?, crc32 = ?", moved)
        return Head(at, events[-1].recorded_at, digest), len(events)

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
        both = (msgspec.json.decode(one, type=dict[str, int]) for one in (versions, self._versions))
        made, ours = (key_of(one.get(NAME, 0)) for one in both)
        return made != ours

    def _apply(self, db: Connection, events: Sequence[Event]) -> None:
        kinds = {event.kind for event in events}
        for projection in self._projections:
            if kinds <= projection.kinds:
                projection.apply(db, events)
            elif not kinds.isdisjoint(projection.kinds):
                concerned = [event for event in events if event.kind in projection.kinds]
                projection.apply(db, concerned)


def _checkpoint(db: Connection) -> tuple[Head, str]:
    rows = db.execute("SELECT position, digest, versions, crc32 FROM checkpoint").fetchall()
    if not rows:
        raise DamagedViews("their checkpoint is missing")
    position, digest, versions, crc32 = cast("tuple[Position, bytes, str, int]", rows[0])
    if not isinstance(digest, bytes) or crc32 != _crc32(position, digest, versions):
        # Not the log's fault: without this, a hit here would pass for a shortened log.
        raise DamagedViews("their checkpoint is damaged")
    return Head(position, EMPTY.recorded_at, digest), versions


def _crc32(position: int, digest: bytes, versions: str) -> int:
    return zlib.crc32(f"{position} {digest.hex()} {versions}".encode())


class Losses:
    """Evidence in the manifest that the log once held other events, until someone accepts it."""

    def __init__(self, home: Path, log: Log, manifest: ManifestFile) -> None:
        self._indexes = home / "indexes"
        self._log = log
        self._manifest = manifest
        self._unwritten: tuple[Loss, ...] = ()

    def holds(self, position: Position, digest: str) -> bool:
        """True if the log has the event of this digest (hexadecimal) at a position."""
        return any(event.digest.hex() == digest for event in self._log.events_at([position]))

    def record(self, loss: Loss) -> None:
        """Keep the evidence that the log was once longer."""

        def added(manifest: Manifest) -> Manifest:
            known = manifest.losses
            if loss in known:
                return manifest
            missed = [one for one in known if not self.holds(one.known_position, one.known_digest)]
            # A missed event is back: files made of the other log meanwhile prove nothing.
            losses = missed if len(missed) < len(known) else [*missed, loss]
            return msgspec.structs.replace(manifest, losses=tuple(losses))

        try:
            self._manifest.update(added)
        except StorageFailed:
            self._unwritten = (loss,)

    def check(self, head: Position) -> None:
        """Raise `LogReplaced` or `LogShortened` if the log is known to have held other events."""
        manifest = self._manifest.read()
        for loss in (*self._unwritten, *manifest.losses):
            error = LogReplaced if loss.replaced else LogShortened
            raise error(loss.known_position, loss.head)
        for base in manifest.bases.values():
            # A base without files was listed before a restore that removed them.
            there = any(self._indexes.glob(f"*/{base.generation}"))
            if there and not self.holds(base.position, base.digest):
                raise LogShortened(base.position, head)

    def accept(self) -> None:
        """Forget that the log is known to have held other events."""

        def accepted(manifest: Manifest) -> Manifest:
            bases = manifest.bases.items()
            fitting = {space: one for space, one in bases if self.holds(one.position, one.digest)}
            return msgspec.structs.replace(manifest, losses=(), bases=fitting)

        self._manifest.update(accepted)
        self._unwritten = ()

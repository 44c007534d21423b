"""The file that holds the projections' tables, kept up with the log.

`views-<generation>.db` carries every projection's tables and one checkpoint
(position and digest), moved in the same transaction as the tables. A rebuild
folds the whole log into a new generation beside the old one, which goes on
serving readers, and then switches the manifest.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import apsw
import msgspec

from ledger.connections import connect
from ledger.errors import (
    ClosedHandle,
    CorruptLog,
    ForeignFormat,
    LedgerError,
    LogShortened,
)
from ledger.ids import Position
from ledger.locks import FileLock
from ledger.log import EMPTY, Head, Log
from projections.activity import Activity
from projections.buffers import Buffers
from projections.deletions import Deletions
from projections.dues import Dues
from projections.edges import Edges
from projections.folding import (
    CHECKPOINT_TABLE,
    GARBLED,
    DamagedViews,
    Folding,
    Notify,
    Progress,
    ShortenedLog,
    checkpoint_crc32,
)
from projections.lessons import Lessons
from projections.manifest import Loss, Manifest, ManifestFile
from projections.marks import Marks
from projections.memories import Memories
from projections.pins import Pins
from projections.projection import Projection
from projections.settings import SettingChanges
from projections.strengths import Strengths
from projections.undos import Undos
from projections.upkeep import Upkeep
from projections.weights import Weights

_Result = TypeVar("_Result")

_DAMAGE = (
    apsw.CorruptError,
    apsw.NotADBError,
    apsw.CantOpenError,
    apsw.SQLError,
    apsw.IOError,
    apsw.ReadOnlyError,
    apsw.FormatError,
    apsw.ConstraintError,
    ForeignFormat,
)
"""What SQLite raises for a file that is broken, gone or not of our making."""
_ATTEMPTS = 3
# Within one call of one thread, so that SQLite need not lock the connection.
_BUILDING = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_NOMUTEX


def all_projections(secret: bytes) -> tuple[Projection, ...]:
    """The projections of a home, in the order in which they fold."""
    return (
        Memories(secret),
        Pins(),
        SettingChanges(),
        Undos(),
        Edges(secret),
        Strengths(),
        Marks(),
        Upkeep(),
        Deletions(),
        Dues(),
        Weights(),
        Buffers(),
        Activity(),
        Lessons(),
    )


class Views:
    """The views of a home, brought up to date and healed as questions need them."""

    def __init__(
        self, home: Path, log: Log, projections: Sequence[Projection], notify: Notify
    ) -> None:
        self._home = home
        self._log = log
        self._projections = tuple(projections)
        self._notify = notify
        self.manifest = ManifestFile(home)
        self._versions = msgspec.json.encode(
            {projection.name: projection.version for projection in self._projections}
        ).decode()
        self._folding = threading.Lock()
        self._generation: str | None = None
        self._readers: list[tuple[str, apsw.Connection]] = []
        self._writer: tuple[str, apsw.Connection] | None = None
        self._reached = EMPTY
        self._pid = os.getpid()
        self._closed = False

    # -- following ---------------------------------------------------------------------

    def catch_up(self, position: Position, needed: Position | None = None) -> None:
        """Fold until the views reach at least `position`, which the log must hold.

        Where the log is damaged, reaching `needed` will do, if that is given: without it,
        damage behind `position` is told as well, for a last event that is misnumbered
        makes the log look shorter than it is.
        """
        if self._pid != os.getpid():
            self._forget_parent()
        if self._reached.position >= position and self._is_current():
            return
        with self._folding:
            self._check_open()
            for _ in range(_ATTEMPTS):
                generation = self.manifest.read().views
                try:
                    with self._lock_file("views.lock"):
                        self._reached = self._folded(self._writable(), needed)
                except (DamagedViews, *_DAMAGE) as error:
                    problem: Exception = error
                    self._replace(generation, error, needed)
                else:
                    return
            raise CorruptLog(f"views cannot be made from it: {problem}", 0)

    def _folded(
        self, connection: apsw.Connection, needed: Position | None, progress: Progress | None = None
    ) -> Head:
        """Fold all there is into a file; if given, up to `needed` where what follows is damaged."""
        folding = Folding(self._log, self._projections, self._versions)
        try:
            return folding.into(connection, None, progress)
        except CorruptLog as error:
            if needed is None or error.last_good < needed:
                raise
            return folding.into(connection, needed, progress)

    @contextmanager
    def _lock_file(self, name: str) -> Iterator[None]:
        lock = FileLock(self._home / name)
        try:
            with lock.held():
                yield
        finally:
            lock.close()

    def _is_current(self) -> bool:
        return self._generation is not None and self.manifest.read().views == self._generation

    def _writable(self) -> apsw.Connection:
        generation = self.manifest.read().views
        if generation is None:
            raise DamagedViews("")
        if self._writer is None or self._writer[0] != generation:
            if self._writer is not None:
                self._writer[1].close()
                self._writer = None
            self._writer = (generation, self._open(generation))
            self._generation = generation
        return self._writer[1]

    def _open(self, generation: str) -> apsw.Connection:
        path = self._path(generation)
        if not path.exists():
            raise DamagedViews(f"{path.name} is gone")
        # Without CREATE: another process may have switched and removed it just now, and
        # an empty file in its place would be folded into by mistake.
        return connect(path, synchronous="NORMAL", flags=apsw.SQLITE_OPEN_READWRITE)

    def _path(self, generation: str) -> Path:
        return self._home / f"views-{generation}.db"

    # -- rebuilding --------------------------------------------------------------------

    def rebuild(self, progress: Progress | None = None) -> Head:
        """Fold the whole log into a new generation, then switch to it."""
        with self._folding, self._lock_file("views-build.lock"):
            self._check_open()
            return self._build(None, progress)

    def _replace(self, failed: str | None, problem: Exception, needed: Position | None) -> None:
        """Build a new generation because `failed` cannot be used, unless another process has."""
        with self._lock_file("views-build.lock"):
            if self.manifest.read().views != failed:
                return
            if isinstance(problem, ShortenedLog):
                self._record_loss(problem)
            said = str(problem)
            if failed is None and any(self._home.glob("views-*.db")):
                said = "the manifest that names them is gone or damaged"
            if said:
                self._notify(f"views are rebuilt from the log: {said}")
            try:
                self._build(needed)
            except (DamagedViews, *_DAMAGE) as error:
                raise CorruptLog(f"views cannot be made from it: {error}", 0) from None

    def _build(self, needed: Position | None, progress: Progress | None = None) -> Head:
        generation = secrets.token_hex(8)
        path = self._path(generation)
        connection = connect(path, synchronous="OFF", flags=_BUILDING)
        # Nobody reads it yet: a write-ahead log would only have every page written twice.
        connection.pragma("journal_mode", "memory")
        try:
            with connection:
                for projection in self._projections:
                    connection.execute(projection.schema).fetchall()
                connection.execute(CHECKPOINT_TABLE)
                connection.execute(
                    "INSERT INTO checkpoint VALUES (1, 0, ?, ?, ?)",
                    (
                        EMPTY.digest,
                        self._versions,
                        checkpoint_crc32(0, EMPTY.digest, self._versions),
                    ),
                )
            self._folded(connection, needed, progress)
            # What others folded into the old generation meanwhile must be in this one too
            # when it takes its place, or their next question would miss it.
            with connection:
                for projection in self._projections:
                    connection.execute(projection.indexes).fetchall()
            with self._lock_file("views.lock"):
                reached = self._folded(connection, needed)
                connection.pragma("journal_mode", "wal")
                connection.close()
                _sync(path)
                self._switch(generation)
        except BaseException:
            connection.close()
            if self.manifest.read().views != generation:
                _remove(path)
            raise
        # Only now: until the switch, readers ask the old generation, which may be behind.
        self._reached = reached
        return reached

    def _switch(self, generation: str) -> None:
        def switched(manifest: Manifest) -> Manifest:
            return msgspec.structs.replace(manifest, views=generation)

        self.manifest.update(switched)
        self._generation = generation
        self._close_connections()
        # Older generations, and those that a crash left behind.
        for path in self._home.glob("views-*.db"):
            if path != self._path(generation):
                _remove(path)

    def _record_loss(self, shortened: ShortenedLog) -> None:
        """Keep the evidence that the log was once longer, until someone accepts the loss."""
        known = shortened.known
        loss = Loss(known.position, known.digest.hex(), shortened.head)

        def added(manifest: Manifest) -> Manifest:
            if loss in manifest.losses:
                return manifest
            return msgspec.structs.replace(manifest, losses=(*manifest.losses, loss))

        self.manifest.update(added)

    def check_losses(self) -> None:
        """Raise `LogShortened` if the log is known to have been longer than it is."""
        for loss in self.manifest.read().losses:
            raise LogShortened(loss.known_position, loss.head)

    def accept_losses(self) -> None:
        """Forget that the log is known to have been longer."""
        self.manifest.update(lambda manifest: msgspec.structs.replace(manifest, losses=()))

    # -- reading -----------------------------------------------------------------------

    def read(self, question: Callable[[apsw.Connection], _Result]) -> _Result:
        """The answer of `question`, asked inside one read transaction.

        A generation that turns out to be damaged is rebuilt, said so, and asked
        once more.
        """
        for _ in range(_ATTEMPTS):
            generation = self.manifest.read().views
            try:
                return self._ask(question)
            except (DamagedViews, *_DAMAGE) as error:
                problem: Exception = error
            except LedgerError:
                raise
            except GARBLED as error:
                problem = DamagedViews(f"a row in them is damaged ({error})")
            with self._folding:
                self._replace(generation, problem, self._reached.position)
        raise CorruptLog(f"views cannot be made from it: {problem}", 0)

    def _ask(self, question: Callable[[apsw.Connection], _Result]) -> _Result:
        with self._reading() as connection:
            connection.execute("BEGIN")
            try:
                return question(connection)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        self._check_open()
        generation = self.manifest.read().views
        if generation is None:
            raise DamagedViews("")
        connection = self._pooled(generation) or self._open(generation)
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        self._readers.append((generation, connection))
        # Behind the append: whoever closes meanwhile finds it there, or is seen here.
        if self._closed:
            self._close_readers()

    def _pooled(self, generation: str) -> apsw.Connection | None:
        # Other threads take connections from the pool at the same time.
        with suppress(IndexError):
            while True:
                pooled, connection = self._readers.pop()
                if pooled == generation:
                    return connection
                connection.close()
        return None

    @property
    def generation(self) -> str | None:
        """Which file of tables is in use; another one may have been made from another log."""
        return self._generation

    def reached(self) -> Head:
        """The moment that the views have reached."""
        return self._reached

    def _forget_parent(self) -> None:
        # Connections of the process that this one was forked from must not be used here.
        self._abandoned = (self._readers, self._writer)
        self._readers, self._writer, self._generation = [], None, None
        self._folding = threading.Lock()
        self._pid = os.getpid()

    def _close_readers(self) -> None:
        with suppress(IndexError):
            while True:
                self._readers.pop()[1].close()

    def _close_connections(self) -> None:
        self._close_readers()
        if self._writer is not None:
            self._writer[1].close()
            self._writer = None

    def close(self) -> None:
        """Let a fold that is under way end, and close every connection."""
        self._closed = True
        if self._pid == os.getpid():
            with self._folding:
                self._close_connections()

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedHandle("home")


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).unlink()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

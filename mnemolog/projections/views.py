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
from functools import partial
from pathlib import Path
from typing import TypeVar

import apsw
import msgspec

from mnemolog.ledger.connections import connect, translated
from mnemolog.ledger.errors import (
    ClosedHandle,
    CorruptLog,
    ForeignFormat,
    LedgerError,
    LogReplaced,
    LogShortened,
    StorageFailed,
)
from mnemolog.ledger.files import failures_of, remove_database, sync
from mnemolog.ledger.ids import Position
from mnemolog.ledger.locks import FileLock
from mnemolog.ledger.log import EMPTY, Head, Log
from mnemolog.projections.activity import Activity
from mnemolog.projections.buffers import Buffers
from mnemolog.projections.deletions import Deletions
from mnemolog.projections.dues import Dues
from mnemolog.projections.edges import Edges
from mnemolog.projections.folding import (
    GARBLED,
    DamagedViews,
    Folding,
    Notify,
    Progress,
    ShortenedLog,
    begin_tables,
    make_indexes,
)
from mnemolog.projections.lessons import Lessons
from mnemolog.projections.manifest import Loss, Manifest, ManifestFile
from mnemolog.projections.marks import Marks
from mnemolog.projections.memories import Memories
from mnemolog.projections.origins import Origins
from mnemolog.projections.pins import Pins
from mnemolog.projections.private_views import PrivateViews
from mnemolog.projections.projection import Projection
from mnemolog.projections.settings import SettingChanges
from mnemolog.projections.strengths import Strengths
from mnemolog.projections.undos import Undos
from mnemolog.projections.upkeep import Upkeep
from mnemolog.projections.weights import Weights

_Result = TypeVar("_Result")

_ATTEMPTS = 3
# Within one call of one thread, so that SQLite need not lock the connection.
_BUILDING = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_NOMUTEX


def all_projections(secret: bytes) -> tuple[Projection, ...]:
    """The projections of a home, in the order in which they fold."""
    return (
        Memories(secret),
        Pins(),
        SettingChanges(),
        Origins(),
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
    """The views of a home, brought up to date and healed as questions need them.

    Where the system does not let their files be written, this process keeps views of its
    own in memory until it does, and says so.
    """

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
        self._private: PrivateViews | None = None
        self._refused: StorageFailed | None = None
        self._unwritten: tuple[Loss, ...] = ()
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
        self._follow(needed)

    def _follow(self, needed: Position | None = None) -> None:
        """Compare the checkpoint with the log and fold what lies behind it; see `catch_up`."""
        with self._folding:
            self._check_open()
            try:
                self._reached = self._folded_into_file(needed)
            except StorageFailed as refused:
                self._keep_in_memory(refused, needed)
            else:
                # Whoever still asks what is in memory lets go of it last.
                self._private = self._refused = None

    def check_kept(self) -> None:
        """Raise `StorageFailed` if the views are in memory because no file takes them."""
        if self._private is not None and self._refused is not None:
            raise self._refused

    def _folded_into_file(self, needed: Position | None) -> Head:
        for _ in range(_ATTEMPTS):
            generation = self.manifest.read().views
            try:
                with self._lock_file("views.lock"), self._told(generation):
                    return self._folded(self._writable(), needed)
            except (DamagedViews, ForeignFormat) as error:
                problem: Exception = error
            if (rebuilt := self._replace(generation, problem, needed)) is not None:
                return rebuilt
        raise CorruptLog(f"views cannot be made from it: {problem}", 0)

    @contextmanager
    def _told(self, generation: str | None) -> Iterator[None]:
        """Tell SQLite's errors about a generation's file apart: refused, or damaged."""
        file = self.manifest.path if generation is None else self._path(generation)
        with translated(file, DamagedViews):
            yield

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

    def _folded_anew(
        self, connection: apsw.Connection, needed: Position | None, progress: Progress | None = None
    ) -> Head:
        """As `_folded`, into tables just made: what does not fit them is the log's fault."""
        try:
            return self._folded(connection, needed, progress)
        except ShortenedLog:
            raise
        except DamagedViews as error:
            problem = error
        # One by one, up to the event that does not fit: what lies before it can be answered.
        folding = Folding(self._log, self._projections, self._versions)
        good = Position(problem.last_good)
        reached = folding.into(connection, good) if good else EMPTY
        while reached.position == good:
            good = Position(good + 1)
            try:
                reached = folding.into(connection, good)
            except DamagedViews as error:
                problem = error
                break
        if needed is None or reached.position < needed:
            raise CorruptLog(str(problem), reached.position)
        return reached

    @contextmanager
    def _lock_file(self, name: str) -> Iterator[None]:
        lock = FileLock(self._home / name)
        try:
            with lock.held():
                yield
        finally:
            lock.close()

    def _is_current(self) -> bool:
        if self._private is not None:
            return True
        with suppress(StorageFailed):
            return self._generation is not None and self.manifest.read().views == self._generation
        return False

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

    # -- in memory ---------------------------------------------------------------------

    def _keep_in_memory(self, refused: StorageFailed, needed: Position | None) -> None:
        """Fold into views of this process alone, as those on disk cannot be written."""
        fold = partial(self._folded, needed=needed)
        self._refused = refused
        if self._private is None:
            self._notify(f"views are kept in memory: {refused.path}: {refused.problem}")
            self._close_connections()
        try:
            private = self._private or self._copied()
            self._reached = private.ask(fold)
        except (DamagedViews, StorageFailed) as problem:
            if isinstance(problem, ShortenedLog):
                self._notify(f"views are made from the log: {problem}")
                self._record_loss(problem)
            private = PrivateViews(self._home)
            private.ask(lambda db: begin_tables(db, self._projections, self._versions))
            self._reached = private.ask(fold)
            private.ask(lambda db: make_indexes(db, self._projections))
            self._generation = secrets.token_hex(8)
        self._private = private

    def _copied(self) -> PrivateViews:
        generation = self.manifest.read().views
        if generation is None:
            raise DamagedViews("")
        return PrivateViews.copied(self._path(generation))

    # -- rebuilding --------------------------------------------------------------------

    def rebuild(self, progress: Progress | None = None) -> Head:
        """Fold the whole log into a new generation, then switch to it."""
        with self._folding, self._lock_file("views-build.lock"):
            self._check_open()
            return self._build(None, progress)

    def _replace(
        self, failed: str | None, problem: Exception, needed: Position | None
    ) -> Head | None:
        """Build a new generation because `failed` cannot be used; what it reached.

        None if another process has built one. Raises `StorageFailed`.
        """
        with self._lock_file("views-build.lock"):
            if self.manifest.read().views != failed:
                return None
            if isinstance(problem, ShortenedLog):
                self._record_loss(problem)
            said = str(problem)
            if failed is None and any(self._home.glob("views-*.db")):
                # Gone, damaged, or never written, if the first build was killed.
                said = "no manifest names those that are there"
            if said:
                self._notify(f"views are rebuilt from the log: {said}")
            try:
                return self._build(needed)
            except (DamagedViews, ForeignFormat) as error:
                raise CorruptLog(f"views cannot be made from it: {error}", 0) from None

    def _build(self, needed: Position | None, progress: Progress | None = None) -> Head:
        generation = secrets.token_hex(8)
        path = self._path(generation)
        try:
            with self._told(generation):
                reached = self._filled(generation, needed, progress)
        except BaseException:
            with suppress(StorageFailed):
                if self.manifest.read().views != generation:
                    remove_database(path)
            raise
        # Only now: until the switch, readers ask the old generation, which may be behind.
        self._reached = reached
        return reached

    def _filled(self, generation: str, needed: Position | None, progress: Progress | None) -> Head:
        """Fold the log into the file of a new generation and switch to it."""
        path = self._path(generation)
        connection = connect(path, synchronous="OFF", flags=_BUILDING)
        try:
            # Nobody reads it yet: a write-ahead log would only have every page written twice.
            connection.pragma("journal_mode", "memory")
            begin_tables(connection, self._projections, self._versions)
            self._folded_anew(connection, needed, progress)
            # What others folded into the old generation meanwhile must be in this one too
            # when it takes its place, or their next question would miss it.
            make_indexes(connection, self._projections)
            with self._lock_file("views.lock"):
                reached = self._folded_anew(connection, needed)
                connection.pragma("journal_mode", "wal")
                connection.close()
                with failures_of(path):
                    sync(path)
                self._switch(generation)
        finally:
            connection.close()
        return reached

    def _switch(self, generation: str) -> None:
        def switched(manifest: Manifest) -> Manifest:
            return msgspec.structs.replace(manifest, views=generation)

        self.manifest.update(switched)
        self._generation = generation
        self._close_connections()
        try:
            self._remove_unlisted()
        except StorageFailed as error:
            self._notify(f"an older file of views is left: {error}")

    def remove_leftovers(self) -> None:
        """Remove generations that a crash left behind, unless one is being built.

        Raises `StorageFailed`.
        """
        unlisted = any(path.stem != f"views-{self.manifest.read().views}" for path in self._files())
        if not unlisted:
            return
        lock = FileLock(self._home / "views-build.lock")
        try:
            if lock.try_acquire():
                self._remove_unlisted()
        finally:
            lock.close()

    def _remove_unlisted(self) -> None:
        current = self.manifest.read().views
        if current is None:
            # Without the manifest it is not known which is; the next rebuild removes them.
            return
        for path in self._files():
            if path.stem != f"views-{current}":
                remove_database(path)

    def _files(self) -> list[Path]:
        return list(self._home.glob("views-*.db"))

    def _record_loss(self, shortened: ShortenedLog) -> None:
        """Keep the evidence that the log was once longer, until someone accepts the loss."""
        known = shortened.known
        loss = Loss(known.position, known.digest.hex(), shortened.head, shortened.replaced)

        def added(manifest: Manifest) -> Manifest:
            if loss in manifest.losses:
                return manifest
            missed = tuple(
                one
                for one in manifest.losses
                if not self.holds(one.known_position, one.known_digest)
            )
            # What was missed is back: what was made meanwhile, of the other log, proves nothing.
            losses = missed if len(missed) < len(manifest.losses) else (*missed, loss)
            return msgspec.structs.replace(manifest, losses=losses)

        try:
            self.manifest.update(added)
        except StorageFailed:
            self._unwritten = (loss,)

    def check_losses(self) -> None:
        """Raise `LogReplaced` or `LogShortened` if the log is known to have held other events.

        Going by the views, which are compared with the log once more, and by the bases.
        """
        head = self._log.head().position
        self._compare(head)
        manifest = self.manifest.read()
        for loss in (*self._unwritten, *manifest.losses):
            error = LogReplaced if loss.replaced else LogShortened
            raise error(loss.known_position, loss.head)
        for base in manifest.bases.values():
            # One whose files are gone was listed behind a restore that removed them.
            there = any((self._home / "indexes").glob(f"*/{base.generation}"))
            if there and not self.holds(base.position, base.digest):
                raise LogShortened(base.position, head)

    def accept_losses(self) -> None:
        """Forget that the log is known to have held other events."""
        # What was not compared before counts as well. Damage is no loss, and told elsewhere.
        with suppress(CorruptLog):
            self._compare(self._log.head().position)

        def accepted(manifest: Manifest) -> Manifest:
            held = {
                space: base
                for space, base in manifest.bases.items()
                if self.holds(base.position, base.digest)
            }
            return msgspec.structs.replace(manifest, losses=(), bases=held)

        self.manifest.update(accepted)
        self._unwritten = ()

    def _compare(self, head: Position) -> None:
        """Hold the views' checkpoint against the log, also where the head seems to be reached."""
        self.catch_up(head)
        self._follow()

    def holds(self, position: Position, digest: str) -> bool:
        """Whether the log has the event of this digest (hexadecimal) at a position."""
        return any(event.digest.hex() == digest for event in self._log.events_at([position]))

    # -- reading -----------------------------------------------------------------------

    def read(self, question: Callable[[apsw.Connection], _Result]) -> _Result:
        """The answer of `question`, asked inside one read transaction.

        A generation that turns out to be damaged is rebuilt, said so, and asked
        once more.
        """
        for _ in range(_ATTEMPTS):
            generation = None
            try:
                if (private := self._private) is not None:
                    return private.ask(question)
                generation = self.manifest.read().views
                with self._told(generation):
                    return self._ask(question)
            except (DamagedViews, ForeignFormat, StorageFailed) as error:
                problem: Exception = error
            except LedgerError:
                raise
            except GARBLED as error:
                problem = DamagedViews(f"a row in them is damaged ({error})")
            self._mend(generation, problem)
        raise (
            problem
            if isinstance(problem, StorageFailed)
            else CorruptLog(f"views cannot be made from it: {problem}", 0)
        )

    def _mend(self, generation: str | None, problem: Exception) -> None:
        """See to it that a question that met a problem can be asked once more."""
        needed = self._reached.position
        with self._folding:
            self._check_open()
            self._private = None
            try:
                if isinstance(problem, StorageFailed):
                    raise problem
                self._replace(generation, problem, needed)
            except StorageFailed as refused:
                self._keep_in_memory(refused, needed)

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
        self._private = None
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
                self._private = None

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedHandle("home")

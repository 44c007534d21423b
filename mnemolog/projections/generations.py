"""Generations of the views: one database file each, of which the manifest names the current."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw
import msgspec

from mnemolog.ledger.errors import ClosedHandle, StorageFailed
from mnemolog.ledger.files import FileLock, remove_database
from mnemolog.ledger.sqlite.connections import connect, translated
from mnemolog.ledger.sqlite.ledger_file import ReaderPool
from mnemolog.projections.folding import DamagedViews
from mnemolog.projections.manifest import Manifest, ManifestFile

_BUILD_LOCK = "views-build.lock"


class Generations:
    """The files of views in a home, and this process's connections to the current one."""

    def __init__(self, home: Path, manifest: ManifestFile) -> None:
        self._home = home
        self._manifest = manifest
        self.used: str | None = None
        """The generation that this process last wrote or switched to."""
        self._readers: tuple[str | None, ReaderPool] = (None, ReaderPool())
        self._writer: tuple[str, apsw.Connection] | None = None
        self._pid = os.getpid()
        self._closed = False

    def current(self) -> str | None:
        """The generation that the manifest names, if any."""
        return self._manifest.read().views

    def is_current(self) -> bool:
        """True if no other process has switched to another generation."""
        with suppress(StorageFailed):
            return self.used is not None and self.current() == self.used
        return False

    def path(self, generation: str) -> Path:
        """The file of a generation."""
        return self._home / f"views-{generation}.db"

    def files(self) -> list[Path]:
        """The files of all generations."""
        return list(self._home.glob("views-*.db"))

    # -- connections -------------------------------------------------------------------

    def writer(self) -> apsw.Connection:
        """The connection that folds into the current generation."""
        generation = self._known()
        if self._writer is None or self._writer[0] != generation:
            if self._writer is not None:
                self._writer[1].close()
                self._writer = None
            self._writer = (generation, self._open(generation))
            self.used = generation
        return self._writer[1]

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A connection to the current generation, for this block and thread alone."""
        self.check_open()
        generation = self._known()
        # One look at both: another thread may follow another switch meanwhile.
        pooled, pool = self._readers
        if pooled != generation:
            pool.close()
            pool = ReaderPool()
            self._readers = (generation, pool)
        connection = pool.take() or self._open(generation)
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        pool.give(connection)

    def _known(self) -> str:
        generation = self.current()
        if generation is None:
            raise DamagedViews("")
        return generation

    def _open(self, generation: str) -> apsw.Connection:
        path = self.path(generation)
        if not path.exists():
            raise DamagedViews(f"{path.name} is gone")
        # Without CREATE: another process may have switched and removed it just now, and
        # an empty file in its place would be folded into by mistake.
        return connect(path, synchronous="NORMAL", flags=apsw.SQLITE_OPEN_READWRITE)

    @contextmanager
    def translated(self, generation: str | None) -> Iterator[None]:
        """Turn SQLite's errors about a generation into `StorageFailed` or `DamagedViews`."""
        file = self._manifest.path if generation is None else self.path(generation)
        with translated(file, DamagedViews):
            yield

    def leave_parent(self) -> bool:
        """Forget the connections of the process that this one was forked from, if it was."""
        if self._pid == os.getpid():
            return False
        # They must not be used here, nor closed.
        self._abandoned = (self._readers, self._writer)
        self._readers, self._writer, self.used = (None, ReaderPool()), None, None
        self._pid = os.getpid()
        return True

    def check_open(self) -> None:
        """Raise `ClosedHandle` after `end`."""
        if self._closed:
            raise ClosedHandle("home")

    def end(self) -> bool:
        """Lend no more connections; False in a fork, which has none of its own to close."""
        self._closed = True
        return self._pid == os.getpid()

    def disconnect(self) -> None:
        """Close every connection, those in use when they come back."""
        self._readers[1].close()
        if not self._closed:
            self._readers = (None, ReaderPool())
        if self._writer is not None:
            self._writer[1].close()
            self._writer = None

    # -- locks and switches ------------------------------------------------------------

    @contextmanager
    def locked_for_folding(self) -> Iterator[None]:
        """Keep other processes from folding into a generation, and from switching it."""
        with _held(self._home / "views.lock"):
            yield

    @contextmanager
    def locked_for_building(self) -> Iterator[None]:
        """Keep other processes from building a generation."""
        with _held(self._home / _BUILD_LOCK):
            yield

    def switch(self, generation: str) -> None:
        """Make a generation the current one."""

        def switched(manifest: Manifest) -> Manifest:
            return msgspec.structs.replace(manifest, views=generation)

        self._manifest.update(switched)
        self.used = generation
        self.disconnect()

    def remove_leftovers(self) -> None:
        """Remove generations that a crash left, unless one is being built; `StorageFailed`."""
        if not self._unlisted():
            return
        lock = FileLock(self._home / _BUILD_LOCK)
        try:
            if lock.try_acquire():
                self.remove_unlisted()
        finally:
            lock.close()

    def remove_unlisted(self) -> None:
        """Remove every generation but the current one, if that is known."""
        if self.current() is not None:
            for path in self._unlisted():
                remove_database(path)

    def _unlisted(self) -> list[Path]:
        current = f"views-{self.current()}"
        return [path for path in self.files() if path.stem != current]


@contextmanager
def _held(path: Path) -> Iterator[None]:
    lock = FileLock(path)
    try:
        with lock.held():
            yield
    finally:
        lock.close()

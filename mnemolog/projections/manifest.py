"""Manifest of a home, the current generation of each derived part, and the files of its views.

It is one small JSON file, replaced by rename after fsync; without it, everything is built anew.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Self, TypeVar

import apsw
import msgspec
from apsw import Connection

from mnemolog.ledger.errors import ClosedHandle, MalformedFile, StorageFailed
from mnemolog.ledger.files import FileLock, read_regular, remove_database, written_whole
from mnemolog.ledger.ids import Position
from mnemolog.ledger.sqlite.connections import (
    ReaderPool,
    check_ours,
    connect,
    connect_reading,
    translated,
)
from mnemolog.ledger.vocabulary import decode_json

_Result = TypeVar("_Result")

FORMAT = 1
WRITING = "index-"  # prefix of the scratch directories in which index bases are written
_MOST_BYTES = 64 << 20


class BaseEntry(msgspec.Struct, frozen=True):
    """A space's index base: its generation, how far it covers the log, its files' SHA-256."""

    generation: str
    position: Position
    digest: str
    version: str
    files: dict[str, str]
    graph_size: int = 0  # how many of its memories the graph of near vectors covers


class Loss(msgspec.Struct, frozen=True, omit_defaults=True):
    """Evidence that the log once reached further, or was another one with another key."""

    known_position: Position
    known_digest: str
    head: Position
    replaced: bool = False


class Manifest(msgspec.Struct, frozen=True):
    """The current generation of the views and of every space's index base."""

    format: int = FORMAT
    views: str | None = None
    bases: dict[str, BaseEntry] = {}
    losses: tuple[Loss, ...] = ()
    seal: str = ""  # SHA-256 of the rest, to recognise damage


_manifest = msgspec.json.Decoder(Manifest).decode


class ManifestFile:
    """The manifest of a home, changed by one process at a time."""

    def __init__(self, home: Path) -> None:
        self.path = home / "manifest"
        self._name = str(self.path)
        self._thread_lock = threading.Lock()
        self._seen: tuple[tuple[int, int, int], Manifest] | None = None

    def read(self) -> Manifest:
        """The present manifest, an empty one if it is gone or damaged. Raises `StorageFailed`."""
        try:
            stat = os.stat(self._name)  # noqa: PTH116 - in every question
            key = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if self._seen is not None and self._seen[0] == key:
                return self._seen[1]
            content = read_regular(self.path, _MOST_BYTES)
            manifest = decode_json(_manifest, content)
        except (FileNotFoundError, MalformedFile, msgspec.DecodeError):
            return Manifest()
        except OSError as error:
            raise StorageFailed.from_os(error, self.path) from error
        # Written as it is: a name that was hit reads as one that is not known, and is passed over.
        if manifest.format != FORMAT or content != msgspec.json.encode(_sealed(manifest)):
            return Manifest()
        self._seen = (key, manifest)
        return manifest

    def update(self, change: Callable[[Manifest], Manifest]) -> Manifest:
        """Replace the manifest by `change` of it, atomically and durably.

        Raises `StorageFailed`; whether it was replaced is then for `read` to say.
        """
        path = self.path.with_name("manifest.lock")
        with self._thread_lock, closing(FileLock(path)) as lock, lock.held():
            manifest = change(self.read())
            with written_whole(self.path) as file:
                file.write(msgspec.json.encode(_sealed(manifest)))
        return manifest


def _sealed(manifest: Manifest) -> Manifest:
    unsealed = msgspec.json.encode(msgspec.structs.replace(manifest, seal=""))
    return msgspec.structs.replace(manifest, seal=sha256(unsealed).hexdigest())


# -- generations of the views ----------------------------------------------------------
@lru_cache(maxsize=64)
def _views_file(home: Path, generation: str) -> Path:
    # Joining paths would take a fifth of the time of a question.
    return home / f"views-{generation}.db"


class DamagedViews(Exception):
    """A generation cannot be used; up to `last_good` the log folds. Never leaves this package."""

    def __init__(self, problem: str, last_good: int = 0) -> None:
        super().__init__(problem)
        self.last_good = last_good


class Generations:
    """The files of views in a home, and this process's connections to the current one."""

    FOLD, BUILD = "views.lock", "views-build.lock"
    """Locks of those who fold into a generation or switch it, and of those who build one."""

    def __init__(self, home: Path, manifest: ManifestFile) -> None:
        self._home = home
        self._manifest = manifest
        self._closed = False
        self._connect_anew()

    def _connect_anew(self) -> None:
        """Begin without connections, those of another process being left as they are."""
        self._pid = os.getpid()
        self.used: str | None = None  # the generation that this process last wrote or switched to
        self._readers: tuple[str | None, ReaderPool] = (None, ReaderPool())
        self._writer: tuple[str, Connection] | None = None
        self._fold_lock: FileLock | None = None  # Kept open, as every append takes it.

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
        return _views_file(self._home, generation)

    # -- connections -------------------------------------------------------------------
    def writer(self) -> Connection:
        """The connection that folds into the current generation."""
        generation = self.known()
        if self._writer is None or self._writer[0] != generation:
            self._close_writer()
            self._writer = (generation, self._open(generation))
            self.used = generation
        return self._writer[1]

    def _close_writer(self) -> None:
        if self._writer is not None:
            self._writer[1].close()
            self._writer = None

    def lend(self, generation: str | None) -> tuple[Connection, ReaderPool]:
        """A connection for reading a generation, and the pool to give it back to.

        Raises `DamagedViews` if `generation` is None or its file is gone, `ClosedHandle` after
        `end`.
        """
        self.check_open()
        if generation is None:
            raise DamagedViews("")
        # One look at both: another thread may follow another switch meanwhile.
        pooled, pool = self._readers
        if pooled != generation:
            pool.close()
            pool = ReaderPool()
            self._readers = (generation, pool)
        return pool.take() or self._open(generation), pool

    def known(self) -> str:
        """The current generation; raises `DamagedViews` if there is none."""
        generation = self.current()
        if generation is None:
            raise DamagedViews("")
        return generation

    def _open(self, generation: str) -> Connection:
        path = self.path(generation)
        if not path.exists():
            raise DamagedViews(f"{path.name} is gone")
        # Without CREATE: another process may have switched and removed it just now, and
        # an empty file in its place would be folded into by mistake.
        return connect(path, synchronous="NORMAL", flags=apsw.SQLITE_OPEN_READWRITE)

    def translated(self, generation: str | None) -> AbstractContextManager[None]:
        """Turn SQLite's errors about a generation into `StorageFailed` or `DamagedViews`."""
        return translated(self.file_of(generation), DamagedViews)

    def file_of(self, generation: str | None) -> Path:
        """The file that errors about a generation name: of None, the manifest."""
        return self._manifest.path if generation is None else self.path(generation)

    def leave_parent(self) -> bool:
        """Forget the connections of the process that this one was forked from, if it was."""
        if self._pid == os.getpid():
            return False
        # They must not be used here, nor closed.
        self._abandoned = (self._readers, self._writer)
        self.leave_lock()
        self._connect_anew()
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
        self._close_writer()

    # -- locks and switches ------------------------------------------------------------
    @contextmanager
    def building(self) -> Iterator[None]:
        """Hold the lock of those who build a generation."""
        with closing(FileLock(self._home / self.BUILD)) as lock, lock.held():
            yield

    def folding(self) -> AbstractContextManager[None]:
        """Hold the lock of those who fold or switch; one thread at a time, as of `Views`."""
        if self._fold_lock is None:
            self._fold_lock = FileLock(self._home / self.FOLD)
        return self._fold_lock.held()

    def leave_lock(self) -> None:
        """Close the lock of those who fold, which must not be held here."""
        # In a fork, this closes the child's share alone: the parent keeps its lock.
        if self._fold_lock is not None:
            self._fold_lock.close()
            self._fold_lock = None

    def switch(self, generation: str) -> None:
        """Make a generation the current one."""
        self._manifest.update(lambda known: msgspec.structs.replace(known, views=generation))
        self.used = generation
        self.disconnect()

    def remove_leftovers(self) -> None:
        """Remove generations that a crash left, unless one is being built; `StorageFailed`."""
        if self.unlisted():
            with closing(FileLock(self._home / self.BUILD)) as lock:
                if lock.try_acquire():
                    self.remove_unlisted()

    def remove_unlisted(self) -> None:
        """Remove every generation but the current one, if that is known."""
        if self.current() is not None:
            for path in self.unlisted():
                remove_database(path)

    def unlisted(self) -> list[Path]:
        """The files of every generation but the current one."""
        current = self.path(str(self.current()))
        return [path for path in self._home.glob("views-*.db") if path != current]


# A class, because a generator costs more and every question enters one.
class ReadTransaction:
    """A read transaction in a generation of views, for one block and thread.

    Raises errors of SQLite as `Generations.translated` does, and what `Generations.lend` raises.
    """

    def __init__(self, generations: Generations, generation: str | None) -> None:
        self._generations, self._generation = generations, generation

    def __enter__(self) -> Connection:
        try:
            connection, self._pool = self._generations.lend(self._generation)
            self._connection = connection
            try:
                connection.execute("BEGIN")
            except BaseException:
                connection.close()
                raise
        except (apsw.Error, UnicodeDecodeError) as error:
            self._check(error)
            raise
        return connection

    def __exit__(self, _: object, error: BaseException | None, trace: object) -> None:
        connection = self._connection
        if error is not None:
            connection.close()
            self._check(error)
            return
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except BaseException as failed:
            connection.close()
            self._check(failed)
            raise
        self._pool.give(connection)

    def _check(self, error: BaseException) -> None:
        check_ours(error, self._generations.file_of(self._generation), DamagedViews, None)


class PrivateViews:
    """Tables in memory in the place of a file that cannot be written; one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._turn = threading.Lock()
        self._connection = apsw.Connection(":memory:")

    @classmethod
    def copied(cls, path: Path) -> Self:
        """A copy of a file of views; raises `DamagedViews`, and `StorageFailed` as reading it."""
        made = cls(path)
        with translated(path, DamagedViews):
            source = connect_reading(path)
        with (
            closing(source),
            translated(path, DamagedViews, source),
            made._connection.backup("main", source, "main") as backup,
        ):
            backup.step(-1)
        return made

    def ask(self, question: Callable[[Connection], _Result]) -> _Result:
        """The result of a question or fold, while no other thread uses the tables."""
        with self._turn, translated(self._path, DamagedViews, self._connection):
            return question(self._connection)

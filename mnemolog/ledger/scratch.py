"""Work in progress, locked while its process lives, else a leftover; names of our files."""

import fcntl
import os
import re
import secrets
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from mnemolog.ledger import files
from mnemolog.ledger.errors import InvalidField, StorageFailed

# Rest of a name after the prefix, as our processes make it; other names are others' files.
_TOKEN = re.compile(rf"[0-9a-f]{{8}}{re.escape(files.PARTIAL)}(?:-wal|-shm|-journal|\.lock)?")


class Swept(NamedTuple):
    """Result of a sweep: leftovers removed, those of live processes, and failures."""

    removed: tuple[Path, ...]
    live: tuple[Path, ...]
    failed: tuple[StorageFailed, ...]


@contextmanager
def scratch_directory(parent: Path, prefix: str) -> Iterator[Path]:
    """A private directory `<prefix><token>.partial`, removed when the block ends."""
    path, descriptor = _locked_directory(parent, prefix)
    try:
        yield path
    finally:
        # A file that cannot be removed now is a leftover: the next sweep tries and reports it.
        with suppress(StorageFailed):
            files.remove_tree(path)
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


@contextmanager
def temporary_directory(prefix: str) -> Iterator[Path]:
    """A scratch directory in the system's place; leftovers with its prefix are removed."""
    place = Path(tempfile.gettempdir())
    sweep(leftovers(place, prefix))
    with scratch_directory(place, prefix) as scratch:
        yield scratch


def _locked_directory(parent: Path, prefix: str) -> tuple[Path, int]:
    while True:
        path = parent / f"{prefix}{secrets.token_hex(4)}{files.PARTIAL}"
        with files.failures_of(path):
            path.mkdir(mode=files.PRIVATE_DIRECTORY)
        # Before it is locked, a sweep may take it for a leftover.
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        except OSError as error:
            with suppress(OSError):
                path.rmdir()
            raise StorageFailed.from_os(error, path) from error
        if files.claimed(descriptor, path):
            return path, descriptor
        os.close(descriptor)


def leftovers(parent: Path, prefix: str) -> list[Path]:
    """Work in progress in a directory, `<prefix><token>.partial`, with its side and lock files."""
    return [
        path
        for path in parent.iterdir()
        if path.name.startswith(prefix) and _TOKEN.fullmatch(path.name.removeprefix(prefix))
    ]


@contextmanager
def written_new(path: Path) -> Iterator[IO[bytes]]:
    """A file as of `written_whole` under a free name, else `InvalidField`; leftovers go first."""
    sweep_beside(path)
    _check_free(path)
    with files.written_whole(path) as file:
        yield file
        _check_free(path)


def _check_free(path: Path) -> None:
    if os.path.lexists(path):
        raise InvalidField("file", f"{path} exists already", "name a new file")


def sweep_beside(path: Path) -> None:
    """Remove what dead processes left of writing `path`."""
    with suppress(FileNotFoundError):
        sweep(leftovers(path.parent, f"{path.name}."))


def sweep(paths: Iterable[Path]) -> Swept:
    """Remove those of `paths` that no live process works on."""
    removed: list[Path] = []
    live: list[Path] = []
    failed: list[StorageFailed] = []
    for path in paths:
        try:
            (removed if _removed_if_dead(path) else live).append(path)
        except OSError as error:
            failed.append(StorageFailed.from_os(error, path))
    return Swept(tuple(removed), tuple(live), tuple(failed))


def _removed_if_dead(path: Path) -> bool:
    if path.is_symlink() or not (path.is_dir() or path.is_file()):
        files.remove_file(path)
        return True
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return True
    try:
        if not files.claimed(descriptor, path):
            return not path.exists()
        (files.remove_tree if path.is_dir() else files.remove_file)(path)
    finally:
        os.close(descriptor)
    return True


_DATABASES = ("views-*.db", "vectors.db", "sessions.db")
DERIVED = (
    *(name + suffix for name in _DATABASES for suffix in ("", *files.SQLITE_SUFFIXES)),
    *("vectors-*.f16", "manifest", "manifest.tmp", "indexes"),
)
"""Patterns of everything that is made from the log; it goes when the log is replaced."""

OWN = ("ledger.db*", *DERIVED)
LOCKS = ("*.lock", "indexes/*.lock")
_DERIVED_DATABASE = r"(?:views-[^/]*|vectors|sessions)\.db"
_SIDE = r"(?:-wal|-shm|-journal)"
_IN_USE = re.compile(
    rf"(?:ledger\.db|{_DERIVED_DATABASE}){_SIDE}?"
    r"|vectors-[0-9a-f]{16}\.f16|ledger\.db\.(?:new|switch)|manifest|mcp-token|indexes"
)
_LEFT_OVER = re.compile(
    # Work in progress, while its process lives.
    r"(?:(?:restore|replay|index)-[0-9a-f]{8}"
    rf"|(?:ledger\.db|manifest|mcp-token|views-[^/]*|{_DERIVED_DATABASE})(?:\.[^/]*)?)"
    rf"\.partial(?:{_SIDE}|\.lock)?"
    # Files of earlier versions.
    r"|manifest\.tmp|mcp-token\.[0-9a-f]{8}"
)
SIDE_FILE = re.compile(rf"({_DERIVED_DATABASE}){_SIDE}")
"""A side file of a derived database, which is the first group."""


def is_ours(name: str) -> bool:
    """True if processes of ours make a file or directory of this name in a home."""
    return bool(_IN_USE.fullmatch(name)) or is_left_over(name)


def is_left_over(name: str) -> bool:
    """True if a file or directory of this name is left over, unless a process works on it."""
    return bool(_LEFT_OVER.fullmatch(name))

"""What is current in a home: which generation of each derived part, and how far it reaches.

The manifest is one small JSON file, replaced by rename after fsync. It is as
derived as what it lists: without it, everything is built anew.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import msgspec

from ledger.ids import Position
from ledger.locks import FileLock

FORMAT = 1


class BaseEntry(msgspec.Struct, frozen=True):
    """A space's index base: its generation, how far it covers the log, its files' SHA-256.

    `graph_size` is how many of its memories the graph of near vectors covers.
    """

    generation: str
    position: Position
    digest: str
    version: str
    files: dict[str, str]
    graph_size: int = 0


class Loss(msgspec.Struct, frozen=True):
    """Evidence that the log once reached further, or read otherwise, than it does now."""

    known_position: Position
    known_digest: str
    head: Position


class Manifest(msgspec.Struct, frozen=True):
    """The current generation of the views and of every space's index base."""

    format: int = FORMAT
    views: str | None = None
    bases: dict[str, BaseEntry] = {}
    losses: tuple[Loss, ...] = ()
    seal: str = ""
    """SHA-256 of the rest, so that damage can be told from what was written."""


class ManifestFile:
    """The manifest of a home, changed by one process at a time."""

    def __init__(self, home: Path) -> None:
        self.path = home / "manifest"
        self._lock_path = home / "manifest.lock"
        self._thread_lock = threading.Lock()
        self._seen: tuple[tuple[int, int, int], Manifest] | None = None

    def read(self) -> Manifest:
        """The manifest as it stands; an empty one if it is missing or unreadable."""
        try:
            stat = self.path.stat()
            key = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if self._seen is not None and self._seen[0] == key:
                return self._seen[1]
            content = self.path.read_bytes()
            manifest = msgspec.json.decode(content, type=Manifest)
        except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
            return Manifest()
        if manifest.format != FORMAT or manifest.seal != _seal(manifest):
            return Manifest()
        if msgspec.json.encode(manifest) != content:
            # A name that was hit reads as one that is not known, and is passed over.
            return Manifest()
        self._seen = (key, manifest)
        return manifest

    def update(self, change: Callable[[Manifest], Manifest]) -> Manifest:
        """Replace the manifest by `change` of it, atomically and durably."""
        with self._thread_lock:
            lock = FileLock(self._lock_path)
            try:
                with lock.held():
                    manifest = change(self.read())
                    self._write(manifest)
            finally:
                lock.close()
        return manifest

    def _write(self, manifest: Manifest) -> None:
        # One name, as one process writes at a time: what a crash leaves is written over.
        temporary = self.path.with_name("manifest.tmp")
        try:
            with temporary.open("wb") as file:
                sealed = msgspec.structs.replace(manifest, seal=_seal(manifest))
                file.write(msgspec.json.encode(sealed))
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self.path)
        finally:
            with suppress(FileNotFoundError):
                temporary.unlink()
        sync_directory(self.path.parent)


def _seal(manifest: Manifest) -> str:
    return sha256(msgspec.json.encode(msgspec.structs.replace(manifest, seal=""))).hexdigest()


def sync_directory(path: Path) -> None:
    """Make renames and new files in a directory survive the loss of power."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

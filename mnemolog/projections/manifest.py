"""Manifest of a home: the current generation of each derived part, and how far it reaches.

The manifest is one small JSON file, replaced by rename after fsync. It is as
derived as what it lists: without it, everything is built anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import msgspec

from mnemolog.ledger.errors import MalformedFile, StorageFailed
from mnemolog.ledger.files import FileLock, read_regular, written_whole
from mnemolog.ledger.ids import Position
from mnemolog.ledger.vocabulary import decode_json

FORMAT = 1
WRITING = "index-"
"""Prefix of the scratch directories in which index bases are written."""
_MOST_BYTES = 64 << 20


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


class Loss(msgspec.Struct, frozen=True, omit_defaults=True):
    """Evidence that the log once reached further, or read otherwise, than it does now.

    `replaced` tells that the log has another key than the one that was known.
    """

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
    seal: str = ""
    """SHA-256 of the rest, to recognise damage."""


_manifest = msgspec.json.Decoder(Manifest).decode


class ManifestFile:
    """The manifest of a home, changed by one process at a time."""

    def __init__(self, home: Path) -> None:
        self.path = home / "manifest"
        self._lock_path = home / "manifest.lock"
        self._thread_lock = threading.Lock()
        self._seen: tuple[tuple[int, int, int], Manifest] | None = None

    def read(self) -> Manifest:
        """The present manifest; an empty one if it is missing or damaged.

        Raises `StorageFailed` where the system does not let it be read.
        """
        try:
            stat = self.path.stat()
            key = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if self._seen is not None and self._seen[0] == key:
                return self._seen[1]
            content = read_regular(self.path, _MOST_BYTES)
            manifest = decode_json(_manifest, content)
        except (FileNotFoundError, MalformedFile, msgspec.DecodeError):
            return Manifest()
        except OSError as error:
            raise StorageFailed.from_os(error, self.path) from error
        if manifest.format != FORMAT or manifest.seal != _seal(manifest):
            return Manifest()
        if msgspec.json.encode(manifest) != content:
            # A name that was hit reads as one that is not known, and is passed over.
            return Manifest()
        self._seen = (key, manifest)
        return manifest

    def update(self, change: Callable[[Manifest], Manifest]) -> Manifest:
        """Replace the manifest by `change` of it, atomically and durably.

        Raises `StorageFailed`; whether it was replaced is then for `read` to say.
        """
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
        sealed = msgspec.structs.replace(manifest, seal=_seal(manifest))
        with written_whole(self.path) as file:
            file.write(msgspec.json.encode(sealed))


def _seal(manifest: Manifest) -> str:
    return sha256(msgspec.json.encode(msgspec.structs.replace(manifest, seal=""))).hexdigest()

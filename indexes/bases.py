"""Index bases on disk: written aside, synced, then listed in the manifest with their hashes."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from indexes.hnsw import HnswGraph
from indexes.near_words import WordIndex
from indexes.postings import PostingArrays
from indexes.shapes import ShapeArrays
from ledger.log import Head
from projections.manifest import BaseEntry, Manifest, ManifestFile, sync_directory

_Scalar = TypeVar("_Scalar", bound=np.generic)

VERSION = "1"
_WORDS = "dictionary"
_GRAPH = "graph.hnsw"
_CHUNK_BYTES = 1 << 20


class Base(msgspec.Struct, frozen=True):
    """A space's memories up to a position, as arrays by ordinal.

    `vectors` is float16 of shape (memories, dimensions). `first_seen` maps each
    word to the ordinal of the first memory that has it, `words` are the same in
    Tantivy, for a base that is on disk. `graph` may cover fewer memories than the rest.
    """

    positions: npt.NDArray[np.int64]
    shapes: ShapeArrays
    vectors: npt.NDArray[np.float16]
    postings: PostingArrays
    first_seen: dict[str, int]
    graph: HnswGraph | None = None
    words: WordIndex | None = None


class Bases:
    """The index bases of a home, one directory a space and generation."""

    def __init__(self, home: Path, manifest: ManifestFile, made_with: str, dimensions: int) -> None:
        self.path = home / "indexes"
        self._manifest = manifest
        self._version = f"{VERSION}/{made_with}"
        self._dimensions = dimensions

    def entry(self, space: str) -> BaseEntry | None:
        """What the manifest says of a space's base; None if there is none of this version."""
        entry = self._manifest.read().bases.get(space)
        return entry if entry is not None and entry.version == self._version else None

    def load(self, space: str, entry: BaseEntry, notify: Callable[[str], None]) -> Base | None:
        """The base that the manifest lists; None, said so, if its files are not those."""
        directory = self._directory(space) / entry.generation
        try:
            for name, expected in entry.files.items():
                if _hash(directory / name) != expected:
                    notify(f"the index of space {space!r} is rebuilt: {name} is damaged")
                    return None
            return self._read(directory, entry)
        except FileNotFoundError as error:
            # A newer generation may have taken its place since the manifest was read.
            if self.entry(space) == entry:
                name = Path(str(error.filename)).name
                notify(f"the index of space {space!r} is rebuilt: {name} is gone")
            return None

    def _read(self, directory: Path, entry: BaseEntry) -> Base:
        terms, words, names = msgspec.msgpack.decode(
            (directory / "terms.msgpack").read_bytes(),
            type=tuple[list[str], dict[str, int], list[str]],
        )
        return Base(
            _array(directory, "positions", np.int64),
            ShapeArrays(
                _array(directory, "words", np.int32),
                _array(directory, "asked", np.int32),
                _array(directory, "asks", np.bool_),
                _array(directory, "speakers", np.int32),
                _array(directory, "standing", np.bool_),
                names,
            ),
            _array(directory, "vectors", np.float16),
            PostingArrays(
                terms,
                _array(directory, "starts", np.int64),
                _array(directory, "ordinals", np.int32),
                _array(directory, "counts", np.uint16),
            ),
            words,
            self._graph(directory, entry),
            # Open from here on: the directory is removed once a newer base is there.
            WordIndex.opened(directory / _WORDS),
        )

    def _graph(self, directory: Path, entry: BaseEntry) -> HnswGraph | None:
        if entry.graph_size == 0:
            return None
        return HnswGraph.load(directory / _GRAPH, self._dimensions, entry.graph_size)

    def write(self, space: str, base: Base, covered: Head) -> BaseEntry:
        """Write a base as a new generation, switch the manifest to it, remove the old one."""
        generation = secrets.token_hex(8)
        directory = self._directory(space) / generation
        directory.mkdir(parents=True)
        try:
            for name, array in (
                ("positions", base.positions),
                ("words", base.shapes.words),
                ("asked", base.shapes.asked),
                ("asks", base.shapes.asks),
                ("speakers", base.shapes.speakers),
                ("standing", base.shapes.standing),
                ("vectors", base.vectors),
                ("starts", base.postings.starts),
                ("ordinals", base.postings.ordinals),
                ("counts", base.postings.counts),
            ):
                np.save(directory / f"{name}.npy", array, allow_pickle=False)
            (directory / "terms.msgpack").write_bytes(
                msgspec.msgpack.encode((base.postings.terms, base.first_seen, base.shapes.names))
            )
            if base.graph is not None:
                base.graph.save(directory / _GRAPH)
            words = WordIndex.created(directory / _WORDS)
            words.add(base.first_seen.items())
            words.commit()
            files = {
                str(path.relative_to(directory)): _hash(path)
                for path in sorted(directory.rglob("*"))
                if path.is_file() and not path.name.endswith(".lock")
            }
            _sync_tree(directory)
        except BaseException:
            shutil.rmtree(directory, ignore_errors=True)
            raise
        entry = BaseEntry(
            generation,
            covered.position,
            covered.digest.hex(),
            self._version,
            files,
            0 if base.graph is None else base.graph.size,
        )
        self._switch(space, entry)
        return entry

    def _switch(self, space: str, entry: BaseEntry) -> None:
        def switched(manifest: Manifest) -> Manifest:
            return msgspec.structs.replace(manifest, bases={**manifest.bases, space: entry})

        self._manifest.update(switched)
        self._sweep(space)

    def drop(self, space: str) -> None:
        """Forget a space's base and remove its files."""

        def dropped(manifest: Manifest) -> Manifest:
            rest = {name: entry for name, entry in manifest.bases.items() if name != space}
            return msgspec.structs.replace(manifest, bases=rest)

        self._manifest.update(dropped)
        self._sweep(space)

    def _sweep(self, space: str) -> None:
        """Remove generations that the manifest does not list: old ones, and those of crashes."""
        entry = self._manifest.read().bases.get(space)
        directory = self._directory(space)
        if not directory.is_dir():
            return
        for path in directory.iterdir():
            if entry is None or path.name != entry.generation:
                shutil.rmtree(path, ignore_errors=True)

    def build_lock(self, space: str) -> Path:
        """The lock file of whoever writes this space's base."""
        directory = self._directory(space)
        directory.mkdir(parents=True, exist_ok=True)
        return directory.with_name(directory.name + ".lock")

    def _directory(self, space: str) -> Path:
        readable = re.sub(r"[^A-Za-z0-9_.-]+", "-", space)[:40].strip(".-") or "space"
        return self.path / f"{readable}-{sha256(space.encode()).hexdigest()[:12]}"


def _array(directory: Path, name: str, dtype: type[_Scalar]) -> npt.NDArray[_Scalar]:
    loaded = np.load(directory / f"{name}.npy", allow_pickle=False)
    return np.asarray(loaded, dtype)


def _hash(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _sync_tree(directory: Path) -> None:
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        else:
            sync_directory(path)
    sync_directory(directory)
    sync_directory(directory.parent)

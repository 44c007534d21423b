"""Index bases on disk: written aside, synced, then listed in the manifest with their hashes."""

import re
import secrets
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.near_words import WordIndex
from mnemolog.indexes.postings import PostingArrays, ShapeArrays
from mnemolog.indexes.vectors import HnswGraph
from mnemolog.ledger.digests import Head
from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.files import (
    PARTIAL,
    PRIVATE_DIRECTORY,
    FileLock,
    create_private,
    failures_of,
    make_tree_private,
    private_directory,
    remove_tree,
    sync,
    sync_directory,
)
from mnemolog.ledger.ids_and_times import Position
from mnemolog.ledger.scratch import scratch_directory
from mnemolog.projections.manifest import WRITING, BaseEntry, Manifest, ManifestFile

Holds = Callable[[Position, str], bool]
"""True if the log has the event of a digest (hexadecimal) at a position."""

_Scalar = TypeVar("_Scalar", bound=np.generic)

VERSION = "1"
_WORDS = "dictionary"
_GRAPH = "graph.hnsw"


class Base(msgspec.Struct, frozen=True):
    """A space's memories up to a position, as arrays by ordinal.

    `vectors` is float16 of shape (memories, dimensions). `first_seen` maps each
    word to the ordinal of the first memory that has it, `words` are the same in
    Tantivy, for a base that is on disk. `graph` may cover fewer memories than the rest.
    """

    positions: npt.NDArray[np.int64]
    vectors: npt.NDArray[np.float16]
    shapes: ShapeArrays
    postings: PostingArrays
    first_seen: dict[str, int]
    graph: HnswGraph | None = None
    words: WordIndex | None = None


class Bases:
    """The index bases of a home, one directory a space and generation."""

    def __init__(
        self, home: Path, manifest: ManifestFile, holds: Holds, made_with: str, dimensions: int
    ) -> None:
        self.path = home / "indexes"
        self._manifest = manifest
        self._holds = holds
        self._version = f"{VERSION}/{made_with}"
        self._dimensions = dimensions

    def entry(self, space: str) -> BaseEntry | None:
        """The manifest's entry of a space's base; None if there is none of this version."""
        entry = self._manifest.read().bases.get(space)
        return entry if entry is not None and entry.version == self._version else None

    def load(self, space: str, entry: BaseEntry, notify: Callable[[str], None]) -> Base | None:
        """The base that the manifest lists; None, said so, if its files are not those.

        Raises `StorageFailed` where the system does not let them be read.
        """
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
        except OSError as error:
            raise StorageFailed.from_os(error, directory) from error

    def _read(self, directory: Path, entry: BaseEntry) -> Base:
        terms, first_seen, names = msgspec.msgpack.decode(
            (directory / "terms.msgpack").read_bytes(),
            type=tuple[list[str], dict[str, int], list[str]],
        )
        graph = None
        if entry.graph_size:
            graph = HnswGraph.load(directory / _GRAPH, self._dimensions, entry.graph_size)

        def array(name: str, dtype: type[_Scalar]) -> npt.NDArray[_Scalar]:
            return np.asarray(np.load(directory / f"{name}.npy", allow_pickle=False), dtype)

        words, asked, speakers = (array(one, np.int32) for one in ("words", "asked", "speakers"))
        asks, standing = array("asks", np.bool_), array("standing", np.bool_)
        starts, ordinals = array("starts", np.int64), array("ordinals", np.int32)
        return Base(
            array("positions", np.int64),
            array("vectors", np.float16),
            ShapeArrays(words, asked, asks, speakers, standing, names),
            PostingArrays(terms, starts, ordinals, array("counts", np.uint16)),
            first_seen,
            graph,
            # Open from here on: the directory is removed once a newer base is there.
            _words(directory / _WORDS, first_seen),
        )

    def write(self, space: str, base: Base, covered: Head) -> BaseEntry:
        """Write a base as a new generation, switch the manifest to it, remove the old one.

        Raises `StorageFailed`; the base that was there then stays, unless the manifest
        lists the new one already.
        """
        generation = secrets.token_hex(8)
        # Until the end, so that a kill anywhere leaves it: the next opening then looks for
        # generations that the manifest does not list.
        with failures_of(self.path), scratch_directory(self.path.parent, WRITING) as scratch:
            built = scratch / generation
            files = _written(built, base)
            size = 0 if base.graph is None else base.graph.size
            position, digest = covered.position, covered.digest.hex()
            entry = BaseEntry(generation, position, digest, self._version, files, size)
            directory = self._directory(space)
            private_directory(directory, self.path.parent)
            built.replace(directory / generation)
            sync_directory(directory)
            self._switch(space, entry)
        return entry

    def _switch(self, space: str, entry: BaseEntry) -> None:
        def switched(manifest: Manifest) -> Manifest:
            if not self._holds(entry.position, entry.digest):
                # A restore replaced the log while the base was written.
                return manifest
            return msgspec.structs.replace(manifest, bases={**manifest.bases, space: entry})

        try:
            self._manifest.update(switched)
        finally:
            try:
                self._sweep(self._directory(space))
            except StorageFailed:
                # Let the next opening try it again.
                mark = f"{WRITING}{secrets.token_hex(4)}{PARTIAL}"
                with suppress(OSError):
                    create_private(self.path.with_name(mark)).close()

    def drop(self, space: str) -> None:
        """Forget a space's base and remove its files. Raises `StorageFailed`."""

        def dropped(manifest: Manifest) -> Manifest:
            rest = {name: entry for name, entry in manifest.bases.items() if name != space}
            return msgspec.structs.replace(manifest, bases=rest)

        self._manifest.update(dropped)
        self._sweep(self._directory(space))

    def _sweep(self, directory: Path) -> None:
        """Remove generations that the manifest does not list: old ones, and those of crashes."""
        for path in self._unlisted(directory):
            remove_tree(path)

    def _unlisted(self, directory: Path) -> list[Path]:
        if not directory.is_dir():
            return []
        bases = self._manifest.read().bases.items()
        listed = {one.generation for space, one in bases if directory == self._directory(space)}
        return [path for path in directory.iterdir() if path.name not in listed]

    def remove_leftovers(self) -> list[StorageFailed]:
        """Remove what the manifest does not list, unless a base is being written; what failed."""
        failed: list[StorageFailed] = []
        for directory in [path for path in self.path.glob("*") if path.is_dir()]:
            try:
                if self._unlisted(directory):
                    lock_path = directory.with_name(directory.name + ".lock")
                    with closing(FileLock(lock_path)) as lock:
                        if lock.try_acquire():
                            self._sweep(directory)
            except OSError as error:
                failed.append(StorageFailed.from_os(error, directory))
        return failed

    def build_lock(self, space: str) -> Path:
        """The lock file of the process that writes this space's base."""
        directory = self._directory(space)
        with failures_of(directory):
            private_directory(directory, self.path.parent)
        return directory.with_name(directory.name + ".lock")

    def _directory(self, space: str) -> Path:
        readable = re.sub(r"[^A-Za-z0-9_.-]+", "-", space)[:40].strip(".-") or "space"
        return self.path / f"{readable}-{sha256(space.encode()).hexdigest()[:12]}"


def _words(path: Path, first_seen: dict[str, int]) -> WordIndex:
    """The words of a base; made once more in memory where the index on disk cannot be opened."""
    try:
        return WordIndex.opened(path)
    except StorageFailed:
        words = WordIndex()
        words.add(first_seen.items())
        return words


def _written(directory: Path, base: Base) -> dict[str, str]:
    """Write a base into a new directory, durably; its files' SHA-256. Raises `OSError`."""
    directory.mkdir(mode=PRIVATE_DIRECTORY)
    arrays = {
        "positions": base.positions,
        "vectors": base.vectors,
        **msgspec.structs.asdict(base.shapes),
        **msgspec.structs.asdict(base.postings),
    }
    terms, names = arrays.pop("terms"), arrays.pop("names")
    for name, array in arrays.items():
        _save(directory / f"{name}.npy", array)
    with create_private(directory / "terms.msgpack") as file:
        file.write(msgspec.msgpack.encode((terms, base.first_seen, names)))
    if base.graph is not None:
        base.graph.save(directory / _GRAPH)
    WordIndex.write(directory / _WORDS, base.first_seen.items())
    # For files that libraries wrote: nobody else could enter the directory meanwhile.
    make_tree_private(directory)
    hashes = {}
    for path in sorted(directory.rglob("*")):
        if not path.is_file():
            sync_directory(path)
            continue
        sync(path)
        if not path.name.endswith(".lock"):
            hashes[str(path.relative_to(directory))] = _hash(path)
    sync_directory(directory)
    sync_directory(directory.parent)
    return hashes


def _save(path: Path, array: npt.NDArray[np.generic]) -> None:
    """Write an array as `np.save` does.

    Through Python's files: those of C, which NumPy uses, lose the cause of a failed write.
    """
    whole = np.ascontiguousarray(array)
    with create_private(path) as file:
        header = np.lib.format.header_data_from_array_1_0(whole)
        np.lib.format.write_array_header_1_0(file, header)
        file.write(whole.data)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, sha256).hexdigest()

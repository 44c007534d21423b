"""Index state of one space: its memories by ordinal, in every form, and its base on disk.

A memory's ordinal is its place in the order of positions, redacted ones left out. A base is
written aside, synced, and then listed in the manifest with the hashes of its files.
"""

import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import Columns
from mnemolog.indexes.embedder import enriched
from mnemolog.indexes.graph import EdgeIndex
from mnemolog.indexes.lessons import LessonIndex
from mnemolog.indexes.near_words import NearWord, WordIndex, meant_words
from mnemolog.indexes.postings import (
    NO_ARRAYS,
    Mentions,
    Periods,
    PostingArrays,
    Postings,
    Statements,
)
from mnemolog.indexes.shapes import NO_SHAPES, ShapeArrays, Shapes
from mnemolog.indexes.strengths import StrengthIndex, WeightIndex
from mnemolog.indexes.text_analysis import analyses_of
from mnemolog.indexes.vectors import HnswGraph, VectorIndex
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger import files
from mnemolog.ledger.digests import Head
from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.events import MemoryContent
from mnemolog.ledger.ids import Position
from mnemolog.ledger.scratch import scratch_directory
from mnemolog.projections.manifest import WRITING, BaseEntry, Manifest, ManifestFile
from mnemolog.projections.memory_queries import MemoryRow

_Scalar = TypeVar("_Scalar", bound=np.generic)
_Holds = Callable[[Position, str], bool]  # whether the log has an event of a digest at a position

VERSION = "5"
_WORDS = "dictionary"
_GRAPH = "graph.hnsw"


class Base(msgspec.Struct, frozen=True):
    """A space's memories up to a position, as arrays by ordinal.

    `vectors` is float16 of shape (memories, dimensions). `first_seen` has the ordinal of the
    first memory with each word, `words` the same in Tantivy, for a base that is on disk.
    `graph` may cover fewer memories than the rest.
    """

    positions: npt.NDArray[np.int64]
    vectors: npt.NDArray[np.float16]
    shapes: ShapeArrays
    postings: PostingArrays
    first_seen: dict[str, int]
    graph: HnswGraph | None = None
    words: WordIndex | None = None


class State:
    """A space's memories up to a position, by ordinal, with its edges and lessons."""

    def __init__(self, dimensions: int, base: Base | None) -> None:
        if base is None:
            vectors = np.zeros((0, dimensions), np.float16)
            base = Base(np.zeros(0, np.int64), vectors, NO_SHAPES, NO_ARRAYS, {})
        self.columns = Columns()
        self.edges = EdgeIndex()
        self.strengths = StrengthIndex()
        self.weights = WeightIndex()
        self.lessons = LessonIndex(dimensions)
        self.vectors = VectorIndex(dimensions)
        self.vectors.extend(base.vectors)
        self.vectors.graph = base.graph
        self.shapes = Shapes(base.shapes)
        self.based = len(base.positions)
        self.replace_postings(base.postings, self.based)
        self.first_seen = dict(base.first_seen)
        self.base_words = base.words
        self.tail_words = WordIndex()
        # Positions and enriched texts of the last memories, where they are not embedded yet.
        self.waiting: list[tuple[Position, str]] = []
        # Up to where memories are in it, and up to where what was redacted is out of it: later
        # where a damaged log was cut short.
        self.reached = self.purged = Position(0)
        self.digest: bytes | None = None
        self.generation: str | None = None

    def replace_postings(self, arrays: PostingArrays, size: int) -> None:
        """Take arrays over the first `size` memories in the place of all postings."""
        self.postings = Postings(arrays)
        self.mentions = Mentions(arrays, size)
        self.relations = Statements(arrays.terms)
        self.periods = Periods(arrays.terms)

    def meant(self, word: str, size: int) -> list[NearWord]:
        """The words that a cue's word, found in none of the first `size` memories, may mean."""
        indexes = [index for index in (self.base_words, self.tail_words) if index is not None]
        return meant_words(word, indexes, size)

    def add(self, found: Sequence[tuple[MemoryRow, MemoryContent]], analyzer: Analyzer) -> None:
        """Add memories with their content."""
        first = len(self.shapes)
        read = analyses_of(found, analyzer)
        new_words: list[tuple[str, int]] = []
        for ordinal, one in enumerate(read, first):
            self.periods.add(one.periods)
            self.postings.add(ordinal, one.terms + self.relations.add(one.relations))
            if new := set(one.words).difference(self.first_seen):
                fresh = dict.fromkeys(sorted(new), ordinal)
                self.first_seen |= fresh
                new_words += fresh.items()
        self.tail_words.add(new_words)
        for row, content in found:
            self.waiting.append((row.memory, enriched(content.text, row.place, row.category)))
        self.shapes.add([one.shape for one in read])
        self.mentions.add(first, [one.names for one in read])
        self.track([row for row, _ in found])

    def track(self, rows: Sequence[MemoryRow]) -> None:
        """Add what filters and strengths go by, of memories that the rest holds already."""
        self.strengths.add(rows)
        # Last: readers in other threads go by the columns' size.
        self.columns.add(rows)

    def frozen(self) -> Base:
        """All of it as a base; postings are arrays from then on."""
        size = len(self.columns)
        postings = self.postings.frozen(size)
        # Arrays answer faster than the lists of a tail; questions under way keep the old ones.
        self.replace_postings(postings, size)
        return Base(
            self.columns.positions(np.arange(size)),
            self.vectors.vectors[:size].astype(np.float16),
            self.shapes.frozen(size),
            postings,
            dict(self.first_seen),
            self.vectors.graph,
        )


# -- bases on disk ---------------------------------------------------------------------
class Bases:
    """The index bases of a home, one directory a space and generation."""

    def __init__(
        self, home: Path, manifest: ManifestFile, holds: _Holds, made_with: str, dimensions: int
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
        """The listed base; None, with a notice, if damaged or gone. Raises `StorageFailed`."""
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
        try:
            # Open from here on: the directory is removed once a newer base is there.
            words = WordIndex.opened(directory / _WORDS)
        except StorageFailed:
            words = WordIndex()
            words.add(first_seen.items())

        def array(name: str, dtype: type[_Scalar]) -> npt.NDArray[_Scalar]:
            return np.asarray(np.load(directory / f"{name}.npy", allow_pickle=False), dtype)

        sizes, asked, speakers = (array(one, np.int32) for one in ("words", "asked", "speakers"))
        asks, speaks, standing = (array(one, np.bool_) for one in ("asks", "speaks", "standing"))
        starts, ordinals = array("starts", np.int64), array("ordinals", np.int32)
        return Base(
            array("positions", np.int64),
            array("vectors", np.float16),
            ShapeArrays(sizes, asked, asks, speakers, speaks, standing, names),
            PostingArrays(terms, starts, ordinals, array("counts", np.uint16)),
            first_seen,
            graph,
            words,
        )

    def write(self, space: str, base: Base, covered: Head) -> BaseEntry:
        """Write a base as a new generation, switch the manifest to it, remove the old one.

        Raises `StorageFailed`; the old one then stays, unless the manifest lists the new one.
        """
        generation = secrets.token_hex(8)
        # Until the end, so that a kill anywhere leaves it: the next opening then looks for
        # generations that the manifest does not list.
        with files.failures_of(self.path), scratch_directory(self.path.parent, WRITING) as scratch:
            built = scratch / generation
            hashes = _written(built, base)
            size = 0 if base.graph is None else base.graph.size
            position, digest = covered.position, covered.digest.hex()
            entry = BaseEntry(generation, position, digest, self._version, hashes, size)
            directory = self._directory(space)
            files.private_directory(directory, self.path.parent)
            built.replace(directory / generation)
            files.sync_directory(directory)
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
                mark = f"{WRITING}{secrets.token_hex(4)}{files.PARTIAL}"
                with suppress(OSError):
                    files.create_private(self.path.with_name(mark)).close()

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
            files.remove_tree(path)

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
                    with closing(files.FileLock(lock_path)) as lock:
                        if lock.try_acquire():
                            self._sweep(directory)
            except OSError as error:
                failed.append(StorageFailed.from_os(error, directory))
        return failed

    def build_lock(self, space: str) -> Path:
        """The lock file of the process that writes this space's base."""
        directory = self._directory(space)
        with files.failures_of(directory):
            files.private_directory(directory, self.path.parent)
        return directory.with_name(directory.name + ".lock")

    def _directory(self, space: str) -> Path:
        readable = re.sub(r"[^A-Za-z0-9_.-]+", "-", space)[:40].strip(".-") or "space"
        return self.path / f"{readable}-{sha256(space.encode()).hexdigest()[:12]}"


def _written(directory: Path, base: Base) -> dict[str, str]:
    """Write a base into a new directory, durably; its files' SHA-256. Raises `OSError`."""
    directory.mkdir(mode=files.PRIVATE_DIRECTORY)
    arrays = {
        "positions": base.positions,
        "vectors": base.vectors,
        **msgspec.structs.asdict(base.shapes),
        **msgspec.structs.asdict(base.postings),
    }
    terms, names = arrays.pop("terms"), arrays.pop("names")
    for name, array in arrays.items():
        _save(directory / f"{name}.npy", array)
    with files.create_private(directory / "terms.msgpack") as file:
        file.write(msgspec.msgpack.encode((terms, base.first_seen, names)))
    if base.graph is not None:
        base.graph.save(directory / _GRAPH)
    WordIndex.write(directory / _WORDS, base.first_seen.items())
    # For files that libraries wrote: nobody else could enter the directory meanwhile.
    files.make_tree_private(directory)
    hashes = {}
    for path in sorted(directory.rglob("*")):
        if not path.is_file():
            files.sync_directory(path)
            continue
        files.sync(path)
        if not path.name.endswith(".lock"):
            hashes[str(path.relative_to(directory))] = _hash(path)
    files.sync_directory(directory)
    files.sync_directory(directory.parent)
    return hashes


def _save(path: Path, array: npt.NDArray[np.generic]) -> None:
    """Write an array as `np.save`, which uses files of C, but keep the cause of a failed write."""
    whole = np.ascontiguousarray(array)
    with files.create_private(path) as file:
        header = np.lib.format.header_data_from_array_1_0(whole)
        np.lib.format.write_array_header_1_0(file, header)
        file.write(whole.data)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, sha256).hexdigest()

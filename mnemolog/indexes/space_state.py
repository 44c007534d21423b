"""Index state of one space: its memories by ordinal, in every form, and its base on disk.

A memory's ordinal is its place in the order of positions, redacted ones left out. A base is
written aside, synced, and then listed in the manifest with the hashes of its files.
"""

import errno
import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from hashlib import file_digest, sha256
from pathlib import Path

import msgspec
import numpy as np

from mnemolog.indexes.arrays import AnyArray, ArrayPlace, StoredArrays, read_arrays, write_arrays
from mnemolog.indexes.columns import NOBODY_NAMED, NOTHING_STORED, Columns, Named
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
from mnemolog.indexes.vectors.hnsw import HnswGraph
from mnemolog.indexes.vectors.vector_index import Halves, VectorIndex
from mnemolog.indexes.vectors.vector_store import NOT_KEPT, VectorStore
from mnemolog.language.analysis import Analyzer
from mnemolog.ledger import files
from mnemolog.ledger.digests import Head
from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.events import MemoryContent
from mnemolog.ledger.ids import Position
from mnemolog.ledger.scratch import scratch_directory
from mnemolog.projections.manifest import WRITING, BaseEntry, Manifest, ManifestFile
from mnemolog.projections.memory_queries import MemoryRow

_Holds = Callable[[Position, str], bool]  # whether the log has an event of a digest at a position

VERSION = "6"
_WORDS = "dictionary"
_GRAPH = "graph.hnsw"
_ARRAYS, _LISTS = "arrays.bin", "lists.msgpack"


class BaseLists(msgspec.Struct, frozen=True):
    """Parts of a base that are not arrays.

    `first_seen` has the ordinal of the first memory with each word. `terms` are those of the
    postings, `speakers` the names in the shapes. `rows` is the number of rows that are mapped of
    the file `vectors`.
    """

    places: dict[str, ArrayPlace]
    terms: list[str]
    first_seen: dict[str, int]
    speakers: list[str]
    named: Named
    vectors: str
    rows: int


class Base(msgspec.Struct, frozen=True):
    """A space's memories up to a position, as it is on disk.

    `vectors` are the kept ones, float16 of shape (rows, dimensions). `words` are those of
    `first_seen` in Tantivy. `graph` may cover fewer memories than the rest.
    """

    position: Position
    arrays: StoredArrays
    lists: BaseLists
    vectors: Halves
    words: WordIndex
    graph: HnswGraph | None = None

    def __len__(self) -> int:
        return len(self.arrays["positions"])


class FrozenState(msgspec.Struct, frozen=True):
    """A state as it is written as a base."""

    arrays: dict[str, AnyArray]
    terms: list[str]
    first_seen: dict[str, int]
    speakers: list[str]
    named: Named
    graph: HnswGraph | None


class State:
    """A space's memories up to a position, by ordinal, with its edges and lessons."""

    def __init__(self, dimensions: int, base: Base | None) -> None:
        arrays = NOTHING_STORED if base is None else base.arrays
        self.columns = Columns(arrays, NOBODY_NAMED if base is None else base.lists.named)
        self.strengths = StrengthIndex(arrays)
        self.edges = EdgeIndex()
        self.weights = WeightIndex()
        self.lessons = LessonIndex(dimensions)
        self.vectors = VectorIndex(dimensions, arrays, None if base is None else base.vectors)
        self.based = len(self.columns)
        shapes, postings = NO_SHAPES, NO_ARRAYS
        self.first_seen: dict[str, int] = {}
        self.base_words: WordIndex | None = None
        if base is not None:
            shapes, postings = _shapes_of(base), _postings_of(base)
            self.vectors.graph, self.base_words = base.graph, base.words
            self.first_seen = dict(base.lists.first_seen)
        self.shapes = Shapes(shapes)
        self.replace_postings(postings, self.based)
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
        rows = [row for row, _ in found]
        self.strengths.add(rows)
        # Last: readers in other threads go by the columns' size.
        self.columns.add(rows)

    def frozen(self) -> FrozenState:
        """All of it, to be written as a base; postings are arrays from then on."""
        size = len(self.columns)
        postings = self.postings.frozen(size)
        # Arrays answer faster than the lists of a tail; questions under way keep the old ones.
        self.replace_postings(postings, size)
        columns, named = self.columns.frozen(size)
        shapes = msgspec.structs.asdict(self.shapes.frozen(size))
        speakers = shapes.pop("names")
        lists = msgspec.structs.asdict(postings)
        terms = lists.pop("terms")
        arrays = {**self.vectors.frozen(size), **columns, **self.strengths.frozen(size), **lists}
        arrays |= {f"shape_{name}": array for name, array in shapes.items()}
        return FrozenState(
            arrays, terms, dict(self.first_seen), speakers, named, self.vectors.graph
        )


def _shapes_of(base: Base) -> ShapeArrays:
    names = [name for name in ShapeArrays.__struct_fields__ if name != "names"]
    arrays = {name: base.arrays[f"shape_{name}"] for name in names}
    return msgspec.structs.replace(NO_SHAPES, names=base.lists.speakers, **arrays)


def _postings_of(base: Base) -> PostingArrays:
    names = [name for name in PostingArrays.__struct_fields__ if name != "terms"]
    arrays = {name: base.arrays[name] for name in names}
    return msgspec.structs.replace(NO_ARRAYS, terms=base.lists.terms, **arrays)


# -- bases on disk ---------------------------------------------------------------------
class Bases:
    """The index bases of a home, one directory a space and generation."""

    def __init__(  # noqa: PLR0913, PLR0917 - where they are, and what they have to fit
        self,
        home: Path,
        manifest: ManifestFile,
        holds: _Holds,
        made_with: str,
        dimensions: int,
        store: VectorStore,
    ) -> None:
        self.path = home / "indexes"
        self._manifest = manifest
        self._holds = holds
        self._version = f"{VERSION}/{made_with}"
        self._dimensions = dimensions
        self._store = store

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
        except ValueError as error:
            notify(f"the index of space {space!r} is rebuilt: {error}")
            return None
        except OSError as error:
            raise StorageFailed.from_os(error, directory) from error

    def _read(self, directory: Path, entry: BaseEntry) -> Base:
        lists = msgspec.msgpack.decode((directory / _LISTS).read_bytes(), type=BaseLists)
        file = self._store.rows_file()
        listed = file is not None and file.path.name == lists.vectors
        vectors = file.mapped(lists.rows) if file is not None and listed else None
        if vectors is None:
            raise FileNotFoundError(errno.ENOENT, "gone or too short", lists.vectors)
        graph = None
        if entry.graph_size:
            graph = HnswGraph.load(directory / _GRAPH, self._dimensions, entry.graph_size)
        try:
            # Open from here on: the directory is removed once a newer base is there.
            words = WordIndex.opened(directory / _WORDS)
        except StorageFailed:
            words = WordIndex()
            words.add(lists.first_seen.items())
        arrays = read_arrays(directory / _ARRAYS, lists.places)
        return Base(entry.position, arrays, lists, vectors, words, graph)

    def write(self, space: str, frozen: FrozenState, covered: Head) -> BaseEntry | None:
        """Write a base as a new generation, switch the manifest to it, remove the old one.

        None if not all vectors are kept. Raises `StorageFailed`; the old one then stays, unless
        the manifest lists the new one.
        """
        positions = frozen.arrays["positions"].astype(np.int64)
        file, rows = self._store.rows_of(positions)
        if file is None or (rows == NOT_KEPT).any():
            return None
        arrays = {**frozen.arrays, "vector_rows": rows}
        frozen = msgspec.structs.replace(frozen, arrays=arrays)
        mapped = file.path.name, int(rows.max(initial=-1)) + 1
        generation = secrets.token_hex(8)
        # Until the end, so that a kill anywhere leaves it: the next opening then looks for
        # generations that the manifest does not list.
        with files.failures_of(self.path), scratch_directory(self.path.parent, WRITING) as scratch:
            built = scratch / generation
            hashes = _written(built, frozen, *mapped)
            size = 0 if frozen.graph is None else frozen.graph.size
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


def _written(directory: Path, frozen: FrozenState, vectors: str, rows: int) -> dict[str, str]:
    """Write a base into a new directory, durably; its files' SHA-256. Raises `OSError`."""
    directory.mkdir(mode=files.PRIVATE_DIRECTORY)
    with files.create_private(directory / _ARRAYS) as file:
        places = write_arrays(file, frozen.arrays)
    lists = BaseLists(
        places,
        frozen.terms,
        frozen.first_seen,
        frozen.speakers,
        frozen.named,
        vectors,
        rows,
    )
    with files.create_private(directory / _LISTS) as file:
        file.write(msgspec.msgpack.encode(lists))
    if frozen.graph is not None:
        frozen.graph.save(directory / _GRAPH)
    WordIndex.write(directory / _WORDS, frozen.first_seen.items())
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


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, sha256).hexdigest()

"""Nearest vectors among the memories up to any moment, under any filter.

Small selections are compared one by one. Large ones are first narrowed by 1-bit codes, the signs
of the numbers, by counting the bits that differ (Charikar 2002): a thirty-second of the bytes. Both
read the memories in order of position, so an answer as of a moment is that of an index cut there.
Very large spaces have a graph (HNSW), not read whole, whose answers agree with that approximately.
"""

from __future__ import annotations

import errno
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.codes import differing_bits
from mnemolog.indexes.columns import GrowingArray, Mask, Ordinals, Selection
from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.files import create_private

if TYPE_CHECKING:
    import hnswlib

Vectors = npt.NDArray[np.float32]

_EXACT_UP_TO = 8_000
_RESCORED_PER_RESULT = 2
_WORD_BITS = 64
_ROUNDING = 1e-6
_GRAPH_SHARE = 0.5


class VectorIndex:
    """The vectors of a space's memories, by ordinal."""

    def __init__(self, dimensions: int) -> None:
        self._vectors = GrowingArray(np.float32, dimensions)
        self._codes = GrowingArray(np.uint64, -(-dimensions // _WORD_BITS))
        self.graph: HnswGraph | None = None
        self._searching = threading.Lock()

    def __len__(self) -> int:
        return len(self._vectors)

    @property
    def vectors(self) -> Vectors:
        """All vectors, by ordinal."""
        return self._vectors.rows

    def extend(self, vectors: npt.ArrayLike) -> None:
        """Add the next memories' unit vectors, of shape (memories, dimensions)."""
        added = np.atleast_2d(np.asarray(vectors, np.float32))
        self._codes.extend(sign_codes(added))
        self._vectors.extend(added)

    def cosines(self, query: Vectors, ordinals: Ordinals) -> Vectors:
        """The cosine of a unit query to each of these memories."""
        # Row by row, not by matrix product: a sum is then the same whichever rows are asked for.
        cosines: Vectors = np.einsum("ij,j->i", self._vectors[ordinals], query, optimize=False)
        return cosines

    def nearest(
        self, query: Vectors, size: int, count: int, allowed: Allowed
    ) -> tuple[Selection, Vectors]:
        """The nearest allowed of the first `size` memories, about `count` and ties, and cosines."""
        rescored = count * _RESCORED_PER_RESULT
        graph = self.graph
        if graph is not None and allowed.mask is None and size >= graph.size * _GRAPH_SHARE:
            chosen = self._through(graph, query, size, rescored, allowed)
        elif allowed.count(size) > max(_EXACT_UP_TO, rescored):
            chosen = self._narrowed(query, size, rescored, allowed)
        else:
            chosen = allowed.chosen(size)
        cosines = self.cosines(query, chosen)
        if len(cosines) <= count:
            return chosen, cosines
        # With all that equal the last one to a rounding error.
        last = np.partition(cosines, len(cosines) - count)[len(cosines) - count]
        best = cosines >= last - _ROUNDING
        return chosen[best], cosines[best]

    def extend_graph(self, vectors: Vectors) -> None:
        """Let the graph cover these vectors, of which it covers the first; others wait."""
        with self._searching:
            if self.graph is not None:
                self.graph = self.graph.extended(vectors[self.graph.size :])

    def _through(
        self, graph: HnswGraph, query: Vectors, size: int, count: int, allowed: Allowed
    ) -> Selection:
        """About the `count` nearest: those that the graph covers, and those that came later."""
        with self._searching:
            covered = graph.nearest(query, size, count)
        later = np.arange(graph.size, size)
        if len(later) > _EXACT_UP_TO:
            later = self._narrowed(query, size, count, allowed, graph.size)
        chosen = np.concatenate([covered, later])
        return chosen[allowed.of(chosen)]

    def _narrowed(
        self, query: Vectors, size: int, count: int, allowed: Allowed, start: int = 0
    ) -> Selection:
        """The `count` allowed memories from `start` on with the nearest codes, newer ones first."""
        distances = np.zeros(size, np.uint16)
        code = sign_codes(query)
        differing_bits(self._codes[start:size], code, distances[start:])
        bits = _WORD_BITS * len(code)
        if allowed.mask is not None:
            distances[~allowed.mask[:size]] = bits + 1
        distances[allowed.excluded] = bits + 1
        distances = distances[start:]
        if count >= len(distances):
            return start + np.flatnonzero(distances <= bits)
        radius = min(int(np.partition(distances, count - 1)[count - 1]), bits)
        inside = np.flatnonzero(distances <= radius)
        # Whole circles can hold thousands: of the outermost only as many as are wanted.
        outermost = np.flatnonzero(distances[inside] == radius)
        surplus = len(inside) - count
        return start + (np.delete(inside, outermost[:surplus]) if surplus > 0 else inside)


class Allowed:
    """Memories that may be found: a mask, if there is a filter, less the excluded, ascending."""

    def __init__(self, mask: Mask | None, excluded: Selection) -> None:
        self.mask = mask
        self.excluded = excluded

    def count(self, size: int) -> int:
        """The number of allowed memories among the first `size`, the excluded counted in."""
        return size if self.mask is None else int(np.count_nonzero(self.mask[:size]))

    def chosen(self, size: int) -> Selection:
        """The ordinals of the allowed among the first `size` memories, ascending."""
        if self.mask is None and not len(self.excluded):
            return np.arange(size)
        whole = np.ones(size, np.bool_) if self.mask is None else self.mask[:size].copy()
        whole[self.excluded] = False
        return np.flatnonzero(whole)

    def of(self, ordinals: Ordinals) -> Mask:
        """A mask of the allowed ones among these memories."""
        inside = np.ones(len(ordinals), np.bool_) if self.mask is None else self.mask[ordinals]
        if len(self.excluded):
            places = np.searchsorted(self.excluded, ordinals)
            inside &= self.excluded.take(places, mode="clip") != ordinals
        return inside


def sign_codes(vectors: Vectors | npt.NDArray[np.float64]) -> npt.NDArray[np.uint64]:
    """One bit a number, whether it is positive, of shape (..., words); zeros fill the last word."""
    packed = np.packbits(vectors > 0, axis=-1)
    room = -packed.shape[-1] % (_WORD_BITS // 8)
    if room:
        packed = np.pad(packed, [(0, 0)] * (packed.ndim - 1) + [(0, room)])
    return packed.view(np.uint64)


# -- the graph of near vectors ---------------------------------------------------------
GRAPH_FROM = 200_000  # memories before a graph is built: with fewer, codes are as fast to read
_LINKS, _BREADTH_BUILDING = 16, 200
_SEED = 20260301
_SPARE = 1.2
_PROBED_BYTES = 1 << 20


class HnswGraph:
    """An HNSW graph over the vectors of ordinals 0 to `size` - 1, its labels; for one thread."""

    def __init__(self, index: hnswlib.Index, size: int) -> None:
        self._index = index
        self.size = size

    @classmethod
    def build(cls, vectors: Vectors) -> HnswGraph:
        """A graph over unit vectors, of shape (memories, dimensions)."""
        from hnswlib import Index  # noqa: PLC0415 - only very large spaces need it

        size, dimensions = vectors.shape
        index = Index("ip", dimensions)
        # With one thread and a fixed seed the same vectors give the same graph.
        index.init_index(size, ef_construction=_BREADTH_BUILDING, M=_LINKS, random_seed=_SEED)
        index.set_num_threads(1)
        index.add_items(vectors, np.arange(size))
        return cls(index, size)

    @classmethod
    def load(cls, path: Path, dimensions: int, size: int) -> HnswGraph:
        """A graph from a file whose hash was checked: a crafted one could overflow the heap.

        Raises `FileNotFoundError` if it has gone since, `StorageFailed` if it cannot be read.
        """
        from hnswlib import Index  # noqa: PLC0415 - as above

        index = Index("ip", dimensions)
        try:
            index.load_index(str(path), max_elements=size)
        except RuntimeError as error:
            if path.exists():
                raise StorageFailed(path, str(error)) from None
            raise FileNotFoundError(errno.ENOENT, str(error), str(path)) from None
        index.set_num_threads(1)
        return cls(index, size)

    def extended(self, vectors: Vectors) -> HnswGraph:
        """The graph with the vectors of the ordinals that follow; this one is then spent."""
        grown = self.size + len(vectors)
        self._index.resize_index(grown)
        self._index.add_items(vectors, np.arange(self.size, grown))
        return HnswGraph(self._index, grown)

    def save(self, path: Path) -> None:
        """Write the graph into a new file; the caller syncs it. Raises `OSError`."""
        # The library does not look whether its writes succeed, nor why they do not.
        create_private(path).close()
        self._index.save_index(str(path))
        expected, written = self._index.index_file_size(), path.stat().st_size
        if written != expected:
            with path.open("ab") as file:
                file.write(bytes(min(expected - written, _PROBED_BYTES)))
            problem = f"only {written:,} of {expected:,} bytes were written"
            raise StorageFailed(path, problem, "make sure that the disk works and has room")

    def nearest(self, query: Vectors, size: int, count: int) -> Selection:
        """About the `count` nearest among the first `size` memories, ascending."""
        # As many more are fetched as are likely to be later than those.
        wanted = min(self.size, int(count * _SPARE * max(1.0, self.size / max(1, size))) + 1)
        # `load_index` forgets it, and it must not be below what is asked for.
        self._index.set_ef(wanted)
        labels, _ = self._index.knn_query(query, k=wanted)
        found = labels[0].astype(np.intp)
        kept: Selection = np.sort(found[found < size])
        return kept

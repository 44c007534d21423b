"""Nearest vectors among the memories up to any moment, under any filter.

Small selections are compared one by one. Large ones are first narrowed by 1-bit codes, the signs
of the numbers (Charikar 2002): a sixteenth of the bytes. A cue's bit that differs counts with the
size of the cue's number, in three steps, as in the first estimate of RaBitQ (Gao & Long 2024). Both
paths read the memories in order of position, so an answer as of a moment is that of an index cut
there. A setting chooses a graph (HNSW) instead, whose answers agree with that approximately.
"""

from __future__ import annotations

import math
import threading

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.arrays import AnyArray, GrowingArray, Ordinals, StoredArrays
from mnemolog.indexes.codes import nearest_codes, products
from mnemolog.indexes.columns import NOTHING_STORED, Mask, Selection
from mnemolog.indexes.filters import SearchPath
from mnemolog.indexes.vectors.hnsw import HnswGraph, Vectors

Halves = npt.NDArray[np.float16]
_EXACT_UP_TO = 8_000
_RESCORED_PER_RESULT = 2
# Of n random vectors, the most difficult ones, the ten nearest are among the 32 √n with the
# nearest codes in 99 % (docs/decisions/0007-vectors.md).
_RESCORED_PER_ROOT = 32
_WORD_BITS = 64
_PLANES, _MOST_WEIGHT = 2, 3
_LARGEST = 2.0  # Size of a number from which it weighs most, in standard deviations
_ROUNDING = 1e-6
_GRAPH_SHARE = 0.5
_UNCOVERED = 0.2  # share of later vectors from which the graph is extended
_EVERY = np.zeros(0, np.bool_)  # the mask of no filter


class VectorIndex:
    """The vectors of a space's memories, by ordinal; the last ones may not be embedded yet.

    Those of a base are read where the home keeps all vectors: `kept`, float16 of shape (rows,
    dimensions). Later ones are in memory.
    """

    def __init__(
        self, dimensions: int, base: StoredArrays = NOTHING_STORED, kept: Halves | None = None
    ) -> None:
        self._codes = base.growing("codes", np.uint64, -(-dimensions // _WORD_BITS))
        self._rows = base.growing("vector_rows", np.int32)
        self._kept = np.zeros((0, dimensions), np.float16) if kept is None else kept
        self._based = len(self._codes)
        self._tail = GrowingArray(np.float16, dimensions)
        self.graph: HnswGraph | None = None
        self._searching = threading.Lock()

    def __len__(self) -> int:
        return len(self._codes)

    def extend(self, vectors: npt.ArrayLike) -> None:
        """Add the next memories' unit vectors, of shape (memories, dimensions)."""
        added = np.atleast_2d(np.asarray(vectors, np.float16))
        self._tail.extend(added)
        # Last: readers in other threads go by the number of codes.
        self._codes.extend(sign_codes(added))

    def of(self, ordinals: Ordinals) -> Vectors:
        """The vectors of these memories; zeros for those that are not embedded."""
        found = np.zeros((len(ordinals), self._tail.rows.shape[1]), np.float32)
        for places, held, rows in self._parts(ordinals):
            found[places] = held[rows]
        return found

    def cosines(self, query: Vectors, ordinals: Ordinals) -> Vectors:
        """The cosine of a unit query to each of these memories; 0 to those not embedded."""
        cosines = np.zeros(len(ordinals), np.float32)
        cue = np.ascontiguousarray(query, np.float32)
        for places, held, rows in self._parts(ordinals):
            found = np.empty(len(rows), np.float32)
            products(held, rows, cue, found)
            cosines[places] = found
        return cosines

    def _parts(
        self, ordinals: Ordinals
    ) -> list[tuple[slice | Selection, Halves, npt.NDArray[np.int64]]]:
        """Places of the memories in each of the arrays of vectors, the array, and their rows."""
        size, based = len(self), self._based
        wanted = ordinals.astype(np.int64)
        if based == 0 and (not len(wanted) or int(wanted.max()) < size):
            return [(slice(None), self._tail.rows, wanted)]
        if len(wanted) and int(wanted.max()) < based:
            return [(slice(None), self._kept, self._rows[wanted].astype(np.int64))]
        stored = np.flatnonzero(wanted < based)
        later = np.flatnonzero((wanted >= based) & (wanted < size))
        rows = self._rows[wanted[stored]].astype(np.int64)
        return [(stored, self._kept, rows), (later, self._tail.rows, wanted[later] - based)]

    def frozen(self, size: int) -> dict[str, AnyArray]:
        """Arrays of the first `size` memories, by name; their rows are the store's."""
        return {"codes": self._codes[:size]}

    def nearest(
        self,
        query: Vectors,
        size: int,
        count: int,
        allowed: Allowed,
        path: SearchPath = "automatic",
    ) -> tuple[Selection, Vectors]:
        """The nearest allowed of the first `size` memories, about `count` and ties, and cosines."""
        size = min(size, len(self))
        narrowed = allowed.count(size)
        rescored = count * _RESCORED_PER_RESULT
        graph = self.graph if path == "graph" else None
        if graph is not None and allowed.mask is None and size >= graph.size * _GRAPH_SHARE:
            chosen = self._through(graph, query, size, rescored, allowed)
        elif path != "exact" and narrowed > max(_EXACT_UP_TO, rescored):
            deep = max(rescored, _RESCORED_PER_ROOT * math.isqrt(narrowed))
            chosen = self._narrowed(query, size, deep, allowed)
        else:
            chosen = allowed.chosen(size)
        cosines = self.cosines(query, chosen)
        if len(cosines) <= count:
            return chosen, cosines
        # With all that equal the last one to a rounding error.
        last = np.partition(cosines, len(cosines) - count)[len(cosines) - count]
        best = cosines >= last - _ROUNDING
        return chosen[best], cosines[best]

    def grow_graph(self) -> bool:
        """Build the graph, or extend it once a fifth has come since; True if it grew."""
        graph, size = self.graph, len(self)
        if size == 0:
            return False
        if graph is None:
            self.graph = HnswGraph.build(self.of(np.arange(size)))
        elif size > graph.size * (1 + _UNCOVERED):
            added = self.of(np.arange(graph.size, size))
            with self._searching:
                self.graph = graph.extended(added)
        return self.graph is not graph

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
        mask = _EVERY if allowed.mask is None else allowed.mask[start:size]
        excluded = allowed.excluded
        inside = excluded[(excluded >= start) & (excluded < size)] - start
        found = np.empty(min(count, size - start), np.int64)
        codes = self._codes[start:size]
        kept = nearest_codes(codes, weighted_code(query), mask, inside.astype(np.int64), found)
        return start + found[:kept].astype(np.intp)


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
        whole[self.excluded[self.excluded < size]] = False
        return np.flatnonzero(whole)

    def of(self, ordinals: Ordinals) -> Mask:
        """A mask of the allowed ones among these memories."""
        inside = np.ones(len(ordinals), np.bool_) if self.mask is None else self.mask[ordinals]
        if len(self.excluded):
            places = np.searchsorted(self.excluded, ordinals)
            inside &= self.excluded.take(places, mode="clip") != ordinals
        return inside


def sign_codes(vectors: npt.NDArray[np.floating | np.integer]) -> npt.NDArray[np.uint64]:
    """One bit a number, whether it is positive, of shape (..., words); zeros fill the last word."""
    packed = np.packbits(vectors > 0, axis=-1)
    room = -packed.shape[-1] % (_WORD_BITS // 8)
    if room:
        packed = np.pad(packed, [(0, 0)] * (packed.ndim - 1) + [(0, room)])
    return packed.view(np.uint64)


def weighted_code(query: Vectors) -> npt.NDArray[np.uint64]:
    """Code of a query, and in two more rows the bits of each number's weight, from 0 to 3.

    A weight is the size of the number, rounded; the lowest bits come first.
    """
    largest = _LARGEST * float(np.sqrt(np.mean(np.square(query)))) or 1.0
    steps = np.rint(np.abs(query) * (_MOST_WEIGHT / largest))
    weights = np.minimum(_MOST_WEIGHT, steps).astype(np.uint8)
    planes = (weights >> np.arange(_PLANES, dtype=np.uint8)[:, np.newaxis]) & 1
    return np.concatenate([sign_codes(query)[np.newaxis], sign_codes(planes)])

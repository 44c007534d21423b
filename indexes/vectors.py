"""Nearest vectors among the memories up to any moment, under any filter.

Small selections are compared one by one. Large ones are first narrowed by
1-bit codes: the signs of the numbers, compared by counting the bits that differ
(Charikar 2002), which reads a thirty-second of the bytes; the best are then
compared exactly. Both read the memories in order of position, so an answer as
of a moment is what an index that ends there would give.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from indexes.growing import GrowingArray

Vectors = npt.NDArray[np.float32]
Selection = npt.NDArray[np.intp]

_EXACT_UP_TO = 8_000
_RESCORED_PER_RESULT = 4
_WORD_BITS = 64
_ROUNDING = 1e-6


class VectorIndex:
    """The vectors of a space's memories, by ordinal."""

    def __init__(self, dimensions: int) -> None:
        self._vectors = GrowingArray(np.float32, dimensions)
        self._codes = [GrowingArray(np.uint64) for _ in range(dimensions // _WORD_BITS)]

    def __len__(self) -> int:
        return len(self._vectors)

    @property
    def vectors(self) -> Vectors:
        """All vectors, by ordinal."""
        return self._vectors.rows

    def extend(self, vectors: npt.ArrayLike) -> None:
        """Add the next memories' unit vectors, of shape (memories, dimensions)."""
        added = np.atleast_2d(np.asarray(vectors, np.float32))
        words = np.packbits(added > 0, axis=1).view(np.uint64)
        for column, codes in enumerate(self._codes):
            codes.extend(words[:, column])
        self._vectors.extend(added)

    def cosines(self, query: Vectors, ordinals: npt.NDArray[np.integer]) -> npt.NDArray[np.float32]:
        """The cosine of a unit query to each of these memories.

        Summed row by row rather than by matrix product: the sum of a row is then
        the same whichever other rows are asked for, to the last bit.
        """
        cosines: npt.NDArray[np.float32] = np.einsum(
            "ij,j->i", self._vectors.rows[ordinals], query, optimize=False
        )
        return cosines

    def nearest(
        self, query: Vectors, size: int, count: int, allowed: npt.NDArray[np.bool_] | None = None
    ) -> tuple[Selection, npt.NDArray[np.float32]]:
        """About the `count` nearest of the first `size` memories, with their cosines.

        In no order; ties at the end of the list all stay in. `allowed`, of shape
        (size,), leaves others out.
        """
        chosen = None if allowed is None else np.flatnonzero(allowed[:size])
        total = size if chosen is None else len(chosen)
        if total > max(_EXACT_UP_TO, count * _RESCORED_PER_RESULT):
            chosen = self._narrowed(query, size, count * _RESCORED_PER_RESULT, allowed)
        if chosen is None:
            chosen = np.arange(size)
        if len(chosen) > count:
            rough = (
                self._vectors.rows[chosen] @ query
                if len(chosen) < size
                else (self._vectors.rows[:size] @ query)
            )
            last = np.partition(rough, len(rough) - count)[len(rough) - count]
            chosen = chosen[rough >= last - _ROUNDING]
        return chosen, self.cosines(query, chosen)

    def _narrowed(
        self, query: Vectors, size: int, count: int, allowed: npt.NDArray[np.bool_] | None
    ) -> Selection:
        """About `count` memories whose codes differ least from the query's."""
        words = np.packbits(query > 0).view(np.uint64)
        distances = np.zeros(size, np.uint16)
        difference = np.empty(size, np.uint64)
        for codes, word in zip(self._codes, words, strict=True):
            np.bitwise_xor(codes.rows[:size], word, out=difference)
            distances += np.bitwise_count(difference)
        bits = len(self._codes) * _WORD_BITS
        if allowed is not None:
            distances[~allowed[:size]] = bits + 1
        within = np.cumsum(np.bincount(distances, minlength=bits + 2)[: bits + 1])
        radius = int(np.searchsorted(within, count))
        return np.flatnonzero(distances <= min(radius, bits))

"""Postings of terms in order of position, so that BM25 is exact as of any moment.

A memory is an ordinal: its place among the space's memories in order of
position. Postings ascend by ordinal, so the memories up to a moment are a
prefix of every list, and N, document frequency and mean length of that prefix
are exact at the price of a bisection.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable

import msgspec
import numpy as np
import numpy.typing as npt

Ordinals = npt.NDArray[np.int32]


class Statistics(msgspec.Struct, frozen=True):
    """Statistics of a collection for BM25: its size, and the document frequency of each term."""

    memories: int
    frequencies: dict[str, int]

    def joined(self, other: Statistics) -> Statistics:
        """The statistics of both collections together."""
        # In one order in every process, so that sums over the terms are the same to the last bit.
        terms = dict.fromkeys([*self.frequencies, *other.frequencies])
        return Statistics(
            self.memories + other.memories,
            {
                term: self.frequencies.get(term, 0) + other.frequencies.get(term, 0)
                for term in terms
            },
        )


class PostingArrays(msgspec.Struct, frozen=True):
    """The lists of many terms end to end: `starts[i]` to `starts[i + 1]` is term i's."""

    terms: list[str]
    starts: npt.NDArray[np.int64]
    ordinals: Ordinals
    counts: npt.NDArray[np.uint16]


NO_ARRAYS = PostingArrays([], np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint16))


class Postings:
    """A base of arrays and a tail of lists, asked as one."""

    def __init__(self, base: PostingArrays = NO_ARRAYS) -> None:
        self._base = base
        self._base_index = {term: index for index, term in enumerate(base.terms)}
        # Numbers as they are in memory: a list would be converted one by one at each question.
        self._tail: dict[str, tuple[array[int], array[int]]] = {}

    def add(self, ordinal: int, terms: Iterable[str]) -> None:
        """Add the next memory by its terms, repeated as in its text."""
        for term, count in Counter(terms).items():
            tail = self._tail.get(term)
            if tail is None:
                tail = self._tail[term] = array("i"), array("H")
            ordinals, counts = tail
            # Readers in other threads go by the number of ordinals, so they come last.
            counts.append(min(count, 0xFFFF))
            ordinals.append(ordinal)

    def postings(self, term: str, size: int) -> tuple[Ordinals, npt.NDArray[np.uint16]]:
        """The memories among the first `size` that hold a term, and how often each does."""
        ordinals, counts = self._base.ordinals[:0], self._base.counts[:0]
        index = self._base_index.get(term)
        if index is not None:
            start, end = self._base.starts[index], self._base.starts[index + 1]
            ordinals, counts = self._base.ordinals[start:end], self._base.counts[start:end]
        tail = self._tail.get(term)
        if tail is not None:
            known = len(tail[0])
            ordinals = np.concatenate([ordinals, np.array(tail[0][:known], np.int32)])
            counts = np.concatenate([counts, np.array(tail[1][:known], np.uint16)])
        held = int(ordinals.searchsorted(size))
        return ordinals[:held], counts[:held]

    def terms(self) -> list[str]:
        """Every term there is, sorted."""
        return sorted(self._base_index.keys() | self._tail.keys())

    def frozen(self, size: int) -> PostingArrays:
        """The lists of the first `size` memories as arrays, terms sorted."""
        terms, starts, ordinals, counts = [], [0], [], []
        for term in self.terms():
            held, often = self.postings(term, size)
            if len(held):
                terms.append(term)
                starts.append(starts[-1] + len(held))
                ordinals.append(held)
                counts.append(often)
        return PostingArrays(
            terms,
            np.array(starts, np.int64),
            np.concatenate(ordinals) if ordinals else NO_ARRAYS.ordinals,
            np.concatenate(counts) if counts else NO_ARRAYS.counts,
        )


def inverse_frequencies(statistics: Statistics) -> dict[str, float]:
    """Inverse frequencies: ln(1 + (N - df + 0.5) / (df + 0.5)) (Robertson & Zaragoza 2009)."""
    size = statistics.memories
    return {
        term: float(np.log1p((size - held + 0.5) / (held + 0.5)))
        for term, held in statistics.frequencies.items()
    }

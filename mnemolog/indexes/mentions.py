"""Mentions: the names of each memory, and the memories of each name, for graph walks.

Made of the postings of a base, which hold the names as terms, and followed by
a tail. What a question sees is the mentions of the first so many memories.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.growing import GrowingArray
from mnemolog.indexes.postings import PostingArrays
from mnemolog.language.names.entities import ENTITY_PREFIX

Ordinals = npt.NDArray[np.intp]
Codes = npt.NDArray[np.int64]

_AFTER_PREFIX = chr(ord(ENTITY_PREFIX) + 1)


class Mentions:
    """Names as small numbers, each memory's in alphabetical order, and each name's memories."""

    def __init__(self, base: PostingArrays, size: int) -> None:
        first = bisect_left(base.terms, ENTITY_PREFIX)
        last = bisect_left(base.terms, _AFTER_PREFIX)
        self._names = [term.removeprefix(ENTITY_PREFIX) for term in base.terms[first:last]]
        self._codes = {name: code for code, name in enumerate(self._names)}
        self._base_size = size
        self._base_starts = base.starts[first : last + 1]
        self._base_holders = base.ordinals
        self._tail: dict[int, list[int]] = {}
        self._starts = GrowingArray(np.int64)
        self._mentioned = GrowingArray(np.int32)
        holders = base.ordinals[self._base_starts[0] : self._base_starts[-1]]
        held = np.repeat(np.arange(last - first), np.diff(self._base_starts))
        self._mentioned.extend(held[np.argsort(holders, kind="stable")])
        counts = np.bincount(holders, minlength=size)
        self._starts.extend(np.concatenate([[0], np.cumsum(counts)]))

    def add(self, first: int, names: Sequence[Sequence[str]]) -> None:
        """Add the next memories, from ordinal `first` on, by their names in alphabetical order."""
        ends = []
        mentioned: list[int] = []
        before = len(self._mentioned)
        for ordinal, own in enumerate(names, first):
            for name in own:
                code = self._codes.get(name)
                if code is None:
                    code = len(self._names)
                    self._names.append(name)
                    self._codes[name] = code
                self._tail.setdefault(code, []).append(ordinal)
                mentioned.append(code)
            ends.append(before + len(mentioned))
        self._mentioned.extend(mentioned)
        # Last: readers in other threads go by them.
        self._starts.extend(ends)

    def code(self, name: str) -> int | None:
        """The number of a name; None for one that no memory mentions."""
        return self._codes.get(name)

    def name(self, code: int) -> str:
        """The name of a number."""
        return self._names[code]

    def known(self, size: int) -> list[str]:
        """Every name that one of the first `size` memories mentions, sorted."""
        names = self._names[:]
        counts = self.counts(np.arange(len(names)), size).tolist()
        return sorted(name for name, held in zip(names, counts, strict=True) if held)

    def of(self, ordinals: Ordinals) -> tuple[Codes, Codes]:
        """The names of these memories: whose each is, as an index into them, and its number."""
        starts = self._starts.rows
        begins, ends = starts[ordinals], starts[ordinals + 1]
        rows, places = runs(begins, ends)
        return rows, self._mentioned.rows[places].astype(np.int64)

    def counts(self, codes: Codes, size: int) -> Codes:
        """The number of the first `size` memories that mention each of these names."""
        return self._based(codes, size) + self._later(codes, size)

    def _based(self, codes: Codes, size: int) -> Codes:
        """The number of the first memories in the base that mention each name."""
        begins, ends = self._base_runs(codes)
        if size >= self._base_size:
            return ends - begins
        # All runs are bisected at once: one by one took three times as long.
        low, high = begins.copy(), ends.copy()
        while (open_ := low < high).any():
            middle = (low + high) >> 1
            before = np.zeros(len(codes), np.bool_)
            before[open_] = self._base_holders[middle[open_]] < size
            low = np.where(before, middle + 1, low)
            high = np.where(open_ & ~before, middle, high)
        return low - begins

    def _base_runs(self, codes: Codes) -> tuple[Codes, Codes]:
        # Names that are new in the tail have an empty run.
        last = len(self._base_starts) - 1
        begins = self._base_starts[np.minimum(codes, last)]
        ends = self._base_starts[np.minimum(codes + 1, last)]
        return begins, ends

    def _later(self, codes: Codes, size: int) -> Codes:
        """The number of the first memories in the tail that mention each name."""
        tails = map(self._tail.get, codes.tolist())
        return np.array([bisect_left(tail, size) if tail else 0 for tail in tails], np.int64)

    def holders(self, codes: Codes, size: int, most: int) -> tuple[Codes, Codes, Codes]:
        """The newest `most` of the first `size` memories that mention each of these names.

        How many mention each name; then, for each memory, whose holder it is, as
        an index into the names, and its ordinal. What one memory has of several
        names stands in the order of the names.
        """
        based, later = self._based(codes, size), self._later(codes, size)
        newest = np.minimum(later, most)
        older = np.minimum(based, most - newest)
        begins = self._base_runs(codes)[0]
        rows, places = runs(begins + based - older, begins + based)
        ends = later.tolist()
        tail: list[int] = []
        for row, taken in enumerate(newest.tolist()):
            if taken:
                tail += self._tail[int(codes[row])][ends[row] - taken : ends[row]]
        return (
            based + later,
            np.concatenate([rows, np.repeat(np.arange(len(codes)), newest)]),
            np.concatenate([self._base_holders[places], np.array(tail, np.int64)]),
        )


def runs(begins: Codes, ends: Codes) -> tuple[Codes, Codes]:
    """The places of several runs end to end: which run each belongs to, and the place."""
    lengths = ends - begins
    rows = np.repeat(np.arange(len(lengths)), lengths)
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return rows, np.repeat(begins, lengths) + offsets

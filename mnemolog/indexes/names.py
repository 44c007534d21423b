"""Names in a space's memories: who mentions them, and what is stated of them."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

import numpy as np

from mnemolog.indexes.columns import GrowingArray, Instants, Names, Selection
from mnemolog.indexes.postings import PostingArrays
from mnemolog.language.entities import ALIAS, ENTITY_PREFIX, Relation

# -- mentions --------------------------------------------------------------------------
_AFTER_PREFIX = chr(ord(ENTITY_PREFIX) + 1)


class Mentions:
    """Names as small numbers, each memory's in alphabetical order, and each name's memories.

    Made of the postings of a base, which hold the names as terms, and followed by a tail.
    What a question sees is the mentions of the first so many memories.
    """

    def __init__(self, base: PostingArrays, size: int) -> None:
        first = bisect_left(base.terms, ENTITY_PREFIX)
        last = bisect_left(base.terms, _AFTER_PREFIX)
        self._names = Names(term.removeprefix(ENTITY_PREFIX) for term in base.terms[first:last])
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
        ends: list[int] = []
        mentioned: list[int] = []
        before = len(self._mentioned)
        for ordinal, own in enumerate(names, first):
            for code in map(self._names.code, own):
                self._tail.setdefault(code, []).append(ordinal)
                mentioned.append(code)
            ends.append(before + len(mentioned))
        self._mentioned.extend(mentioned)
        # Last: readers in other threads go by them.
        self._starts.extend(ends)

    def code(self, name: str) -> int | None:
        """The number of a name; None for one that no memory mentions."""
        return self._names.find(name)

    def name(self, code: int) -> str:
        """The name of a number."""
        return self._names.known[code]

    def of(self, ordinals: Selection) -> tuple[Instants, Instants]:
        """The names of these memories: whose each is, as an index into them, and its number."""
        starts = self._starts.rows
        rows, places = _runs(starts[ordinals], starts[ordinals + 1])
        return rows, self._mentioned[places].astype(np.int64)

    def counts(self, codes: Instants, size: int) -> Instants:
        """The number of the first `size` memories that mention each of these names."""
        return self._based(codes, size) + self._later(codes, size)

    def _based(self, codes: Instants, size: int) -> Instants:
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

    def _base_runs(self, codes: Instants) -> tuple[Instants, Instants]:
        # Names that are new in the tail have an empty run.
        last, starts = len(self._base_starts) - 1, self._base_starts
        return starts[np.minimum(codes, last)], starts[np.minimum(codes + 1, last)]

    def _later(self, codes: Instants, size: int) -> Instants:
        tails = map(self._tail.get, codes.tolist())
        return np.array([bisect_left(tail, size) if tail else 0 for tail in tails], np.int64)

    def holders(self, codes: Instants, size: int, top: int) -> tuple[Instants, Selection, Instants]:
        """The newest `top` of the first `size` memories that mention each of these names.

        How many mention each name; then, for each memory, whose holder it is, as
        an index into the names, and its ordinal. What one memory has of several
        names stands in the order of the names.
        """
        based, later = self._based(codes, size), self._later(codes, size)
        newest = np.minimum(later, top)
        older = np.minimum(based, top - newest)
        begins = self._base_runs(codes)[0]
        rows, places = _runs(begins + based - older, begins + based)
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


def _runs(begins: Instants, ends: Instants) -> tuple[Instants, Instants]:
    """The places of several runs end to end: which run each belongs to, and the place."""
    lengths = ends - begins
    rows = np.repeat(np.arange(len(lengths)), lengths)
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return rows, np.repeat(begins, lengths) + offsets


# -- statements ------------------------------------------------------------------------
RELATION_PREFIX = ">"
"""Begins a relation among the terms of a text, which no stemmed word does."""

_BETWEEN, _AFTER_BETWEEN = "\x1f", "\x20"


def relation_term(relation: Relation) -> str:
    """The term of a relation in the postings."""
    return RELATION_PREFIX + _BETWEEN.join((relation.source, relation.type, relation.target))


def relation_of(term: str) -> Relation:
    """The relation of a term made by `relation_term`."""
    return Relation(*term.removeprefix(RELATION_PREFIX).split(_BETWEEN))


class Statements:
    """Statements about each name of a space: a base's sorted terms, and a tail's."""

    def __init__(self, terms: list[str]) -> None:
        self._base = terms
        self._tail: dict[str, dict[Relation, None]] = {}

    def add(self, stated: Sequence[Relation]) -> list[str]:
        """Note what the next memory says; the terms that it is to be found by."""
        both: dict[Relation, None] = {}
        for relation in stated:
            both[relation] = None
            if relation.type == ALIAS:
                both[Relation(relation.target, ALIAS, relation.source)] = None
        for relation in both:
            self._tail.setdefault(relation.source, {})[relation] = None
        return [relation_term(relation) for relation in both]

    def of(self, source: str) -> list[Relation]:
        """The statements about a name by any memory there ever was, sorted."""
        about = RELATION_PREFIX + source
        first = bisect_left(self._base, about + _BETWEEN)
        last = bisect_left(self._base, about + _AFTER_BETWEEN)
        found = {relation_of(term) for term in self._base[first:last]}
        return sorted(found.union(tuple(self._tail.get(source, ()))))


def named_in(stated: Iterable[Relation]) -> set[str]:
    """The names of the things that relations are between."""
    return {name for relation in stated for name in (relation.source, relation.target)}

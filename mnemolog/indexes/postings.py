"""Postings of terms, so that BM25 is exact as of any moment, and the names and periods of texts.

A memory is an ordinal: its place among the space's memories in order of position. Postings ascend
by ordinal, so the memories up to a moment are a prefix of every list, and N, document frequency and
mean length of that prefix are exact at the price of a bisection.
"""

from __future__ import annotations

import itertools
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.arrays import GrowingArray
from mnemolog.indexes.columns import Instants, Names, Selection
from mnemolog.language.entities import ENTITY_PREFIX
from mnemolog.language.relations import ALIAS, Relation
from mnemolog.language.told_times import Days

Numbers = npt.NDArray[np.int32]
Counts = npt.NDArray[np.uint16]


class Statistics(msgspec.Struct, frozen=True):
    """Statistics of a collection for BM25: its size, and the document frequency of each term."""

    memories: int
    frequencies: dict[str, int]

    def joined(self, other: Statistics) -> Statistics:
        """The statistics of both collections together."""
        # In one order in every process, so that sums over the terms are the same to the last bit.
        terms = dict.fromkeys([*self.frequencies, *other.frequencies])
        mine, theirs = self.frequencies, other.frequencies
        joined = {term: mine.get(term, 0) + theirs.get(term, 0) for term in terms}
        return Statistics(self.memories + other.memories, joined)


class PostingArrays(msgspec.Struct, frozen=True):
    """The lists of many terms end to end: `starts[i]` to `starts[i + 1]` is term i's."""

    terms: list[str]
    starts: npt.NDArray[np.int64]
    ordinals: Numbers
    counts: Counts


NO_ARRAYS = PostingArrays([], np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.uint16))


class Postings:
    """A base of arrays and a tail of lists, asked as one."""

    def __init__(self, base: PostingArrays = NO_ARRAYS) -> None:
        self._base = base
        self._base_index = {term: index for index, term in enumerate(base.terms)}
        # The ordinals of each term, one for each time that a text has it. Numbers as they are in
        # memory: a list would be converted one by one at each question.
        self._tail = defaultdict[str, "array[int]"](partial(array, "i"))

    def add(self, ordinal: int, terms: Iterable[str]) -> None:
        """Add the next memory by its terms, repeated as in its text.

        Readers in other threads go by a size that does not include it yet.
        """
        tail = self._tail
        for term in terms:
            tail[term].append(ordinal)

    def postings(self, term: str, size: int) -> tuple[Numbers, Counts]:
        """The memories among the first `size` that hold a term, and how often each does."""
        ordinals, counts = self._base.ordinals[:0], self._base.counts[:0]
        index = self._base_index.get(term)
        if index is not None:
            start, end = self._base.starts[index], self._base.starts[index + 1]
            ordinals, counts = self._base.ordinals[start:end], self._base.counts[start:end]
        tail = self._tail.get(term)
        if tail is not None:
            # A copy: an array cannot grow while numpy looks at it.
            held, often, _ = _counted(np.frombuffer(tail[:], np.int32), np.zeros(1, np.int64))
            ordinals, counts = np.concatenate([ordinals, held]), np.concatenate([counts, often])
        size = int(ordinals.searchsorted(size))
        return ordinals[:size], counts[:size]

    def frozen(self, size: int) -> PostingArrays:
        """The lists of the first `size` memories as arrays, terms sorted."""
        terms = sorted(self._tail)
        lists = [self._tail[term] for term in terms]
        starts = np.cumsum([0, *map(len, lists)])
        ordinals = np.frombuffer(b"".join(lists), np.int32)
        ordinals, counts, starts = _counted(ordinals, starts)
        tail = _among_first(PostingArrays(terms, starts, ordinals, counts), size)
        return _merged(_among_first(self._base, size), tail)


def _counted(ordinals: Numbers, starts: Instants) -> tuple[Numbers, Counts, Instants]:
    """Ascending lists without repetitions: the ordinals, how often each is there, and the starts.

    The lists are end to end, from `starts` on; what is behind the last start is a list too.
    """
    repeated = np.zeros(len(ordinals), np.bool_)
    np.equal(ordinals[1:], ordinals[:-1], out=repeated[1:])
    repeated[starts[starts < len(ordinals)]] = False
    again = np.flatnonzero(repeated)
    if not len(again):
        return ordinals, np.ones(len(ordinals), np.uint16), starts
    counts = np.ones(len(ordinals) - len(again), np.uint16)
    places, more = np.unique(again - np.arange(1, len(again) + 1), return_counts=True)
    counts[places] = np.minimum(more + 1, np.iinfo(np.uint16).max)
    return ordinals[~repeated], counts, starts - again.searchsorted(starts)


def _among_first(lists: PostingArrays, size: int) -> PostingArrays:
    """The lists of the first `size` memories, without empty ones."""
    if lists.ordinals.max(initial=0) < size:
        return lists
    kept = lists.ordinals < size
    lengths = np.diff(np.append(0, np.cumsum(kept))[lists.starts])
    terms = list(itertools.compress(lists.terms, lengths))
    starts = np.append(0, np.cumsum(lengths[lengths > 0]))
    return PostingArrays(terms, starts, lists.ordinals[kept], lists.counts[kept])


def _merged(first: PostingArrays, then: PostingArrays) -> PostingArrays:
    """Both lists of each term end to end."""
    if not first.terms or not then.terms:
        return first if first.terms else then
    terms = list(dict.fromkeys(sorted(first.terms + then.terms)))
    index = {term: place for place, term in enumerate(terms)}
    lengths = np.zeros((len(terms), 2), np.int64)
    for side, lists in enumerate((first, then)):
        places = np.fromiter(map(index.__getitem__, lists.terms), np.int64, len(lists.terms))
        lengths[places, side] = np.diff(lists.starts)
    # A mask, as an index of the places would take eight times the memory.
    is_then = np.repeat(np.tile([False, True], len(terms)), lengths.ravel())
    ordinals = np.empty(len(is_then), np.int32)
    counts = np.empty(len(is_then), np.uint16)
    for mask, lists in ((~is_then, first), (is_then, then)):
        ordinals[mask], counts[mask] = lists.ordinals, lists.counts
    return PostingArrays(terms, np.append(0, np.cumsum(lengths.sum(axis=1))), ordinals, counts)


def inverse_frequencies(statistics: Statistics) -> dict[str, float]:
    """Inverse frequencies: ln(1 + (N - df + 0.5) / (df + 0.5)) (Robertson & Zaragoza 2009)."""
    size = statistics.memories
    return {
        term: float(np.log1p((size - held + 0.5) / (held + 0.5)))
        for term, held in statistics.frequencies.items()
    }


# -- mentions --------------------------------------------------------------------------
_AFTER_PREFIX = chr(ord(ENTITY_PREFIX) + 1)


class Mentions:
    """Names as small numbers, each memory's in alphabetical order, and each name's memories.

    They come from the postings of a base, which hold the names as terms, and from a tail.
    """

    def __init__(self, base: PostingArrays, size: int) -> None:
        first = bisect_left(base.terms, ENTITY_PREFIX)
        last = bisect_left(base.terms, _AFTER_PREFIX)
        self._names = Names(term.removeprefix(ENTITY_PREFIX) for term in base.terms[first:last])
        self._base_size = size
        self._base_starts = base.starts[first : last + 1]
        self._base_holders = base.ordinals
        self._tail: dict[int, list[int]] = {}
        holders = base.ordinals[self._base_starts[0] : self._base_starts[-1]]
        held = np.repeat(np.arange(last - first), np.diff(self._base_starts))
        starts = np.append(0, np.cumsum(np.bincount(holders, minlength=size)))
        self._mentioned = GrowingArray(np.int32, rows=held[np.argsort(holders, kind="stable")])
        self._starts = GrowingArray(np.int64, rows=starts)

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
        # Names that are new in the tail have an empty run.
        begins, ends = (self._base_starts.take(codes + one, mode="clip") for one in (0, 1))
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

    def _later(self, codes: Instants, size: int) -> Instants:
        tails = map(self._tail.get, codes.tolist())
        return np.array([bisect_left(tail, size) if tail else 0 for tail in tails], np.int64)

    def holders(self, codes: Instants, size: int, top: int) -> tuple[Instants, Selection, Instants]:
        """The newest `top` of the first `size` memories that mention each of these names.

        How many mention each name; then, for each memory, in the order of the names, whose
        holder it is, as an index into the names, and its ordinal.
        """
        based, later = self._based(codes, size), self._later(codes, size)
        newest = np.minimum(later, top)
        older = np.minimum(based, top - newest)
        begins = self._base_starts.take(codes, mode="clip")
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
RELATION_PREFIX = ">"  # begins a relation among the terms of a text, which no stemmed word does
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


# -- periods ---------------------------------------------------------------------------
PERIOD_PREFIX = "~"  # begins a period among the terms of a text, which no stemmed word does
BEGUN = PERIOD_PREFIX  # Term of each memory that tells of a day before the one on which it was said
_AFTER_PERIODS = chr(ord(PERIOD_PREFIX) + 1)


def period_terms(told: Sequence[Days], said_on: int) -> list[str]:
    """Terms of the periods that a text tells of; `said_on` is its day, counted from 1970."""
    terms = [f"{PERIOD_PREFIX}{days.first}:{days.end}" for days in told]
    return [*terms, BEGUN] if any(days.end <= said_on for days in told) else terms


class Periods:
    """Distinct periods that the memories of a space tell of, each with its term."""

    def __init__(self, terms: Sequence[str] = ()) -> None:
        """A base's sorted terms, of which the periods are some."""
        self._terms: list[str] = []
        self._known = set[str]()
        self._days = GrowingArray(np.int64, width=2)
        first, last = bisect_right(terms, BEGUN), bisect_left(terms, _AFTER_PERIODS)
        self.add(terms[first:last])

    def add(self, terms: Iterable[str]) -> None:
        """Note the periods of the next memory."""
        fresh = [term for term in dict.fromkeys(terms) if term not in self._known and term != BEGUN]
        if fresh:
            self._known.update(fresh)
            self._terms += fresh
            # Last: readers in other threads go by the number of days.
            self._days.extend([int(day) for term in fresh for day in term[1:].split(":")])

    def days(self) -> tuple[Instants, Instants]:
        """First days of the periods, and the days after their last, counted from 1970."""
        days = self._days.rows
        return days[:, 0], days[:, 1]

    def term(self, number: int) -> str:
        """Term of a period by its place in `days`."""
        return self._terms[number]

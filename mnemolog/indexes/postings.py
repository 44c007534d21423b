"""Postings of terms, so that BM25 is exact as of any moment, and shapes of texts.

A memory is an ordinal: its place among the space's memories in order of position. Postings ascend
by ordinal, so the memories up to a moment are a prefix of every list, and N, document frequency and
mean length of that prefix are exact at the price of a bisection.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import NOBODY, GrowingArray, Names
from mnemolog.language.sentences import sentence_texts

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

    def postings(self, term: str, size: int) -> tuple[Numbers, Counts]:
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

    def frozen(self, size: int) -> PostingArrays:
        """The lists of the first `size` memories as arrays, terms sorted."""
        terms, starts, ordinals, counts = [], [0], [], []
        for term in sorted(self._base_index.keys() | self._tail.keys()):
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


# -- shapes ----------------------------------------------------------------------------
_SPEAKER = re.compile(r"([^\n:]{1,40}): ")
# Standing instructions, for all time to come and not for one occasion.
_STANDING = re.compile(
    r"^(please )?(always|never) \w|\b(from now on|going forward|in future|when(ever)? i ask)\b"
    r"|\bi (always |usually |generally |really |strongly |still |much |would |'d )*prefer\b",
    re.IGNORECASE,
)


class Shape(msgspec.Struct, frozen=True):
    """One text: words, words in its questions, whether it asks, the name it begins with.

    `standing` says that it gives an instruction or a preference for good.
    """

    words: int
    asked: int
    asks: bool
    speaker: str | None
    standing: bool = False


def shape_of(text: str, words: int, source: str | None) -> Shape:
    """The shape of a text of so many words.

    The speaker is the `Name:` that a line of talk begins with, or else the name
    of a `user:` source.
    """
    questions = [part for part in sentence_texts(text) if "?" in part] if "?" in text else []
    named = _SPEAKER.match(text)
    speaker = named[1].casefold() if named else None
    if speaker is None and source is not None and source.startswith("user:"):
        speaker = source.removeprefix("user:").casefold()
    return Shape(
        words=max(1, words),
        asked=sum(len(part.split()) for part in questions),
        asks=bool(questions),
        speaker=speaker,
        standing=_STANDING.search(text[named.end() :] if named else text) is not None,
    )


class ShapeArrays(msgspec.Struct, frozen=True):
    """The shapes of many texts, by ordinal; `speakers` are indexes into `names` or -1."""

    words: Numbers
    asked: Numbers
    asks: npt.NDArray[np.bool_]
    speakers: Numbers
    standing: npt.NDArray[np.bool_]
    names: list[str]


class Shapes:
    """The shapes of a space's memories, by ordinal.

    `words` is at least 1; `asked` is how many of them are in questions; `asks` tells if there
    is a question; `speakers` are indexes into `names_of`, or -1; `standing` tells a lasting
    instruction or preference.
    """

    def __init__(self, base: ShapeArrays | None = None) -> None:
        self.words = GrowingArray(np.int32)
        self.asked = GrowingArray(np.int32)
        self.asks = GrowingArray(np.bool_)
        self.speakers = GrowingArray(np.int32)
        self.standing = GrowingArray(np.bool_)
        self._inverse_words = GrowingArray(np.float64)
        self._names = Names(() if base is None else base.names)
        # Where each name first speaks; ascending, as names are numbered in that order.
        self._first_spoken: list[int] = []
        if base is not None:
            self.words.extend(base.words)
            self.asked.extend(base.asked)
            self.asks.extend(base.asks)
            self.speakers.extend(base.speakers)
            self.standing.extend(base.standing)
            self._inverse_words.extend(np.cumsum(1.0 / base.words))
            codes, first = np.unique(base.speakers, return_index=True)
            self._first_spoken = first[codes != NOBODY].tolist()

    def __len__(self) -> int:
        return len(self.words)

    def add(self, shapes: Sequence[Shape]) -> None:
        """Add the next memories' shapes."""
        total = self._inverse_words.rows[-1] if len(self) else 0.0
        for ordinal, shape in enumerate(shapes, len(self)):
            total += 1.0 / shape.words
            self._inverse_words.extend([total])
            code = self._names.code(shape.speaker)
            if code == len(self._first_spoken):
                self._first_spoken.append(ordinal)
            self.speakers.extend([code])
        self.asked.extend([shape.asked for shape in shapes])
        self.asks.extend([shape.asks for shape in shapes])
        self.standing.extend([shape.standing for shape in shapes])
        self.words.extend([shape.words for shape in shapes])

    def names_of(self, size: int) -> list[str]:
        """Speakers of the first `size` memories, by number."""
        return self._names.known[: bisect_left(self._first_spoken, size)]

    def usual_words(self, size: int) -> float:
        """The harmonic mean length of the first `size` memories, in words."""
        return size / float(self._inverse_words.rows[size - 1]) if size else 1.0

    def frozen(self, size: int) -> ShapeArrays:
        """The first `size` shapes as arrays."""
        asked, asks = self.asked[:size], self.asks[:size]
        speakers, standing = self.speakers[:size], self.standing[:size]
        return ShapeArrays(self.words[:size], asked, asks, speakers, standing, self.names_of(size))

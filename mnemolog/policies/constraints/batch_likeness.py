"""Likeness of many sentences at once to statements that limit, that last, and that instruct.

It is that of `likeness` and `instructions`, with whose weights it compares: the words of all
sentences are weighed together, and their vectors multiplied with the landmarks as one matrix.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import chain, repeat
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mnemolog.policies.constraints.instructions import (
    ENDINGS,
    LONGEST_RUN,
    STARTS,
    instruction_weights,
    pieces_of,
    sorts_of,
)
from mnemolog.policies.constraints.likeness import (
    Floats,
    LikenessWeights,
    fitted_weights,
    kernel,
    lasting_weights,
    words_in_order,
)

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_NO_KEY = np.iinfo(np.int64).max
_FEW, _MANY = 2, 128  # vectors


class WordShares(NamedTuple):
    """Shares of words in the likeness of texts.

    `alone` of shape (texts,) is the likeness by words alone, `beside` of shape
    (texts, 1 + classes) is added to the likeness by meaning.
    """

    alone: Floats
    beside: Floats


class SentenceWords(NamedTuple):
    """Shares of words in the likeness of sentences to each sort of statement."""

    limits: WordShares
    lasting: WordShares
    instructions: WordShares


def sentence_words(sentences: Sequence[str]) -> SentenceWords:
    """Shares of words of some sentences, as `likeness.likeness` weighs them."""
    places, terms, sorts = _terms()
    sums = np.zeros((len(sentences), terms.shape[1]), np.float32)
    if len(sentences):
        owners, grams = places.of(sentences)
        sums = np.add.reduceat(terms[grams], np.searchsorted(owners, np.arange(len(sentences))))
    return SentenceWords(*(_shares(part) for part in np.split(sums, sorts, axis=1)))


def meaning(vectors: Floats, weights: LikenessWeights) -> Floats:
    """Shares of meaning in the likeness of sentences: shape (sentences, 1 + classes).

    `vectors` of shape (sentences, dimensions) are unit vectors by `likeness.FITTED_TO`.
    """
    if len(vectors) <= _FEW:
        # For so few numbers, the threads of a matrix product wait for each other for longer.
        return kernel(np.vecdot(vectors[:, None, :], weights.landmarks)) @ weights.by_landmark
    # So many rows at once stay in the processor's cache.
    parts = np.split(vectors, range(_MANY, len(vectors), _MANY))
    near = [kernel(part @ weights.landmarks.T) @ weights.by_landmark for part in parts]
    return np.concatenate(near)


class _Runs:
    """Places of known runs of up to three words: a run is a number with a digit for each word."""

    def __init__(self, places: Mapping[tuple[str, ...], int], words: Iterable[str] = ()) -> None:
        """`words` have numbers of their own, too, in a run or not."""
        known = sorted({*chain.from_iterable(places), *words})
        self._numbers = {word: number for number, word in enumerate(known, 1)}
        self._base = len(known) + 1
        keys = [self._key(self.numbers(run)) for run in places]
        order = np.argsort(keys)
        self._keys = np.array([*keys, _NO_KEY], np.int64)[[*order, -1]]
        self._places = np.array([*places.values()], np.int64)[order]

    def numbers(self, words: Iterable[str]) -> Numbers:
        """Number of each word, 0 of an unknown one."""
        return np.fromiter(map(self._numbers.get, words, repeat(0)), np.int64)

    def among(self, words: Iterable[str]) -> Flags:
        """Whether each number is that of one of some words."""
        flags = np.zeros(self._base, np.bool_)
        flags[self.numbers(words)] = True
        return flags

    def found(self, numbers: Numbers, longest: int) -> Iterator[tuple[Numbers, Numbers]]:
        """Where in a row of words the known runs of each length begin, and their places."""
        keys = numbers
        for length in range(1, longest + 1):
            if length > 1:
                keys = keys[:-1] * self._base + numbers[length - 1 :]
            near = self._keys.searchsorted(keys)
            # Behind an unknown word, a run would be taken for a shorter one.
            begins = ((self._keys[near] == keys) & (numbers[: len(keys)] > 0)).nonzero()[0]
            yield begins, self._places[near[begins]]

    def _key(self, numbers: Numbers) -> int:
        return reduce(lambda key, number: key * self._base + number, numbers.tolist(), 0)


class _Places:
    """Places of known grams: of words and pairs of words, of runs of shapes, of pairs of signs.

    The words of all sentences are one row, as are their shapes: the marks at the ends keep runs
    from reaching from one sentence into the next.
    """

    def __init__(self, grams: Iterable[str]) -> None:
        words: dict[tuple[str, ...], int] = {}
        shapes: dict[tuple[str, ...], int] = {}
        signs: dict[tuple[str, ...], int] = {}
        for place, gram in enumerate(grams, 1):
            if "&" in gram:
                signs[tuple(gram[1:].split("&"))] = place
            else:
                known = shapes if gram[0] == "~" else words
                known[tuple(gram.removeprefix("~").split(" "))] = place
        self._words = _Runs(words)
        self._shapes = _Runs(shapes, [*STARTS, *ENDINGS, *chain.from_iterable(signs)])
        self._starts, self._endings = map(self._shapes.among, (STARTS, ENDINGS))
        self._signs = self._shapes.numbers(chain.from_iterable(signs)).reshape(-1, 2).T
        self._of_signs = np.array([*signs.values()], np.int64)
        self._count = sum(map(len, (words, shapes, signs))) + 1

    def of(self, sentences: Sequence[str]) -> tuple[Numbers, Numbers]:
        """Sentences in order, each as often as it has known grams, and their places.

        Place 0 stands for the unknown grams; every sentence has it.
        """
        owners, places = [np.arange(len(sentences))], [np.zeros(len(sentences), np.int64)]
        for found in (self._of_words(sentences), self._of_shapes(sentences)):
            for of, those in found:
                owners.append(of)
                places.append(those)
        # A gram counts once a sentence.
        keys = np.sort(np.concatenate(owners) * self._count + np.concatenate(places))
        distinct = np.ones(len(keys), np.bool_)
        distinct[1:] = keys[1:] != keys[:-1]
        return np.divmod(keys[distinct], self._count)

    def _of_words(self, sentences: Sequence[str]) -> Iterator[tuple[Numbers, Numbers]]:
        words = [*map(words_in_order, sentences)]
        owners, numbers = _owners(words), self._words.numbers(chain.from_iterable(words))
        for begins, places in self._words.found(numbers, 2):
            yield owners[begins], places

    def _of_shapes(self, sentences: Sequence[str]) -> Iterator[tuple[Numbers, Numbers]]:
        pieces = [*map(pieces_of, sentences)]
        sorts = [*map(sorts_of, chain.from_iterable(pieces))]
        inside, first = (self._shapes.numbers(map(itemgetter(one), sorts)) for one in (0, 1))
        shapes = inside.copy()
        shapes[1:] = np.where(self._starts[inside[:-1]], first[1:], inside[1:])
        # As in `shape_of_words`, equal endings in a row count once.
        kept = ~self._endings[shapes]
        kept[1:] |= shapes[1:] != shapes[:-1]
        owners, shapes = _owners(pieces)[kept], shapes[kept]
        for begins, places in self._shapes.found(shapes, LONGEST_RUN):
            yield owners[begins], places
        having = np.zeros((len(sentences), len(self._starts)), np.bool_)
        having[owners, shapes] = True
        having = having[:, self._signs]
        of, pairs = np.nonzero(having[:, 0] & having[:, 1])
        yield of, self._of_signs[pairs]


def _owners(found: Sequence[Sequence[str]]) -> Numbers:
    return np.repeat(np.arange(len(found)), [*map(len, found)])


@cache
def _terms() -> tuple[_Places, Floats, list[int]]:
    """Places of known grams, their terms in the sums of a text, and where each sort's begin.

    The terms of a sort of statements are the gram's rarity squared, and times each weight.
    """
    known = (fitted_weights(), lasting_weights(), instruction_weights())
    grams = [*dict.fromkeys(chain.from_iterable(weights.grams for weights in known))]
    places = {gram: place for place, gram in enumerate(grams, 1)}
    columns = []
    for weights in known:
        factors = np.column_stack([weights.rarity, weights.by_words, weights.by_gram])
        terms = np.zeros((len(grams) + 1, factors.shape[1]), np.float32)
        terms[[*map(places.__getitem__, weights.grams)]] = factors * weights.rarity[:, None]
        columns.append(terms)
    begins = np.cumsum([terms.shape[1] for terms in columns])[:-1]
    return _Places(grams), np.concatenate(columns, axis=1), begins.tolist()


def _shares(sums: Floats) -> WordShares:
    """Shares from sums of terms: a text's rarities are weighed as a unit vector."""
    lengths = np.maximum(np.sqrt(sums[:, :1]), 1e-12).astype(np.float32)
    scaled: Floats = sums[:, 1:] / lengths
    return WordShares(scaled[:, 0], scaled[:, 1:])

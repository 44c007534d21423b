"""Likeness of many sentences at once to statements that limit, that last, and that instruct.

It is that of `likeness` and `instructions`, with whose weights it compares: the words of all
sentences are weighed together, and their vectors multiplied with the landmarks as one matrix.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, combinations, pairwise, repeat
from typing import NamedTuple

import numpy as np

from mnemolog.policies.constraints.instructions import (
    instruction_weights,
    shape_of_words,
    signs_of,
)
from mnemolog.policies.constraints.likeness import (
    Floats,
    LikenessWeights,
    fitted_weights,
    kernel,
    lasting_weights,
    words_in_order,
)

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
    # A set takes many times the room of a list.
    found = [[*places.of(one)] for one in sentences]
    counts = np.array([*map(len, found)], np.intp)
    sums = np.zeros((len(sentences), terms.shape[1]), np.float32)
    if len(sentences):
        taken = np.fromiter(chain.from_iterable(found), np.intp, counts.sum())
        sums = np.add.reduceat(terms[taken], np.cumsum(counts) - counts)
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


class _Places:
    """Places of known grams: of words and pairs of words, of runs of shapes, of pairs of signs.

    A run is looked up as a tuple of its words, which is faster than to join them.
    """

    def __init__(self, grams: Iterable[str]) -> None:
        self._words: dict[str | tuple[str, ...], int] = {}
        self._shapes: dict[str | tuple[str, ...], int] = {}
        self._signs: dict[tuple[str, ...], int] = {}
        for place, gram in enumerate(grams, 1):
            if "&" in gram:
                self._signs[tuple(gram[1:].split("&"))] = place
                continue
            known = self._shapes if gram[0] == "~" else self._words
            run = gram.removeprefix("~").split(" ")
            known[tuple(run) if len(run) > 1 else run[0]] = place

    def of(self, sentence: str) -> set[int]:
        """Places of the known grams of a sentence; 0 stands for the unknown ones."""
        words, shape = words_in_order(sentence), shape_of_words(sentence)
        word, run, unknown = self._words.get, self._shapes.get, repeat(0)
        return {
            0,
            *map(word, words, unknown),
            *map(word, pairwise(words), unknown),
            *map(run, shape, unknown),
            *map(run, pairwise(shape), unknown),
            *map(run, zip(shape, shape[1:], shape[2:], strict=False), unknown),
            *map(self._signs.get, combinations(signs_of(shape), 2), unknown),
        }


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

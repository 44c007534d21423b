"""Rerankers: the port, and an implementation by phrases."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import combinations
from typing import Protocol

from mnemolog.language.analysis import STOP_WORDS, Analyzer
from mnemolog.recall.search.checks import RerankerName

CANDIDATES, KEPT = 50, 20
RERANK_SHARE = 0.6
_NEAR = 10


class Reranker(Protocol):
    """Reranker port: scores how well texts answer a cue, deterministically."""

    @property
    def name(self) -> str:
        """Name of this reranker, shown with each answer."""
        ...

    def scores(self, cue: str, texts: Sequence[str]) -> Sequence[float]:
        """Scores in [0, 1], one per text, higher for a better answer."""
        ...


def reranker_named(name: RerankerName) -> Reranker | None:
    """Reranker of this name; None for `off`."""
    return PhraseReranker() if name == "phrases" else None


class PhraseReranker:
    """Reranker by the proximity of the cue's words in a text.

    Scores each pair of the cue's content words by the inverse of their least distance in
    words, 0 beyond ten, and takes the mean over all pairs (compare Tao & Zhai 2007).
    """

    name = "phrases"

    def __init__(self) -> None:
        self._analyzer = Analyzer()

    def scores(self, cue: str, texts: Sequence[str]) -> list[float]:
        """Scores in [0, 1], one per text."""
        stem = self._analyzer.stem
        surface = self._analyzer.surface(cue)
        wanted = list(dict.fromkeys(stem(w) for w in surface if w not in STOP_WORDS))
        return [self._closeness(wanted, text) for text in texts]

    def _closeness(self, wanted: Sequence[str], text: str) -> float:
        places: dict[str, list[int]] = {word: [] for word in wanted}
        for place, word in enumerate(self._analyzer.words(text)):
            if word in places:
                places[word].append(place)
        if len(wanted) < 2:  # noqa: PLR2004 - closeness is of two
            return float(any(places.values()))
        pairs = list(combinations(places.values(), 2))
        distances = [_least_distance(*pair) for pair in pairs]
        return sum((1 / one for one in distances if one <= _NEAR), 0.0) / len(pairs)


def _least_distance(some: Sequence[int], others: Sequence[int]) -> int:
    """Least distance between two ascending lists of places; `_NEAR + 1` if one is empty."""
    least = _NEAR + 1
    for place in some:
        after = bisect_left(others, place)
        for other in others[max(0, after - 1) : after + 1]:
            least = min(least, abs(other - place))
    return least

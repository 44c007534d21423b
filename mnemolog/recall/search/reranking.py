"""Reranking: the best candidates of a recall, read again together with the cue.

    order by 0.6 · score / best score + 0.4 · (own + ½ lent)

`own` is the reranker's score of a text, softened. `lent` is what the memories beside it in their
conversation lend it of theirs, as they lend meaning (`recall.search.match.Surroundings`): "Yes, on
Friday" answers what was asked before it. Only texts that were read lend.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import combinations
from typing import Protocol

import numpy as np
from msgspec.structs import replace

from mnemolog.indexes.columns import Floats
from mnemolog.indexes.cross_encoder import CrossEncoder
from mnemolog.language.analysis import STOP_WORDS, Analyzer
from mnemolog.ledger.errors import InvalidField, InvalidNumber
from mnemolog.recall.search.match import Surroundings
from mnemolog.recall.search.space_search import Ranked, SpaceSearch

CANDIDATES = 20  # Most hits that a reranker reads
_SHARE = 0.4  # Share of a reranker in the order
_SOFTENING = 4  # Divisor of a score's logit
_NEAR = 10  # Distance in words up to which two words of a text are near


class Reranker(Protocol):
    """Reranker port: scores how well texts answer a cue, deterministically."""

    @property
    def name(self) -> str:
        """Name of this reranker, shown with each answer."""
        ...

    def scores(self, cue: str, texts: Sequence[str]) -> Sequence[float]:
        """Scores in [0, 1], one per text in their order: the chance that it answers the cue.

        Recall raises `InvalidNumber` for a score outside [0, 1], and `InvalidField` for another
        number of scores than of texts.
        """
        ...


def reranked(
    ranked: Sequence[Ranked],
    spaces: Sequence[SpaceSearch],
    cue: str,
    texts: Sequence[str],
    reranker: Reranker,
) -> list[Ranked]:
    """Hits, best first, in the order of the search and of a reranker of their `texts` together.

    The places keep their scores, so a list ends where it would have ended. Raises `InvalidField`
    or `InvalidNumber` for scores that break the contract of `Reranker`.
    """
    scores = _checked(reranker.scores(cue, texts), len(texts), reranker.name)
    by_score = sorted(range(len(scores)), key=lambda place: -scores[place])
    ranks = {place: rank for rank, place in enumerate(by_score, 1)}
    best = max((item.score for item in ranked), default=0.0) or 1.0
    searched = np.array([item.score / best for item in ranked])
    softened = np.array([_softened(score) for score in scores])
    both = (1 - _SHARE) * searched + _SHARE * _with_lent(ranked, spaces, softened)
    order = np.argsort(-both, kind="stable").tolist()
    return [
        replace(
            ranked[place],
            score=at.score,
            ranks={**ranked[place].ranks, "rerank": ranks[place]},
            scores={**ranked[place].scores, "rerank": scores[place]},
        )
        for at, place in zip(ranked, order, strict=True)
    ]


def _softened(score: float) -> float:
    """Score with its logit divided: models give nearly 0 or 1, also where they are hardly sure."""
    yes, no = score ** (1 / _SOFTENING), (1 - score) ** (1 / _SOFTENING)
    softened: float = yes / (yes + no)
    return softened


def _with_lent(ranked: Sequence[Ranked], spaces: Sequence[SpaceSearch], scores: Floats) -> Floats:
    """Scores of hits with what the hits beside them in a conversation lend."""
    whole = np.zeros(len(ranked))
    for search in spaces:
        places = [place for place, item in enumerate(ranked) if item.space == search.space]
        columns = search.state.columns
        ordinals = np.array([columns.ordinal(ranked[place].memory) for place in places], np.intp)
        around = Surroundings(search.texts, ordinals)
        read = np.zeros(len(around.ordinals))
        read[around.ordinals.searchsorted(ordinals)] = scores[places]
        whole[places] = around.meaning(read)[1]
    return whole


def _checked(scores: Sequence[float], texts: int, name: str) -> list[float]:
    given = [float(score) for score in scores]
    if len(given) != texts:
        problem = f"{name!r} gave {len(given)} scores for {texts} texts"
        raise InvalidField("reranker", problem, "give one per text")
    for score in given:
        if not 0 <= score <= 1:
            raise InvalidNumber("reranker", f"{name!r} gave the score {score}", "give 0 to 1")
    return given


class ModelReranker:
    """Reranker by a cross-encoder with one output: its scores are the logits' sigmoids.

    `scores` raises `InvalidField` if the model cannot run.
    """

    def __init__(self, name: str, encoder: CrossEncoder) -> None:
        self.name, self._encoder = name, encoder

    def scores(self, cue: str, texts: Sequence[str]) -> list[float]:
        """Scores in [0, 1], one per text."""
        # One pair a run: int8 models scale their activations by the whole batch, so that the
        # score of a pair would depend on the others. Batches are no faster on two cores.
        try:
            return [self._encoder.chances([(cue, text)])[0] for text in texts]
        except ValueError as error:
            problem, fix = (
                f"{self.name} cannot read a text: {error}",
                "set it to off, or to another",
            )
            raise InvalidField("reranker", problem, fix) from error


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
        stem, surface = self._analyzer.stem, self._analyzer.surface(cue)
        wanted = list(dict.fromkeys(stem(w) for w in surface if w not in STOP_WORDS))
        return [self._closeness(wanted, text) for text in texts]

    def _closeness(self, wanted: Sequence[str], text: str) -> float:
        places: dict[str, list[int]] = {word: [] for word in wanted}
        for place, word in enumerate(self._analyzer.words(text)):
            if word in places:
                places[word].append(place)
        pairs = [_least_distance(*pair) for pair in combinations(places.values(), 2)]
        if not pairs:
            return float(any(places.values()))
        return sum((1 / one for one in pairs if one <= _NEAR), 0.0) / len(pairs)


def _least_distance(some: Sequence[int], others: Sequence[int]) -> int:
    """Least distance between two ascending lists of places; `_NEAR + 1` if one is empty."""
    least = _NEAR + 1
    for place in some:
        after = bisect_left(others, place)
        for other in others[max(0, after - 1) : after + 1]:
            least = min(least, abs(other - place))
    return least

"""Measures of recall and of contexts: rankings, bootstrap intervals, and judges of support."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from mnemolog.evaluation.labelled import Grades
from mnemolog.language.sentences import sentence_texts
from mnemolog.results import Value

DEPTH = 10
RESAMPLES = 2_000
LEAST_RESAMPLES = 1_000
CONFIDENCE = 0.95
_AT_ONCE = 1 << 20

_SUPPORTED = 0.75
_BEARS = 0.5
_NEGATED = re.compile(
    r"\b(not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b"
    "|n['\N{RIGHT SINGLE QUOTATION MARK}]t\\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")

Terms = Callable[[str], Iterable[str]]


class Measures(Value, frozen=True):
    """Ranking measures, each a mean over queries in [0, 1]."""

    queries: int
    recall_at_5: float
    recall_at_10: float
    ndcg_at_10: float
    mrr_at_10: float


def measured(rankings: Mapping[str, Sequence[str]], gold: Mapping[str, Grades]) -> Measures:
    """Mean measures over the ranked queries; every one of them must have gold."""
    each = np.array([ranked(ranking, gold[query]) for query, ranking in rankings.items()])
    means = each.mean(axis=0) if len(each) else np.zeros(4)
    return Measures(len(each), *means.tolist())


def ranked(ranking: Sequence[str], gold: Grades) -> tuple[float, float, float, float]:
    """recall@5, recall@10, nDCG@10 and the reciprocal rank of the first answer in a ranking."""
    gains = [gold.get(found, 0) for found in ranking[:DEPTH]]
    ideal = sorted(gold.values(), reverse=True)[:DEPTH]
    return (
        sum(gain > 0 for gain in gains[:5]) / len(gold),
        sum(gain > 0 for gain in gains) / len(gold),
        _discounted(gains) / _discounted(ideal),
        next((1 / rank for rank, gain in enumerate(gains, 1) if gain), 0.0),
    )


def precision(ranking: Sequence[str], gold: Grades) -> float:
    """Precision of a list: the share of it that answers; 0 for an empty list."""
    return sum(found in gold for found in ranking) / len(ranking) if ranking else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


class Interval(Value, frozen=True):
    """Mean over a number of queries, with the 95 % interval of the resampled means."""

    mean: float
    low: float
    high: float
    queries: int


def interval(values: Sequence[float], resamples: int = RESAMPLES, seed: int = 0) -> Interval:
    """Mean of values with its percentile bootstrap interval (Efron 1979); zeros if empty.

    Queries are resampled with replacement by a generator with this seed. To compare
    two strategies, pass their differences query by query.
    """
    given = np.asarray(values, np.float64)
    if not len(given):
        return Interval(0.0, 0.0, 0.0, 0)
    chance = np.random.default_rng(seed)
    means: list[float] = []
    step = max(1, _AT_ONCE // len(given))
    for start in range(0, resamples, step):
        drawn = chance.integers(0, len(given), (min(step, resamples - start), len(given)))
        means += given[drawn].mean(axis=1).tolist()
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(means, [tail, 100 - tail])
    return Interval(float(given.mean()), float(low), float(high), len(given))


class SupportJudge(Protocol):
    """Judge of an assembled context, and of an answer given from that context."""

    @property
    def name(self) -> str:
        """Name of the judge."""
        ...

    def bears(self, question: str, passage: str) -> bool:
        """True if a passage is relevant to a question."""
        ...

    def supports(self, passages: Sequence[str], statement: str) -> bool:
        """True if the passages support a statement."""
        ...


class WordJudge:
    """Judge by words alone: a lower bound, because it knows no paraphrase and no reasoning.

    A passage is relevant to a question if it holds half of the question's terms. A
    statement is supported if a passage holds three quarters of its terms and all of its
    numbers, and both are negated or neither is.
    """

    name = "words"

    def __init__(self, terms: Terms) -> None:
        """Judge that compares by `terms`: stemmed words without stop words."""
        self._terms = terms

    def bears(self, question: str, passage: str) -> bool:
        """True if a passage holds half of the question's terms."""
        return self._share(question, passage) >= _BEARS

    def supports(self, passages: Sequence[str], statement: str) -> bool:
        """True if a passage holds three quarters of a statement's terms and all of its numbers."""
        numbers = set(_NUMBER.findall(statement))
        return any(
            self._share(statement, passage) >= _SUPPORTED
            and numbers <= set(_NUMBER.findall(passage))
            and self._agrees(statement, passage)
            for passage in passages
        )

    def _share(self, wanted: str, passage: str) -> float:
        terms = frozenset(self._terms(wanted))
        return len(terms.intersection(self._terms(passage))) / len(terms) if terms else 0.0

    def _agrees(self, statement: str, passage: str) -> bool:
        """True if the passage's sentence nearest to a statement has the same negation."""
        parts = sentence_texts(passage)
        nearest = max(parts, key=lambda part: self._share(statement, part), default=passage)
        return bool(_NEGATED.search(statement)) == bool(_NEGATED.search(nearest))


def statements(answer: str) -> list[str]:
    """Statements of an answer: its sentences that are not questions."""
    return [statement for statement in sentence_texts(answer) if not statement.endswith("?")]


def faithfulness(judge: SupportJudge, passages: Sequence[str], answer: str) -> float | None:
    """Share of an answer's statements that passages support; None without statements."""
    stated = statements(answer)
    if not stated:
        return None
    return sum(judge.supports(passages, statement) for statement in stated) / len(stated)

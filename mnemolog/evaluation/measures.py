"""Ranking measures: precision, recall@k, nDCG@10 and reciprocal rank."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from mnemolog.evaluation.labelled import Grades
from mnemolog.results import Value

DEPTH = 10


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
    recall_at_5, recall_at_10, ndcg, mrr = each.mean(axis=0) if len(each) else np.zeros(4)
    return Measures(len(each), float(recall_at_5), float(recall_at_10), float(ndcg), float(mrr))


def ranked(ranking: Sequence[str], gold: Grades) -> tuple[float, float, float, float]:
    """recall@5, recall@10, nDCG@10 and the reciprocal rank of the first answer in a ranking."""
    gains = [gold.get(found, 0) for found in ranking[:DEPTH]]
    ideal = sorted(gold.values(), reverse=True)[:DEPTH]
    first = next((rank for rank, gain in enumerate(gains, 1) if gain), 0)
    return (
        sum(gain > 0 for gain in gains[:5]) / len(gold),
        sum(gain > 0 for gain in gains) / len(gold),
        _discounted(gains) / _discounted(ideal),
        1 / first if first else 0.0,
    )


def precision(ranking: Sequence[str], gold: Grades) -> float:
    """Precision of a list: the share of it that answers; 0 for an empty list."""
    return sum(found in gold for found in ranking) / len(ranking) if ranking else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))

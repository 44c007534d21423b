"""Candidates: the results of each search in a space, and their scores."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np

from mnemolog.recall.search.match import Floats, Ordinals

RRF_RANK = 60
SEARCHES = ("semantic", "keyword", "graph")
Fusion = tuple[float, float, float]
"""Weights of the searches in rank fusion, in the order of `SEARCHES`."""

DEFAULT_FUSION: Fusion = (0.4, 0.3, 0.3)
FUSIONS: dict[str, Fusion] = {
    "single_shot": (0.3, 0.5, 0.2),
    "exploratory": (0.5, 0.2, 0.3),
    "graph": (0.2, 0.2, 0.6),
}
"""Fusion weights for special kinds of cues."""


class Found(msgspec.Struct, frozen=True):
    """Results of each search in a space: ordinals with their scores."""

    semantic: tuple[Ordinals, Floats]
    keyword: tuple[Ordinals, Floats]
    graph: tuple[Ordinals, Floats]

    def named(self) -> tuple[tuple[str, tuple[Ordinals, Floats]], ...]:
        """Results with the name of their search."""
        return tuple(zip(SEARCHES, (self.semantic, self.keyword, self.graph), strict=True))

    def ranks(self, shown: Ordinals) -> list[dict[str, int]]:
        """Ranks from 1 of these memories in each search that found them.

        Equal scores share the best rank.
        """
        ranks: list[dict[str, int]] = [{} for _ in shown]
        for name, (ordinals, scores) in self.named():
            if not len(ordinals):
                continue
            order = np.argsort(ordinals)
            places = order.take(np.searchsorted(ordinals, shown, sorter=order), mode="clip")
            higher = len(scores) - np.searchsorted(np.sort(scores), scores[places], side="right")
            for index in np.flatnonzero(ordinals[places] == shown):
                ranks[index][name] = 1 + int(higher[index])
        return ranks


class Scored(msgspec.Struct, frozen=True):
    """Candidates with their scores, the components of these scores, and their evidence.

    `taught` is the learned part of each score, negative for a memory that misled. `evidence`
    is None if the scores are one search's own, which cannot be calibrated.
    """

    ordinals: Ordinals
    score: Floats
    components: dict[str, Floats]
    taught: Floats
    evidence: Floats | None = None

    def at(self, index: int) -> dict[str, float]:
        """Components of one candidate's score, and the score itself."""
        return {
            name: float(values[index])
            for name, values in {**self.components, "score": self.score}.items()
        }


def placed(pool: Ordinals, ordinals: Ordinals, values: Floats) -> Floats:
    """Values of memories, ascending by ordinal, for each candidate: 0 where it has none."""
    found = np.zeros(len(pool))
    if len(ordinals):
        places = ordinals.searchsorted(pool)
        places[places == len(ordinals)] = 0
        inside = ordinals[places] == pool
        found[inside] = values[places[inside]]
    return found


def best(ordinals: Ordinals, scores: Floats, count: int) -> tuple[Ordinals, Floats]:
    """Highest positive scores and their ordinals: `count`, and all ties of the last."""
    kept = scores > 0
    if np.count_nonzero(kept) > count:
        kept &= scores >= np.partition(scores, len(scores) - count)[len(scores) - count]
    return ordinals[kept], scores[kept]


def ranking(ordinals: Ordinals, scores: Floats) -> dict[int, int]:
    """Ranks from 1; the newer of two equal scores comes first."""
    order = np.lexsort((-ordinals, -scores))
    return {int(ordinals[index]): rank for rank, index in enumerate(order, 1)}


def reciprocal_ranks(ranks: Mapping[str, Mapping[int, int]], fusion: Fusion) -> dict[int, float]:
    """Weighted reciprocal rank fusion over its maximum: Σ w / (60 + rank) (Cormack et al. 2009)."""
    weights = dict(zip(SEARCHES, fusion, strict=True))
    most = sum(weights[name] / (RRF_RANK + 1) for name in ranks)
    fused: dict[int, float] = {}
    for name, ranking in ranks.items():
        for ordinal, rank in ranking.items():
            share = weights[name] / (RRF_RANK + rank) / most
            fused[ordinal] = fused.get(ordinal, 0.0) + share
    return fused

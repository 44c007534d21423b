"""Hybrid relevance: a weighted sum of five components of a memory's relation to a cue.

    relevance = Σ weight · component, the weights of a Dirichlet distribution

All components are in [0, 1]: semantic, the match of words and meaning
(`recall.search.match`); association, learned co-access; temporal, recency times strength;
weight, the centre of the depth weight; spread, activation from the attention's centroid
and from the heaviest memories. Rank fusion is the alternative to this sum.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.recall.search.match import Floats, Ordinals, in_both

COMPONENTS = ("semantic", "association", "temporal", "weight", "spread")
PRIOR = (16.0, 1.0, 1.0, 1.0, 1.0)
"""Pseudo-counts by component: the match decides, the others break near-ties."""

OVERVIEW_SHARE = 1 / 3
"""Relevance cut-off of lists for a cue that asks for an overview, as a share of the usual one.

The answer is spread over many memories, and each contains little of it.
"""

_FADE_HOURS, _HOUR_US = 30 * 24.0, 3_600_000_000
_MIDPOINT, _SLOPE, _STEEPNESS = 0.4, 0.07, 1.5
_MEANING = 0.65
_RRF_RANK = 60

Fusion = tuple[float, float, float]
"""Weights of the searches in rank fusion: by meaning, by words and in the graph."""

DEFAULT_FUSION: Fusion = (0.4, 0.3, 0.3)
FUSIONS: dict[str, Fusion] = {
    "single_shot": (0.3, 0.5, 0.2),
    "exploratory": (0.5, 0.2, 0.3),
    "graph": (0.2, 0.2, 0.6),
}
"""Fusion weights for special kinds of cues."""

Scores = tuple[Ordinals, Floats]  # Ordinals of memories, and the score of each
Found = Mapping[str, Scores]
"""Results of the searches in a space: `semantic`, `keyword` and `graph`, in this order."""


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


class Blend(msgspec.Struct, frozen=True):
    """Weights of the components, which sum to 1; `seed` if they were drawn at random."""

    weights: tuple[float, ...]
    seed: int | None = None

    @property
    def by_component(self) -> dict[str, float]:
        """Weight of each component."""
        return dict(zip(COMPONENTS, self.weights, strict=True))


def blend(counts: tuple[float, ...] = PRIOR, seed: int | None = None) -> Blend:
    """Mean of a Dirichlet distribution, so that recall repeats; with a seed, a random draw."""
    if seed is None:
        return Blend(tuple(count / sum(counts) for count in counts))
    drawn = np.random.default_rng(seed).dirichlet(counts)
    return Blend(tuple(float(weight) for weight in drawn), seed)


MEAN = blend()  # Default weights, so that recall repeats


def recency(said_at: npt.NDArray[np.int64], instant: int) -> Floats:
    """Recency of memories at an instant (both in µs): 1 now, 1/e after 30 days."""
    # Whole hours, so that an answer does not change from one second to the next.
    age_hours = np.maximum(0, instant - said_at) // _HOUR_US
    faded: Floats = np.exp(-age_hours / _FADE_HOURS)
    return faded


def evidence(cosines: Floats, words: Floats, known: float) -> Floats:
    """Evidence from each memory, in [0, 1], that the store contains an answer to the cue.

    `words` is the share of the cue's known weight that the memory or its neighbours hold, a
    half if each word occurs once. `known` is the share of the cue in words that the store
    contains: a cue of unknown words is probably about something else.
    """
    covered = np.minimum(1.0, 2 * words) * known
    return _MEANING * np.maximum(0.0, cosines) + (1 - _MEANING) * covered


def calibrated(best: float) -> float:
    """Probability that an answer exists, given the best evidence for one: a logistic curve."""
    # Evidence is about 0.55 for cues that have an answer, 0.3 for cues about something else.
    return 1 / (1 + math.exp(-(best - _MIDPOINT) / _SLOPE))


def relevance_of(score: float, best_score: float, answered: float) -> float:
    """Relevance of a hit in [0, 1]: that of the best hit, reduced by its distance in score."""
    if best_score <= 0:
        return 0.0
    return answered * math.pow(min(1.0, max(0.0, score) / best_score), _STEEPNESS)


def placed(pool: Ordinals, ordinals: Ordinals, values: Floats) -> Floats:
    """Values of memories, ascending by ordinal, for each candidate: 0 where it has none."""
    found = np.zeros(len(pool))
    at, of = in_both(pool, ordinals)
    found[at] = values[of]
    return found


def best(ordinals: Ordinals, scores: Floats, count: int) -> Scores:
    """Highest positive scores and their ordinals: `count`, and all ties of the last."""
    kept = scores > 0
    if np.count_nonzero(kept) > count:
        kept &= scores >= np.partition(scores, len(scores) - count)[len(scores) - count]
    return ordinals[kept], scores[kept]


def ranks_in(found: Found, shown: Ordinals) -> list[dict[str, int]]:
    """Ranks from 1 of memories in each search that found them; equal scores share the best."""
    ranks: list[dict[str, int]] = [{} for _ in shown]
    for name, (ordinals, scores) in found.items():
        order = np.argsort(ordinals)
        at, places = in_both(shown, ordinals[order])
        higher = len(scores) - np.sort(scores).searchsorted(scores[order[places]], side="right")
        for index, ahead in zip(at.tolist(), higher.tolist(), strict=True):
            ranks[index][name] = 1 + ahead
    return ranks


def fused(found: Found, fusion: Fusion) -> dict[int, float]:
    """Weighted reciprocal rank fusion over its maximum: Σ w / (60 + rank) (Cormack et al. 2009)."""
    # The newer of two equal scores ranks first.
    searches = [(w, *each) for w, each in zip(fusion, found.values(), strict=True) if len(each[0])]
    most = sum(weight / (_RRF_RANK + 1) for weight, _, _ in searches)
    shares: dict[int, float] = {}
    for weight, ordinals, scores in searches:
        ranked = ordinals[np.lexsort((-ordinals, -scores))].tolist()
        for rank, ordinal in enumerate(ranked, 1):
            shares[ordinal] = shares.get(ordinal, 0.0) + weight / (_RRF_RANK + rank) / most
    return shares

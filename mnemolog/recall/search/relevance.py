"""Hybrid relevance: a weighted sum of five components of a memory's relation to a cue.

    relevance = Σ weight · component, the weights of a Dirichlet distribution

All components are in [0, 1]: semantic, the match of words and meaning
(`recall.search.match`); association, learned co-access; temporal, recency times strength;
weight, the centre of the depth weight; spread, activation from the attention's centroid
and from the heaviest memories.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.recall.search.match import Floats

COMPONENTS = ("semantic", "association", "temporal", "weight", "spread")
PRIOR = (16.0, 1.0, 1.0, 1.0, 1.0)
"""Pseudo-counts by component: the match decides, the others break near-ties."""

_FADE_HOURS = 30 * 24.0
_HOUR_US = 3_600_000_000
_MIDPOINT, _SLOPE = 0.4, 0.07
_MEANING = 0.65
_STEEPNESS = 1.5
OVERVIEW_SHARE = 1 / 3
"""Relevance cut-off of lists for a cue that asks for an overview, as a share of the usual one.

The answer is spread over many memories, and each contains little of it.
"""


class Blend(msgspec.Struct, frozen=True):
    """Weights of the components, which sum to 1; `seed` if they were drawn at random."""

    weights: tuple[float, ...]
    seed: int | None = None


def blend(counts: tuple[float, ...] = PRIOR, seed: int | None = None) -> Blend:
    """Mean of a Dirichlet distribution, so that recall repeats; with a seed, a random draw."""
    if seed is None:
        return Blend(tuple(count / sum(counts) for count in counts))
    drawn = np.random.default_rng(seed).dirichlet(counts)
    return Blend(tuple(float(weight) for weight in drawn), seed)


MEAN = blend()
"""Default weights, so that recall repeats."""


def recency(said_at: npt.NDArray[np.int64], instant: int) -> Floats:
    """Recency of memories at an instant (both in µs): 1 now, 1/e after 30 days.

    Counts whole hours, so that an answer does not change from one second to the next.
    """
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
    """Probability that an answer exists, given the best evidence for one.

    A logistic curve: evidence is about 0.55 for cues that have an answer, and about 0.3 for
    cues about something else.
    """
    return 1 / (1 + math.exp(-(best - _MIDPOINT) / _SLOPE))


def relevance_of(score: float, best_score: float, answered: float) -> float:
    """Relevance of a hit in [0, 1]: that of the best hit, reduced by its distance in score."""
    if best_score <= 0:
        return 0.0
    share = min(1.0, max(0.0, score) / best_score)
    return answered * math.pow(share, _STEEPNESS)

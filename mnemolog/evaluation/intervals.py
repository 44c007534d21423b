"""How far a mean would move with other queries of the same kind: the bootstrap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mnemolog.results import Value

RESAMPLES = 2_000
LEAST_RESAMPLES = 1_000
CONFIDENCE = 0.95
_AT_ONCE = 1 << 20


class Interval(Value, frozen=True):
    """A mean over so many queries, and where 95 % of the means of resampled queries lie."""

    mean: float
    low: float
    high: float
    queries: int


def interval(values: Sequence[float], resamples: int = RESAMPLES, seed: int = 0) -> Interval:
    """The mean of values with its percentile bootstrap interval (Efron 1979); zeros for none.

    Queries are drawn anew with replacement, by a generator of this seed. For
    the difference of two ways of answering, give the differences query by query.
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

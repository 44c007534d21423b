"""Bootstrap confidence intervals of a mean over queries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mnemolog.results import Value

RESAMPLES = 2_000
LEAST_RESAMPLES = 1_000
CONFIDENCE = 0.95
_AT_ONCE = 1 << 20


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

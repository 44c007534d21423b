"""Depth weights of memories, as Beta distributions, and their reinforcement.

A weight is Beta(a, b) with mean a / (a + b). Each reinforcement adds less to a, which never
exceeds a cap; b is constant.
"""

from __future__ import annotations

import random

Weight = tuple[float, float]
"""The two parameters of a depth weight, alpha and beta."""

ENTERED_WEIGHT: Weight = (1.0, 4.0)
"""What content begins with that was admitted: light, until it is met again."""

MOST_ALPHA = 16.0
"""No reinforcement raises alpha above this."""

GAIN = 0.1
"""The share of what is missing to the cap that one reinforcement adds."""

_PLAIN_CENTRE = 0.5


def centre(weight: Weight) -> float:
    """Mean of a Beta distribution, in (0, 1); 0.5 for an invalid one."""
    alpha, beta = weight
    return alpha / (alpha + beta) if alpha > 0 and beta > 0 else _PLAIN_CENTRE


def reinforced(weight: Weight) -> Weight:
    """Weight after one reinforcement: alpha moves a tenth of the way to its cap.

    Each reinforcement thus adds less than the one before. A weight whose alpha has reached
    the cap, such as an immutable memory's, does not change.
    """
    alpha, beta = weight
    if alpha >= MOST_ALPHA:
        return weight
    return min(MOST_ALPHA, alpha + GAIN * (MOST_ALPHA - alpha)), beta


def observed(weight: Weight, seed: int | None = None, name: str = "") -> float:
    """Value of a weight: its mean or, with a seed, a sample of its distribution.

    The sample depends only on the seed and on the name of the weighed item, so it is
    reproducible.
    """
    if seed is None:
        return centre(weight)
    # Not for secrets: a text seeds the generator in the same way on every machine.
    return random.Random(f"{seed}:{name}").betavariate(*weight)  # noqa: S311

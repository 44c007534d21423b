"""Depth weights: Beta distributions that say how much memories weigh, and how that grows.

A weight is Beta(a, b), its centre a / (a + b). Reinforcement adds to a, less each
time, and never lets it pass a cap; b stays.
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
    """The mean of a Beta distribution, in (0, 1); a half for what is none."""
    alpha, beta = weight
    return alpha / (alpha + beta) if alpha > 0 and beta > 0 else _PLAIN_CENTRE


def reinforced(weight: Weight) -> Weight:
    """A weight after one reinforcement: alpha comes nearer to its cap by a tenth of the way.

    So each adds less than the one before. A weight whose alpha has reached the cap,
    such as an immutable memory's, stays as it is.
    """
    alpha, beta = weight
    if alpha >= MOST_ALPHA:
        return weight
    return min(MOST_ALPHA, alpha + GAIN * (MOST_ALPHA - alpha)), beta


def observed(weight: Weight, seed: int | None = None, name: str = "") -> float:
    """What a weight is taken to be: its centre or, with a seed, a draw from its distribution.

    The draw hangs on the seed and on the name of what is weighed alone, so that
    it can be drawn again.
    """
    if seed is None:
        return centre(weight)
    # Not for secrets: a text seeds it in the same way on every machine.
    return random.Random(f"{seed}:{name}").betavariate(*weight)  # noqa: S311

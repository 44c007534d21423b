"""ACT-R activation of offered content.

    activation = base level + spreading + partial match + noise

(Anderson and Lebiere 1998). Activation decides what is admitted. It does not rank search
results; hybrid relevance does that, and plays no part here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Set as AbstractSet

import msgspec

DECAY = 0.5
"""How fast what was met fades from mind, the exponent of its age in hours."""

MISMATCH = 1.0
"""What it costs to have nothing of what is asked for."""

NOISE = 0.25
"""The scale of the noise by default, as is usual for ACT-R."""

_LEAST_DRAW = 2.0**-53


class Activation(msgspec.Struct, frozen=True):
    """Components of an activation, each rounded to six digits, as its event stores them.

    `spreading` is in [0, 1], or None if there was no source to spread from; `partial_match`
    is in [-1, 0].
    """

    base_level: float
    spreading: float | None
    partial_match: float
    noise: float

    @property
    def total(self) -> float:
        """Sum of all components."""
        return self.base_level + (self.spreading or 0.0) + self.partial_match + self.noise


def activation(
    ages_hours: Mapping[float, int], spread: float | None, match: float, noise: float
) -> Activation:
    """Activation from its components, rounded."""
    return Activation(
        round(base_level(ages_hours), 6),
        None if spread is None else round(spread, 6),
        round(match, 6),
        round(noise, 6),
    )


def base_level(ages_hours: Mapping[float, int]) -> float:
    """Base-level activation from the ages, in hours, of the meetings with an item.

    ln Σ t^-0.5 over the time t since each meeting. Ages below one hour count as one hour,
    so an item met once, just now, has base level 0. Raises `ValueError` if there is no age.
    """
    met = [often * max(1.0, age) ** -DECAY for age, often in ages_hours.items()]
    return math.log(math.fsum(met))


def spreading(cosines: Iterable[float]) -> float | None:
    """Spreading activation from the nearest source, in [0, 1]; None if there is no source.

    Sources are the attention, the identity, and the memories with the largest weights.
    """
    best = max(cosines, default=None)
    return None if best is None else min(1.0, max(0.0, best))


def partial_match(asked: AbstractSet[str], held: AbstractSet[str]) -> float:
    """Partial-match penalty in [-1, 0] for attention words that the content lacks; 0 for none."""
    if not asked:
        return 0.0
    return MISMATCH * (len(asked & held) / len(asked) - 1.0)


def logistic(draw: float, scale: float) -> float:
    """Logistic noise with mean 0 and this scale, from a uniform draw in [0, 1)."""
    inside = min(max(draw, _LEAST_DRAW), 1.0 - _LEAST_DRAW)
    return scale * math.log(inside / (1.0 - inside))

"""Activation of content that asks to be remembered, as ACT-R has it.

    activation = base level + spreading + partial match + noise

(Anderson and Lebiere 1998). It says what enters the memory, and never how well
a memory answers: hybrid relevance does that, and decides nothing here.
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
    """The parts of an activation, each rounded to six digits, as its event keeps them.

    `spreading` is in [0, 1], or None where there was nothing that it could spread
    from; `partial_match` is in [-1, 0].
    """

    base_level: float
    spreading: float | None
    partial_match: float
    noise: float

    @property
    def total(self) -> float:
        """All parts together."""
        return self.base_level + (self.spreading or 0.0) + self.partial_match + self.noise


def activation(
    ages_hours: Mapping[float, int], spread: float | None, match: float, noise: float
) -> Activation:
    """An activation of its parts, rounded."""
    return Activation(
        round(base_level(ages_hours), 6),
        None if spread is None else round(spread, 6),
        round(match, 6),
        round(noise, 6),
    )


def base_level(ages_hours: Mapping[float, int]) -> float:
    """How much recency and frequency have left of something met so often at these ages, in hours.

    ln Σ t^-0.5 over the times t since each meeting. The first hour counts as one, so
    that what was met once, just now, has 0. Raises `ValueError` for no age at all.
    """
    met = [often * max(1.0, age) ** -DECAY for age, often in ages_hours.items()]
    return math.log(math.fsum(met))


def spreading(cosines: Iterable[float]) -> float | None:
    """Activation that spreads from the nearest source of it, in [0, 1]; None if there is none.

    Sources are the attention, the identity, and the heaviest memories.
    """
    best = max(cosines, default=None)
    return None if best is None else min(1.0, max(0.0, best))


def partial_match(asked: AbstractSet[str], held: AbstractSet[str]) -> float:
    """What it costs, in [-1, 0], that content lacks words of what is attended to; 0 for none."""
    if not asked:
        return 0.0
    return MISMATCH * (len(asked & held) / len(asked) - 1.0)


def logistic(draw: float, scale: float) -> float:
    """A draw from [0, 1) as noise of a logistic distribution about 0, of this scale."""
    inside = min(max(draw, _LEAST_DRAW), 1.0 - _LEAST_DRAW)
    return scale * math.log(inside / (1.0 - inside))

"""The tiers through which a memory falls as it fades, and when it falls to the next.

Each tier has a limit of strength and a number of days: a memory falls to it once its
strength has been below the limit for so long. Both ends of that are known in advance,
so that a tick looks at what is due and at nothing else.
"""

from __future__ import annotations

import math
from typing import get_args

import msgspec

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import DAY_US, NEGLIGIBLE, Decay, Pace, days_until, remaining
from mnemolog.ledger.events import Recalled
from mnemolog.ledger.tiers import Tier


class Fall(msgspec.Struct, frozen=True):
    """A tier to which a memory falls whose strength has been below a limit for so many days.

    Days of decay: while time stands still for a space, nothing falls.
    """

    tier: Tier
    below: float
    days: float


ARCHIVED = Fall("archived", 0.3, 7)
FALLS = (
    ARCHIVED,
    Fall("summarized", 0.15, 30),
    Fall("tombstone", 0.05, 90),
    Fall("deleted", NEGLIGIBLE, 180),
)
"""The tiers below `active`, from the top."""

YOUNG_DAYS = 7
"""Calendar days for which a memory does not fall after it was said, at any pace."""

TIERS: tuple[Tier, ...] = get_args(Tier)
"""All tiers, from the top."""

LOWEST_BY_DEFAULT: Tier = "archived"
"""The lowest tier that memories reach unless their space's settings allow a lower one."""

FOREVER = Micros(1 << 62)
"""Until when a memory is sheltered that is pinned for good."""


Drop = tuple[Micros, float]
"""A weakening: its instant, and the strength of the trace before it."""


class Trace(msgspec.Struct, frozen=True):
    """Strength of a memory at an instant, from which it fades, more slowly by a factor.

    Until `sheltered_until` it falls to no tier, and no time counts below a limit.
    `drops` are its weakenings since that instant: before each it was stronger.
    """

    strength: float
    since: Micros
    slowing: float = 1.0
    sheltered_until: Micros = Micros(0)
    drops: tuple[Drop, ...] = ()


class FallConditions(msgspec.Struct, frozen=True):
    """Conditions of a memory's next fall: curve, trace, tier, and the lowest tier allowed.

    And its age: `said_at` is when it was said.
    """

    decay: Decay
    trace: Trace
    tier: Tier = "active"
    lowest: Tier = LOWEST_BY_DEFAULT
    said_at: Micros = Micros(0)


class Due(msgspec.Struct, frozen=True):
    """A fall to come: to which tier, since when below its limit, and when it is due."""

    tier: Tier
    below_since: Micros
    due_at: Micros


def strength_at(decay: Decay, trace: Trace, pace: Pace, instant: Micros) -> float:
    """The strength in [0, 1] of a memory at an instant after its trace."""
    days = pace.days(trace.since, instant)
    return remaining(_slowed(decay, trace), trace.strength, days)


def _slowed(decay: Decay, trace: Trace) -> Decay:
    return Decay(decay.curve, decay.rate * trace.slowing)


def reinforced(decay: Decay, trace: Trace, pace: Pace, recalled: Recalled) -> Trace:
    """The trace of a memory after a use, at an instant not before its own trace."""
    at = Micros(max(trace.since, recalled.at))
    return Trace(
        min(1.0, strength_at(decay, trace, pace, at) + recalled.gain),
        at,
        trace.slowing * recalled.slowing,
        trace.sheltered_until,
    )


def next_due(memory: FallConditions, pace: Pace) -> Due | None:
    """The next fall of a memory if nothing happens to it; None if there is none to come."""
    place = TIERS.index(memory.tier)
    trace, decay = memory.trace, memory.decay
    if (
        place >= TIERS.index(memory.lowest)
        or decay.curve == "none"
        or trace.sheltered_until >= FOREVER
    ):
        return None
    fall = FALLS[place]
    crossing = _crossing(decay, trace, pace, fall.below)
    if crossing is None:
        return None
    below_since = max(crossing, trace.sheltered_until)
    due_at = pace.after(below_since, fall.days)
    if due_at is None:
        return None
    grown = Micros(memory.said_at + YOUNG_DAYS * DAY_US)
    return Due(fall.tier, below_since, max(due_at, grown))


def _crossing(decay: Decay, trace: Trace, pace: Pace, below: float) -> Micros | None:
    """The instant from which a memory is below a limit of strength; None if it never is.

    Between weakenings it fades along one curve; each of them may take it below at once.
    """
    slowed = _slowed(decay, trace)
    begin = trace.since
    ends = [*trace.drops, (FOREVER, trace.strength)]
    for end, strength in ends:
        days = days_until(slowed, strength, below)
        reached = None if math.isinf(days) else pace.after(trace.since, days)
        if reached is not None and reached < end:
            return max(reached, begin)
        begin = end
    return None


def limit_of(tier: Tier) -> float:
    """The strength that a memory in a tier is below before it falls to the next; 0 for the last."""
    place = TIERS.index(tier)
    return FALLS[place].below if place < len(FALLS) else 0.0


def tier_of(strength: float) -> Tier:
    """The tier that a strength of its own holds: the highest whose limit it is not below."""
    for tier, fall in zip(TIERS, FALLS, strict=False):
        if strength >= fall.below:
            return tier
    return "deleted"

"""Decay of a memory's strength in closed forms, and its falls from tier to tier.

Strength is in [0, 1], time in days since the last reinforcement:

    exponential  S0 · e^(-rate·t)                       episodic (Ebbinghaus 1885)
    linear       max(0, S0 - rate·t)                    semantic
    plateau      S0 until rate·t = 90, then a Gaussian   procedural
                 fall, S0 · e^(-(rate·t - 90)² / (2·30²))
    none         S0                                     preferences, what is immutable or lasting

A memory falls to a tier once its strength has been below the tier's limit for so many days.
Both are known in advance: a tick looks only at what is due. `decimal` rounds exponentials and
logarithms alike on every machine, unlike C libraries, so that folds are equal to the bit.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from decimal import Context, Decimal
from functools import lru_cache
from operator import itemgetter
from typing import Literal, get_args

import msgspec

from mnemolog.ledger.clock import NEVER, Micros
from mnemolog.ledger.events import Importance, Recalled, Remembered, Volatility
from mnemolog.ledger.tiers import Tier

Curve = Literal["none", "exponential", "linear", "plateau"]

DAY_US = 86_400_000_000
PLATEAU_DAYS, FALL_DAYS = 90.0, 30.0
NEGLIGIBLE = 0.001  # A strength under this counts as none.
EXPONENTIAL_RATES: dict[Importance, float] = {"high": 0.01, "medium": 0.05, "low": 0.15}
LINEAR_RATES: dict[Volatility, float] = {"stable": 0.001, "normal": 0.005, "volatile": 0.05}
CONSTRAINT_FACTOR = 0.1  # Without a category, as for what a user prefers.
CATEGORY_FACTORS = {
    "user_identity": 0.05,
    "user_preference": 0.1,
    "error_correction": 0.3,
    "goal_progress": 0.4,
    "task_procedure": 0.5,
    "research_finding": 0.8,
    "external_fact": 1.0,
    "conversation_detail": 2.0,
}
"""Factors of the decay rate by category; 1 for any other."""

_CONTEXT = Context(prec=20)


class Decay(msgspec.Struct, frozen=True):
    """The curve that a memory's strength follows, and how fast."""

    curve: Curve
    rate: float


UNCHANGING = Decay("none", 0.0)


# Cached by the fields as they are: a fold asks once for every memory.
@lru_cache(maxsize=4096)
def _decay(
    kind: str,
    importance: Importance,
    volatility: Volatility,
    category: str | None,
    constraint: str | None,
) -> Decay:
    default = 1.0 if constraint is None else CONSTRAINT_FACTOR
    factor = CATEGORY_FACTORS.get(category or "", default)
    if kind == "episodic":
        return Decay("exponential", EXPONENTIAL_RATES[importance] * factor)
    if kind == "semantic":
        return Decay("linear", LINEAR_RATES[volatility] * factor)
    return Decay("plateau", factor) if kind == "procedural" else UNCHANGING


def decay_of(memory: Remembered) -> Decay:
    """The curve of a memory, by its kind, its importance or volatility, and its category."""
    if memory.immutable or memory.lasting:
        return UNCHANGING
    return _decay(
        memory.kind, memory.importance, memory.volatility, memory.category, memory.constraint
    )


def remaining(decay: Decay, initial: float, days: float) -> float:
    """The strength in [0, 1] that is left of `initial` after so many days (0 or more)."""
    left, faded = initial, decay.rate * days
    if decay.curve == "exponential":
        left = initial * _exp(-faded)
    elif decay.curve == "linear":
        left = initial - faded
    elif decay.curve == "plateau":
        beyond = max(0.0, faded - PLATEAU_DAYS) / FALL_DAYS
        left = initial * _exp(-beyond * beyond / 2)
    return left if left >= NEGLIGIBLE else 0.0


def days_until(decay: Decay, initial: float, below: float) -> float:
    """After how many days the strength falls below a limit over 0; infinity if never."""
    if initial <= below:
        return 0.0
    if decay.rate <= 0:
        return math.inf
    if decay.curve == "exponential":
        return _ln(initial / below) / decay.rate
    if decay.curve == "linear":
        return (initial - below) / decay.rate
    return (PLATEAU_DAYS + FALL_DAYS * math.sqrt(2 * _ln(initial / below))) / decay.rate


def _exp(power: float) -> float:
    return float(_CONTEXT.exp(Decimal(power)))


# Memories of one curve begin alike: a new pace asks for the same few numbers for all of them.
@lru_cache(maxsize=4096)
def _ln(number: float) -> float:
    return float(_CONTEXT.ln(Decimal(number)))


class Pace(msgspec.Struct, frozen=True):
    """Speeds of time, 1 unless set: ascending instants, and days of decay a day from then on."""

    speeds: Sequence[tuple[Micros, float]] = ()

    def days(self, begin: Micros, end: Micros) -> float:
        """Days of decay between two instants; 0 if they are not in order."""
        if not self.speeds:
            return max(0, end - begin) / DAY_US
        total = 0.0
        for start, stop, speed in self._stretches(begin):
            if start >= end:
                break
            total += speed * ((end if stop is None else min(stop, end)) - start) / DAY_US
        return total

    def after(self, begin: Micros, days: float) -> Micros | None:
        """The instant so many days of decay after another; None if it never comes."""
        if not self.speeds:
            passed = days * DAY_US
            return Micros(begin + math.ceil(passed)) if begin + passed < NEVER else None
        left = days
        for start, stop, speed in self._stretches(begin):
            held = math.inf if stop is None else speed * (stop - start) / DAY_US
            if left <= held and (speed > 0 or left <= 0):
                passed = left / speed * DAY_US if left > 0 else 0.0
                return Micros(start + math.ceil(passed)) if start + passed < NEVER else None
            left -= held
        return None

    def _stretches(self, begin: Micros) -> Iterator[tuple[Micros, Micros | None, float]]:
        """The stretches of one speed from an instant on: start, end (None: open), speed."""
        at = bisect_right(self.speeds, begin, key=itemgetter(0))
        start, held = begin, 1.0 if at == 0 else self.speeds[at - 1][1]
        for stop, speed in self.speeds[at:]:
            yield start, stop, held
            start, held = stop, speed
        yield start, None, held


class Fall(msgspec.Struct, frozen=True):
    """A tier to which a memory falls after so many days of decay below a limit of strength."""

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

YOUNG_DAYS = 7  # For so many calendar days after it was said, a memory does not fall at any pace.
TIERS: tuple[Tier, ...] = get_args(Tier)  # All tiers, from the top.
LOWEST_BY_DEFAULT: Tier = "archived"  # Unless the settings of a space allow a lower one.
FOREVER = Micros(1 << 62)  # A memory that is pinned for good is sheltered until then.
Drop = tuple[Micros, float]  # A weakening: its instant, and the strength of the trace before it.


class Trace(msgspec.Struct, frozen=True):
    """Strength of a memory at an instant, from which it fades, more slowly by a factor."""

    strength: float
    since: Micros
    slowing: float = 1.0
    sheltered_until: Micros = Micros(0)  # It falls to no tier, and no time counts below a limit.
    drops: tuple[Drop, ...] = ()  # Weakenings since: before each it was stronger.


class FallConditions(msgspec.Struct, frozen=True):
    """Conditions of a memory's next fall; `lowest` is the lowest tier that it may reach."""

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
    return remaining(_slowed(decay, trace), trace.strength, pace.days(trace.since, instant))


def _slowed(decay: Decay, trace: Trace) -> Decay:
    return Decay(decay.curve, decay.rate * trace.slowing)


def reinforced(decay: Decay, trace: Trace, pace: Pace, recalled: Recalled) -> Trace:
    """The trace of a memory after a use, at an instant not before its own trace."""
    at = Micros(max(trace.since, recalled.at))
    strength = min(1.0, strength_at(decay, trace, pace, at) + recalled.gain)
    return Trace(strength, at, trace.slowing * recalled.slowing, trace.sheltered_until)


def next_due(memory: FallConditions, pace: Pace) -> Due | None:
    """The next fall of a memory if nothing happens to it; None if there is none to come."""
    place, sheltered_until = TIERS.index(memory.tier), memory.trace.sheltered_until
    lasting = memory.decay.curve == "none" or sheltered_until >= FOREVER
    if lasting or place >= TIERS.index(memory.lowest):
        return None
    fall = FALLS[place]
    crossing = _crossing(memory.decay, memory.trace, pace, fall.below)
    if crossing is None:
        return None
    below_since = max(crossing, sheltered_until)
    due_at = pace.after(below_since, fall.days)
    grown = Micros(memory.said_at + YOUNG_DAYS * DAY_US)
    return None if due_at is None else Due(fall.tier, below_since, max(due_at, grown))


def _crossing(decay: Decay, trace: Trace, pace: Pace, below: float) -> Micros | None:
    # Between weakenings a memory fades along one curve; each may take it below at once.
    slowed, begin = _slowed(decay, trace), trace.since
    for end, strength in (*trace.drops, (FOREVER, trace.strength)):
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
    holding = (tier for tier, fall in zip(TIERS, FALLS, strict=False) if strength >= fall.below)
    return next(holding, "deleted")

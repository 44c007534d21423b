"""How strength fades, and when memories fall."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.clock import NEVER, Micros
from mnemolog.ledger.decay import (
    DAY_US,
    FALLS,
    FOREVER,
    TIERS,
    Curve,
    Decay,
    FallConditions,
    Pace,
    Trace,
    days_until,
    decay_of,
    next_due,
    reinforced,
    remaining,
    strength_at,
    tier_of,
)
from mnemolog.ledger.events import Recalled, Remembered

START = Micros(1_750_000_000_000_000)
CURVES: tuple[Curve, ...] = ("exponential", "linear", "plateau")
decays = st.builds(Decay, st.sampled_from(CURVES), st.floats(0.0005, 4.0))
strengths = st.floats(0.0, 1.0)
spans = st.floats(0.0, 2000.0)
paces = st.lists(
    st.tuples(st.integers(0, 400), st.sampled_from((0.0, 0.5, 1.0, 3.0))), max_size=4
).map(
    lambda changes: Pace(
        tuple((Micros(START + day * DAY_US), speed) for day, speed in sorted(dict(changes).items()))
    )
)


def test_episodes_fade_exponentially_by_importance() -> None:
    """An episode of middling importance loses a twentieth of what is left a day."""
    decay = decay_of(Remembered(kind="episodic"))
    assert remaining(decay, 1.0, 10) == pytest.approx(math.exp(-0.5), abs=1e-12)
    assert decay_of(Remembered(kind="episodic", importance="high")).rate == 0.01
    assert decay_of(Remembered(kind="episodic", importance="low")).rate == 0.15


def test_facts_fade_in_a_line_by_volatility() -> None:
    """A fact loses the same every day, until nothing is left."""
    stable = decay_of(Remembered(volatility="stable"))
    assert remaining(stable, 1.0, 100) == pytest.approx(0.9)
    assert remaining(stable, 1.0, 1001) == 0.0
    assert decay_of(Remembered(volatility="volatile")).rate == 0.05


def test_procedures_keep_their_strength_for_ninety_days() -> None:
    """A procedure stays whole until day 90, then falls like a Gaussian of 30 days."""
    decay = decay_of(Remembered(kind="procedural"))
    assert remaining(decay, 1.0, 90) == 1.0
    assert remaining(decay, 1.0, 120) == pytest.approx(math.exp(-0.5))


def test_preferences_and_what_is_immutable_do_not_fade() -> None:
    """Neither loses anything in a lifetime."""
    for one in (Remembered(kind="preference"), Remembered(kind="episodic", immutable=True)):
        assert remaining(decay_of(one), 1.0, 36_500) == 1.0


def test_categories_scale_the_rate() -> None:
    """Who the user is fades a twentieth as fast, small talk twice as fast; constraints slowly."""
    assert decay_of(Remembered(category="user_identity")).rate == pytest.approx(0.005 * 0.05)
    assert decay_of(Remembered(category="conversation_detail")).rate == pytest.approx(0.01)
    assert decay_of(Remembered(category="one of my own")).rate == 0.005
    assert decay_of(Remembered(constraint="safety")).rate == pytest.approx(0.0005)
    procedure = decay_of(Remembered(kind="procedural", category="task_procedure"))
    assert remaining(procedure, 1.0, 180) == 1.0


@given(decays, strengths, spans, spans)
def test_strength_never_rises_by_itself(
    decay: Decay, initial: float, days: float, more: float
) -> None:
    """More time never leaves more strength, and what is left is in [0, initial]."""
    early, late = remaining(decay, initial, days), remaining(decay, initial, days + more)
    assert 0.0 <= late <= early <= initial


@given(decays, st.floats(0.002, 1.0), st.sampled_from([fall.below for fall in FALLS]))
def test_when_a_limit_is_crossed_is_known_in_advance(
    decay: Decay, initial: float, below: float
) -> None:
    """Just before the day the strength is at the limit or over it, just after it is not over."""
    days = days_until(decay, initial, below)
    if days > 0:
        assert remaining(decay, initial, days * (1 - 1e-9)) >= below * (1 - 1e-6)
    assert remaining(decay, initial, days * (1 + 1e-9) + 1e-9) <= below * (1 + 1e-6)


@given(paces, st.integers(0, 500), st.floats(0, 900))
def test_the_pace_of_a_space_is_turned_round_exactly(pace: Pace, begin: int, days: float) -> None:
    """After so many days of decay, so many days of decay have passed."""
    start = Micros(START + begin * DAY_US)
    reached = pace.after(start, days)
    if reached is not None:
        assert pace.days(start, reached) == pytest.approx(days, abs=1e-6)
    else:
        # Time stands still there for good.
        assert pace.days(start, NEVER) < days


@given(paces, st.lists(st.integers(0, 700), min_size=3, max_size=3).map(sorted))
def test_time_adds_up_at_any_pace(pace: Pace, days: list[int]) -> None:
    """The days of decay of a stretch are those of its two parts."""
    a, b, c = (Micros(START + day * DAY_US) for day in days)
    assert pace.days(a, c) == pytest.approx(pace.days(a, b) + pace.days(b, c), abs=1e-9)


@given(decays, paces, strengths)
def test_falls_come_in_order_each_after_its_days_below_its_limit(
    decay: Decay, pace: Pace, strength: float
) -> None:
    """Tier follows tier, none is due before the one above, and at its due time it is below."""
    trace = Trace(strength, START)
    last = START
    for place, fall in enumerate(FALLS):
        due = next_due(FallConditions(decay, trace, TIERS[place]), pace)
        if due is None:
            break
        assert due.tier == fall.tier
        assert pace.days(due.below_since, due.due_at) == pytest.approx(fall.days, abs=1e-6)
        assert due.due_at >= last
        assert strength_at(decay, trace, pace, due.due_at) <= fall.below * (1 + 1e-6)
        last = due.due_at


def test_a_sheltered_memory_falls_after_its_shelter() -> None:
    """While it is pinned no time counts below a limit; pinned for good it falls never."""
    decay, until = Decay("exponential", 0.15), Micros(START + 400 * DAY_US)
    due = next_due(FallConditions(decay, Trace(1.0, START, sheltered_until=until)), Pace())
    assert due is not None
    assert (due.below_since, due.due_at) == (until, until + 7 * DAY_US)
    assert (
        next_due(FallConditions(decay, Trace(1.0, START, sheltered_until=FOREVER)), Pace()) is None
    )


@given(
    decays,
    st.lists(st.tuples(st.integers(0, 120), st.sampled_from((0.0, 0.3, 0.5, 0.9))), max_size=3),
    st.sampled_from([fall.below for fall in FALLS]),
)
def test_the_time_below_a_limit_is_true_of_weakened_memories(
    decay: Decay, weakenings: list[tuple[int, float]], below: float
) -> None:
    """Whatever weakened it, before the time told the strength was over the limit, after it not."""
    begin, trace = START, Trace(1.0, START)
    life: list[tuple[Micros, Trace]] = [(START, trace)]
    for days, factor in sorted(weakenings):
        at = Micros(START + days * DAY_US)
        now = strength_at(decay, trace, Pace(), at)
        linear = trace.strength - (1 - factor) * now
        left = linear if decay.curve == "linear" else trace.strength * factor
        trace = Trace(left, begin, drops=(*trace.drops, (at, trace.strength)))
        life.append((at, trace))
    tier = TIERS[[fall.below for fall in FALLS].index(below)]
    due = next_due(FallConditions(decay, trace, tier), Pace())
    if due is None:
        return
    for offset, over in ((-DAY_US // 24, True), (DAY_US // 24, False)):
        at = Micros(due.below_since + offset)
        known = [one for since, one in life if since <= at]
        if known:
            held = strength_at(decay, known[-1], Pace(), at)
            assert (held >= below * (1 - 1e-6)) if over else (held <= below * (1 + 1e-6))


def test_a_memory_falls_no_lower_than_it_may() -> None:
    """From the lowest tier that it may reach there is no further fall."""
    decay, trace = Decay("linear", 0.05), Trace(1.0, START)
    assert next_due(FallConditions(decay, trace, "tombstone", "tombstone"), Pace()) is None
    assert next_due(FallConditions(decay, trace, "tombstone", "deleted"), Pace()) is not None


@given(decays, strengths, st.integers(0, 300))
def test_use_strengthens_and_slows(decay: Decay, strength: float, days: int) -> None:
    """A use adds 0.15 to what is left, up to 1, and from then on the rate is 0.8 of what it was."""
    at = Micros(START + days * DAY_US)
    before = strength_at(decay, Trace(strength, START), Pace(), at)
    after = reinforced(decay, Trace(strength, START), Pace(), Recalled((), at))
    assert after == Trace(min(1.0, before + 0.15), at, 0.8)
    # Reported late, a use does not turn time back.
    again = reinforced(decay, after, Pace(), Recalled((), Micros(at - DAY_US)))
    assert (again.since, again.strength) == (at, min(1.0, after.strength + 0.15))


def test_a_strength_has_a_tier_of_its_own() -> None:
    """A tier begins at the limit under which memories fall out of it."""
    assert [tier_of(one) for one in (1.0, 0.3, 0.29, 0.15, 0.05, 0.01, 0.0)] == [
        "active", "active", "archived", "archived", "summarized", "tombstone", "deleted",
    ]  # fmt: skip

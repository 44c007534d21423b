"""How much a memory deserves to be kept, and the parts of that."""

from __future__ import annotations

import math

import msgspec
import pytest
from hypothesis import given, strategies as st

from mnemolog.policies.retention.consolidation import Signs, persistence

shares = st.floats(0, 1)
signs = st.builds(
    Signs,
    accesses=st.integers(0, 10_000),
    idle_days=st.floats(0, 10_000),
    emphasised=st.booleans(),
    corrects_error=st.booleans(),
    serves_goal=st.booleans(),
    confirmed=st.booleans(),
    talk=st.integers(0, 10_000),
    degree=shares,
    rank=shares,
    pinned=st.booleans(),
)


@given(signs)
def test_it_and_its_parts_are_shares(given_signs: Signs) -> None:
    """Persistence is in [0, 1], and so is every part of it."""
    found = persistence(given_signs)
    assert all(0 <= part <= 1 for part in msgspec.structs.astuple(found))


@given(signs)
def test_it_is_the_weighted_sum_of_its_parts(given_signs: Signs) -> None:
    """Persistence is 0.25 F + 0.20 E + 0.25 C + 0.15 R + 0.15 I."""
    found = persistence(given_signs)
    parts = (
        (0.25, found.frequency),
        (0.20, found.emphasis),
        (0.25, found.centrality),
        (0.15, found.recency),
        (0.15, found.importance),
    )
    assert found.value == pytest.approx(sum(weight * part for weight, part in parts))


@given(signs, st.integers(1, 50), st.floats(0.01, 500))
def test_use_raises_it_and_idleness_lowers_it(given_signs: Signs, more: int, idle: float) -> None:
    """One more use never lowers persistence, and another idle day never raises it."""
    before = persistence(given_signs).value
    used = msgspec.structs.replace(given_signs, accesses=given_signs.accesses + more)
    left = msgspec.structs.replace(given_signs, idle_days=given_signs.idle_days + idle)
    assert persistence(used).value >= before
    assert persistence(left).value <= before


def test_the_parts_are_those_of_the_formulas() -> None:
    """Each part follows its formula, by numbers worked out by hand."""
    assert persistence(Signs(accesses=3)).frequency == pytest.approx(1 - math.exp(-0.9))
    marked = Signs(emphasised=True, corrects_error=True, serves_goal=True, confirmed=True)
    assert persistence(marked).emphasis == pytest.approx(0.85)
    assert persistence(Signs(talk=10)).emphasis == pytest.approx(0.15 * (1 - math.exp(-1)))
    assert persistence(Signs(degree=0.5, rank=0.5)).centrality == pytest.approx(0.5)
    assert persistence(Signs(idle_days=30)).recency == pytest.approx(math.exp(-1))
    assert persistence(Signs(pinned=True, serves_goal=True)).importance == 1
    assert persistence(Signs(serves_goal=True)).importance == 0.8
    assert persistence(Signs(emphasised=True)).importance == 0

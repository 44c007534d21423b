"""How often content was met that enters together."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, strategies as st

from mnemolog.application.admission.decide import met_together
from mnemolog.ledger.clock import Micros
from mnemolog.policies.admission import SAME

_ANGLES = (0.0, 0.1, 0.4, 0.7, 1.2, 2.0, 3.0)
"""Some are near each other (a cosine of 0.85 is 0.55), some are not."""


def _vector(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)], np.float32)


@given(st.lists(st.tuples(st.sampled_from(_ANGLES), st.integers(0, 3)), max_size=40))
def test_each_is_met_when_it_and_what_is_near_it_was_said(said: list[tuple[float, int]]) -> None:
    """Each content counts the times of all that are near it in meaning, its own among them."""
    vectors = [_vector(angle) for angle, _ in said]
    at = [Micros(time) for _, time in said]
    found = met_together(vectors, at)
    assert found == [
        Counter(
            time
            for place, (other, time) in enumerate(zip(vectors, at, strict=True))
            if place == own or float(vector @ other) >= SAME
        )
        for own, vector in enumerate(vectors)
    ]


def test_what_is_said_over_and_over_is_compared_once() -> None:
    """So many repetitions share one count, and take no room of their own."""
    vectors = [_vector(0.0)] * 20_000
    found = met_together(vectors, [Micros(7)] * 20_000)
    assert found[0] == {7: 20_000}
    assert len({id(one) for one in found}) == 1

"""What enters: activation, the nine cells, and what counts as known already."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from mnemolog.ledger.errors import InvalidField
from mnemolog.policies.admission import (
    NOVELTIES,
    RELEVANCES,
    TABLE,
    Placed,
    activation_of,
    base_level,
    logistic,
    novelty_of,
    partial_match,
    place,
    place_for_good,
    read_table,
    relevance_of,
    scores_of,
    spreading,
)
from mnemolog.policies.retention.forgetting import (
    ENTERED_WEIGHT,
    MOST_ALPHA,
    centre,
    observed,
    reinforced_weight,
)

_shares = st.floats(0, 1)
_ages = st.floats(0, 1e6)


def test_what_was_met_once_just_now_has_no_base_level() -> None:
    """Its logarithm is that of 1; a hundred hours later it has lost that of ten."""
    assert base_level({0.0: 1}) == 0.0
    assert base_level({100.0: 1}) == pytest.approx(-math.log(10))


@given(st.lists(_ages, min_size=1, max_size=20), _ages, st.floats(0, 1e3))
def test_a_base_level_grows_with_frequency_and_falls_with_time(
    ages: list[float], again: float, later: float
) -> None:
    """Meeting something once more raises it; the passing of time never does."""
    known = base_level(Counter(ages))
    assert base_level(Counter([*ages, again])) > known - 1e-9
    assert base_level(Counter(age + later for age in ages)) <= known + 1e-9


@given(st.floats(0, 1, exclude_max=True), st.floats(0, 10))
def test_noise_is_finite_and_turns_on_the_middle(draw: float, scale: float) -> None:
    """Any draw gives a number, on the side of 0 on which the draw is of a half."""
    noise = logistic(draw, scale)
    assert math.isfinite(noise)
    assert noise == 0 or scale == 0 or (noise > 0) == (draw > 0.5)


def test_activation_is_the_sum_of_its_parts() -> None:
    """Recency and frequency, what spreads, what is lacking, and noise."""
    asked, held = {"tea", "port"}, {"tea", "cake"}
    parts = activation_of({0.0: 1}, spreading([0.2, 0.7]), partial_match(asked, held), 0.1)
    assert (parts.base_level, parts.spreading, parts.partial_match) == (0.0, 0.7, -0.5)
    assert parts.total == pytest.approx(0.3)


def test_what_lacks_nothing_costs_nothing() -> None:
    """Nought, and no negative one, which would be shown with a sign."""
    assert (
        str(partial_match({"tea"}, {"tea", "cake"})) == str(partial_match(set(), {"tea"})) == "0.0"
    )
    assert partial_match({"tea"}, {"cake"}) == -1.0


@given(st.lists(st.floats(-1, 1)))
def test_spreading_is_that_of_the_nearest_source(cosines: list[float]) -> None:
    """None without a source, else the largest cosine, no less than nothing."""
    spread = spreading(cosines)
    assert spread == (max(0.0, *cosines, 0.0) if cosines else None)


def test_the_table_is_the_one_that_is_documented() -> None:
    """High and new enters, low and known does not, and there are nine cells."""
    cells = read_table(TABLE)
    assert set(cells) == {(row, column) for row in RELEVANCES for column in NOVELTIES}
    assert [cells["high", novelty] for novelty in NOVELTIES] == ["persist", "persist", "reinforce"]
    assert [cells["medium", novelty] for novelty in NOVELTIES] == ["persist", "buffer", "reinforce"]
    assert [cells["low", novelty] for novelty in NOVELTIES] == ["buffer", "drop", "drop"]


def test_a_table_may_be_written_in_lines_and_in_any_order() -> None:
    """Rows and columns go by their names."""
    text = """
        relevance: known, new, related
        low:       drop,  drop, drop
        high:      reinforce, persist, buffer
        medium:    drop,  persist, buffer
    """
    cells = read_table(text)
    assert cells["high", "new"] == "persist"
    assert cells["high", "known"] == "reinforce"
    assert cells["low", "related"] == "drop"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "empty"),
        ("high: persist", "relevance: new, related, known"),
        (TABLE.replace("low: buffer, drop, drop", ""), "no row low"),
        (TABLE.replace("low: buffer, drop, drop", "low: buffer, drop"), "three cells for low"),
        (TABLE + "; low: buffer, drop, drop", "three cells for low"),
        (TABLE.replace("low: buffer", "low: keep"), "cell low, new 'keep'"),
        (TABLE.replace("low: buffer", "lower: buffer"), "row 'lower'"),
        (TABLE.replace("low: buffer", "low: reinforce"), "only what is known"),
        (TABLE.replace("new,", "novel,"), "relevance: new, related, known"),
    ],
)
def test_a_table_that_is_not_whole_is_refused_by_its_cell(text: str, named: str) -> None:
    """The error names what is missing or unknown, and shows how a table is written."""
    with pytest.raises(InvalidField, match="admission") as caught:
        read_table(text)
    assert named in str(caught.value)
    assert "high: persist, persist, reinforce" in str(caught.value)


@given(_shares, st.one_of(st.none(), st.floats(-1, 1)), st.booleans())
def test_every_content_has_its_place(spread: float, similarity: float, duplicate: bool) -> None:  # noqa: FBT001
    """More relevance or more novelty never turns what is kept into what is dropped."""
    table = read_table(TABLE)
    placed = place(table, spread, novelty_of(similarity, duplicate=duplicate))
    assert placed.placement == table[placed.relevance, placed.novelty]
    assert (placed.placement == "reinforce") <= duplicate


def test_without_anything_to_spread_from_relevance_is_medium() -> None:
    """Nobody can tell what matters, so it is neither high nor low."""
    assert relevance_of(None) == "medium"
    assert [relevance_of(spread) for spread in (0.0, 0.25, 0.5)] == ["low", "medium", "high"]


def test_what_waits_is_persisted_or_dropped_when_the_buffer_is_emptied() -> None:
    """What was met lately or often is persisted; what was met once, a day ago, is not."""
    waiting = Placed("medium", "related", "buffer")
    met_now, met_long_ago = (
        activation_of({0.1: 1}, 0.3, 0.0, 0.0),
        activation_of({24.0: 1}, 0.3, 0.0, 0.0),
    )
    met_often = activation_of({24.0: 1, 20.0: 1, 3.0: 1, 2.0: 1, 1.0: 1}, 0.3, 0.0, 0.0)
    assert place_for_good(waiting, met_now) == "persist"
    assert place_for_good(waiting, met_long_ago) == "drop"
    assert place_for_good(waiting, met_often) == "persist"
    assert place_for_good(Placed("low", "known", "drop"), met_often) == "drop"


def test_a_similarity_is_a_cosine() -> None:
    """No more than 1, whatever rounding made of it."""
    placed, score = Placed("high", "known", "reinforce"), activation_of({0.0: 1}, 0.3, 0.0, 0.0)
    assert scores_of(score, placed, None, 1.000116).similarity == 1.0
    assert scores_of(score, placed, None, None).similarity is None


@given(st.integers(1, 400))
def test_each_reinforcement_adds_less_and_none_passes_the_cap(times: int) -> None:
    """The weight grows towards its cap, ever more slowly."""
    weights = [ENTERED_WEIGHT]
    for _ in range(times):
        weights.append(reinforced_weight(weights[-1]))
    gains = [later[0] - earlier[0] for earlier, later in pairwise(weights)]
    assert all(later <= earlier + 1e-12 for earlier, later in pairwise(gains))
    assert all(gain >= 0 for gain in gains)
    assert gains[0] > 0
    assert all(alpha <= MOST_ALPHA and beta == ENTERED_WEIGHT[1] for alpha, beta in weights)


def test_an_immutable_weight_never_changes() -> None:
    """It is beyond the cap from the beginning."""
    assert reinforced_weight((50.0, 1.0)) == (50.0, 1.0)


def test_an_observed_weight_is_the_centre_or_a_draw_that_can_be_drawn_again() -> None:
    """A seed gives the same draw for the same name, and another one for another."""
    assert observed((1.0, 4.0)) == centre((1.0, 4.0)) == 0.2
    drawn = observed((1.0, 4.0), 7, "a")
    assert drawn == observed((1.0, 4.0), 7, "a") != observed((1.0, 4.0), 7, "b")
    many = [observed((1.0, 4.0), 7, str(number)) for number in range(2000)]
    assert sum(many) / len(many) == pytest.approx(0.2, abs=0.02)

"""Quantities are read as they are meant, and compared in one unit or not at all."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.quantities.amounts import compare, meets
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.quantities.numbers import number_in_words


def _only(text: str) -> tuple[str, str, tuple[float, ...]]:
    (one,) = quantities(text)
    return one.dimension, one.unit, one.values


@pytest.mark.parametrize(
    ("text", "dimension", "unit", "values"),
    [
        ("$500", "money", "USD", (500,)),
        ("500 dollars", "money", "USD", (500,)),
        ("EUR 1.2k", "money", "EUR", (1200,)),
        ("1,200.50 USD", "money", "USD", (1200.5,)),
        ("two hundred and fifty euros", "money", "EUR", (250,)),
        ("3 people", "count", "person", (3,)),
        ("a dozen eggs", "count", "egg", (12,)),
        ("three large boxes", "count", "box", (3,)),
        ("2 GB of RAM", "data", "byte", (2e9,)),
        ("half an hour", "duration", "second", (1800,)),
        ("5 %", "share", "percent", (5,)),
        ("3 June 2026", "date", "day", (2026, 6, 3)),
        ("June 3rd", "date", "day", (0, 6, 3)),
        ("2026-06-03", "date", "day", (2026, 6, 3)),
        ("7 pm", "clock", "minute", (1140,)),
        ("10:30", "clock", "minute", (630,)),
        ("needs Python 3.11", "version", "python", (3, 11)),
        ("it runs on Windows 11", "version", "windows", (11,)),
    ],
)
def test_quantities_are_read_in_their_base_unit(
    text: str, dimension: str, unit: str, values: tuple[float, ...]
) -> None:
    """Money, counts, amounts, shares, dates, times and versions come in one unit each."""
    read = _only(text)
    assert read[:2] == (dimension, unit)
    assert read[2] == pytest.approx(values)


@pytest.mark.parametrize(
    "text", ["in the 90s", "one of them said so", "a 5G phone", "no number at all", ""]
)
def test_what_is_no_quantity_is_passed_over(text: str) -> None:
    """Decades, pronouns and names of networks are no amounts."""
    assert all(one.dimension in ("number", "count") for one in quantities(text))


@pytest.mark.parametrize(
    ("text", "low", "high", "strict"),
    [
        ("at most $500", None, 500, False),
        ("no more than 500 dollars", None, 500, False),
        ("the budget for the laptop is 800 euros", None, 800, False),
        ("a $500 limit", None, 500, False),
        ("must not be over 5 g", None, 5, False),
        ("under 20 km", None, 20_000, True),
        ("not before 10:30", 630, None, False),
        ("by Friday", None, 4, False),
        ("at least 16 bytes", 16, None, False),
        ("Node 18 or newer", 18, None, False),
        ("Node 18+", 18, None, False),
        ("between 2 and 4 people", 2, 4, False),
        ("2-4 people", 2, 4, False),
        ("never book hotels above 180 dollars", None, 180, False),
        ("nothing after 5 pm", None, 1020, False),
    ],
)
def test_bounds_are_what_words_allow(
    text: str, low: float | None, high: float | None, *, strict: bool
) -> None:
    """A comparison bounds one end, a denied one the other, a span both."""
    (bound,) = bounds(text)
    assert (bound.low and bound.low.amount) == low
    assert (bound.high and bound.high.amount) == high
    assert bound.strict == strict


@pytest.mark.parametrize(
    ("one", "other", "order"),
    [
        ("1 GB", "900 MB", 1),
        ("90 minutes", "1.5 hours", 0),
        ("240 dollars a year", "$20/month", 0),
        ("Python 3.9", "Python 3.11", -1),
        ("Python 3.11.4", "Python 3.11", 0),
        ("3 June", "2026-06-04", -1),
        ("500 dollars", "500 euros", None),
        ("20 dollars a month", "20 dollars", None),
        ("3 people", "3 boxes", None),
        ("Python 3.11", "Node 18.2", None),
    ],
)
def test_only_what_can_be_compared_is(one: str, other: str, order: int | None) -> None:
    """Units of one dimension are converted; currencies, rates and things counted are not."""
    first, second = quantities(one)[0], quantities(other)[0]
    assert compare(first, second) == order


_UNITS = {"GB": "MB", "kg": "g", "km": "m", "hours": "minutes", "kW": "W"}
_FACTORS = {"GB": 1000, "kg": 1000, "km": 1000, "hours": 60, "kW": 1000}


@given(st.integers(1, 9_999), st.sampled_from(sorted(_UNITS)))
def test_conversions_come_back(amount: int, unit: str) -> None:
    """An amount in a smaller unit equals the same in the larger one."""
    large = quantities(f"{amount} {unit}")[0]
    small = quantities(f"{amount * _FACTORS[unit]} {_UNITS[unit]}")[0]
    assert compare(large, small) == 0


@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=3), st.sampled_from(["kg", "euros"]))
def test_comparing_is_an_order(amounts: list[int], unit: str) -> None:
    """Comparing is antisymmetric and transitive, and follows the numbers."""
    one, two, three = (quantities(f"{amount} {unit}")[0] for amount in amounts)
    assert compare(one, two) == -(compare(two, one) or 0)
    assert compare(one, two) == (amounts[0] > amounts[1]) - (amounts[0] < amounts[1])
    if (compare(one, two) or 0) <= 0 and (compare(two, three) or 0) <= 0:
        assert (compare(one, three) or 0) <= 0


@given(st.integers(0, 1_000), st.integers(0, 1_000))
def test_a_bound_holds_exactly_where_its_words_do(limit: int, amount: int) -> None:
    """'at most' allows the end, 'under' does not, 'at least' is the other way round."""
    given_amount = quantities(f"it costs {amount} dollars")[0]
    for words, holds in (
        ("at most", amount <= limit),
        ("under", amount < limit),
        ("at least", amount >= limit),
        ("not under", amount >= limit),
    ):
        (bound,) = bounds(f"{words} {limit} dollars")
        assert meets(bound, given_amount) is holds


@given(st.text(max_size=200))
def test_any_text_is_read_without_overlaps(text: str) -> None:
    """Whatever a text holds, its quantities stand in order and apart."""
    read = quantities(text)
    assert all(one.end <= other.start for one, other in pairwise(read))
    bounds(text)


def test_numbers_in_words_are_english() -> None:
    """Compound number words add up."""
    assert number_in_words("twenty-five") == 25
    assert number_in_words("two hundred and fifty") == 250
    assert number_in_words("two dozen") == 24
    assert number_in_words("carrot") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("two and a half hours", "duration 9000"),
        ("two hours and a half", "duration 9000"),
        ("an hour and a half", "duration 5400"),
        ("three quarters of an hour", "duration 2700"),
        ("1 hour and 30 minutes", "duration 5400"),
        ("within a fortnight", "duration 1209600"),
        ("a thirty-second timeout", "duration 30"),
        ("kept for 90d", "duration 7776000"),
        ("3 dozen eggs", "count 36"),
        ("half a dozen eggs", "count 6"),
        ("half an avocado", "count 1/2"),
        ("2 million users", "count 2000000"),
        ("5m users", "count 5000000"),
        ("5m of cable", "length 5"),
        ("3,5 km", "length 3500"),
        ("42.195 km", "length 42195"),
        ("1.200 €", "money 1200"),
        ("from 40 cents to 22", "money 2/5 money 11/50"),
        ("$1,200.50", "money 2401/2"),
        ("1.200,50 €", "money 2401/2"),
        ("€2.5bn", "money 2500000000"),
        ("5 dollars and 20 cents", "money 26/5"),
        ("5 pounds", "money 5"),
        ("5 pounds of apples", "mass 45359237/20000"),
        ("half past nine", "clock 570"),
        ("9.30 pm", "clock 1290"),
        ("a quarter to six", "clock 345"),
        ("at ten to six", "clock 350"),
        ("seven o'clock", "clock 420"),
        ("at nine in the evening", "clock 1260"),
        ("midday", "clock 720"),
        ("the third person", ""),
        ("24/7 support", ""),
        ("on 1/2 we meet", ""),
        ("one or the other", ""),
        ("dozens of people", ""),
        ("a 3d model", ""),
        ("one in ten people", ""),
        ("ring 555-0142", "number 555 number 142"),
    ],
)
def test_quantity_is_read_exactly(text: str, found: str) -> None:
    """Fractions, multiples, compounds and spoken times are exact; what is no amount is none."""
    assert " ".join(f"{one.dimension} {one.amount}" for one in quantities(text)) == found


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("10\N{EN DASH}12 people", "10 person", "12 person"),
        ("two to three hours", "7200 second", "10800 second"),
        ("between two and four people", "2 person", "4 person"),
        ("$300-500", "300 USD", "500 USD"),
        ("5-10 %", "5 percent", "10 percent"),
        ("32 to 212 °F", "0 celsius", "100 celsius"),
        ("from 9 to 5 pm", "540 minute", "1020 minute"),
        ("2-4 pm", "840 minute", "960 minute"),
        ("between 7 and 9 in the evening", "1140 minute", "1260 minute"),
        ("7 to 10 November", "0 day", "0 day"),
    ],
)
def test_ends_of_a_range_share_a_unit(text: str, low: str, high: str) -> None:
    """The unit of one end is that of the other, and 'am' and 'pm' as well."""
    (bound,) = bounds(text)
    assert bound.low is not None
    assert bound.high is not None
    assert [f"{end.amount} {end.unit}" for end in (bound.low, bound.high)] == [low, high]


_AMOUNTS = st.sampled_from([
    "2", "1,200.50", "two and a half", "half a", "a dozen", "3/4", "1 1/2", "½", "2 million",
    "a couple of", "21st", "1.200,50",
])  # fmt: skip
_BEHIND = st.sampled_from([
    "hours", "kg", "%", "€", "eggs", "pm", "to 5 km", "and a half", "a month", "per person",
    "people", "minutes past six", "ft 3 inches", "old",
])  # fmt: skip


@given(st.lists(st.tuples(_AMOUNTS, _BEHIND), min_size=1, max_size=3), st.sampled_from(["$", ""]))
def test_span_of_a_quantity_reads_as_the_same_quantity(
    parts: list[tuple[str, str]], sign: str
) -> None:
    """A quantity with a unit of its own, cut from its text, is read as the same one."""
    text = ", ".join(f"{sign}{amount} {behind}" for amount, behind in parts)
    for one in quantities(text):
        again = quantities(one.text)
        if len(again) == 1 and again[0].dimension == one.dimension != "number":
            assert (again[0].values, again[0].unit) == (one.values, one.unit)
        else:
            # The first end of a range has its unit from the other end.
            assert one.text[-1].isdigit() or one.text[-1] in "½fn" or one.dimension == "number"

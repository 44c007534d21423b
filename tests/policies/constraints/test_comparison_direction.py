"""Which way a comparison limits, in a sentence that is known to limit."""

from __future__ import annotations

import pytest

from mnemolog.language.quantities.bounds import bounds
from mnemolog.policies.constraints.constraint import Constraint, asks, directed, read_constraint

CEILINGS = [
    "Omar passes out above 3,000 metres.",
    "Finance sends back any hotel above 180 euros a night.",
    "Anything over 15 pounds a head and the treasurer says no.",
    "The lab freezer must be kept below -70 °C.",
    "The report must be filed within 14 days.",
    "Alma only reads books shorter than 300 pages.",
    "Jonas won't set foot in a hotel with more than 50 rooms.",
    "The API gateway rejects payloads over 5 MB.",
    "The old printer chokes on anything thicker than 200 gsm.",
    "Keep the bundle under 2 MB.",
    "A laptop under 500 dollars for Ana.",
    "She gets dizzy after more than 2 hours in a car.",
    "Marcel bins any fish older than 2 days.",
    "The budget stays under 900 euros.",
    "The cooler is fine below 30 degrees.",
    "The tax return must be filed before 31 July.",
    "The balcony can hold at most 300 kg.",
    "It is not permitted to drive faster than 30 km/h in the yard.",
]
FLOORS = [
    "Below 20 degrees she stays home.",
    "Parts under 4 cm are a choking risk for him.",
    "Our insurer walks away if someone under 25 years drives the van.",
    "Drones are prohibited within 5 km of the airport.",
    "We need a tent bigger than 4 metres.",
    "The laptop must have more than 16 GB.",
    "Rooms below 16 degrees give her cramps.",
    "The bank refuses anyone under 21 years.",
    "He will not take a job that pays less than 50 euros an hour.",
    "Avoid calling the office before 9 am.",
    "We only hire people with more than 3 years of practice.",
]


@pytest.mark.parametrize("sentence", CEILINGS)
def test_a_ceiling(sentence: str) -> None:
    """What is more than that is refused."""
    (found,) = [directed(sentence, bound) for bound in bounds(sentence)]
    assert found.low is None
    assert found.high is not None


@pytest.mark.parametrize("sentence", FLOORS)
def test_a_floor(sentence: str) -> None:
    """What is less than that is refused."""
    (found,) = [directed(sentence, bound) for bound in bounds(sentence)]
    assert found.high is None
    assert found.low is not None


def _read(text: str, given_class: str | None = None) -> Constraint:
    found = read_constraint(text, given_class=given_class)
    assert found is not None, text
    return found


def test_a_bare_number_is_a_price_where_the_constraint_is_about_cost() -> None:
    """Nothing else says what it measures."""
    (bound,) = _read("Finance sends back any hotel above 180 a night", "cost").bounds
    assert bound.high is not None
    assert bound.high.dimension == "money"
    assert bound.high.period == 86_400


def test_the_monthly_limit_is_for_a_month() -> None:
    """The time that a price is for may stand anywhere in the sentence."""
    (bound,) = _read("Monthly cloud spending must stay under 1,200 dollars").bounds
    assert bound.quantity.period == 31_557_600 / 12


def test_an_amount_without_any_comparison_is_presumed_to_bound() -> None:
    """A load is the most, a time that something needs the least, a version what there is."""
    (load,) = _read("The ladder's sticker says 100 kg", "safety").presumed
    assert load.low is None
    (rest,) = _read("The dough needs a full 12 hours in the fridge", "time").presumed
    assert rest.high is None
    (version,) = _read("Our tablets run Android 9", "compatibility").presumed
    assert version.low == version.high


def test_parts_of_the_day_are_stretches_of_time() -> None:
    """Asked for they bound, refused they are kept free."""
    (bound,) = _read("Kofi can only work afternoons", "time").bounds
    assert (bound.low.amount, bound.high.amount) == (720, 1080)  # type: ignore[union-attr]
    (blocked,) = _read("Kofi never works in the evening", "time").blocked
    assert blocked.low is not None
    assert blocked.low.amount == 17 * 60


def test_a_stretch_through_midnight_has_two_ends() -> None:
    """What goes on in it shuts both; what is allowed in it alone shuts the day."""
    late, early = _read("Between 22:00 and 6:00 the neighbours call the police", "time").blocked
    assert late.low is not None
    assert early.high is not None
    (day,) = _read("Backups may only run between 22:00 and 6:00", "time").blocked
    assert (day.low.amount, day.high.amount) == (360, 1320)  # type: ignore[union-attr]


def test_a_port_is_no_amount() -> None:
    """'Over port 443' names a way."""
    found = _read("The firewall only allows traffic over port 443", "compatibility")
    assert not found.bounds
    assert [one.text for one in found.exact] == ["443"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Only certified electricians touch the wiring", True),
        ("The dish has to be vegetarian", True),
        ("Peanuts would put Sam in hospital", False),
        ("The dog must never eat grapes", False),
    ],
)
def test_a_statement_asks_or_refuses(text: str, expected: bool) -> None:  # noqa: FBT001 - a label
    """What obliges asks; a ban refuses, and so does what comes of a thing."""
    assert asks(text) is expected


def test_the_telling_words_stand_where_no_more_can_be_read() -> None:
    """The names of people are none of them."""
    assert _read("Peanuts would put Sam in hospital", "safety").speaks_of == ("Peanuts", "hospital")

"""Unit factors agree with pint, and durations with Prometheus."""

from __future__ import annotations

from fractions import Fraction

import pint
import pytest
from hypothesis import given, strategies as st

from mnemolog.language.quantities.amounts import unit_named, units
from mnemolog.language.quantities.measures import quantities

_REGISTRY: pint.UnitRegistry[float] = pint.UnitRegistry()
_BASES = {
    "duration": "second",
    "length": "metre",
    "area": "metre ** 2",
    "mass": "gram",
    "volume": "litre",
    "speed": "metre / second",
    "power": "watt",
    "energy": "watt_hour",
    "voltage": "volt",
    "current": "ampere",
    "frequency": "hertz",
    "data": "byte",
    "pressure": "bar",
}
# Names that pint has for something else, or not at all.
_OTHERS = {
    "mb": "megabyte", "gb": "gigabyte", "tb": "terabyte", "pb": "petabyte", "kb": "kilobyte",
    "meg": "megabyte", "gig": "gigabyte", "kib": "kibibyte", "mib": "mebibyte",
    "gib": "gibibyte", "tib": "tebibyte", "msec": "millisecond", "mi": "mile",
    "kilo": "kilogram", "gramme": "gram", "kilogramme": "kilogram", "t": "tonne", "m²": "m**2",
    "sqm": "m**2", "ft²": "foot**2", "sqft": "foot**2", "hp": "horsepower", "bhp": "horsepower",
    "w": "watt", "kw": "kilowatt", "mw": "megawatt", "wh": "watt_hour", "watt-hour": "watt_hour",
    "kwh": "kilowatt_hour", "kilowatt-hour": "kilowatt_hour", "mv": "millivolt", "v": "volt",
    "kv": "kilovolt", "ma": "milliampere", "amp": "ampere", "hz": "hertz", "khz": "kilohertz",
    "mhz": "megahertz", "ghz": "gigahertz", "km/h": "kilometer_per_hour",
    "kph": "kilometer_per_hour", "kmh": "kilometer_per_hour", "mph": "mile_per_hour",

    "acre": "43560 * foot ** 2", "decade": "10 * year", "quarter": "year / 4", "gal": "gallon",
    "wk": "week", "yr": "year", "cl": "centilitre",
    "dl": "decilitre", "ml": "millilitre", "l": "litre", "g": "gram", "h": "hour", "s": "second",
}  # fmt: skip


@pytest.mark.parametrize(
    "name", sorted(name for name, unit in units().items() if unit.dimension in _BASES)
)
def test_unit_factor_is_that_of_pint(name: str) -> None:
    """One of each unit is as much of the base unit as pint says."""
    unit = unit_named(name)
    assert unit is not None
    expected = _REGISTRY.parse_expression(_OTHERS.get(name, name)).to(_BASES[unit.dimension])
    assert float(unit.factor) == pytest.approx(expected.magnitude, rel=1e-9)


@given(
    st.sampled_from(sorted(name for name, one in units().items() if one.dimension in _BASES)),
    st.integers(1, 10**6),
    st.integers(0, 99),
)
def test_amount_in_base_units_is_exact(name: str, whole: int, hundredths: int) -> None:
    """An amount times its unit's factor is the amount in the base unit, without rounding."""
    unit = unit_named(name)
    assert unit is not None
    (read,) = quantities(f"{whole}.{hundredths:02} {name}")
    assert (read.dimension, read.unit) == (unit.dimension, unit.base)
    assert read.amount == (whole + Fraction(hundredths, 100)) * unit.factor


_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}


@given(st.dictionaries(st.sampled_from("wdhms"), st.integers(1, 500), min_size=2))
def test_durations_of_prometheus_are_read(amounts: dict[str, int]) -> None:
    """'1h30m' is an hour and a half: units from large to small, each once."""
    written = "".join(f"{amounts[unit]}{unit}" for unit in _SECONDS if unit in amounts)
    (read,) = quantities(f"keep it for {written}.")
    assert (read.dimension, read.text) == ("duration", written)
    assert read.amount == sum(_SECONDS[unit] * amount for unit, amount in amounts.items())


def test_fahrenheit_begins_elsewhere() -> None:
    """Degrees Fahrenheit become degrees Celsius exactly."""
    assert [quantities(text)[0].amount for text in ("32 °F", "212 °F", "-40 °F")] == [0, 100, -40]

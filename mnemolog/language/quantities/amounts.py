"""Quantities and bounds as values, and their comparison."""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec

from mnemolog.language.quantities.numerals import MOST_DIGITS


class Quantity(msgspec.Struct, frozen=True):
    """Amount as a text gives it.

    `dimension` is what is measured: money, duration, data, length, mass and
    other physical ones, share, count, number, date, clock, weekday or version.
    `unit` is its base unit: a currency, the noun counted, the software's name.
    `values` is the amount in that unit as one number; of a version its parts;
    of a date year (0 if not given), month and day as far as given. `factor` is what one of
    the unit that the text names is in the base unit: 60 of 'minutes'. `per` is
    what a rate is for: a noun, or a time that `period` gives in seconds.
    `start` and `end` are its characters in the text, `text` those characters;
    `name` is the word before it.
    """

    dimension: str
    unit: str
    values: tuple[Fraction, ...]
    text: str
    start: int
    end: int
    name: str = ""
    factor: Fraction = Fraction(1)
    per: str | None = None
    period: Fraction | None = None

    @property
    def amount(self) -> Fraction:
        """The amount in the base unit; of a date its year, of a version its first part."""
        return self.values[0]


class Bound(msgspec.Struct, frozen=True):
    """Bound on a quantity: from `low` to `high`, None where there is no end.

    `strict` bounds leave out the ends themselves. `text` are the words.
    """

    low: Quantity | None
    high: Quantity | None
    strict: bool
    text: str
    start: int
    end: int

    @property
    def quantity(self) -> Quantity:
        """One of its ends: what it is about."""
        end = self.high if self.low is None else self.low
        if end is None:
            raise ValueError("a bound has one end at least")
        return end


def compare(one: Quantity, other: Quantity) -> int | None:
    """-1, 0 or 1 as the first is less, equal or more; None if they cannot be compared.

    Dates and versions are compared as far as both are given: 3.11.4 equals
    3.11, and a date without a year is taken for one of the other's year. Money
    without a currency is taken to be in the other's.
    """
    if not _alike(one, other):
        return None
    first, second = _as_parts(one, other), _as_parts(other, one)
    if one.dimension == other.dimension == "date":
        if 0 in (first[0], second[0]):
            first, second = first[1:], second[1:]
        if not first or not second:
            return None
    shared = min(len(first), len(second))
    if one.period is not None and other.period is not None:
        first, second = (first[0] / one.period,), (second[0] / other.period,)
    for left, right in zip(first[:shared], second[:shared], strict=True):
        if left != right:
            return -1 if left < right else 1
    return 0


def _as_parts(one: Quantity, other: Quantity) -> tuple[Fraction, ...]:
    """The values of a quantity; of a number beside a version its parts: 3.9 is before 3.11."""
    if one.dimension == "number" and other.dimension == "version":
        return version_parts(one.text)
    return one.values


def _alike(one: Quantity, other: Quantity) -> bool:
    if one.dimension != other.dimension:
        # 'Windows 10' at the beginning of a text is a number after a word.
        number, version = (one, other) if one.dimension == "number" else (other, one)
        return (
            number.dimension == "number"
            and version.dimension == "version"
            and number.name == version.unit
        )
    if one.dimension == "number":
        return one.name == other.name
    units = one.unit == other.unit or (one.dimension == "money" and "" in (one.unit, other.unit))
    rates = (one.period is None) == (other.period is None)
    return units and rates and (one.period is not None or _for_the_same(one.per, other.per))


def _for_the_same(one: str | None, other: str | None) -> bool:
    """True if two rates are for the same thing; 'each' matches any."""
    return one == other or (None not in (one, other) and "piece" in (one, other))


def meets(bound: Bound, quantity: Quantity) -> bool | None:
    """True if a quantity is within a bound; None if the two cannot be compared."""
    least = 1 if bound.strict else 0
    for end, sign in ((bound.low, 1), (bound.high, -1)):
        if end is None:
            continue
        order = compare(quantity, end)
        if order is None:
            return None
        if order * sign < least:
            return False
    return True


def version_parts(text: str) -> tuple[Fraction, ...]:
    """The numbers of a version, the first of them the major one."""
    return tuple(Fraction(part) for part in re.findall(rf"\d{{1,{MOST_DIGITS}}}", text))


def quantity_at(  # noqa: PLR0913, PLR0917 - the parts of a quantity
    text: str,
    span: tuple[int, int],
    dimension: str,
    unit: str,
    values: tuple[Fraction, ...],
    name: str = "",
) -> Quantity:
    """A quantity at a span of a text."""
    start, end = span
    return Quantity(dimension, unit, values, text[start:end].strip(), start, end, name)

"""Ranges: two amounts that are the ends of one, and share its unit: '2 to 4 hours', '9-5 pm'."""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec

from mnemolog.language.patterns import before, regex
from mnemolog.language.quantities.amounts import Quantity, version_parts
from mnemolog.language.quantities.numbers import number_at
from mnemolog.language.quantities.numerals import Number

_JOINT = regex(r"[ ]?(?:-|\N{EN DASH}|\bto\b|\bor\b|\band\b|\buntil\b|\btill\b)[ ]?", re.IGNORECASE)
_BETWEEN = regex(r"\bbetween[ ](?:the[ ])?$", re.IGNORECASE)
_HALF_NAMED = regex(r"[ap]\.?m\b|morning|afternoon|evening|night", re.IGNORECASE)
_HALF_DAY, _HOUR, _HOURS = 720, 60, 12
_DATE_PARTS = 3
_SHARED_BY_FIRST = frozenset({"money", "version", "number"})


def opens_range(text: str, number: Number) -> bool:
    """True if the other end of a range follows a number: 'two to three hours'."""
    match = _JOINT.match(text, number.end)
    return match is not None and number_at(text, match.end()) is not None


def with_shared_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """Quantities in which both ends of a range have its unit.

    A number in words that got no unit is dropped: 'one or the other'.
    """
    shared = list(found)
    for at in range(len(shared) - 1):
        low, high = shared[at], shared[at + 1]
        joint = _JOINT.fullmatch(text, low.end, high.start)
        if joint is not None and _may_share(text, low, joint):
            shared[at], shared[at + 1] = _in_one_unit(text, low, high)
    return [one for one in shared if one.dimension != "number" or not one.text[0].isalpha()]


def _may_share(text: str, low: Quantity, joint: re.Match[str]) -> bool:
    """True if two neighbours are the ends of a range: 'and' counts only after 'between'."""
    plain = joint[0].strip().lower() != "and"
    # '555-0142' is no range of numbers.
    dialled = joint[0] == "-" and low.dimension == "version"
    return (plain and not dialled) or before(_BETWEEN, text, low.start) is not None


def _in_one_unit(text: str, low: Quantity, high: Quantity) -> tuple[Quantity, Quantity]:
    if low.dimension == "number" and high.dimension == "date":
        if len(high.values) != _DATE_PARTS:
            return low, high
        values = (*high.values[:2], low.amount)
        return _like(low, high, values), high
    if low.dimension == "number" and high.dimension == "clock":
        return _hour_before(low, high) or low, high
    if low.dimension == "number" and high.dimension not in ("number", "weekday", "version"):
        return _like(low, high, (low.amount * high.factor + _offset(text, high),)), high
    if high.dimension == "number" and low.dimension in _SHARED_BY_FIRST:
        values = (
            version_parts(high.text) if low.dimension == "version" else (high.amount * low.factor,)
        )
        return low, _like(high, low, values)
    return low, high


def _like(bare: Quantity, other: Quantity, values: tuple[Fraction, ...]) -> Quantity:
    return msgspec.structs.replace(
        bare,
        dimension=other.dimension,
        unit=other.unit,
        values=values,
        factor=other.factor,
        per=other.per,
        period=other.period,
        name=other.name,
    )


def _offset(text: str, high: Quantity) -> Fraction:
    """Offset of a unit: degrees Fahrenheit begin below those of Celsius."""
    number = number_at(text, high.start) if high.dimension == "temperature" else None
    return Fraction(0) if number is None else high.amount - number.value * high.factor


def _hour_before(low: Quantity, high: Quantity) -> Quantity | None:
    """The hour at which a stretch begins that ends at a time of day: 9 am in '9 to 5 pm'."""
    if not 0 < low.amount <= _HOURS or low.amount.denominator != 1:
        return None
    minutes = low.amount * _HOUR
    if _HALF_NAMED.search(high.text) is not None:
        minutes = minutes % _HALF_DAY + high.amount // _HALF_DAY * _HALF_DAY
        if minutes > high.amount:
            minutes = (minutes + _HALF_DAY) % (2 * _HALF_DAY)
    return _like(low, high, (minutes,))

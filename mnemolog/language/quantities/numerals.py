"""Numerals: numbers in digits, with grouped thousands, decimals, fractions and ordinal endings.

A point parts decimals and a comma thousands; a comma parts decimals behind grouped
thousands ('1.200,50'). Two functions below read '3,5' and '1.200', which only amounts
with a unit and amounts of money are taken for.
'1/2' is a fraction if the part is smaller than the whole and the whole is a usual one
(2 to 10, 12, 16, 32, 64, 100): '24/7' and '3/11' are not.
"""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec

from mnemolog.language.patterns import regex

MOST_DIGITS = 30
"""Digits that are read: a longer whole number counts as the largest of so many digits."""
_LARGEST = Fraction(10**MOST_DIGITS)

VULGAR_FRACTIONS = {
    "½": Fraction(1, 2), "⅓": Fraction(1, 3), "⅔": Fraction(2, 3), "¼": Fraction(1, 4),
    "¾": Fraction(3, 4), "⅕": Fraction(1, 5), "⅖": Fraction(2, 5), "⅗": Fraction(3, 5),
    "⅘": Fraction(4, 5), "⅙": Fraction(1, 6), "⅚": Fraction(5, 6), "⅛": Fraction(1, 8),
    "⅜": Fraction(3, 8), "⅝": Fraction(5, 8), "⅞": Fraction(7, 8),
}  # fmt: skip
_WHOLES = frozenset({*range(2, 11), 12, 16, 32, 64, 100})


class Number(msgspec.Struct, frozen=True):
    """A number in a text: its exact value and its characters; `ordinal` for 'third', '21st'."""

    value: Fraction
    start: int
    end: int
    ordinal: bool = False


def with_decimal_comma(text: str, number: Number) -> Number:
    """A number read with a comma for decimals, if it has one: '3,5'."""
    return _continental(_DECIMAL_COMMA, text, number)


def with_grouping_points(text: str, number: Number) -> Number:
    """A number read with points for thousands and a comma for decimals: '1.200', '3,50'."""
    return _continental(_GROUPING_POINTS, text, with_decimal_comma(text, number))


_DECIMAL_COMMA = regex(r"(?<![\d.,])\d{1,9}+,\d{1,2}+(?![\d.,]*\d)", re.ASCII)
_GROUPING_POINTS = regex(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3}){1,6}+(?![\d.,]*\d)", re.ASCII)


def _continental(written: re.Pattern[str], text: str, number: Number) -> Number:
    match = written.match(text, number.start)
    if match is None:
        return number
    value = Fraction(match[0].replace(".", "").replace(",", "."))
    return Number(value, number.start, match.end())


_DIGITS = regex(
    r"(?:[1-9]\d{0,2}(?:\.\d{3})++,\d++"
    r"|\d{1,3}(?:,\d{3})++(?:\.\d++)?"
    r"|\d{1,3}(?:[\u00a0\u202f\u2009]\d{3})++(?:[.,]\d++)?"
    r"|\d++(?:\.\d++)?(?:e[+-]?\d\d?(?!\w))?)",
    re.ASCII | re.IGNORECASE,
)
_FRACTION = regex(
    rf"(?P<sign>[{''.join(VULGAR_FRACTIONS)}])"
    r"|(?<![\d/])(?P<part>\d{1,2})[/\u2044](?P<whole>\d{1,3})(?![\w/]|[.,]\d)",
    re.ASCII,
)
_ORDINAL_END = regex(r"(?:st|nd|rd|th)\b", re.IGNORECASE)


def in_digits(text: str, start: int) -> Number | None:
    """The number in digits that begins at a character, with a fraction behind it: '2½', '1 1/2'."""
    if (part := _fraction_at(text, start)) is not None:
        return part
    match = _DIGITS.match(text, start)
    if match is None:
        return None
    end = match.end()
    written = re.sub(r"[\u00a0\u202f\u2009]", "", match[0])
    continental = "," in written and ("." not in written or written.index(".") < written.index(","))
    if continental and re.search(r"\.\d{3}|,\d{1,2}$", written):
        written = written.replace(".", "").replace(",", ".")
    written = written.replace(",", "")
    if len(written) > MOST_DIGITS and "." not in written[:MOST_DIGITS]:
        return Number(_LARGEST, start, end)
    value = Fraction(written[:MOST_DIGITS])
    if (th := _ORDINAL_END.match(text, end)) is not None:
        return Number(value, start, th.end(), ordinal=True)
    if value.denominator == 1:
        at = end + (text[end : end + 1] == " ")
        part = _fraction_at(text, at)
        if part is not None and (at > end or text[at] in VULGAR_FRACTIONS):
            return Number(value + part.value, start, part.end)
    return Number(value, start, end)


def _fraction_at(text: str, start: int) -> Number | None:
    match = _FRACTION.match(text, start)
    if match is None:
        return None
    if match["sign"]:
        return Number(VULGAR_FRACTIONS[match["sign"]], start, match.end())
    part, whole = int(match["part"]), int(match["whole"])
    fits = 0 < part < whole and whole in _WHOLES
    return Number(Fraction(part, whole), start, match.end()) if fits else None


_DIGIT_GROUP = regex(r"\d+")


def digit_groups(text: str) -> frozenset[str]:
    """The groups of digits of a text, without leading zeros.

    Dates, versions and prices count as the numbers that they are made of, in whatever
    order and however they are put together.
    """
    return frozenset(digits.lstrip("0") or "0" for digits in _DIGIT_GROUP.findall(text))

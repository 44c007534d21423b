"""Quantities: amounts of money, amounts with a unit, counts, bare numbers, dates and versions.

`quantities` reads a text once, from left to right. Each number is the first of these that
fits: money ('$5', '5 euros'), a version ('Python 3.11'), an amount with a unit ('5 km'), a
count ('5 boxes'), or a bare number. Amounts of one dimension that follow each other become one
('1 hour 30 minutes', '5 feet 3 inches'), and the ends of a range share a unit ('2 to 3 hours').

Decisions where a text is ambiguous: '5m' is five metres, but '$5m' and '5m users' are millions.
'1h30m', '7d' and '2w' are durations as Prometheus writes them; '3d' before a word is not.
'3,5 km' and '1.200 €' have decimal commas and thousands parted by points. A number in words
counts only with a unit or a noun. 'a day' is an amount after 'within' and the like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain
from operator import attrgetter
from typing import Literal

import msgspec

from mnemolog.language.lists import english
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Quantity, quantity_at
from mnemolog.language.quantities.clocks import clocks
from mnemolog.language.quantities.counts import counted_noun, is_plural_noun
from mnemolog.language.quantities.moments import dates
from mnemolog.language.quantities.money import money_at
from mnemolog.language.quantities.numbers import fraction_after, numbers
from mnemolog.language.quantities.numerals import Number, with_decimal_comma
from mnemolog.language.quantities.ranges import opens_range, with_shared_units
from mnemolog.language.quantities.rates import rated
from mnemolog.language.quantities.units import Unit, counted, unit_named, units
from mnemolog.language.quantities.versions import versions
from mnemolog.language.words.letters import plain_letters

Bare = Literal["number", "money"]
"""Reading of a number without a unit."""

LONGEST = 20_000
"""Characters of a text that are read: what limits something is short."""


def quantities(text: str, bare: Bare = "number") -> tuple[Quantity, ...]:
    """The quantities of a text in order; none overlap.

    A number without a unit is of the dimension `bare`: where a text is known to
    speak of prices, '180 a night' is money of no currency. A year stays a number.
    """
    return _read(plain_letters(text[:LONGEST]), bare)


# Recognition, constraints and corrections ask for the same few texts one after the other.
@lru_cache(maxsize=64)
def _read(text: str, bare: Bare) -> tuple[Quantity, ...]:
    taken = bytearray(len(text))
    found = []
    for one in chain(dates(text), clocks(text), _durations(text), _of_numbers(text, bare)):
        if not any(taken[one.start : one.end]):
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            found.append(one)
    found.sort(key=attrgetter("start"))
    return tuple(with_shared_units(text, _compounded(text, found)))


def _of_numbers(text: str, bare: Bare) -> Iterator[Quantity]:
    """The quantities that begin with a number, dates and times of day among them."""
    found = sorted(chain(numbers(text), _single_times(text)), key=attrgetter("start"))
    if not found:
        return
    pound = units()["lb" if _weights().search(text) is not None else "gbp"]
    known = {one.start: one for one in versions(text)}
    end = 0
    for number in found:
        if number.start < end or number.ordinal:
            continue
        one = (
            money_at(text, number, pound)
            or known.get(number.start)
            or _measured(text, number)
            or _bare(text, number, bare)
        )
        if one is not None and one.start >= end:
            end = one.end
            yield one


@cache
def _weights() -> re.Pattern[str]:
    return regex(rf"\b(?:{'|'.join(english('counting').text('weights').split())})\b", re.IGNORECASE)


# 'A day' alone says how often; after such a word it is an amount.
_SINGLE_TIME = regex(
    r"\b(?:(?:within|under|over|than|most|least|to|exceed|beyond|in)[ ]"
    r"(?P<one>an?)[ ](?:second|minute|hour|day|week|fortnight|month|year|decade)\b"
    r"|(?P<more>an?)[ ][a-z]+[ ]and[ ](?:a|three)[ ](?:half|quarters?)\b)",
    re.IGNORECASE,
)


def _single_times(text: str) -> Iterator[Number]:
    for match in _SINGLE_TIME.finditer(text):
        yield Number(Fraction(1), *match.span("one" if match["one"] else "more"))


_CLOCK_UNITS = {"y": "year", "w": "week", "d": "day", "h": "hour", "m": "minute", "s": "second"}
_DURATION = regex(
    r"(?<![\w.:/-])(?:(?:\d{1,9}(?:ms|[ywdhms])){2,7}+|\d{1,9}[wy]|(?![23]d[ ][a-z])\d{1,9}d)(?!\w)"
)
_DURATION_PART = regex(r"(?P<amount>\d+)(?P<unit>[a-z]+)")


def _durations(text: str) -> Iterator[Quantity]:
    """Durations in the notation of Prometheus: '1h30m', '7d'."""
    for match in _DURATION.finditer(text):
        parts = [
            (Fraction(part["amount"]), unit.factor)
            for part in _DURATION_PART.finditer(match[0])
            if (unit := unit_named(_CLOCK_UNITS.get(part["unit"], part["unit"]))) is not None
        ]
        factors = [factor for _, factor in parts]
        if factors == sorted(set(factors), reverse=True):
            seconds = sum((amount * factor for amount, factor in parts), Fraction(0))
            yield rated(text, match.span(), Unit("duration", "second", factors[-1]), seconds)


@cache
def _unit_after() -> re.Pattern[str]:
    named = sorted((name for name, unit in units().items() if unit.dimension != "money"), key=len)
    names = "|".join(re.escape(name) for name in ("pound", *reversed(named)))
    return regex(rf"[ -]?(?P<unit>(?:{names}|feet|inches|halves)s?(?![A-Za-z/])|%)", re.IGNORECASE)


_NO_START = regex(r"[\w.$€£]\Z")
_MILLION_OF = regex(r"m[ ](?P<noun>[a-z-]+)\b", re.IGNORECASE)


def _measured(text: str, number: Number) -> Quantity | None:
    """An amount with a unit, or a count."""
    if _NO_START.search(text, max(0, number.start - 1), number.start):
        return None
    millions = _MILLION_OF.match(text, number.end)
    if millions is not None and is_plural_noun(millions["noun"]):
        number = Number(number.value * 10**6, number.start, millions.start("noun") - 1)
    unit_after = _unit_after()
    longer = with_decimal_comma(text, number)
    match = unit_after.match(text, longer.end)
    if match is not None and not _is_no_unit(text, match, number):
        unit = unit_named("lb" if match["unit"].lower().startswith("pound") else match["unit"])
        if unit is not None:
            whole = fraction_after(text, Number(Fraction(0), match.start(), match.end()))
            value = longer.value if whole is None else longer.value + whole.value
            end = match.end() if whole is None else whole.end
            start, value = _with_sign(text, number.start, value, unit.dimension)
            return rated(text, (start, end), unit, value * unit.factor + unit.offset)
        return None
    noun = counted_noun(text, number)
    if noun is None:
        return None
    unit = Unit("count", counted(noun.text))
    return rated(text, (number.start, noun.end), unit, number.value)


_NEAR = 20
"""Characters in front of an amount that may hold its sign, or say that it is an age."""
_MINUS = regex(r"(?:(?<![\w.])[-\N{MINUS SIGN}]|\bminus )$", re.IGNORECASE)


def _with_sign(text: str, start: int, amount: Fraction, dimension: str) -> tuple[int, Fraction]:
    """Start and value of an amount with its sign; only temperatures are below zero."""
    sign = _MINUS.search(text, max(0, start - _NEAR), start) if dimension == "temperature" else None
    return (start, amount) if sign is None else (sign.start(), -amount)


_AGES = regex(r"(?:the|early|late|mid|my|his|her|their|our|your)[ -]?$", re.IGNORECASE)
_LONGEST_SECONDS = 3


def _is_no_unit(text: str, match: re.Match[str], number: Number) -> bool:
    """True for letters that look like a unit: 'the 90s', '5G'."""
    unit = match["unit"]
    if unit == "s" and text[match.start("unit") - 1] != " ":
        aged = _AGES.search(text, max(0, number.start - _NEAR), number.start) is not None
        return aged or number.end - number.start > _LONGEST_SECONDS
    return unit in ("G", "M", "T", "H", "S")


_NO_BARE_AFTER = regex(r"[\w:/%]|[.,]\d")
_NO_BARE_BEFORE = regex(r"(?:[\w.:/#@$€£]|[A-Za-z]-)\Z")
_FRACTION = regex(r"\d+[/\u2044]\d+")
_LAST_WORD = regex(r"([A-Za-z][\w+#-]*)[ ]+(?:version[ ]+)?$")
_YEAR = regex(r"(?:19|20)\d\d")
_REACH = 60


@cache
def _bare_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns for words of spending, and for words between a name and its number."""
    listed = english("counting")
    spending = "|".join(listed.text("spending").split())
    between = "|".join(listed.text("between_name_and_number").split())
    return (
        regex(rf"\b(?:{spending})\b[^.;,\d]{{0,40}}$", re.IGNORECASE),
        regex(rf"(?:[ ]+(?:{between}))+[ ]+$", re.IGNORECASE),
    )


def _bare(text: str, number: Number, bare: Bare) -> Quantity | None:
    """A number without unit or noun; one in words only at the beginning of a range."""
    if _NO_BARE_BEFORE.search(text, max(0, number.start - 2), number.start) or _NO_BARE_AFTER.match(
        text, number.end
    ):
        return None
    written = text[number.start : number.end]
    in_words = written[0].isalpha()
    if written[-1] == "K":
        # '4K' is a resolution, '10K' a race.
        return None
    if _FRACTION.fullmatch(written) or (in_words and not opens_range(text, number)):
        return None
    spending, between = _bare_patterns()
    in_front = text[max(0, number.start - _REACH) : number.start]
    is_price = bare == "money" and _YEAR.fullmatch(written) is None
    if not in_words and (is_price or spending.search(in_front)):
        return rated(text, (number.start, number.end), Unit("money", ""), number.value)
    word = _LAST_WORD.search(between.sub(" ", in_front))
    name = word[1].lower() if word else ""
    return quantity_at(text, (number.start, number.end), "number", "", (number.value,), name)


_COMPOUND = frozenset({"duration", "length", "mass", "money"})
_BETWEEN_PARTS = regex(r"[ ]?|,?[ ](?:and[ ])?")


def _compounded(text: str, found: list[Quantity]) -> list[Quantity]:
    """Amounts with those in smaller units behind them: '1 hour and 30 minutes'."""
    whole: list[Quantity] = []
    for one in found:
        last = whole[-1] if whole else None
        if last is not None and _continues(text, last, one):
            whole[-1] = msgspec.structs.replace(
                one,
                values=(last.amount + one.amount,),
                text=text[last.start : one.end],
                start=last.start,
            )
        else:
            whole.append(one)
    return whole


def _continues(text: str, last: Quantity, one: Quantity) -> bool:
    """True if an amount goes on with one in a smaller unit: '30 minutes' after '1 hour'."""
    return (
        one.dimension in _COMPOUND
        and (one.dimension, one.unit) == (last.dimension, last.unit)
        and (last.per, last.period) == (None, None)
        and max(one.factor, one.amount) < last.factor
        and _BETWEEN_PARTS.fullmatch(text, last.end, one.start) is not None
    )

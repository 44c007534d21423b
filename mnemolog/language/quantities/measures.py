"""Quantities in a text: money, amounts with a unit, counts, and those read elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Literal

import msgspec

from mnemolog.language.morphology import is_plural
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Quantity, quantity_at
from mnemolog.language.quantities.moments import clocks, dates
from mnemolog.language.quantities.units import (
    MULTIPLIERS,
    NUMBER_WORDS,
    counted,
    number_in_words,
    unit_named,
    unit_names,
)
from mnemolog.language.quantities.versions import versions
from mnemolog.language.word_lists import word_set
from mnemolog.language.words.letters import plain_letters

Bare = Literal["number", "money"]
"""What a number without a unit is taken for."""

LONGEST = 20_000
"""Characters of a text that are read: what limits something is short."""


def quantities(text: str, bare: Bare = "number") -> tuple[Quantity, ...]:
    """The quantities of a text in order; none overlap.

    A number that nothing is said of is of the dimension `bare`: where a text is known to
    speak of prices, '180 a night' is money of no currency. A year stays a number.
    """
    text = plain_letters(text[:LONGEST])
    taken = bytearray(len(text))
    found: list[Quantity] = []
    for read in (dates, clocks, _money, versions, _measured, partial(_bare, bare=bare)):
        for quantity in read(text):
            if not any(taken[quantity.start : quantity.end]):
                taken[quantity.start : quantity.end] = b"\1" * (quantity.end - quantity.start)
                found.append(quantity)
    return tuple(sorted(found, key=lambda quantity: quantity.start))


# Never given back digit by digit: a text may be one long number.
_DIGITS = r"(?<!\d)(?:\d{1,3}(?:,\d{3})++(?:\.\d++)?|\d++(?:\.\d++)?)"
_SPELLED = "|".join(sorted({*NUMBER_WORDS, "hundred", "thousand"}, key=lambda word: -len(word)))
_WORDS = (
    rf"(?:(?:a|an)[ ])?(?:{_SPELLED})(?:(?:[ -]|[ ]and[ ])(?:{_SPELLED})){{0,11}}(?:(?<=couple)["
    rf" ]of\b|(?<=half)[ ]an?\b)?"
)
NUMBER = (
    rf"(?:(?P<digits>{_DIGITS})(?P<times>(?:k|m|bn)\b|[ ](?:k|bn|hundred|thousand|grand"
    rf"|million|billion)\b)?|\b(?P<words>{_WORDS})\b)"
)


@cache
def _money_pattern() -> re.Pattern[str]:
    names = [re.escape(name) for name in unit_names() if _is_currency(name)]
    signs = "|".join(name for name in names if not name.isalpha())
    codes = "|".join(name for name in names if name.isalpha() and len(name) == 3)  # noqa: PLR2004
    words = "|".join(name for name in names if name.isalpha())
    return regex(
        rf"(?:(?P<sign>{signs})|\b(?P<code>{codes}))[ ]?{NUMBER}(?:[ ](?P<also>{codes})\b)?"
        rf"|{NUMBER.replace('?P<', '?P<b_')}[ -]?(?:(?P<unit>{words})s?\b|(?P<after>[$€£¥₹₩]))",
        re.IGNORECASE,
    )


def _is_currency(name: str) -> bool:
    unit = unit_named(name)
    return unit is not None and unit.dimension == "money"


_WEIGHT = regex(r"\b(?:weigh\w*|heavy|heavier|lift\w*|luggage|baggage|load)\b", re.IGNORECASE)
_SPENDING = regex(
    r"\b(?:budget|price|priced|cost|costs|costing|spend|spending|pay|paying|fee|rent|ceiling)\b"
    r"[^.;,\d]{0,40}$",
    re.IGNORECASE,
)
_PER = regex(
    r"(?:[ ]of[ ][a-z-]+(?=[ ]per[ ]))?[ ]?(?:/|per[ ]|an?[ ]|each[ ]"
    r"|every[ ])[ ]?(?P<half>half[ -](?:an?[ -])?)?(?P<per>[a-z]+)\b"
    r"|[ ](?P<adverb>hourly|daily|nightly|weekly|monthly|yearly|annually|each|apiece)\b",
    re.IGNORECASE,
)
ADVERBS = {
    "hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week", "monthly": "month",
    "yearly": "year", "annually": "year", "annual": "year", "each": "piece", "apiece": "piece",
}  # fmt: skip
"""What a rate is for, by the word that says so."""


def _money(text: str) -> Iterator[Quantity]:
    is_weight = _WEIGHT.search(text) is not None
    for match in _money_pattern().finditer(text):
        given = match.groupdict()
        amount = amount_of(
            given["digits"] or given["b_digits"],
            given["times"] or given["b_times"],
            given["words"] or given["b_words"],
        )
        named = next(given[one] for one in ("also", "sign", "code", "unit", "after") if given[one])
        unit = unit_named(named)
        if unit is None or amount is None or (is_weight and named.lower() == "pound"):
            continue
        yield _rated(text, match.span(), "money", unit.base, amount * unit.factor)


@cache
def _measured_pattern() -> re.Pattern[str]:
    names = [name for name in unit_names() if name == "pound" or not _is_currency(name)]
    units = "|".join(rf"{re.escape(name)}" for name in names)
    return regex(
        rf"(?<![\w.$€£]){NUMBER}(?:[ -]?(?P<unit>(?:{units}|feet|inches)s?(?![A-Za-z/])|%)"
        r"|[ -](?P<first>[A-Za-z][A-Za-z'-]+)(?:[ ](?P<second>[A-Za-z][A-Za-z-]+)"
        r"(?=(?:[ ](?P<third>[A-Za-z][A-Za-z-]+))?))?)",
        re.IGNORECASE,
    )


# 'a day' alone says how often; after such a word it is an amount.
_ONE_TIME = regex(
    r"\b(?:within|under|over|than|most|least|to|exceed|beyond|in)[ ]"
    r"(?P<one>an?[ ](?P<unit>second|minute|hour|day|week|month|year))\b",
    re.IGNORECASE,
)
_NO_NOUN = word_set(
    "and or to of in on at by for from with is are was were be has does "
    "the a an that which this than as if but so then per "
    "each every not no more less fewer most least max maximum min minimum "
    "tops or other others on off up down until before after between within over under above "
    "below ago later earlier away old long high wide deep tall far total only else i you he she "
    "we they it them us me him her day-old ceiling budget limit cap k m bn it's bec"
    "ause when where while"
)


def _measured(text: str) -> Iterator[Quantity]:
    for match in _ONE_TIME.finditer(text):
        unit = unit_named(match["unit"])
        if unit is not None:
            span = match.span("one")
            yield _rated(text, span, unit.dimension, unit.base, unit.factor)
    for match in _measured_pattern().finditer(text):
        amount = amount_of(match["digits"], match["times"], match["words"])
        if amount is None:
            continue
        if match["unit"]:
            unit = unit_named(match["unit"])
            if unit is not None and unit.dimension == "money":
                unit = unit_named("lb")
            if unit is not None and not _is_no_unit(text, match):
                start, signed = _with_sign(text, match.start(), amount, unit.dimension)
                scaled = signed * unit.factor + unit.offset
                yield _rated(text, (start, match.end()), unit.dimension, unit.base, scaled)
            continue
        noun, end = _noun(match, amount)
        if noun:
            yield _rated(text, (match.start(), end), "count", counted(noun), amount)


_NEAR = 20
"""Characters in front of an amount that may hold its sign, or say that it is an age."""
_MINUS = regex(r"(?:(?<![\w.])[-\N{MINUS SIGN}]|\bminus )$", re.IGNORECASE)


def _with_sign(text: str, start: int, amount: float, dimension: str) -> tuple[int, float]:
    """Where an amount begins with its sign, and the amount: only temperatures are below zero."""
    sign = _MINUS.search(text, max(0, start - _NEAR), start) if dimension == "temperature" else None
    return (start, amount) if sign is None else (sign.start(), -amount)


def _is_no_unit(text: str, match: re.Match[str]) -> bool:
    """Whether what looks like a unit is none: 'the 90s', '5G'."""
    unit = match["unit"]
    if unit == "s" and text[match.start("unit") - 1] != " ":
        start = match.start()
        aged = _AGES.search(text, max(0, start - _NEAR), start) is not None
        return aged or len(match["digits"] or "") > 3  # noqa: PLR2004 - '1990s'
    return unit in ("G", "M", "T", "H", "S")


_AGES = regex(r"(?:the|early|late|mid|my|his|her|their|our|your)[ -]?$", re.IGNORECASE)


def _noun(match: re.Match[str], amount: float) -> tuple[str, int]:
    """What a number counts: the plural after it, maybe behind an adjective.

    A singular after a number other than one is not counted by it ('a Windows 11
    laptop'), unless a hyphen joins them ('an 8-person tent').
    """
    first, second = match["first"], match["second"]
    if first is None or first.lower() in _NO_NOUN:
        return "", 0
    if (
        is_plural(first)
        or amount == 1
        or match[0][match.start("first") - match.start() - 1] == "-"
        or first.lower() in _ATTRIBUTES
    ):
        return first, match.end("first")
    if second and is_plural(second) and second.lower() not in _NO_NOUN:
        return second, match.end("second")
    third = match["third"]
    if third and second and second.lower() not in _NO_NOUN and third.lower() not in _NO_NOUN:
        return (third, match.end("third")) if is_plural(third) else ("", 0)
    return "", 0


_ATTRIBUTES = word_set("word page person seat slide character column row")
"""What is counted in the singular before another noun: 'a 1,500 word essay'."""


_BARE = regex(
    rf"(?<![\w.:/#@$€£])(?<![A-Za-z]-)(?P<digits>{_DIGITS})(?P<times>k\b)?(?![\w:/%]|[.,]\d)"
)
# Between the name of something and its number: 'Node must be at least 18', 'numpy below 2'.
_NOT_NAMING = regex(
    r"(?:[ ]+(?:must|has|have|needs?|to|be|is|are|should|shall|at|least|most|below|under|past|above"
    r"|over|beyond|than|newer|older|later|earlier|higher|lower|not|or|stay|kept|only|exactly"
    r"|version))+[ ]+$",
    re.IGNORECASE,
)
_LAST_WORD = regex(r"([A-Za-z][\w+#-]*)[ ]+(?:version[ ]+)?$")


_YEAR = regex(r"(?:19|20)\d\d")


def _bare(text: str, bare: Bare) -> Iterator[Quantity]:
    for match in _BARE.finditer(text):
        amount = amount_of(match["digits"], match["times"], None)
        if amount is None:
            continue
        before = text[max(0, match.start() - 60) : match.start()]
        is_money = bare == "money" and not _YEAR.fullmatch(match[0])
        if is_money or _SPENDING.search(before):
            yield _rated(text, match.span(), "money", "", amount)
            continue
        word = _LAST_WORD.search(_NOT_NAMING.sub(" ", before))
        name = word[1].lower() if word else ""
        yield quantity_at(text, match.span(), "number", "", (amount,), name)


def amount_of(digits: str | None, times: str | None, words: str | None) -> float | None:
    """The number of what `NUMBER` matched: its digits with a multiplier, or its words."""
    if digits is None:
        return None if words is None else number_in_words(words)
    amount = float(digits.replace(",", ""))
    return amount * MULTIPLIERS[times.strip().lower()] if times and times.strip() else amount


# 'a' before other nouns counts nothing: 'a 20 dollar a piece of furniture'.
_SAYS_RATE = regex(r"(?: of [a-z-]+)? ?(?:/|per )", re.IGNORECASE)


def _rated(text: str, span: tuple[int, int], dimension: str, unit: str, amount: float) -> Quantity:
    """A quantity with what it is for: '20 dollars a month', '5 GB per user'."""
    plain = quantity_at(text, span, dimension, unit, (amount,))
    match = _PER.match(text, span[1])
    if match is None:
        return plain
    noun = match["per"] or ADVERBS[match["adverb"].lower()]
    share = 0.5 if match["half"] else 1.0
    period = unit_named("day" if noun.lower() == "night" else noun)
    if noun.lower() == "head":
        noun = "person"
    if not match["per"] or _SAYS_RATE.match(match[0]) or noun == "person" or period is not None:
        is_time = period is not None and period.dimension == "duration"
        return msgspec.structs.replace(
            plain,
            end=match.end(),
            text=text[span[0] : match.end()],
            per="" if is_time else counted(noun),
            period=period.factor * share if period is not None and is_time else None,
        )
    return plain

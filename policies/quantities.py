"""Quantities in a text, and the bounds that words put on them.

Money, amounts with a unit, counts, shares, dates, times of day and versions are
read by patterns of English and compared in one base unit per dimension. What
cannot be compared (other currencies, a price a month with a price in all) is
never guessed at.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import date
from functools import cache

import msgspec

from policies.units import (
    MULTIPLIERS,
    NUMBER_WORDS,
    counted,
    number_in_words,
    singular,
    unit_named,
    unit_names,
)

_TOLERANCE = 1e-9
_LONGEST = 20_000
"""Characters of a text that are read: what limits something is short."""

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class Quantity(msgspec.Struct, frozen=True):
    """An amount as a text gives it.

    `dimension` says what is measured: money, duration, data, length, mass and
    other physical ones, share, count, number, date, clock, weekday or version.
    `unit` is its base unit: a currency, the noun counted, the software's name.
    `values` is the amount in that unit as one number; of a version its parts;
    of a date year (0 if not given), month and day as far as given. `per` is
    what a rate is for: a noun, or a time that `period` gives in seconds.
    `start` and `end` are its characters in the text, `text` those characters;
    `name` is the word before it.
    """

    dimension: str
    unit: str
    values: tuple[float, ...]
    text: str
    start: int
    end: int
    name: str = ""
    per: str | None = None
    period: float | None = None

    @property
    def amount(self) -> float:
        """The amount in the base unit; of a date its year, of a version its first part."""
        return self.values[0]


class Bound(msgspec.Struct, frozen=True):
    """What words allow of a quantity: from `low` to `high`, None where there is no end.

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


def comparable(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities can be compared: same dimension, unit and rate."""
    return compare(one, other) is not None


def compare(one: Quantity, other: Quantity) -> int | None:
    """-1, 0 or 1 as the first is less, equal or more; None if they cannot be compared.

    Dates and versions are compared as far as both are given: 3.11.4 equals
    3.11, and a date without a year is taken for one of the other's year. Money
    without a currency is taken to be in the other's.
    """
    if not _alike(one, other):
        return None
    first, second = one.values, other.values
    if one.dimension == other.dimension == "date":
        if 0.0 in (first[0], second[0]):
            first, second = first[1:], second[1:]
        if not first or not second:
            return None
    shared = min(len(first), len(second))
    if one.period is not None and other.period is not None:
        first, second = (first[0] / one.period,), (second[0] / other.period,)
    for left, right in zip(first[:shared], second[:shared], strict=True):
        if not math.isclose(left, right, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE):
            return -1 if left < right else 1
    return 0


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
    return units and rates and (one.period is not None or one.per == other.per)


def meets(bound: Bound, quantity: Quantity) -> bool | None:
    """Whether a quantity is within a bound; None if it cannot be compared with it."""
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


# -- reading quantities ----------------------------------------------------------------


def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text in order; none overlap."""
    text = text[:_LONGEST]
    taken: list[tuple[int, int]] = []
    found: list[Quantity] = []
    for read in (_dates, _clocks, _money, _versions, _measured, _bare):
        for quantity in read(text):
            if not any(quantity.start < end and start < quantity.end for start, end in taken):
                taken.append((quantity.start, quantity.end))
                found.append(quantity)
    return tuple(sorted(found, key=lambda quantity: quantity.start))


_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_SPELLED = "|".join(sorted({*NUMBER_WORDS, "hundred", "thousand"}, key=lambda word: -len(word)))
_WORDS = rf"(?:(?:a|an)[ ])?(?:{_SPELLED})(?:(?:[ -]|[ ]and[ ])(?:{_SPELLED}))*(?:(?<=couple)[ ]of\b|(?<=half)[ ]an?\b)?"
_NUMBER = rf"(?:(?P<digits>{_DIGITS})(?P<times>[ ]?(?:k|m|bn)\b|[ ](?:hundred|thousand|million|billion)\b)?|\b(?P<words>{_WORDS})\b)"
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DATED = (
    re.compile(rf"\b{_YEAR}-(?P<month>[01]\d)-(?P<day>[0-3]\d)\b", re.IGNORECASE),
    re.compile(rf"\b{_DAY}(?:[ ]of)?[ ]{_MONTH}(?:,?[ ]{_YEAR}\b)?", re.IGNORECASE),
    re.compile(rf"\b{_MONTH}[ ]{_DAY}\b(?![:.]\d)(?:,?[ ]{_YEAR}\b)?", re.IGNORECASE),
    re.compile(rf"\b{_MONTH}[ ]{_YEAR}\b", re.IGNORECASE),
)
# Capitalised and after such a word, since 'may' and 'march' are verbs as well.
_MONTH_ALONE = re.compile(
    r"\b(?:[Ii]n|[Bb]y|[Bb]efore|[Aa]fter|[Uu]ntil|[Tt]ill|[Ss]ince|[Ff]rom|[Dd]uring|[Oo]f)[ ]"
    r"(?P<month>January|February|March|April|May|June|July|August|September|October|November"
    r"|December)\b(?![ ]\d)"
)
_YEAR_ALONE = re.compile(
    rf"\b(?:in|by|before|after|until|till|since|from|during|year)[ ]{_YEAR}\b(?![-.\d])",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"\b(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b", re.IGNORECASE
)
_CLOCK = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])(?::(?P<minute>[0-5]\d))(?::[0-5]\d)?(?:[ ]?(?P<half>[ap])\.?m\b\.?)?"
    r"|\b(?P<hour_alone>1[0-2]|0?[1-9])(?:[ ]?(?P<half_alone>[ap])\.?m\b\.?|[ ]o'?clock\b)"
    r"|\b(?P<named>noon|midnight)\b",
    re.IGNORECASE,
)


def _dates(text: str) -> Iterator[Quantity]:
    for pattern in (*_DATED, _MONTH_ALONE, _YEAR_ALONE):
        for match in pattern.finditer(text):
            given = match.groupdict()
            year = float(given.get("year") or 0)
            month, day = given.get("month"), given.get("day")
            values = [year]
            if month is not None:
                values.append(float(month) if month.isdigit() else _month(month))
            if day is not None:
                values.append(float(day))
            if not _in_calendar(values):
                continue
            start = min(match.start(name) for name, value in given.items() if value is not None)
            yield _quantity(text, (start, match.end()), "date", "day", tuple(values))
    for match in _WEEKDAY.finditer(text):
        value = float(WEEKDAYS.index(match["weekday"].lower()))
        yield _quantity(text, match.span(), "weekday", "day", (value,))


def _month(name: str) -> float:
    start = name.lower()[:3]
    return 1.0 + next(index for index, month in enumerate(MONTHS) if month.startswith(start))


def _in_calendar(values: list[float]) -> bool:
    year, month, day = (*map(int, values), 1, 1)[:3]
    try:
        # A leap year where none is given, so that 29 February is a date.
        date(year or 2000, month, day)
    except ValueError:
        return False
    return True


def _clocks(text: str) -> Iterator[Quantity]:
    for match in _CLOCK.finditer(text):
        if match["named"]:
            minutes = 720.0 if match["named"].lower() == "noon" else 1440.0
        else:
            hour = float(match["hour"] or match["hour_alone"])
            half = (match["half"] or match["half_alone"] or "").lower()
            if half:
                hour = hour % 12 + (12 if half == "p" else 0)
            minutes = 60 * hour + float(match["minute"] or 0)
        yield _quantity(text, match.span(), "clock", "minute", (minutes,))


@cache
def _money_pattern() -> re.Pattern[str]:
    names = [re.escape(name) for name in unit_names() if _is_currency(name)]
    signs = "|".join(name for name in names if not name.isalpha())
    codes = "|".join(name for name in names if name.isalpha() and len(name) == 3)  # noqa: PLR2004
    words = "|".join(name for name in names if name.isalpha())
    return re.compile(
        rf"(?:(?P<sign>{signs})|\b(?P<code>{codes}))[ ]?{_NUMBER}(?:[ ](?P<also>{codes})\b)?"
        rf"|{_NUMBER.replace('?P<', '?P<b_')}[ -]?(?:(?P<unit>{words})s?\b|(?P<after>[$€£¥₹₩]))",
        re.IGNORECASE,
    )


def _is_currency(name: str) -> bool:
    unit = unit_named(name)
    return unit is not None and unit.dimension == "money"


_WEIGHT = re.compile(r"\b(?:weigh\w*|heavy|heavier|lift\w*|luggage|baggage|load)\b", re.IGNORECASE)
_SPENDING = re.compile(
    r"\b(?:budget|price|priced|cost|costs|costing|spend|spending|pay|paying|fee|rent|ceiling)\b"
    r"[^.;,\d]{0,40}$",
    re.IGNORECASE,
)
_PER = re.compile(
    r"[ ]?(?:/|per[ ]|an?[ ]|each[ ]|every[ ])[ ]?(?P<per>[a-z]+)\b"
    r"|[ ](?P<adverb>hourly|daily|nightly|weekly|monthly|yearly|annually|each|apiece)\b",
    re.IGNORECASE,
)
_ADVERBS = {
    "hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week", "monthly": "month",
    "yearly": "year", "annually": "year", "each": "piece", "apiece": "piece",
}  # fmt: skip


def _money(text: str) -> Iterator[Quantity]:
    is_weight = _WEIGHT.search(text) is not None
    for match in _money_pattern().finditer(text):
        given = match.groupdict()
        amount = _amount(given["digits"] or given["b_digits"], given["times"] or given["b_times"],
                         given["words"] or given["b_words"])  # fmt: skip
        named = next(given[one] for one in ("also", "sign", "code", "unit", "after") if given[one])
        unit = unit_named(named)
        if unit is None or amount is None or (is_weight and named.lower() == "pound"):
            continue
        yield _rated(text, match.span(), "money", unit.base, amount * unit.factor)


_NAME = r"(?P<name>[A-Za-z][\w+#.-]*)"
_BETWEEN = r"(?:[ ]version|[ ]v\.?)?[ ]?(?:\(?(?P<sign>>=|<=|==|=|≥|≤|>|<|~=|\^)[ ]?)?[ ]?"
_NUMBERED = r"v?(?P<version>\d+(?:\.\d+)*)(?:\.x)?(?![\d,]|\.\d|:\d)"
_VERSION = re.compile(
    rf"\b(?:version|v)[ .]?(?P<bare>\d+(?:\.\d+)*)(?:[ ]of[ ](?P<of>[A-Z]\w+))?"
    rf"|\b{_NAME}{_BETWEEN}{_NUMBERED}"
)
_NO_NAME = frozenset(
    [
        *MONTHS, "the", "a", "an", "of", "to", "at", "in", "on", "by", "for", "and", "or", "than",
        "under", "over", "about", "only", "before", "after", "within", "until", "least", "most",
        "max", "maximum", "min", "minimum", "is", "are", "was", "with", "from", "between", "up",
        "budget", "limit", "ceiling", "cap", "around", "roughly", "nearly", "exactly", "takes",
        "costs", "needs", "requires", "require", "need", "below", "above", "more", "less", "not",
        "fewer", "no", "all", "any", "these", "those", "version", "versions", "v", "release",
        "be", "been", "must", "should", "have", "has", "had", "we", "it", "i", "use", "uses",
        "using", "run", "runs", "on", "need", "that", "this", "as", "newer", "older",
    ]
)  # fmt: skip


def _versions(text: str) -> Iterator[Quantity]:
    for match in _VERSION.finditer(text):
        if match["bare"]:
            number, start = match["bare"], match.start("bare")
            name = (match["of"] or _subject(text[:start])).lower()
            yield _quantity(text, (start, match.end()), "version", name, _parts(number), name)
            continue
        name, number = match["name"], match["version"]
        low = name.lower().rstrip(".")
        explicit = match["sign"] or " version" in match[0].lower() or re.search(r"\bv\d", match[0])
        if low in _NO_NAME and not explicit:
            continue
        dotted = "." in number
        if (
            not explicit
            and not (dotted and name[0].isupper())
            and not _is_numbered_name(text, match, name)
        ):
            continue
        if not explicit and _unit_after(text, match.end()):
            continue
        low = _subject(text[: match.start("version")]) if low in _NO_NAME else low
        yield _quantity(text, (match.start("version"), match.end()), "version", low,
                        _parts(number), low)  # fmt: skip


def _subject(before: str) -> str:
    """The last name before a version that follows none directly: 'Postgres must be version 14'."""
    clause = re.split(r"[.;!?](?:\s|$)", before)[-1]
    names = [
        word for word in re.findall(r"\b[A-Z][\w+#-]*", clause) if word.lower() not in _NO_NAME
    ]
    return names[-1].lower() if names else ""


def _is_numbered_name(text: str, match: re.Match[str], name: str) -> bool:
    """Whether a word with a whole number after it is a name, such as 'Windows 11'."""
    before = text[: match.start()].rstrip()
    begins = not before or before[-1] in ".!?:;\n"
    if not name[0].isupper() or begins or re.match(r"[ ][a-z]+s\b", text[match.end() :]):
        return False
    return match.end("name") < match.start("version")


def _parts(number: str) -> tuple[float, ...]:
    return tuple(float(part) for part in number.split("."))


def _unit_after(text: str, end: int) -> bool:
    match = re.match(r"[ -]?([A-Za-z°%µ]+)", text[end : end + 20])
    return match is not None and unit_named(match[1]) is not None


@cache
def _measured_pattern() -> re.Pattern[str]:
    names = [name for name in unit_names() if name == "pound" or not _is_currency(name)]
    units = "|".join(rf"{re.escape(name)}" for name in names)
    return re.compile(
        rf"(?<![\w.$€£]){_NUMBER}(?:[ -]?(?P<unit>(?:{units}|feet|inches)s?(?![A-Za-z/])|%)"
        r"|[ -](?P<first>[A-Za-z][A-Za-z'-]+)(?:[ ](?P<second>[A-Za-z][A-Za-z-]+))?)",
        re.IGNORECASE,
    )


# 'a day' alone says how often; after such a word it is an amount.
_ONE_TIME = re.compile(
    r"\b(?:within|under|over|than|most|least|to|exceed|beyond|in)[ ]"
    r"(?P<one>an?[ ](?P<unit>second|minute|hour|day|week|month|year))\b",
    re.IGNORECASE,
)
_NO_NOUN = frozenset(
    "and or to of in on at by for from with is are was were be the a an that which this than as "
    "if but so then per each every not no more less fewer most least max maximum min minimum "
    "tops or other others on off up down until before after between within over under above "
    "below ago later earlier away old long high wide deep tall far total only else i you he she "
    "we they it them us me him her day-old ceiling budget limit cap k m bn it's because when where while".split()
)


def _measured(text: str) -> Iterator[Quantity]:
    for match in _ONE_TIME.finditer(text):
        unit = unit_named(match["unit"])
        if unit is not None:
            span = match.span("one")
            yield _rated(text, span, unit.dimension, unit.base, unit.factor)
    for match in _measured_pattern().finditer(text):
        amount = _amount(match["digits"], match["times"], match["words"])
        if amount is None:
            continue
        if match["unit"]:
            unit = unit_named(match["unit"])
            if unit is not None and unit.dimension == "money":
                unit = unit_named("lb")
            if unit is not None and not _is_no_unit(text, match):
                scaled = amount * unit.factor + unit.offset
                yield _rated(text, match.span(), unit.dimension, unit.base, scaled)
            continue
        noun, end = _noun(match, amount)
        if noun:
            yield _rated(text, (match.start(), end), "count", counted(noun), amount)


def _is_no_unit(text: str, match: re.Match[str]) -> bool:
    """Whether what looks like a unit is none: 'the 90s', '5G'."""
    unit = match["unit"]
    if unit == "s" and text[match.start("unit") - 1] != " ":
        return _AGES.search(text[: match.start()]) is not None or len(match["digits"] or "") > 3  # noqa: PLR2004 - '1990s'
    return unit in ("G", "M", "T", "H", "S")


_AGES = re.compile(r"(?:the|early|late|mid|my|his|her|their|our|your)[ -]?$", re.IGNORECASE)


def _noun(match: re.Match[str], amount: float) -> tuple[str, int]:
    """What a number counts: the plural after it, maybe behind an adjective.

    A singular after a number other than one is not counted by it ('a Windows 11
    laptop'), unless a hyphen joins them ('an 8-person tent').
    """
    first, second = match["first"], match["second"]
    if first is None or first.lower() in _NO_NOUN:
        return "", 0
    if (
        _is_plural(first)
        or amount == 1
        or match[0][match.start("first") - match.start() - 1] == "-"
    ):
        return first, match.end("first")
    if second and _is_plural(second) and second.lower() not in _NO_NOUN:
        return second, match.end("second")
    return "", 0


def _is_plural(word: str) -> bool:
    return singular(word) != word.lower()


_BARE = re.compile(
    rf"(?<![\w.:/#@$€£])(?<![A-Za-z]-)(?P<digits>{_DIGITS})(?P<times>k\b)?(?![\w:/%]|[.,]\d)"
)
_LAST_WORD = re.compile(r"([A-Za-z][\w+#-]*)[ ]+(?:version[ ]+)?$")


def _bare(text: str) -> Iterator[Quantity]:
    for match in _BARE.finditer(text):
        amount = _amount(match["digits"], match["times"], None)
        if amount is None:
            continue
        before = text[max(0, match.start() - 60) : match.start()]
        if _SPENDING.search(before):
            yield _rated(text, match.span(), "money", "", amount)
            continue
        word = _LAST_WORD.search(before)
        name = word[1].lower() if word else ""
        yield _quantity(text, match.span(), "number", "", (amount,), name)


def _amount(digits: str | None, times: str | None, words: str | None) -> float | None:
    if digits is None:
        return None if words is None else number_in_words(words)
    amount = float(digits.replace(",", ""))
    return amount * MULTIPLIERS[times.strip().lower()] if times and times.strip() else amount


def _rated(text: str, span: tuple[int, int], dimension: str, unit: str, amount: float) -> Quantity:
    """A quantity with what it is for: '20 dollars a month', '5 GB per user'."""
    plain = _quantity(text, span, dimension, unit, (amount,))
    match = _PER.match(text, span[1])
    if match is None:
        return plain
    noun = match["per"] or _ADVERBS[match["adverb"].lower()]
    period = unit_named("day" if noun.lower() == "night" else noun)
    if not match["per"] or match[0].lstrip()[:1] in "/p" or period is not None:
        is_time = period is not None and period.dimension == "duration"
        return msgspec.structs.replace(
            plain,
            end=match.end(),
            text=text[span[0] : match.end()],
            per="" if is_time else counted(noun),
            period=period.factor if period is not None and is_time else None,
        )
    return plain


def _quantity(
    text: str,
    span: tuple[int, int],
    dimension: str,
    unit: str,
    values: tuple[float, ...],
    name: str = "",
) -> Quantity:
    start, end = span
    return Quantity(dimension, unit, values, text[start:end].strip(), start, end, name)


# -- reading bounds --------------------------------------------------------------------

_UPPER = (
    r"under|below|less than|fewer than|lower than|smaller than|shorter than|lighter than"
    r"|cheaper than|earlier than|before|<"
)
_LOWER = (
    r"over|above|more than|greater than|higher than|longer than|larger than|bigger than"
    r"|heavier than|later than|after|exceed(?:s|ing)?|beyond|past|>"
)
_AT_MOST = (
    r"at (?:the )?(?:very )?most|up to|within|max(?:imum)?(?: of| is|:)?|until|till|by|<=|≤|at the latest"
    r"|no later than|(?:cap|keep|hold|limit|stick|restrict)(?:p?ed|s)? (?:\w+ ){0,3}?(?:at|to)"
)
_AT_LEAST = (
    r"at (?:the )?(?:very )?least|min(?:imum)?(?: of| is|:)?|starting (?:at|from)|from|since|>=|≥|~=|\^"
    r"|no earlier than|at the earliest"
)
_NOT = r"(?:no|not|never|cannot|n't|n\u2019t|without)"
_FILLER = r"(?:\s+(?:the|a|an|about|around|roughly|approximately|exactly|of|is|only|total))*"
_COMPARED = re.compile(
    rf"(?:(?P<not>\b{_NOT}|n't|n\u2019t)\s+(?:[\w'-]+\s+){{0,5}}?)?"
    rf"(?:\b|(?=[<>≤≥~^]))(?:(?P<most>{_AT_MOST})|(?P<least>{_AT_LEAST})|(?P<upper>{_UPPER})"
    rf"|(?P<lower>{_LOWER})){_FILLER}\s*[(:]?\s*(?P<name>[A-Za-z][\w+#.-]*\s+(?:version\s+)?)?$",
    re.IGNORECASE,
)
_LIMIT_BEFORE = re.compile(
    r"\b(?:budget|ceiling|cap|limit|maximum|max|deadline)\b(?!\s+(?:was|were))[^.;!?\d]{0,60}?"
    r"(?:\b(?:of|is|at|to|stays|remains)|[:=]|\b(?:budget|ceiling|cap|limit|deadline))"
    r"\s*(?:the|a|about|around|only|exactly|just|set (?:at|to))?\s*$",
    re.IGNORECASE,
)
_FLOOR_BEFORE = re.compile(
    r"\b(?:minimum|min)\b[^.;!?\d]{0,40}?(?:\b(?:of|is|at)|:)\s*(?:about|around)?\s*$",
    re.IGNORECASE,
)
_AFTER_MOST = re.compile(
    r"[\s,)-]*(?:or\s+(?:less|fewer|under|below|lower|earlier|older|before|cheaper|sooner|shorter)"
    r"|(?:at\s+(?:the\s+)?(?:most|latest)|max(?:imum)?|tops|ceiling|budget|limit|cap)\b)",
    re.IGNORECASE,
)
_AFTER_LEAST = re.compile(
    r"\+(?!\w)|[\s,)-]*(?:or\s+(?:more|newer|later|above|higher|better|longer|greater|up|over|larger)"
    r"|at\s+(?:the\s+)?(?:least|earliest)\b|min(?:imum)?\b(?!\s+of)|and\s+(?:up|above|newer|later)\b)",
    re.IGNORECASE,
)
_SPAN = re.compile(r"\s*(?:-|–|to|and|until|till)\s*$", re.IGNORECASE)
_OPENS_SPAN = re.compile(r"\b(?P<between>between|from)\s+(?:the\s+)?$", re.IGNORECASE)
_REACH = 100


def bounds(text: str) -> tuple[Bound, ...]:
    """What the comparisons of a text allow, in order: 'at most 4 people', 'before 3 June'.

    A comparison that is denied bounds the other end ('must not be over 500',
    'not before 10:30'). Quantities without a comparison bound nothing.
    """
    text = text[:_LONGEST]
    found: list[Bound] = []
    read = quantities(text)
    skip = -1
    for index, quantity in enumerate(read):
        if index <= skip:
            continue
        span = _spanned(text, read, index)
        if span is not None:
            found.append(span)
            skip = index + 1
            continue
        one = _bounded(text, quantity, 0 if index == 0 else read[index - 1].end)
        if one is not None:
            found.append(one)
    return tuple(found)


def _spanned(text: str, read: tuple[Quantity, ...], index: int) -> Bound | None:
    """'between 2 and 4 people', '$300-500', '10:30 to 12:00'."""
    if index + 1 >= len(read):
        return None
    low, high = read[index], read[index + 1]
    joint = _SPAN.fullmatch(text[low.end : high.start])
    opened = _OPENS_SPAN.search(text[: low.start])
    if joint is None:
        return None
    low, high = _in_one_unit(low, high)
    order = compare(low, high)
    plain = low.dimension == "number" or joint[0].strip() == "and"
    if order is None or order > 0 or (plain and opened is None):
        return None
    start = opened.start() if opened else low.start
    return Bound(low, high, strict=False, text=text[start : high.end], start=start, end=high.end)


def _in_one_unit(low: Quantity, high: Quantity) -> tuple[Quantity, Quantity]:
    """'2 and 4 people', '300 to 500 dollars', '$300-500': a bare number takes the other's unit."""
    if low.dimension == "number" and high.dimension == "date" and len(high.values) > 2:  # noqa: PLR2004 - a day is given
        day = msgspec.structs.replace(
            low, dimension="date", unit=high.unit, values=(*high.values[:2], low.amount), name=""
        )
        return day, high
    if low.dimension == "number" and high.dimension not in ("number", "date", "clock", "weekday"):
        scale = _scale(high)
        return _like(low, high, low.amount * scale), high
    if high.dimension == "number" and low.dimension == "money":
        return low, _like(high, low, high.amount)
    if low.dimension == high.dimension == "number":
        return low, msgspec.structs.replace(high, name=low.name)
    return low, high


def _like(bare: Quantity, other: Quantity, amount: float) -> Quantity:
    return msgspec.structs.replace(
        bare, dimension=other.dimension, unit=other.unit, values=(amount,), per=other.per,
        period=other.period, name=other.name,
    )  # fmt: skip


def _scale(quantity: Quantity) -> float:
    """How many base units one of the unit that a quantity was written in is."""
    match = re.match(rf"(?:{_NUMBER})", quantity.text, re.IGNORECASE)
    written = _amount(match["digits"], match["times"], match["words"]) if match else None
    return quantity.amount / written if written else 1.0


def _bounded(text: str, quantity: Quantity, after: int) -> Bound | None:
    """The bound that the words around one quantity make of it; they begin at `after`."""
    begin = max(after, quantity.start - _REACH)
    before, behind = text[begin : quantity.start], text[quantity.end :][:_REACH]
    compared = _COMPARED.search(before)
    start = quantity.start if compared is None else begin + compared.start()
    low, strict, end = None, False, quantity.end
    if (match := _AFTER_MOST.match(behind)) is not None:
        low, end = False, quantity.end + match.end()
    elif (match := _AFTER_LEAST.match(behind)) is not None:
        low, end = True, quantity.end + match.end()
    elif compared is not None:
        if compared["name"] and quantity.dimension not in ("version", "number"):
            return None
        low, strict = _direction(compared)
        if compared["most"] and compared["most"].lower() == "by" and not _is_moment(quantity):
            return None
        if (
            compared["least"]
            and compared["least"].lower() == "from"
            and quantity.dimension == "count"
        ):
            return None
    elif _FLOOR_BEFORE.search(before):
        low = True
    elif _LIMIT_BEFORE.search(before):
        low = False
    else:
        low = _signed(before)
    if low is None:
        return None
    ends = (quantity, None) if low else (None, quantity)
    return Bound(*ends, strict=strict, text=text[start:end].strip(), start=start, end=end)


def _direction(compared: re.Match[str]) -> tuple[bool, bool]:
    """Whether a comparison bounds from below, and whether it leaves out the end itself."""
    denied = compared["not"] is not None
    if compared["most"]:
        # 'not until June', 'not by', but 'no maximum' is rare.
        return (
            (True, False)
            if denied and compared["most"].lower() in ("until", "till")
            else (
                False,
                False,
            )
        )
    if compared["least"]:
        return True, False
    return (compared["lower"] is not None) != denied, not denied


def _signed(before: str) -> bool | None:
    match = re.search(r"(>=|≥|<=|≤)\s*v?$", before)
    return None if match is None else match[1] in (">=", "≥")


def _is_moment(quantity: Quantity) -> bool:
    return quantity.dimension in ("date", "clock", "weekday")

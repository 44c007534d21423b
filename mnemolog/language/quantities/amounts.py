"""Quantities and bounds as values: comparison, units, rates, ranges, dates and times of day."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import msgspec

from mnemolog.language.dates import calendar_dates
from mnemolog.language.lists import before, english
from mnemolog.language.quantities.numbers import MOST_DIGITS, Number, number_at, number_in_words
from mnemolog.language.words.lexicon import singular

_LISTS = english("units")
_PATTERNS = _LISTS.patterns_by_name
_DAY, _HALF_DAY, _HOUR, _HOURS = 1440, 720, 60, 12
_DATE_PARTS = 3
_CLOCKS = english("clocks").patterns_by_name
_NAMED = {"noon": _HALF_DAY, "midday": _HALF_DAY, "midnight": _DAY}
_APART = {"half": 30, "quarter": 15, "a quarter": 15}
_LATEST_NIGHT = 6  # hours: 'two at night' is before dawn, 'nine at night' is not


class Quantity(msgspec.Struct, frozen=True):
    """Amount as a text gives it.

    `dimension` is what is measured: money, duration, data, length, mass and other physical ones,
    share, count, number, date, clock, weekday or version. `unit` is its base unit: a currency, the
    noun counted, the software's name. `values` is the amount in that unit as one number; of a
    version its parts; of a date year (0 if not given), month and day as far as given. `factor` is
    what one of the unit that the text names is in the base unit: 60 of 'minutes'. `per` is what a
    rate is for: a noun, or a time that `period` gives in seconds. `start` and `end` are its
    characters in the text, `text` those characters; `name` is the word before it.
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
    """Bound from `low` to `high`, None for no end; `strict` ones are without their ends."""

    low: Quantity | None
    high: Quantity | None
    strict: bool
    text: str
    start: int
    end: int

    @property
    def quantity(self) -> Quantity:
        """One of its ends: what it is about."""
        if (end := self.low or self.high) is None:
            raise ValueError("a bound has one end at least")
        return end


def version_parts(text: str) -> tuple[Fraction, ...]:
    """The numbers of a version, the first of them the major one."""
    return tuple(Fraction(part) for part in re.findall(rf"\d{{1,{MOST_DIGITS}}}", text))


# -- comparison --------------------------------------------------------------------------


def compare(one: Quantity, other: Quantity) -> int | None:
    """-1, 0 or 1 as the first is less, equal or more; None if they cannot be compared.

    Dates and versions are compared as far as both are given: 3.11.4 equals 3.11, and a date without
    a year is taken for one of the other's year. Money of no currency is taken for the other's.
    """
    if not _alike(one, other):
        return None
    # Of a number beside a version the parts count: 3.9 is before 3.11.
    parts = one.dimension != other.dimension
    first, second = (
        version_parts(each.text) if parts and each.dimension == "number" else each.values
        for each in (one, other)
    )
    if one.dimension == other.dimension == "date" and 0 in (first[0], second[0]):
        first, second = first[1:], second[1:]
        if not first or not second:
            return None
    shared = min(len(first), len(second))
    if one.period is not None and other.period is not None:
        first, second = (first[0] / one.period,), (second[0] / other.period,)
    first, second = first[:shared], second[:shared]
    return (first > second) - (first < second)


def _alike(one: Quantity, other: Quantity) -> bool:
    if one.dimension != other.dimension:
        # 'Windows 10' at the beginning of a text is a number after a word.
        number, version = (one, other) if one.dimension == "number" else (other, one)
        dimensions = number.dimension, version.dimension
        return dimensions == ("number", "version") and number.name == version.unit
    if one.dimension == "number":
        return one.name == other.name
    units = one.unit == other.unit or (one.dimension == "money" and "" in (one.unit, other.unit))
    if one.period is not None or other.period is not None:
        return units and None not in (one.period, other.period)
    # 'Each' matches anything that a rate is for.
    pers = one.per, other.per
    return units and (one.per == other.per or (None not in pers and "piece" in pers))


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


# -- units and rates ---------------------------------------------------------------------


class Unit(msgspec.Struct, frozen=True):
    """Unit of a dimension such as 'money': `amount * factor + offset` is the amount in `base`."""

    dimension: str
    base: str
    factor: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)


@cache
def units() -> dict[str, Unit]:
    """The units of the data file `units.toml`, by name, sign and abbreviation."""
    known: dict[str, Unit] = {}
    for line in _LISTS.text("units").strip().splitlines():
        dimension, base, factor, names, *offset = line.split(" | ")
        unit = Unit(dimension, base, Fraction(factor), Fraction(*offset))
        known |= dict.fromkeys(names.split(), unit)
    return known


@cache
def rate_words() -> dict[str, str]:
    """Nouns of rates by their adverbs: 'month' by 'monthly'."""
    words = _LISTS.text("rates").split()
    return dict(zip(words[::2], words[1::2], strict=True))


def unit_named(word: str) -> Unit | None:
    """The unit that a word, abbreviation or sign names; None if it is none."""
    low = word.lower().rstrip(".")
    return units().get(low) or units().get(singular(low))


def period_of(noun: str) -> Fraction | None:
    """The seconds of a time that a rate is for: of 'month', 'night'; None for other nouns."""
    unit = unit_named("day" if noun.lower() == "night" else noun)
    return unit.factor if unit is not None and unit.dimension == "duration" else None


def counted(noun: str) -> str:
    """Noun in singular under which things are counted; all words for people are one."""
    one = singular(noun)
    return "person" if one in _LISTS.words("people") else one


def rated(text: str, span: tuple[int, int], unit: Unit, amount: Fraction) -> Quantity:
    """Quantity with the rate behind it: '20 dollars a month', '5 GB per user'."""
    (start, end), per, period = span, None, None
    if (match := _PATTERNS.per.match(text, end)) is not None:
        noun = match["per"] or rate_words()[match["adverb"].lower()]
        noun = "person" if noun.lower() == "head" else noun
        time = period_of(noun)
        sure = match["adverb"] or noun == "person" or time is not None
        if sure or _PATTERNS.says_rate.match(match[0]):
            end, per = match.end(), counted(noun) if time is None else ""
            period = time and time * (Fraction(1, 2) if match["half"] else 1)
    said, factor = text[start:end].strip(), unit.factor
    return Quantity(unit.dimension, unit.base, (amount,), said, start, end, "", factor, per, period)


# -- ranges ------------------------------------------------------------------------------


def opens_range(text: str, number: Number) -> bool:
    """True if the other end of a range follows a number: 'two to three hours'."""
    match = _PATTERNS.joint.match(text, number.end)
    return match is not None and number_at(text, match.end()) is not None


def with_shared_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """Quantities in which both ends of a range have its unit: '2 to 4 hours', '9-5 pm'."""
    shared = list(found)
    for at in range(len(shared) - 1):
        low, high = shared[at], shared[at + 1]
        joint = _PATTERNS.joint.fullmatch(text, low.end, high.start)
        if joint is None:
            continue
        # '555-0142' is no range of numbers, and 'and' joins a range only after 'between'.
        dialled = joint[0] == "-" and low.dimension == "version"
        plain = joint[0].strip().lower() != "and" and not dialled
        if plain or before(_PATTERNS.between, text, low.start) is not None:
            shared[at], shared[at + 1] = _in_one_unit(text, low, high)
    # A number in words that got no unit is none: 'one or the other'.
    return [one for one in shared if one.dimension != "number" or not one.text[0].isalpha()]


def _in_one_unit(text: str, low: Quantity, high: Quantity) -> tuple[Quantity, Quantity]:
    if high.dimension == "number" and low.dimension in {"money", "version", "number"}:
        scaled = (high.amount * low.factor,)
        values = version_parts(high.text) if low.dimension == "version" else scaled
        return low, _like(high, low, values)
    if low.dimension != "number" or high.dimension in {"number", "weekday", "version"}:
        return low, high
    if high.dimension == "date":
        whole = len(high.values) == _DATE_PARTS
        return (_like(low, high, (*high.values[:2], low.amount)) if whole else low), high
    if high.dimension == "clock":
        return _hour_before(low, high) or low, high
    # Degrees Fahrenheit begin below those of Celsius.
    number = number_at(text, high.start) if high.dimension == "temperature" else None
    offset = Fraction(0) if number is None else high.amount - number.value * high.factor
    return _like(low, high, (low.amount * high.factor + offset,)), high


def _like(bare: Quantity, other: Quantity, values: tuple[Fraction, ...]) -> Quantity:
    return msgspec.structs.replace(
        other, values=values, text=bare.text, start=bare.start, end=bare.end
    )


def _hour_before(low: Quantity, high: Quantity) -> Quantity | None:
    """The hour at which a stretch begins that ends at a time of day: 9 am in '9 to 5 pm'."""
    if not 0 < low.amount <= _HOURS or low.amount.denominator != 1:
        return None
    minutes = low.amount * _HOUR
    if _PATTERNS.half_named.search(high.text) is not None:
        minutes = minutes % _HALF_DAY + high.amount // _HALF_DAY * _HALF_DAY
        if minutes > high.amount:
            minutes = (minutes + _HALF_DAY) % (2 * _HALF_DAY)
    return _like(low, high, (minutes,))


# -- dates and times of day --------------------------------------------------------------


def dates(text: str) -> Iterator[Quantity]:
    """The dates and weekdays of a text."""
    for (start, end), parts, is_weekday in calendar_dates(text):
        dimension, said = "weekday" if is_weekday else "date", text[start:end].strip()
        yield Quantity(dimension, "day", tuple(map(Fraction, parts)), said, start, end)


def clocks(text: str) -> Iterator[Quantity]:
    """The times of day of a text, in minutes since midnight: '9:30', 'half past nine', 'noon'.

    Without 'am', 'pm' or a part of the day an hour is that of the 24-hour clock. A point parts
    hours and minutes only before 'am' or 'pm' ('9.30' is a price as often), and an hour alone
    needs them or "o'clock". 'Ten to six' is a range, except after 'at' and the like.
    """
    at = 0
    while (match := _CLOCKS.clock.search(text, at)) is not None:
        minutes = _minutes(text, match)
        # 'From 9 to 5 pm' is no nine minutes to five, but has a 5 pm.
        at = match.end() if minutes is not None else match.start() + 1
        if minutes is not None:
            yield clock(match, minutes)


def clock(match: re.Match[str], minutes: int) -> Quantity:
    """The time of day that a match names, so many minutes after midnight."""
    return Quantity("clock", "minute", (Fraction(minutes),), match[0].strip(), *match.span())


def _minutes(text: str, match: re.Match[str]) -> int | None:
    given = {name: found.lower() for name, found in match.groupdict().items() if found}
    if "spoken" in given:
        surely = given["apart"] in _APART or "told" in given or given["side"] in ("past", "after")
    else:
        surely = "alone" not in given or "meridiem" in given or "clock" in match[0].lower()
    # 'Two in the morning' says how many as well, 'ten to six' from where to where.
    if not surely and before(_CLOCKS.at, text, match.start()) is None:
        return None
    named = given.get("named") or given.get("spoken") or given.get("hour") or given["alone"]
    hour = _NAMED[named] if named in _NAMED else int(number_in_words(named) or 0) * _HOUR
    begin, part = hour, given.get("part", "")
    if meridiem := given.get("meridiem", ""):
        begin = hour % _HALF_DAY + (_HALF_DAY if meridiem == "p" else 0)
    elif hour < _HALF_DAY and (
        part.endswith(("afternoon", "evening"))
        or (part.endswith("night") and hour >= _LATEST_NIGHT * _HOUR)
    ):
        begin += _HALF_DAY
    if "apart" not in given:
        return begin + int(given.get("minute", 0))
    apart = _APART.get(given["apart"]) or int(number_in_words(given["apart"]) or 0)
    forward = given["side"] in ("past", "after")
    return (begin + (apart if forward else -apart)) % _DAY if apart < _HOUR else None

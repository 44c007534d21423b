"""Times of day: '9:30', '9.30 pm', 'half past nine', 'quarter to six', 'noon', 'afternoons'.

Without 'am', 'pm' or a part of the day an hour is that of the 24-hour clock: 'half past
nine' is 9:30. A point parts hours and minutes only before 'am' or 'pm' ('9.30' is a price as
often), and an hour alone needs them or "o'clock". 'Ten to six' is a time of day only after
'at' and the like, or with 'minutes': otherwise it is a range.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import msgspec

from mnemolog.language.dates import calendar_dates
from mnemolog.language.lists import before, english
from mnemolog.language.quantities.amounts import Bound, Quantity, quantity_at
from mnemolog.language.quantities.numbers import number_in_words

_PATTERNS = english("clocks").patterns_by_name
_HOUR, _HALF_DAY, _DAY = 60, 720, 1440
_NAMED = {"noon": _HALF_DAY, "midday": _HALF_DAY, "midnight": _DAY}
_APART = {"half": 30, "quarter": 15, "a quarter": 15}
_LATEST_NIGHT = 6
"""Hours: 'two at night' is before dawn, 'nine at night' is not."""
_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24)}
"""Hours; speakers differ by an hour or two."""


def dates(text: str) -> Iterator[Quantity]:
    """The dates and weekdays of a text."""
    for span, parts, is_weekday in calendar_dates(text):
        dimension = "weekday" if is_weekday else "date"
        yield quantity_at(text, span, dimension, "day", tuple(map(Fraction, parts)))


def clocks(text: str) -> Iterator[Quantity]:
    """The times of day of a text, in minutes since midnight."""
    at = 0
    while (match := _PATTERNS.clock.search(text, at)) is not None:
        minutes = _minutes(text, match)
        # 'From 9 to 5 pm' is no nine minutes to five, but has a 5 pm.
        at = match.end() if minutes is not None else match.start() + 1
        if minutes is not None:
            yield _clock(text, match.span(), minutes)


def _clock(text: str, span: tuple[int, int], minutes: int) -> Quantity:
    return quantity_at(text, span, "clock", "minute", (Fraction(minutes),))


def _minutes(text: str, match: re.Match[str]) -> int | None:
    given = {name: found.lower() for name, found in match.groupdict().items() if found}
    if "spoken" in given:
        surely = given["apart"] in _APART or "told" in given or given["side"] in ("past", "after")
    else:
        surely = "alone" not in given or "meridiem" in given or "clock" in match[0].lower()
    # 'Two in the morning' says how many as well, 'ten to six' from where to where.
    if not surely and before(_PATTERNS.at, text, match.start()) is None:
        return None
    named = given.get("named") or given.get("spoken") or given.get("hour") or given["alone"]
    hour = _NAMED[named] if named in _NAMED else int(number_in_words(named) or 0) * _HOUR
    begin = _of_day(hour, given.get("meridiem", ""), given.get("part", ""))
    if "apart" not in given:
        return begin + int(given.get("minute", 0))
    apart = _APART.get(given["apart"]) or int(number_in_words(given["apart"]) or 0)
    forward = given["side"] in ("past", "after")
    return (begin + (apart if forward else -apart)) % _DAY if apart < _HOUR else None


def _of_day(minutes: int, meridiem: str, part: str) -> int:
    """Time of day with its half: 'pm', 'in the evening', 'at night'."""
    if meridiem:
        return minutes % _HALF_DAY + (_HALF_DAY if meridiem == "p" else 0)
    late = part.endswith(("afternoon", "evening")) or (
        part.endswith("night") and minutes >= _LATEST_NIGHT * _HOUR
    )
    return minutes + _HALF_DAY if late and minutes < _HALF_DAY else minutes


def parts_of_day(sentence: str) -> Iterator[Bound]:
    """The parts of the day that a sentence names, as stretches of clock time."""
    for match in _PATTERNS.part.finditer(sentence):
        hours = _PARTS[match["part"]]
        low, high = (_clock(sentence, match.span(), hour * _HOUR) for hour in hours)
        yield Bound(low, high, strict=False, text=match[0], start=match.start(), end=match.end())


def through_midnight(sentence: str) -> tuple[Bound, Bound] | None:
    """A stretch that ends on the next day, as what is after its beginning and before its end."""
    for first, last in pairwise(clocks(sentence)):
        if (
            _PATTERNS.span.fullmatch(sentence[first.end : last.start])
            and first.amount > last.amount
        ):
            text = sentence[first.start : last.end]
            evening = Bound(first, None, strict=False, text=text, start=first.start, end=last.end)
            return evening, msgspec.structs.replace(evening, low=None, high=last)
    return None


def outside(stretch: tuple[Bound, Bound]) -> Bound:
    """Rest of the day outside a stretch that goes through midnight."""
    evening, dawn = stretch
    return msgspec.structs.replace(evening, low=dawn.high, high=evening.low, strict=True)

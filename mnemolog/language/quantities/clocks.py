"""Times of day: '9:30', '9.30 pm', 'half past nine', 'quarter to six', 'noon', 'afternoons'.

Without 'am', 'pm' or a part of the day an hour is that of the 24-hour clock: 'half past
nine' is 9:30. A point parts hours and minutes only before 'am' or 'pm' ('9.30' is a price as
often), and an hour alone needs them or "o'clock". 'Ten to six' is a time of day only after
'at' and the like, or with 'minutes': otherwise it is a range.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import msgspec

from mnemolog.language.patterns import before, regex
from mnemolog.language.quantities.amounts import Bound, Quantity, quantity_at
from mnemolog.language.quantities.numbers import number_in_words

_HOUR, _HALF_DAY, _DAY = 60, 720, 1440
_HOUR_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_MINUTES = r"(?:\d\d?|five|ten|twenty|twenty[- ]five)"
_SPOKEN_HOUR = rf"(?:{_HOUR_WORDS}|1[0-2]|0?[1-9])"
_CLOCK = regex(
    r"\b(?:"
    r"(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?"
    r"|(?P<dotted>1[0-2]|0?[1-9])\.(?P<dotted_minute>[0-5]\d)(?=[ ]?[ap]\.?m\b)"
    r"|(?:(?P<half>half)|(?P<quarter>(?:a[ ])?quarter)"
    rf"|(?P<minutes>{_MINUTES})(?P<told>[ ]minutes?)?)"
    rf"[ ](?P<side>past|to|till|before|after)[ ](?P<spoken>{_SPOKEN_HOUR}|noon|midnight)\b(?!:)"
    rf"|(?P<alone>{_SPOKEN_HOUR})(?=[ ]?[ap]\.?m\b|[ ]o'?clock\b"
    r"|[ ](?:in[ ]the[ ](?:morning|afternoon|evening)|at[ ]night)\b)"
    r"|(?P<named>noon|midday|midnight)\b"
    r")"
    r"(?:[ ]o'?clock\b)?"
    r"(?:[ ]?(?P<meridiem>[ap])\.?m\b\.?"
    r"|[ ](?:in[ ]the[ ](?P<part>morning|afternoon|evening)|at[ ](?P<night>night))\b)?",
    re.IGNORECASE,
)
_AT = regex(
    r"\b(?:(?:at|by|until|till|before|after|around|about|it's|it[ ]is)"
    rf"|(?:from|between)[ ](?:{_SPOKEN_HOUR}|noon)(?::\d\d)?[ ](?:and|to|till|until))[ ]$",
    re.IGNORECASE,
)
_NAMED = {"noon": _HALF_DAY, "midday": _HALF_DAY, "midnight": _DAY}


def clocks(text: str) -> Iterator[Quantity]:
    """The times of day of a text, in minutes since midnight."""
    at = 0
    while (match := _CLOCK.search(text, at)) is not None:
        minutes = _minutes(text, match)
        # 'From 9 to 5 pm' is no nine minutes to five, but has a 5 pm.
        at = match.end() if minutes is not None else match.start() + 1
        if minutes is not None:
            yield quantity_at(text, match.span(), "clock", "minute", (minutes,))


def _minutes(text: str, match: re.Match[str]) -> Fraction | None:
    given = match.groupdict()
    after_at = before(_AT, text, match.start()) is not None
    if given["named"]:
        return Fraction(_NAMED[given["named"].lower()])
    if given["spoken"]:
        if not (
            given["half"]
            or given["quarter"]
            or given["told"]
            or given["side"].lower() in ("past", "after")
            or after_at
        ):
            return None
        apart = _spoken_minutes(given)
        if apart is None:
            return None
        hour = given["spoken"].lower()
        begin = _of_day(Fraction(_NAMED[hour]), given) if hour in _NAMED else _of_hour(hour, given)
        return (begin + apart) % _DAY
    if given["alone"] and not (given["meridiem"] or "clock" in match[0].lower() or after_at):
        # 'Two in the morning' says how many as well.
        return None
    begin = _of_hour(given["hour"] or given["dotted"] or given["alone"], given)
    return (
        begin
        + int(given["minute"] or given["dotted_minute"] or 0)
        + (Fraction(int(given["second"] or 0), _HOUR))
    )


def _spoken_minutes(given: dict[str, str | None]) -> Fraction | None:
    """Minutes after the hour, or before it as less than none: -15 of 'quarter to six'."""
    if given["half"] or given["quarter"]:
        apart: Fraction | None = Fraction(30 if given["half"] else 15)
    else:
        apart = number_in_words(given["minutes"] or "")
    if apart is None or apart >= _HOUR:
        return None
    sides = {"past": 1, "after": 1, "to": -1, "till": -1, "before": -1}
    return apart * sides[(given["side"] or "").lower()]


def _of_hour(hour: str | None, given: dict[str, str | None]) -> Fraction:
    return _of_day((number_in_words(hour or "") or Fraction(0)) * _HOUR, given)


def _of_day(minutes: Fraction, given: dict[str, str | None]) -> Fraction:
    """A time of day by what is said of its half: 'pm', 'in the evening', 'at night'."""
    half, hours = (given["meridiem"] or "").lower(), minutes // _HOUR
    if half:
        return minutes % _HALF_DAY + (_HALF_DAY if half == "p" else 0)
    part = (given["part"] or "").lower()
    late = part in ("afternoon", "evening") or (given["night"] and hours >= _LATEST_NIGHT)
    return minutes + _HALF_DAY if late and minutes < _HALF_DAY else minutes


_LATEST_NIGHT = 6
"""Hours: 'two at night' is before dawn, 'nine at night' is not."""

_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24)}
"""Hours; speakers differ by an hour or two."""
_PART = regex(r"\b(?P<part>morning|afternoon|evening)s?\b")
_SPAN = regex(r"\s*(?:-|\N{EN DASH}|to|and|until|till)\s*$")


def parts_of_day(sentence: str) -> Iterator[Bound]:
    """The parts of the day that a sentence names, as stretches of clock time."""
    for match in _PART.finditer(sentence):
        low, high = (
            quantity_at(sentence, match.span(), "clock", "minute", (Fraction(hour * _HOUR),))
            for hour in _PARTS[match["part"]]
        )
        yield Bound(low, high, strict=False, text=match[0], start=match.start(), end=match.end())


def through_midnight(sentence: str) -> tuple[Bound, Bound] | None:
    """A stretch that ends on the next day, as what is after its beginning and before its end."""
    for first, last in pairwise(clocks(sentence)):
        if _SPAN.fullmatch(sentence[first.end : last.start]) and first.amount > last.amount:
            text = sentence[first.start : last.end]
            evening = Bound(first, None, strict=False, text=text, start=first.start, end=last.end)
            return evening, msgspec.structs.replace(evening, low=None, high=last)
    return None


def outside(stretch: tuple[Bound, Bound]) -> Bound:
    """What is not in a stretch that goes through midnight."""
    evening, dawn = stretch
    return msgspec.structs.replace(evening, low=dawn.high, high=evening.low, strict=True)

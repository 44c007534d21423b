"""Calendar arithmetic and the counting of units, as seen from an instant.

All of it is in the zone of that instant, by the clock on its wall, so that a day may last 23
or 25 hours; only hours, minutes and seconds are counted in elapsed time. Weeks begin on Monday.
The module `dates` says how ambiguous forms are decided.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.lists import english

LISTS = english("dates")

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_Long = Literal["decade", "year", "half", "season", "quarter", "month", "week", "weekend", "days"]
_Short = Literal["day", "night", "part of day", "hour", "minute", "second", "span", "vague"]
Precision = _Long | _Short

DAY = timedelta(days=1)
INSTANT = timedelta(microseconds=1)
_ELAPSED: dict[str, tuple[timedelta, timedelta, Precision]] = {
    "hour": (timedelta(hours=1), timedelta(minutes=30), "hour"),
    "minute": (timedelta(minutes=1), timedelta(minutes=1), "minute"),
    "second": (timedelta(seconds=1), INSTANT, "second"),
}
"""The length of each unit, and how much more or less a count of it may mean."""
_DAYS = {"day": 1, "night": 1, "week": 7, "weekend": 7}
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}

Match = re.Match[str]


class Period(msgspec.Struct, frozen=True):
    """A period [start, end) and how precisely it was named.

    `point` is the instant that a count leads to (two weeks ago is the day 14 days before, give
    or take three), Easter Sunday in the days around it, or the start of any other period.
    """

    start: datetime
    end: datetime
    precision: Precision
    point: datetime

    @classmethod
    def of(
        cls, start: datetime, end: datetime, precision: Precision, point: datetime | None = None
    ) -> Period:
        """A period whose point is its start unless another is given."""
        return cls(start, end, precision, start if point is None else point)


def midnight(now: datetime) -> datetime:
    """The instant at which the day of an instant began."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def monday(now: datetime) -> datetime:
    """The instant at which the week of an instant began."""
    return midnight(now) - now.weekday() * DAY


def days(start: datetime, count: int, precision: Precision = "day") -> Period:
    """A number of days from a midnight on."""
    return Period.of(start, start + count * DAY, precision)


def day(now: datetime, year: int, month: int, number: int) -> Period:
    """A calendar day. Raises `ValueError` if there is none such."""
    return days(midnight(now).replace(year=year, month=month, day=number), 1)


def months(
    now: datetime, year: int, month: int, count: int = 1, precision: Precision = "month"
) -> Period:
    """A number of whole months; `month` may lie outside of 1 to 12."""
    ends = (divmod(12 * year + number - 1, 12) for number in (month, month + count))
    start, end = (midnight(now).replace(year=of, month=at + 1, day=1) for of, at in ends)
    return Period.of(start, end, precision)


def years(now: datetime, year: int, count: int = 1) -> Period:
    """A number of whole years."""
    return months(now, year, 1, 12 * count, "year" if count == 1 else "decade")


def latest(now: datetime, of_year: Callable[[int], Period]) -> Period:
    """The latest that has begun of a period that comes every year."""
    for year in range(now.year, now.year - 9, -1):
        with suppress(ValueError):  # a 29 February of another year
            if (period := of_year(year)).start <= now:
                return period
    raise ValueError(now)


def moved(now: datetime, count: int, unit: str) -> datetime:
    """The instant `count` units later; the last day of a month that lacks the day."""
    if unit in _ELAPSED:
        return _later(now, count * _ELAPSED[unit][0])
    if unit in _DAYS:
        return now + count * _DAYS[unit] * DAY
    month = months(now, now.year, now.month + count * _MONTHS[unit])
    number = min(now.day, (month.end - month.start).days)
    return now.replace(year=month.start.year, month=month.start.month, day=number, fold=0)


def _later(at: datetime, span: timedelta) -> datetime:
    return (at.astimezone(UTC) + span).astimezone(at.tzinfo)


def whole(count: Fraction, unit: str) -> tuple[int, str]:
    """A count in whole units: a year and a half is 18 months, a fortnight two weeks."""
    if unit == "fortnight":
        count, unit = 2 * count, "week"
    finer = LISTS.table("finer")
    while count.denominator != 1 and unit in finer:
        unit, factor = finer[unit]
        count *= int(factor)
        if unit in {"second", "day"}:
            break
    return int(count), unit


def counted(now: datetime, count: int, unit: str) -> Period:
    """The period `count` units after now: that day, month or year, or the days about it."""
    point = moved(now, count, unit)
    if unit in _ELAPSED:
        _, about, precision = _ELAPSED[unit]
        return Period(_later(point, -about), _later(point, about), precision, point)
    point = midnight(point)
    if unit == "week":
        return Period.of(point - 3 * DAY, point + 4 * DAY, "week", point)
    if unit in {"day", "night"}:
        return days(point, 1)
    period = years(now, point.year) if unit == "decade" else beside(now, count, unit)
    return period if unit == "weekend" else msgspec.structs.replace(period, point=point)


def beside(now: datetime, step: int, unit: str) -> Period:
    """A calendar unit `step` units after the present one: -1 is the last, 0 this, 1 the next."""
    match unit:
        case "week":
            period = days(monday(now) + 7 * step * DAY, 7, "week")
        case "fortnight":
            period = days(monday(now) + 14 * step * DAY, 14, "days")
        case "weekend":
            period = days(monday(now) + (7 * step + 5) * DAY, 2, "weekend")
        case "month":
            period = months(now, now.year, now.month + step)
        case "quarter":
            period = months(now, now.year, 3 * ((now.month - 1) // 3 + step) + 1, 3, "quarter")
        case "decade":
            period = years(now, 10 * (now.year // 10 + step), 10)
        case _:
            period = years(now, now.year + step)
    return period


def weekday_beside(now: datetime, step: int, number: int) -> Period:
    """A weekday: the last before today (-1), that of this week (0), the next after today (1)."""
    if step == 0:
        return days(monday(now) + number * DAY, 1)
    behind = (now.weekday() - number) % 7
    away = 7 * step + (-behind % 7 if step < 0 else -behind)
    return days(midnight(now) + away * DAY, 1)


def nth_weekday(period: Period, nth: int, weekday: int) -> datetime:
    """The n-th of a weekday (from Monday, 0) in a period; the last for -1."""
    if nth < 0:
        last = period.end - DAY
        return last - (last.weekday() - weekday) % 7 * DAY
    start = period.start
    return start + ((weekday - start.weekday()) % 7 + 7 * (nth - 1)) * DAY


# -- numbers and names ---------------------------------------------------------------------
@cache
def numbers_of(table: str) -> dict[str, tuple[int, ...]]:
    """The numbers of each word in a table of `dates.toml`."""
    return {word: tuple(map(int, numbers)) for word, numbers in LISTS.table(table).items()}


def count_of(words: str) -> tuple[Fraction, int]:
    """A number in digits or words, and by how much more or less may be meant."""
    if words[0].isdecimal():
        return Fraction(words), 0
    if words.startswith("half"):
        return Fraction(1, 2), 0
    for word, (count, spread) in numbers_of("vague_counts").items():
        if word in words.split():
            return Fraction(count), spread
    return Fraction(numbers_of("counts").get(words, (1,))[0]), 0


def count_with_half(match: Match) -> tuple[Fraction, int]:
    """The number of a match, where 'and a half' may follow, and its spread."""
    count, spread = count_of(match["count"])
    halved = match["half_more"] or match["half_after"]
    return count + Fraction(1, 2) if halved else count, spread


def year_number(digits: str, now: datetime) -> int:
    """The year of its digits; of two of them ('23), that from 89 years ago to ten years ahead."""
    if not digits.startswith("'"):
        return int(digits)
    newest = now.year + 10
    return newest - (newest - int(digits[1:])) % 100


def month_number(name: str) -> int:
    """The number of a month by its name or its first three letters."""
    return next(n for n, month in enumerate(MONTHS, 1) if month.startswith(name[:3]))

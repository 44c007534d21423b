"""Periods that words name, as seen from a day: calendar arithmetic, in UTC.

Weeks begin on Monday. Seasons are those of the northern half of the earth, by
whole months; a winter has the year in which it begins. A month, a day or a
weekday without a year or week is the latest that is not in the future.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from mnemolog.language.quantities.amounts import MONTHS, WEEKDAYS

Period = tuple[datetime, datetime]
"""From the first instant on, up to but without the second."""

ORDINALS = ("first", "second", "third", "fourth")
HOLIDAYS = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "valentine's day": (2, 14),
    "halloween": (10, 31),
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_VAGUE = {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 5}
_SPREADS = {"couple": 1, "few": 2, "several": 3}

_DAY = timedelta(days=1)


def day(year: int, month: int, number: int) -> Period:
    """A day. Raises `ValueError` if there is none such."""
    start = datetime(year, month, number, tzinfo=UTC)
    return start, start + _DAY


def days(start: datetime, count: int) -> Period:
    """A number of days."""
    return start, start + count * _DAY


def months(year: int, month: int, count: int = 1) -> Period:
    """A number of whole months; `month` may lie outside of 1 to 12."""
    return _month_start(year, month), _month_start(year, month + count)


def years(year: int, count: int = 1) -> Period:
    """A number of whole years."""
    return months(year, 1, 12 * count)


def month_number(name: str) -> int:
    """The number of a month by its name or its first three letters."""
    return next(n for n, month in enumerate(MONTHS, 1) if month.startswith(name[:3]))


def weekday_number(name: str) -> int:
    """The number of a weekday, Monday being 0."""
    return WEEKDAYS.index(name)


def count_of(words: str) -> int:
    """A number in digits or words: 'a' is 1, 'a couple of' 2, 'a few' 3, 'several' 5."""
    for word in reversed(words.split()):
        if word.isdecimal():
            return int(word)
        if word in _SMALL:
            return _SMALL.index(word)
        if word in _VAGUE:
            return _VAGUE[word]
    raise ValueError(words)


def spread_of(words: str) -> int:
    """By how much a vague number may be meant more or less: 'a few' is one to five."""
    return max((_SPREADS.get(word, 0) for word in words.split()), default=0)


def midnight(now: datetime) -> datetime:
    """The instant at which the day of an instant began."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def monday(now: datetime) -> datetime:
    """The instant at which the week of an instant began."""
    return midnight(now) - now.weekday() * _DAY


def latest(now: datetime, of_year: Callable[[int], Period]) -> Period:
    """Of a period that comes every year, the latest that has begun."""
    for year in range(now.year, now.year - 9, -1):
        try:
            period = of_year(year)
        except ValueError:  # a 29 February of another year
            continue
        if period[0] <= now:
            return period
    raise ValueError(now)


def season(name: str, year: int) -> Period:
    """A season by its name and the year in which it begins."""
    return months(year, _SEASONS[name], 3)


def part_of_month(part: str, month: Period) -> Period:
    """The early, middle or late days of a month: to the 10th, to the 20th, to its end."""
    start, end = month
    if part.startswith("early"):
        return days(start, 10)
    if part.startswith("late"):
        return start + 20 * _DAY, end
    return days(start + 10 * _DAY, 10)


def unit_ago(now: datetime, count: int, unit: str) -> Period:
    """What is meant by so many units ago: that day, month or year, or days about it."""
    if unit == "hour":
        about = now - timedelta(hours=count)
        return about - timedelta(minutes=30), about + timedelta(minutes=30)
    if unit == "day":
        return days(midnight(now) - count * _DAY, 1)
    if unit == "week":
        return days(midnight(now) - (7 * count + 3) * _DAY, 7)
    if unit == "month":
        return months(now.year, now.month - count)
    return years(now.year - count * (10 if unit == "decade" else 1))


def units_up_to(now: datetime, count: int, unit: str) -> Period:
    """The last so many units up to now, and with it."""
    end = now + timedelta(microseconds=1)
    if unit in {"hour", "day", "week"}:
        return now - count * timedelta(**{f"{unit}s": 1}), end
    back = count * {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit]
    first = _month_start(now.year, now.month - back)
    length = (_month_start(first.year, first.month + 1) - first) // _DAY
    return midnight(now).replace(year=first.year, month=first.month, day=min(now.day, length)), end


def unit_beside(now: datetime, step: int, unit: str) -> Period:
    """A calendar unit `step` units after the present one: -1 is the last, 0 this, 1 the next."""
    if unit == "week":
        return days(monday(now) + 7 * step * _DAY, 7)
    if unit == "weekend":
        return days(monday(now) + (7 * step + 5) * _DAY, 2)
    if unit == "month":
        return months(now.year, now.month + step)
    if unit == "quarter":
        return months(now.year, 3 * ((now.month - 1) // 3 + step) + 1, 3)
    if unit == "decade":
        return years(10 * (now.year // 10 + step), 10)
    return years(now.year + step)


def weekday_beside(now: datetime, step: int, number: int) -> Period:
    """A weekday: the last before today (-1), that of this week (0), the next after today (1)."""
    today = midnight(now)
    if step == 0:
        return days(monday(now) + number * _DAY, 1)
    if step < 0:
        return days(today - ((now.weekday() - number - 1) % 7 + 1) * _DAY, 1)
    return days(today + ((number - now.weekday() - 1) % 7 + 1) * _DAY, 1)


def latest_weekday(now: datetime, number: int) -> Period:
    """The latest of a weekday that is not in the future; today may be it."""
    return days(midnight(now) - ((now.weekday() - number) % 7) * _DAY, 1)


def year_changed(at: datetime, year: int) -> datetime:
    """The same day of another year; the day before for a 29 February that it lacks."""
    try:
        return at.replace(year=year)
    except ValueError:
        return at.replace(year=year, day=28)


def _month_start(year: int, month: int) -> datetime:
    return datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1, tzinfo=UTC)

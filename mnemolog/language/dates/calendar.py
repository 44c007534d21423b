"""Calendar arithmetic: days, months and other periods as seen from an instant.

All of it is in the zone of that instant, by the clock on its wall, so that a day may last 23
or 25 hours; only hours, minutes and seconds are counted in elapsed time. Weeks begin on Monday.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Literal

import msgspec

from mnemolog.language.lists import Lists

LISTS = Lists("mnemolog.language.dates", "dates")

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
_ELAPSED = {"hour": timedelta(0, 3600), "minute": timedelta(0, 60), "second": timedelta(0, 1)}
_ABOUT: dict[str, tuple[timedelta, Precision]] = {
    "hour": (timedelta(minutes=30), "hour"),
    "minute": (timedelta(minutes=1), "minute"),
    "second": (INSTANT, "second"),
}
_DAYS = {"day": 1, "night": 1, "week": 7, "weekend": 7}
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


class Period(msgspec.Struct, frozen=True):
    """A period [start, end) and how precisely it was named.

    `point` is the instant that a count leads to: two weeks ago is the day 14 days before, give
    or take three. It is the start of a period that was not counted.
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
        try:
            period = of_year(year)
        except ValueError:  # a 29 February of another year
            continue
        if period.start <= now:
            return period
    raise ValueError(now)


def moved(now: datetime, count: int, unit: str) -> datetime:
    """The instant `count` units later; the last day of a month that lacks the day."""
    if unit in _ELAPSED:
        return _later(now, count * _ELAPSED[unit])
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
        about, precision = _ABOUT[unit]
        return Period(_later(point, -about), _later(point, about), precision, point)
    point = midnight(point)
    if unit == "week":
        return Period.of(point - 3 * DAY, point + 4 * DAY, "week", point)
    if unit in {"day", "night"}:
        return days(point, 1)
    if unit == "weekend":
        return beside(now, count, unit)
    if unit == "quarter":
        period = beside(now, count, unit)
    elif unit == "month":
        period = months(now, point.year, point.month)
    else:
        period = years(now, point.year)
    return msgspec.structs.replace(period, point=point)


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
    if step < 0:
        away = -((now.weekday() - number - 1) % 7 + 1 + 7 * (-step - 1))
    else:
        away = (number - now.weekday() - 1) % 7 + 1 + 7 * (step - 1)
    return days(midnight(now) + away * DAY, 1)


def latest_weekday(now: datetime, number: int) -> Period:
    """The latest of a weekday that is not in the future; today may be it."""
    return days(midnight(now) - (now.weekday() - number) % 7 * DAY, 1)


def year_changed(at: datetime, year: int) -> datetime:
    """The same day of another year; the day before for a 29 February that it lacks."""
    try:
        return at.replace(year=year)
    except ValueError:
        return at.replace(year=year, day=28)

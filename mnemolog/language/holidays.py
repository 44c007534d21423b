"""Holidays: of fixed days, the n-th weekday of a month, around Easter, or of another calendar."""

from datetime import date, datetime

import msgspec

from mnemolog.language.calendar import (
    DAY,
    LISTS,
    Period,
    day,
    days,
    months,
    nth_weekday,
    numbers_of,
)


def holiday_of(now: datetime, name: str, year: int) -> Period:
    """A holiday of a year: fixed days, the n-th weekday of a month, or days from Easter.

    Raises `ValueError` if the year has none, and `OverflowError` if its days are not known yet.
    """
    if name in numbers_of("days_from_easter"):
        easter = _easter(year)
        start = day(now, year, easter.month, easter.day).start
        period = _days_from(start, *numbers_of("days_from_easter")[name])
        # Weeks before and after Easter are counted from its Sunday.
        within = period.start <= start < period.end
        return msgspec.structs.replace(period, point=start) if within else period
    if name in numbers_of("days_of_year"):
        month, number, length = numbers_of("days_of_year")[name]
        return _days_from(day(now, year, month, number).start, 0, length)
    if name in LISTS.table("festivals"):
        of, *days_there = LISTS.table("festivals")[name]
        known = numbers_of("first_days")[of]
        if year > known[-1] // 10_000:
            raise OverflowError(name, year)
        begun = (divmod(one % 10_000, 100) for one in known if one // 10_000 == year)
        month, number = next(begun, (0, 0))
        return _days_from(day(now, year, month, number).start, *map(int, days_there))
    month, *numbers = numbers_of("holidays")[name]
    if len(numbers) == 1:
        return day(now, year, month, numbers[0])
    return days(nth_weekday(months(now, year, month), *numbers), 1)


def _days_from(start: datetime, first: int, length: int) -> Period:
    return days(start + first * DAY, length, "day" if length == 1 else "days")


def _easter(year: int) -> date:
    """Easter Sunday of the western churches (the anonymous Gregorian algorithm, Meeus 1991)."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    leaps = century - century // 4 - (century - (century + 8) // 25 + 1) // 3
    moon = (19 * golden + leaps + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * weekday) // 451
    month, number = divmod(moon + weekday - 7 * late + 114, 31)
    return date(year, month, number + 1)

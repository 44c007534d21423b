"""Meanings of the forms of dates in `dates.toml`: the period that a match names, from an instant.

Each takes the match of a form and the instant, and raises `ValueError` or `OverflowError` for a
date that does not exist. The module `dates` says how ambiguous forms are decided.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from fractions import Fraction
from functools import partial

import msgspec

from mnemolog.language.calendar import (
    DAY,
    INSTANT,
    MONTHS,
    WEEKDAYS,
    Period,
    beside,
    count_of,
    count_with_half,
    counted,
    day,
    days,
    latest,
    midnight,
    monday,
    month_number,
    months,
    moved,
    nth_weekday,
    numbers_of,
    weekday_beside,
    whole,
    year_number,
    years,
)
from mnemolog.language.holidays import holiday_of

_NEAR = {
    **dict.fromkeys(("day before last", "evening before last", "night before last"), -2),
    "day before yesterday": -2,
    "yesterday": -1,
    "tomorrow": 1,
    "day after tomorrow": 2,
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_VAGUE = timedelta(days=60)
_HOURS = 24
_SATURDAY = 5
_YEAR = 365

Match = re.Match[str]


def year_of(match: Match, now: datetime) -> int | None:
    """The year that a match names, in digits or as 'last year'; None if it names none."""
    groups = match.groupdict()
    if groups.get("year"):
        return year_number(groups["year"], now)
    which = groups.get("beside_year")
    return now.year + numbers_of("years_beside")[which][0] if which else None


def _iso(match: Match, now: datetime) -> Period:
    year, month = int(match["year"]), int(match["month"])
    if match["day"]:
        return day(now, year, month, int(match["day"]))
    if not 1 <= month <= len(MONTHS):
        raise ValueError(month)
    return months(now, year, month)


def _numeric(match: Match, now: datetime) -> Period:
    first, second = int(match["first"]), int(match["second"])
    day_first = match["mark"] == "." or first > len(MONTHS)
    number, month = (first, second) if day_first else (second, first)
    return day(now, int(match["year"]), month, number)


def _of_year(match: Match, now: datetime, of_year: Callable[[int], Period]) -> Period:
    year = year_of(match, now)
    return latest(now, of_year) if year is None else of_year(year)


def _day(match: Match, now: datetime) -> Period:
    month, number = month_number(match["month"]), int(match["day"])
    return _of_year(match, now, partial(day, now, month=month, number=number))


def _days(match: Match, now: datetime) -> Period:
    month, first, last = month_number(match["month"]), int(match["day"]), int(match["last"])

    def of_year(year: int) -> Period:
        start = day(now, year, month, first).start
        return Period.of(start, day(now, year, month, last).end, "days")

    return _of_year(match, now, of_year)


def _month(match: Match, now: datetime) -> Period:
    month, year = month_number(match["month"]), now.year
    years_by_which = {"next": year + (month <= now.month), "last": year - (month >= now.month)}
    named = year_of(match, now)
    if named is not None or match["which"]:
        year = years_by_which.get(match["which"], year) if named is None else named
        period = months(now, year, month)
    else:
        period = latest(now, partial(months, now, month=month))
    if not match["stage"]:
        return period
    first, second = period.start + 10 * DAY, period.start + 20 * DAY
    stages = {"early": (period.start, first), "mid": (first, second), "late": (second, period.end)}
    return Period.of(*stages[match["stage"]], "days")


def _season_of(now: datetime, name: str, year: int) -> Period:
    return months(now, year, numbers_of("seasons")[name][0], 3, "season")


def _season(match: Match, now: datetime) -> Period:
    of_year, which = partial(_season_of, now, match["season"]), match["which"]
    if (year := year_of(match, now)) is not None:
        return of_year(year)
    begun = latest(now, of_year)
    if which == "next":
        return of_year(begun.start.year + 1)
    if which == "last" and begun.end > now:
        return of_year(begun.start.year - 1)
    return of_year(now.year) if which == "this" and begun.end <= now else begun


def _seasons_ago(match: Match, now: datetime) -> Period:
    return _season_beside(now, match["season"], -int(count_of(match["count"])[0]))


def _season_beside(now: datetime, name: str, step: int) -> Period:
    of_year = partial(_season_of, now, name)
    begun = latest(now, of_year)
    return of_year(begun.start.year + step + (step <= 0 and begun.end <= now))


def _quarter(match: Match, now: datetime) -> Period:
    number = int(match["quarter"] or _ORDINALS.index(match["ordinal"]) + 1)
    return _of_year(match, now, lambda year: months(now, year, 3 * number - 2, 3, "quarter"))


def _half(match: Match, now: datetime) -> Period:
    number = int(match["half"] or _ORDINALS.index(match["ordinal"]) + 1)
    return months(now, year_of(match, now) or now.year, 6 * number - 5, 6, "half")


def _decade(match: Match, now: datetime) -> Period:
    digits = match["decade"]
    return years(now, int(digits) if len(digits) == len("1990") else 1900 + int(digits), 10)


def _night(match: Match, now: datetime) -> Period:
    evening = midnight(now) - DAY * (match[0] == "last night")
    morning = evening + DAY
    return Period(evening.replace(hour=18), morning.replace(hour=6), "night", evening)


def _part_of_day(match: Match, now: datetime) -> Period:
    near = midnight(now) + _NEAR.get(match["near"], 0) * DAY
    start = near if match["near"] else _weekday(match, now).start
    first, last = numbers_of("parts_of_day")[match["part"]]
    end = start + DAY if last == _HOURS else start.replace(hour=last)
    return Period(start.replace(hour=first), end, "part of day", start)


def _ago(match: Match, now: datetime) -> Period:
    count, spread = count_with_half(match)
    number, unit = whole(count, match["unit"])
    sign = 1 if match["side"] in {"from now", "hence", ""} or "time" in match["side"] else -1
    period = counted(now, sign * number, unit)
    if not spread:
        return period
    low, high = sorted(sign * (number + by) for by in (-spread, spread))
    start, end = counted(now, low, unit).start, counted(now, high, unit).end
    return Period(start, end, "days" if unit == "day" else "span", period.point)


def _up_to_now(match: Match, now: datetime) -> Period:
    count, unit = whole(count_of(match["count"] or "a")[0], match["unit"])
    if count < 1:
        raise ValueError(count)
    start = moved(now, -count, unit)
    if unit in {"month", "quarter", "year", "decade"}:
        start = midnight(start)
    return Period.of(start, now + INSTANT, "span")


def _beside(match: Match, now: datetime) -> Period:
    (step,), unit = numbers_of("steps")[match["which"]], match["unit"]
    period = beside(now, step, unit)
    if step >= 0 or unit == "weekend":
        return period
    # A change 'last month' is dated one month before now.
    point = moved(now, *whole(Fraction(step), unit))
    return msgspec.structs.replace(period, point=midnight(point))


def _two_beside(match: Match, now: datetime) -> Period:
    step = -2 if match["side"] == "before last" else 2
    if match["season"]:
        return _season_beside(now, match["season"], step)
    if match["unit"]:
        return beside(now, step, match["unit"])
    return weekday_beside(now, step, WEEKDAYS.index(match["weekday"]))


def _weekday(match: Match, now: datetime) -> Period:
    number = WEEKDAYS.index(match["weekday"])
    if match["which"]:
        return weekday_beside(now, numbers_of("steps")[match["which"]][0], number)
    return days(midnight(now) - (now.weekday() - number) % 7 * DAY, 1)


def _weekend(_: Match, now: datetime) -> Period:
    start = monday(now) + _SATURDAY * DAY
    return days(start if start <= now else start - 7 * DAY, 2, "weekend")


def _day_of_month(match: Match, now: datetime) -> Period:
    number = int(match["day"])
    for month in range(now.month, now.month - 3, -1):
        start = months(now, now.year, month).start + (number - 1) * DAY
        if start <= now and start.day == number:
            return days(start, 1)
    raise ValueError(number)


def _holiday(match: Match, now: datetime) -> Period:
    period = _named_holiday(match, now)
    if match["part"] != "weekend" or period.end - period.start > DAY:
        return period
    # The weekend before a Monday or Tuesday, with it; else the days from it to Sunday.
    weekday = period.start.weekday()
    if weekday < 2:  # noqa: PLR2004 - Tuesday
        return days(period.start - (weekday + 2) * DAY, weekday + 3, "days")
    return days(period.start, len(WEEKDAYS) - weekday, "days")


def _named_holiday(match: Match, now: datetime) -> Period:
    of_year = partial(holiday_of, now, match["holiday"])
    if (year := year_of(match, now)) is not None:
        return of_year(year)
    found = latest(now, of_year)
    is_half_a_year_ago = now - found.start > timedelta(days=183)
    if match["side"] or (match["which"] == "last" and found.end > now):
        back = bool(match["side"]) + (found.end > now)
        return of_year(found.start.year - back)
    if match["which"] == "next" or (match["which"] == "this" and is_half_a_year_ago):
        return of_year(found.start.year + 1)
    return found


# -- parts of a period -------------------------------------------------------------------


def part_of(match: Match, period: Period) -> Period | None:
    """The part of a period that leading words name: 'end of', 'second Sunday of', 'week of'."""
    length = round((period.end - period.start) / DAY)
    if share := match["share"] or match["stage"]:
        return _share(share, period, length)
    if match["nth_day"]:
        number = _ordinal(match["nth_day"])
        is_month = period.precision == "month" and number > 0
        return _within(period, days(period.start + (number - 1) * DAY, 1)) if is_month else None
    nth, piece = match["nth"], match["piece"]
    if nth is None:
        return _around(period, piece, length)
    number = _ordinal(nth)
    if piece == "day":
        start = period.end - DAY if number < 0 else period.start + (number - 1) * DAY
        return _within(period, days(start, 1))
    if piece == "week":
        start = period.end - 7 * DAY if number < 0 else period.start + 7 * (number - 1) * DAY
        return _within(period, days(start, 7, "week"))
    weekday = _SATURDAY if piece == "weekend" else WEEKDAYS.index(piece)
    start = nth_weekday(period, number, weekday)
    return _within(period, days(start, 2, "weekend") if piece == "weekend" else days(start, 1))


def _share(share: str, period: Period, length: int) -> Period | None:
    halves = length // 2 * DAY
    # 'Early 2024' and 'the start of May' are a third, 'the start of 2024' is its first weeks.
    parts = 6 if length >= _YEAR and share in {"beginning", "start", "end"} else 3
    piece = max(1, round(length / parts)) * DAY
    start, end = period.start, period.end
    ends = {
        "first half": (start, start + halves),
        "second half": (start + halves, end),
        "middle": (start + piece, end - piece),
        "mid": (start + piece, end - piece),
        "end": (end - piece, end),
        "late": (end - piece, end),
    }
    first, last = ends.get(share, (start, start + piece))
    return Period.of(first, last, "days") if length > 1 and first < last else None


def _around(period: Period, piece: str, length: int) -> Period | None:
    """The week or weekend of a day: 'the weekend of 12 March'."""
    if piece not in {"week", "weekend"} or length > len(WEEKDAYS):
        return None
    start = monday(period.start)
    if piece == "week":
        return days(start, 7, "week")
    return days(start + _SATURDAY * DAY, 2, "weekend")


def _rest(match: Match, now: datetime) -> Period:
    """The part of the present week, month or year before now, or from now on."""
    whole_of = beside(now, 0, match["unit"])
    if match["side"] == "earlier":
        return Period.of(whole_of.start, now, "span")
    return Period.of(now, whole_of.end, "span")


def _ordinal(word: str) -> int:
    """The number of 'first' or '1st'; -1 for 'last'."""
    if word[0].isdecimal():
        return int(word[:-2])
    return -1 if word == "last" else _ORDINALS.index(word) + 1


def _within(period: Period, part: Period) -> Period | None:
    return part if period.start <= part.start < period.end else None


MEANINGS: dict[str, Callable[[Match, datetime], Period]] = {
    "year": lambda match, now: years(now, year_number(match["year"], now)),
    "near day": lambda match, now: days(
        midnight(now) + _NEAR.get(match[0].removeprefix("the "), 0) * DAY, 1
    ),
    "vague past": lambda _, now: Period.of(now - _VAGUE, now + INSTANT, "vague"),
    "vague future": lambda _, now: Period.of(now + INSTANT, now + _VAGUE, "vague"),
} | {
    reader.__name__[1:].replace("_", " "): reader
    for reader in (
        *(_iso, _numeric, _day, _days, _month, _season, _seasons_ago, _quarter, _half, _decade),
        *(_night, _part_of_day, _ago, _up_to_now, _beside, _two_beside, _weekday, _holiday),
        *(_weekend, _day_of_month, _rest),
    )
}

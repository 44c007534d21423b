"""Meanings of the forms of dates: the period that a match names, as seen from an instant.

Each function takes a match and the instant, and raises `ValueError` or `OverflowError` for a
date that does not exist. The module `dates` says how ambiguous forms are decided.
"""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cache, partial

import msgspec

from mnemolog.language.dates.calendar import (
    DAY,
    INSTANT,
    LISTS,
    MONTHS,
    WEEKDAYS,
    Period,
    beside,
    counted,
    day,
    days,
    latest,
    latest_weekday,
    midnight,
    months,
    moved,
    weekday_beside,
    whole,
    years,
)

Match = re.Match[str]
_ORDINALS = ("first", "second", "third", "fourth")
_VAGUE = timedelta(days=60)
_AHEAD = ("from now", "hence", "")
_HOURS = 24


@cache
def _numbers(table: str) -> dict[str, tuple[int, ...]]:
    """The numbers of each word of a table in `dates.toml`."""
    return {word: tuple(map(int, numbers)) for word, numbers in LISTS.table(table).items()}


def count_of(words: str) -> tuple[Fraction, int]:
    """A number in digits or words, and by how much more or less may be meant."""
    if words[0].isdecimal():
        return Fraction(words), 0
    if words.startswith("half"):
        return Fraction(1, 2), 0
    for word, (count, spread) in _numbers("vague_counts").items():
        if word in words.split():
            return Fraction(count), spread
    return Fraction(_numbers("counts").get(words, (1,))[0]), 0


def count_with_half(match: Match) -> tuple[Fraction, int]:
    """The number of a match, where 'and a half' may follow, and its spread."""
    count, spread = count_of(match["count"])
    halved = match["half_more"] or match["half_after"]
    return count + Fraction(1, 2) if halved else count, spread


def month_number(name: str) -> int:
    """The number of a month by its name or its first three letters."""
    return next(n for n, month in enumerate(MONTHS, 1) if month.startswith(name[:3]))


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
    """The period in the year that the match gives, or the latest that has begun."""
    return of_year(int(match["year"])) if match["year"] else latest(now, of_year)


def _day(match: Match, now: datetime) -> Period:
    month, number = month_number(match["month"]), int(match["day"])
    return _of_year(match, now, partial(day, now, month=month, number=number))


def _days(match: Match, now: datetime) -> Period:
    month, first, last = month_number(match["month"]), int(match["day"]), int(match["last"])

    def of_year(year: int) -> Period:
        end = day(now, year, month, last).end
        return Period.of(day(now, year, month, first).start, end, "days")

    return _of_year(match, now, of_year)


def _month(match: Match, now: datetime) -> Period:
    month, year = month_number(match["month"]), now.year
    years_by_which = {"next": year + (month <= now.month), "last": year - (month >= now.month)}
    if match["year"] or match["which"]:
        year = int(match["year"] or years_by_which.get(match["which"], year))
        period = months(now, year, month)
    else:
        period = latest(now, partial(months, now, month=month))
    if not match["stage"]:
        return period
    first, second = period.start + 10 * DAY, period.start + 20 * DAY
    stages = {"early": (period.start, first), "mid": (first, second), "late": (second, period.end)}
    return Period.of(*stages[match["stage"]], "days")


def _season_of(now: datetime, name: str, year: int) -> Period:
    """A season by the year in which it begins."""
    return months(now, year, _numbers("seasons")[name][0], 3, "season")


def _season(match: Match, now: datetime) -> Period:
    of_year, which = partial(_season_of, now, match["season"]), match["which"]
    if match["year"]:
        return of_year(int(match["year"]))
    begun = latest(now, of_year)
    if which == "next":
        return of_year(begun.start.year + 1)
    if which == "last" and begun.end > now:
        return of_year(begun.start.year - 1)
    return of_year(now.year) if which == "this" and begun.end <= now else begun


def _seasons_ago(match: Match, now: datetime) -> Period:
    of_year = partial(_season_of, now, match["season"])
    begun = latest(now, of_year)
    back = int(count_of(match["count"])[0]) - (begun.end <= now)
    return of_year(begun.start.year - back)


def _quarter(match: Match, now: datetime) -> Period:
    number = int(match["quarter"] or _ORDINALS.index(match["ordinal"]) + 1)
    return _of_year(match, now, lambda year: months(now, year, 3 * number - 2, 3, "quarter"))


def _half(match: Match, now: datetime) -> Period:
    number = int(match["half"] or _ORDINALS.index(match["ordinal"]) + 1)
    return months(now, int(match["year"]), 6 * number - 5, 6, "half")


def _year(match: Match, now: datetime) -> Period:
    return years(now, int(match["year"]))


def _decade(match: Match, now: datetime) -> Period:
    digits = match["decade"]
    return years(now, int(digits) if len(digits) == len("1990") else 1900 + int(digits), 10)


def _near_day(match: Match, now: datetime) -> Period:
    words = match[0].removeprefix("the ")
    steps = {"day before yesterday": -2, "yesterday": -1, "tomorrow": 1, "day after tomorrow": 2}
    return days(midnight(now) + steps.get(words, 0) * DAY, 1)


def _night(match: Match, now: datetime) -> Period:
    evening = midnight(now) - DAY * (match[0] == "last night")
    morning = evening + DAY
    return Period(evening.replace(hour=18), morning.replace(hour=6), "night", evening)


def _part_of_day(match: Match, now: datetime) -> Period:
    steps = {"yesterday": -1, "tomorrow": 1, "this": 0}
    if match["near"]:
        start = midnight(now) + steps[match["near"]] * DAY
    else:
        start = _weekday(match, now).start
    first, last = _numbers("parts_of_day")[match["part"]]
    end = start + DAY if last == _HOURS else start.replace(hour=last)
    return Period(start.replace(hour=first), end, "part of day", start)


def _ago(match: Match, now: datetime) -> Period:
    count, spread = count_with_half(match)
    number, unit = whole(count, match["unit"])
    sign = 1 if match["side"] in _AHEAD or "time" in match["side"] else -1
    period = counted(now, sign * number, unit)
    if not spread:
        return period
    ends = [counted(now, sign * (number + by), unit) for by in (-spread, spread)]
    start, end = min(one.start for one in ends), max(one.end for one in ends)
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
    (step,), unit = _numbers("steps")[match["which"]], match["unit"]
    period = beside(now, step, unit)
    if step >= 0 or unit == "weekend":
        return period
    # A change 'last month' is dated one month before now.
    point = moved(now, *whole(Fraction(step), unit))
    return msgspec.structs.replace(period, point=midnight(point))


def _two_beside(match: Match, now: datetime) -> Period:
    step = -2 if match["side"] == "before last" else 2
    if match["unit"]:
        return beside(now, step, match["unit"])
    return weekday_beside(now, step, WEEKDAYS.index(match["weekday"]))


def _weekday(match: Match, now: datetime) -> Period:
    number = WEEKDAYS.index(match["weekday"])
    if match["which"]:
        return weekday_beside(now, _numbers("steps")[match["which"]][0], number)
    return latest_weekday(now, number)


def _holiday(match: Match, now: datetime) -> Period:
    month, number = _numbers("holidays")[match["holiday"]]
    return _of_year(match, now, partial(day, now, month=month, number=number))


def _vague_past(_match: Match, now: datetime) -> Period:
    return Period.of(now - _VAGUE, now + INSTANT, "vague")


def _vague_future(_match: Match, now: datetime) -> Period:
    return Period.of(now + INSTANT, now + _VAGUE, "vague")


MEANINGS: dict[str, Callable[[Match, datetime], Period]] = {
    reader.__name__[1:].replace("_", " "): reader
    for reader in (
        *(_iso, _numeric, _day, _days, _month, _season, _seasons_ago, _quarter, _half, _year),
        *(_decade, _near_day, _night, _part_of_day, _ago, _up_to_now, _beside, _two_beside),
        *(_weekday, _holiday, _vague_past, _vague_future),
    )
}
"""The reader of each meaning of a form in `dates.toml`, by its name."""

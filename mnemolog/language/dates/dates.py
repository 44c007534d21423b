"""Dates in English text: which words name a period, and which period.

Ambiguous dates are read as most English texts mean them: 03/04/2024 has the month
first unless that cannot be, 03.04.2024 the day. Only what is common is read; a
date that is not understood names no period, and nothing is guessed from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import cache, partial

import msgspec

from mnemolog.language.dates.date_words import DATES, HINTS
from mnemolog.language.dates.periods import (
    HOLIDAYS,
    ORDINALS,
    Period,
    count_of,
    day,
    days,
    latest,
    latest_weekday,
    midnight,
    month_number,
    months,
    part_of_month,
    season,
    spread_of,
    unit_ago,
    unit_beside,
    units_up_to,
    weekday_beside,
    weekday_number,
    years,
)
from mnemolog.language.patterns import regex

Match = re.Match[str]
Reader = Callable[[Match, datetime], Period]
"""Reads the period of a match as seen from an instant. Raises `ValueError` for none."""


class Dated(msgspec.Struct, frozen=True):
    """Words of a text that name a period: where they stand, and the period.

    `yearless` says that a month or a day was named without its year; `weekday` is
    the weekday, where one was named by itself.
    """

    start: int
    end: int
    period: Period
    yearless: bool = False
    weekday: int | None = None


def dates_in(text: str, now: datetime) -> list[Dated]:
    """Every period that a text without capitals names, in order; the longest where they overlap."""
    if not _hints().search(text):
        return []
    found = sorted(_all_dates(text, now), key=lambda dated: (dated.start, -dated.end))
    kept: list[Dated] = []
    for dated in found:
        if not kept or dated.start >= kept[-1].end:
            kept.append(dated)
    return kept


def _all_dates(text: str, now: datetime) -> Iterator[Dated]:
    for name, pattern in _patterns():
        for match in pattern.finditer(text):
            try:
                period = _READERS[name](match, now)
            except (ValueError, OverflowError):  # no such day, or beyond the calendar
                continue
            yield Dated(
                match.start("dated"),
                match.end(),
                period,
                yearless=name in {"day", "days", "month"} and not match["year"],
                weekday=weekday_number(match["weekday"]) if name == "weekday" else None,
            )


def _iso(match: Match, _now: datetime) -> Period:
    if match["day"]:
        return day(int(match["year"]), int(match["month"]), int(match["day"]))
    return months(int(match["year"]), _from_1_to_12(int(match["month"])))


def _numeric(match: Match, _now: datetime) -> Period:
    first, second = int(match["first"]), int(match["second"])
    day_first = match["mark"] == "." or first > 12  # noqa: PLR2004 - no month is later
    number, month = (first, second) if day_first else (second, first)
    return day(int(match["year"]), month, number)


def _day_of_month(match: Match, now: datetime) -> Period:
    month, number = month_number(match["month"]), int(match["day"])
    if match["year"]:
        return day(int(match["year"]), month, number)
    return latest(now, partial(day, month=month, number=number))


def _days_of_month(match: Match, now: datetime) -> Period:
    month, first, last = month_number(match["month"]), int(match["day"]), int(match["last"])

    def of_year(year: int) -> Period:
        return day(year, month, first)[0], day(year, month, last)[1]

    return of_year(int(match["year"])) if match["year"] else latest(now, of_year)


def _month(match: Match, now: datetime) -> Period:
    month = month_number(match["month"])
    if match["year"]:
        period = months(int(match["year"]), month)
    elif match["which"] == "next":
        period = months(now.year + (month <= now.month), month)
    elif match["which"] == "last":
        period = months(now.year - (month >= now.month), month)
    elif match["which"] == "this":
        period = months(now.year, month)
    else:
        period = latest(now, partial(months, month=month))
    return part_of_month(match["part"], period) if match["part"] else period


def _season(match: Match, now: datetime) -> Period:
    name = match["season"]
    if match["year"]:
        return season(name, int(match["year"]))
    if match["which"] == "next":
        coming = season(name, now.year)
        return coming if coming[0] > now else season(name, now.year + 1)
    begun = latest(now, partial(season, name))
    if match["which"] == "last" and begun[1] > now:
        return season(name, begun[0].year - 1)
    if match["which"] == "this" and begun[1] <= now:
        return season(name, now.year)
    return begun


def _quarter(match: Match, now: datetime) -> Period:
    number = int(match["quarter"]) if match["quarter"] else ORDINALS.index(match["ordinal"]) + 1
    if match["year"]:
        return months(int(match["year"]), 3 * number - 2, 3)
    return latest(now, lambda year: months(year, 3 * number - 2, 3))


def _year(match: Match, _now: datetime) -> Period:
    return years(int(match["year"]))


def _decade(match: Match, _now: datetime) -> Period:
    digits = match["decade"]
    return years(int(digits) if len(digits) > 2 else 1900 + int(digits), 10)  # noqa: PLR2004


def _near_day(match: Match, now: datetime) -> Period:
    today = midnight(now)
    words = match[0]
    if words == "last night":
        return today - timedelta(hours=6), today + timedelta(hours=6)
    if words.startswith("the day before"):
        return days(today - timedelta(days=2), 1)
    if words.startswith("the day after"):
        return days(today + timedelta(days=2), 1)
    step = -1 if words.startswith("yesterday") else 1 if words.startswith("tomorrow") else 0
    return days(today + timedelta(days=step), 1)


def _ago(match: Match, now: datetime) -> Period:
    count, unit = count_of(match["count"]), match["unit"]
    spread = spread_of(match["count"])
    if spread:
        return unit_ago(now, count + spread, unit)[0], unit_ago(now, count - spread, unit)[1]
    return unit_ago(now, count, unit)


def _up_to_now(match: Match, now: datetime) -> Period:
    count = count_of(match["count"]) if match["count"] else 1
    if count < 1:
        raise ValueError(count)
    return units_up_to(now, count, match["unit"])


def _beside(match: Match, now: datetime) -> Period:
    step, unit = _STEPS[match["which"]], match["unit"]
    if unit == "weekend" and step < 0 and unit_beside(now, 0, unit)[1] <= now:
        return unit_beside(now, 0, unit)
    return unit_beside(now, step, unit)


def _weekday(match: Match, now: datetime) -> Period:
    number = weekday_number(match["weekday"])
    if match["which"]:
        return weekday_beside(now, _STEPS[match["which"]], number)
    return latest_weekday(now, number)


def _holiday(match: Match, now: datetime) -> Period:
    month, number = next(date for name, date in HOLIDAYS.items() if match["holiday"] == name)
    if match["year"]:
        return day(int(match["year"]), month, number)
    return latest(now, partial(day, month=month, number=number))


def _from_1_to_12(month: int) -> int:
    if not 1 <= month <= 12:  # noqa: PLR2004 - months of a year
        raise ValueError(month)
    return month


_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}
_READERS: dict[str, Reader] = {
    "iso": _iso,
    "numeric": _numeric,
    "day": _day_of_month,
    "days": _days_of_month,
    "month": _month,
    "season": _season,
    "quarter": _quarter,
    "year": _year,
    "decade": _decade,
    "near": _near_day,
    "ago": _ago,
    "past": _up_to_now,
    "beside": _beside,
    "weekday": _weekday,
    "holiday": _holiday,
}


@cache
def _hints() -> re.Pattern[str]:
    return regex(HINTS)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (name, regex(pattern if "(?P<dated>" in pattern else f"(?P<dated>{pattern})"))
        for name, pattern in DATES
    )

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

from recall.periods import (
    MONTHS,
    WEEKDAYS,
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
    for name, pattern, read in _readers():
        for match in pattern.finditer(text):
            try:
                period = read(match, now)
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
    number = int(match["quarter"]) if match["quarter"] else _ORDINALS.index(match["ordinal"]) + 1
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
    month, number = next(date for name, date in _HOLIDAYS.items() if match["holiday"] == name)
    if match["year"]:
        return day(int(match["year"]), month, number)
    return latest(now, partial(day, month=month, number=number))


def _from_1_to_12(month: int) -> int:
    if not 1 <= month <= 12:  # noqa: PLR2004 - months of a year
        raise ValueError(month)
    return month


COUNT = (
    r"(?P<count>\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:a )?(?:couple(?: of)?|few)|several)"
)
"""A pattern of numbers as `count_of` reads them."""

_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}
_ORDINALS = ("first", "second", "third", "fourth")
_HOLIDAYS = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "valentine's day": (2, 14),
    "halloween": (10, 31),
}


@cache
def _hints() -> re.Pattern[str]:
    """What at least one of stands in every date."""
    return re.compile(
        r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|day|morning|night\b|week"
        r"|month|year|decade|quarter|spring|summer|autumn|fall|winter|hours?|christmas|halloween"
        r"|\btomorrow"
    )


@cache
def _readers() -> tuple[tuple[str, re.Pattern[str], Reader], ...]:
    month = rf"(?P<month>{'|'.join(MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
    number = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
    year = r"(?P<year>(?:19|20)\d\d)\b(?![-/.]\d)"
    maybe_year = rf"(?:,? (?:of |in )?{year})?"
    which = r"(?P<which>last|this|next)"
    unit = r"(?P<unit>hour|day|week|month|quarter|year|decade)s?\b"
    # 'may' and 'march' are verbs as well, and 'fall', so something must make them a time.
    timely = r"(?:in|of|on|since|until|till|by|before|after|from|to|and|between|through|during|or)"
    season = r"(?P<season>spring|summer|autumn|fall|winter)"
    holidays = "|".join(_HOLIDAYS)
    rows: tuple[tuple[str, str, Reader], ...] = (
        ("iso", r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b", _iso),
        (
            "numeric",
            r"\b(?P<first>\d\d?)(?P<mark>[./])(?P<second>\d\d?)(?P=mark)(?P<year>(?:19|20)\d\d)\b",
            _numeric,
        ),
        ("day", rf"\b(?:the )?{number} (?:of )?{month}{maybe_year}", _day_of_month),
        ("day", rf"\b{month} (?:the )?{number}\b{maybe_year}", _day_of_month),
        (
            "days",
            (
                rf"\b{number} ?(?:-|to|and|until|through) ?(?P<last>[12]\d|3[01]|0?[1-9])"
                rf"(?:st|nd|rd|th)? (?:of )?{month}{maybe_year}"
            ),
            _days_of_month,
        ),
        (
            "days",
            (
                rf"\b{month} {number} ?(?:-|to|and|until|through) ?(?P<last>[12]\d|3[01]|0?[1-9])"
                rf"(?:st|nd|rd|th)?\b{maybe_year}"
            ),
            _days_of_month,
        ),
        (
            "month",
            (
                rf"(?:\b(?P<part>early|mid|late)[- ](?:in )?|\b{which} |(?<!\w)(?=(?!may|mar)))"
                rf"{month}{maybe_year}"
            ),
            _month,
        ),
        (
            "month",
            rf"(?<=\b)(?P<part>)(?P<which>)(?P<month>may|march|mar)\b\.?(?:,? (?:of )?{year})",
            _month,
        ),
        (
            "month",
            rf"\b{timely} (?P<part>)(?P<which>)(?P<dated>(?P<month>may|march)\b)(?P<year>)",
            _month,
        ),
        (
            "season",
            (
                rf"\b(?:in|of|during|since|before|after|until|over|by) (?:the )?(?P<which>)"
                rf"(?P<dated>{season}\b{maybe_year})"
            ),
            _season,
        ),
        ("season", rf"\b{which} {season}\b{maybe_year}", _season),
        ("season", rf"\b(?P<which>){season},? (?:of )?{year}", _season),
        (
            "quarter",
            (
                rf"\b(?:q(?P<quarter>[1-4])|the (?P<ordinal>{'|'.join(_ORDINALS)}) quarter)"
                rf"\b{maybe_year}"
            ),
            _quarter,
        ),
        (
            "year",
            (
                rf"\b(?:in|of|since|until|till|by|before|after|from|to|and|between|through|during"
                rf"|throughout|around|year) (?P<dated>{year})"
            ),
            _year,
        ),
        ("decade", r"\b(?:the |')(?P<decade>(?:19|20)?\d0)'?s\b", _decade),
        (
            "near",
            (
                r"\bthe day (?:before yesterday|after tomorrow)\b|\byesterday\b|\btoday\b"
                r"|\btonight\b|\btomorrow\b|\bthis (?:morning|afternoon|evening)\b|\blast night\b"
            ),
            _near_day,
        ),
        ("ago", rf"\b{COUNT} {unit} (?:ago|back|earlier)\b", _ago),
        (
            "past",
            (
                rf"\b(?:(?:in|over|during|within|for) )?the (?:last|past|previous) "
                rf"(?:{COUNT} )?{unit}(?! of\b)"
            ),
            _up_to_now,
        ),
        ("past", rf"\b(?:last|past|previous) {COUNT} {unit}", _up_to_now),
        (
            "beside",
            (
                r"\b(?P<which>last|past|previous|this|next|coming) "
                r"(?P<unit>week|weekend|month|quarter|year|decade)\b"
            ),
            _beside,
        ),
        ("weekday", rf"\b(?:{which} )?(?P<weekday>{'|'.join(WEEKDAYS)})\b(?!s)", _weekday),
        ("holiday", rf"\b(?P<holiday>{holidays})\b{maybe_year}", _holiday),
    )
    return tuple((name, re.compile(_all_dated(pattern)), read) for name, pattern, read in rows)


def _all_dated(pattern: str) -> str:
    """A pattern in which the words that name the date are marked; all of it if none are."""
    return pattern if "(?P<dated>" in pattern else f"(?P<dated>{pattern})"

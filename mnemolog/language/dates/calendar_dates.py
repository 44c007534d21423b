"""Calendar dates and weekdays of a text as given, without an instant to see them from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache

import msgspec

from mnemolog.language.dates.calendar import WEEKDAYS
from mnemolog.language.dates.dates import lowered
from mnemolog.language.dates.forms import filled, forms, fragments, hints
from mnemolog.language.dates.meanings import MEANINGS, month_number
from mnemolog.language.patterns import regex

_LEAP_YEAR = datetime(2000, 12, 31, tzinfo=UTC)
"""An instant from which every day without a year is one of the calendar."""

_GIVEN = frozenset({"iso", "day", "month", "year"})
_GROUPS = ("year", "month", "day")


class CalendarDate(msgspec.Struct, frozen=True):
    """A date or weekday that the characters `start` to `end` give.

    `parts` are the year (0 if not given), month and day as far as given, or none for a weekday,
    which `weekday` numbers from Monday, 0.
    """

    start: int
    end: int
    parts: tuple[int, ...]
    weekday: int | None = None


def calendar_dates(text: str) -> Iterator[CalendarDate]:
    """The dates and weekdays of a text, the fullest forms first; they may overlap."""
    low = lowered(text)
    if not hints().search(low):
        return
    for meaning, pattern in forms():
        if meaning not in _GIVEN:
            continue
        for match in pattern.finditer(low):
            if (found := _given(meaning, match)) is not None:
                yield found
    for match in _weekdays().finditer(low):
        yield CalendarDate(*match.span(), (), WEEKDAYS.index(match["weekday"]))


def _given(meaning: str, match: re.Match[str]) -> CalendarDate | None:
    groups = match.groupdict()
    if groups.get("which") or groups.get("stage"):
        return None
    try:
        MEANINGS[meaning](match, _LEAP_YEAR)
    except ValueError:  # no such day
        return None
    year, month, day = (groups.get(name) for name in _GROUPS)
    parts = [int(year or 0)]
    if month:
        parts.append(int(month) if month.isdecimal() else month_number(month))
    if day:
        parts.append(int(day))
    start = min(match.start(name) for name in _GROUPS if groups.get(name))
    return CalendarDate(start, match.end(), tuple(parts))


@cache
def _weekdays() -> re.Pattern[str]:
    return regex(filled(r"\b{weekday}s?\b", fragments()))

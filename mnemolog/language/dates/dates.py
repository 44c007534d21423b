"""Date reader: the days and periods that a text names, as seen from an instant in its zone.

One decision for each form with several meanings:
- A month, day, weekday, season or holiday without a year or 'last' is the latest that has begun;
  today may be it. 'Last Monday' is the one before today, 'next Monday' the one after it.
- 'Last spring' is the latest spring that has ended, 'this spring' the one that lasts or comes.
- 'Last week' is the calendar week before this one; 'the last week' the seven days up to now.
- 'Two weeks ago' is the day 14 days before, give or take three; 'two months ago' that calendar
  month, 'two years ago' that year. `point` is the day itself: 14 days, two months or years before.
- Fractions are counted in the next finer unit: half a year ago is six months ago.
- 03/04/2024 has the month first unless that cannot be; 03.04.2024 has the day first.
- 'Until' and 'by' include the period named, 'before' and 'after' do not, 'since' ends now;
  'as of' and 'starting' name the period itself, at whose start something begins to hold.
- Winter has the year in which it begins; seasons are those of the northern half of the earth.
- 'Tonight' and 'last night' reach from 18:00 to 6:00.
- 'Recently', 'the other day' and 'soon' name no certain period; their precision is 'vague'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.dates.calendar import (
    DAY,
    INSTANT,
    WEEKDAYS,
    Period,
    Precision,
    counted,
    days,
    moved,
    weekday_beside,
    whole,
    year_changed,
)
from mnemolog.language.dates.forms import date_words, filled, forms, fragments, hints
from mnemolog.language.dates.meanings import MEANINGS, count_of
from mnemolog.language.patterns import before, regex

Relation = Literal["on", "before", "after", "since", "starting", "until", "between"]

BEGINNING = datetime.min.replace(tzinfo=UTC)
"""The start of a period that has none."""

END = datetime.max.replace(tzinfo=UTC)
"""The end of a period that has none."""


class DateReading(msgspec.Struct, frozen=True):
    """A period [start, end) in UTC that the characters `first` to `last` of a text name.

    The characters include a leading 'since', 'before' and the like. `point` is the instant from
    which a change so dated holds: the start of the period, or the day that a count leads to.
    """

    first: int
    last: int
    start: datetime
    end: datetime
    precision: Precision
    relation: Relation
    point: datetime


class NamedDate(msgspec.Struct, frozen=True):
    """A date as named, without its relation: where it stands, its form's match and its period."""

    first: int
    last: int
    meaning: str
    match: re.Match[str]
    period: Period

    @property
    def weekday(self) -> int | None:
        """The number of a weekday named by itself."""
        return WEEKDAYS.index(self.match["weekday"]) if self.meaning == "weekday" else None

    @property
    def yearless(self) -> bool:
        """Month or day without its year."""
        return self.meaning in {"day", "days", "month"} and not self.match["year"]


def read_dates(text: str, now: datetime) -> list[DateReading]:
    """The dates of a text in order; `now` is an aware datetime in the zone that is local."""
    low = lowered(text)
    found = named_dates(low, now)
    readings = []
    at = 0
    while at < len(found):
        used, reading = _reading(low, found[at : at + 2], now)
        if reading is not None:
            readings.append(reading)
        at += used
    return readings


def lowered(text: str) -> str:
    """A text in small letters, with each character in its place."""
    low = text.lower()
    if len(low) != len(text):  # some capitals have small forms of two characters
        low = "".join(small if len(small := char.lower()) == 1 else char for char in text)
    return low.replace("\u2019", "'")


def named_dates(text: str, now: datetime) -> list[NamedDate]:
    """The dates of a text without capitals; the first and longest of those that overlap."""
    if not hints().search(text):
        return []
    kept: list[NamedDate] = []
    for one in sorted(_matches(text, now), key=lambda one: (one.first, -one.last)):
        if not kept or one.first >= kept[-1].last:
            kept.append(one)
    return kept


def _matches(text: str, now: datetime) -> Iterator[NamedDate]:
    for meaning, pattern in forms():
        for match in pattern.finditer(text):
            try:
                period = MEANINGS[meaning](match, now)
            except (ValueError, OverflowError):  # no such day, or beyond the calendar
                continue
            yield NamedDate(match.start("dated"), match.end(), meaning, match, period)


def _reading(text: str, found: list[NamedDate], now: datetime) -> tuple[int, DateReading | None]:
    """How many of two successive dates one reading uses, and the reading."""
    try:
        return _related(text, found[0], found[1] if len(found) > 1 else None, now)
    except (ValueError, OverflowError):  # beyond the calendar
        return 1, None


def _related(
    text: str, first: NamedDate, other: NamedDate | None, now: datetime
) -> tuple[int, DateReading | None]:
    if first.period.precision == "vague":
        lead = before(_leads(), text, first.first)
        start = lead.start() if lead and (lead["since"] or lead["starting"]) else first.first
        return 1, _reading_of(start, first.last, first.period, "on")
    used, period, last = 1, first.period, first.last
    if other is not None and other.period.precision != "vague":
        opening = before(_ranges(), text, first.first)
        if opening and _joins().fullmatch(text, first.last, other.first):
            joined = _between(first, other)
            return 2, _reading_of(opening.start(), other.last, joined, "between")
        if (seen := _seen_from(text, first, other)) is not None:
            return 2, _reading_of(first.first, other.last, seen, "on")
        within = first.weekday is not None and other.weekday is None
        if within and text[first.last : other.first].strip() in _OF:
            used, period, last = 2, _weekday_of(first, other.period), other.last
    lead = before(_leads(), text, first.first)
    if lead is None:
        return used, _reading_of(first.first, last, period, "on")
    away = before(_distances(), text, lead.start())
    if away is not None and lead["word"] in ("before", "after"):
        distant = _distant(away, lead["word"], first.period)
        return used, _reading_of(away.start(), last, distant, "on")
    return used, _opened(lead, last, period, now)


def _reading_of(first: int, last: int, period: Period, relation: Relation) -> DateReading | None:
    start, end = period.start.astimezone(UTC), period.end.astimezone(UTC)
    point = period.point.astimezone(UTC)
    if start >= end:
        return None
    return DateReading(first, last, start, end, period.precision, relation, point)


def _opened(lead: re.Match[str], last: int, period: Period, now: datetime) -> DateReading | None:
    """A period with one end open: 'since Monday', 'before 2020'."""
    start, end = period.start, period.end
    relation = _RELATIONS[next(name for name in _RELATIONS if lead[name])]
    ends = {
        # What happens at this very instant has happened since.
        "since": (start, now + INSTANT),
        "starting": (start, end),
        "before": (BEGINNING, start),
        "until": (BEGINNING, end),
        "after": (end, END),
    }
    period = Period(*ends[relation], period.precision, period.point)
    return _reading_of(lead.start(), last, period, relation)


def _between(first: NamedDate, last: NamedDate) -> Period:
    """From the start of one period to the end of another."""
    start, end = first.period.start, last.period.end
    if first.yearless:
        # 'between March and May 2023': the year is said once, and a range runs forwards.
        start = year_changed(start, last.period.start.year)
        if start >= end:
            start = year_changed(start, start.year - 1)
    elif first.weekday is not None and start >= end:
        start -= 7 * DAY
    if start >= end:
        start, end = last.period.start, first.period.end
    return Period.of(start, end, "span")


def _seen_from(text: str, first: NamedDate, anchor: NamedDate) -> Period | None:
    """The first date as seen from the other: 'Friday before 3 June', 'last weekend before …'."""
    side = text[first.last : anchor.first].removesuffix("the ").strip()
    if side not in ("before", "after") or first.yearless:
        return None
    start = anchor.period.start
    if first.weekday is not None:
        return weekday_beside(start, -1 if side == "before" else 1, first.weekday)
    moved_there = MEANINGS[first.meaning](first.match, start)
    return None if moved_there == first.period else moved_there


def _weekday_of(named: NamedDate, other: Period) -> Period:
    """A weekday inside a week or so, 'on Monday last week'; else the other period itself."""
    if not DAY < other.end - other.start <= 7 * DAY:
        return other
    return days(other.start + (named.period.start.weekday() - other.start.weekday()) % 7 * DAY, 1)


def _distant(match: re.Match[str], side: str, anchor: Period) -> Period:
    """A period by its distance: 'two weeks before 3 June', 'the day after Christmas'."""
    sign = -1 if side == "before" else 1
    number, unit = whole(count_of(match["count"] or "a")[0], match["unit"])
    if match["count"]:
        return counted(anchor.start, sign * number, unit)
    if sign < 0:
        return Period.of(moved(anchor.start, -number, unit), anchor.start, "span")
    return Period.of(anchor.end, moved(anchor.end, number, unit), "span")


_OF = frozenset(("", "of", "in", "the", ",", "of the"))
_RELATIONS: dict[str, Relation] = {
    "since": "since",
    "starting": "starting",
    "before": "before",
    "until": "until",
    "after": "after",
}


@cache
def _joins() -> re.Pattern[str]:
    return regex(r" ?(?:and|to|until|till|through|-|\u2013|)(?: the)? ?")


@cache
def _ranges() -> re.Pattern[str]:
    return regex(r"\b(?:between|from) (?:the )?$")


@cache
def _leads() -> re.Pattern[str]:
    words = "|".join(f"(?P<{name}>{words})" for name, words in date_words().relations.items())
    return regex(rf"\b(?P<word>{words})(?: the)? $")


@cache
def _distances() -> re.Pattern[str]:
    return regex(filled(r"\b(?:the )?(?:{count} )?{unit} $", fragments()))

"""The period that a cue names: 'last week', 'in May', 'between March and May 2023'."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import cache

import msgspec

from mnemolog.language.dates.date_words import COUNT
from mnemolog.language.dates.dates import Dated, dates_in
from mnemolog.language.dates.periods import (
    Period,
    count_of,
    days,
    unit_ago,
    weekday_beside,
    year_changed,
)
from mnemolog.language.patterns import regex
from mnemolog.ledger.clock import EPOCH, Micros, to_datetime

BEGINNING = Micros((datetime.min.replace(tzinfo=UTC) - EPOCH) // timedelta(microseconds=1))
"""Where a period begins that has no beginning: the first instant of the year 1."""

END = Micros((datetime.max.replace(tzinfo=UTC) - EPOCH) // timedelta(microseconds=1))
"""Where a period ends that has no end: the last instant of the year 9999."""


class Span(msgspec.Struct, frozen=True):
    """A period [start, end) that a cue names, in microseconds UTC, and the words that name it.

    A period that is open on one side reaches to `BEGINNING` or to `END`. `start`
    is always before `end`.
    """

    start: Micros
    end: Micros
    words: str


def span_in(cue: str, instant: Micros) -> Span | None:
    """The first period that a cue names, as seen from `instant`; None if it names none."""
    text = cue.lower().replace("\u2019", "'")
    if len(text) != len(cue):  # a letter whose small form is longer; the words are cut from `cue`
        cue = text
    now = to_datetime(instant)
    found = dates_in(text, now)
    if not found:
        return None
    try:
        return _first_of(cue, text, found, instant)
    except (ValueError, OverflowError):  # beyond the calendar
        return None


def _first_of(cue: str, text: str, found: list[Dated], instant: Micros) -> Span | None:
    first, *others = found
    start, end = first.start, first.end
    period = first.period
    joined = others[0] if others and _joins().fullmatch(text[first.end : others[0].start]) else None
    range_word = _ranges().search(text, 0, first.start)
    if joined and range_word:
        period = _range(first, joined)
        start, end = range_word.start(), joined.end
        return _span(cue, start, end, _micros(period[0]), _micros(period[1]))
    if others:
        near = _beside_date(text, first, others[0])
        if near:
            return _span(cue, start, others[0].end, _micros(near[0]), _micros(near[1]))
    if others and first.weekday is not None and text[first.end : others[0].start].strip() in _OF:
        period, end = _weekday_of(first, others[0]), others[0].end
    lead = _leads().search(text, 0, first.start)
    word = lead["word"] if lead else ""
    if lead:
        start = lead.start()
        away = _aways().search(text, 0, start)
        if away and word in _SIDES:
            period = _away(away, word, first.period)
            return _span(cue, away.start(), end, _micros(period[0]), _micros(period[1]))
    return _opened(cue, (start, end), word, period, instant)


_OF = frozenset(("", "of", "in", "the", ",", "of the"))
_SINCE = frozenset(("since",))
_UP_TO = frozenset(("before", "prior to"))
_INCLUDING = frozenset(("until", "till", "by", "up to"))
_FROM = frozenset(("after", "following"))
_WORDS = r"(?P<word>since|before|prior to|until|till|by|up to|after|following)"


_LENGTHS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365, "decade": 3652}
_SIDES = frozenset(("before", "after"))


def _beside_date(text: str, first: Dated, anchor: Dated) -> Period | None:
    """'Friday before 3 June', 'last weekend before 3 June': the first as seen from the other."""
    side = text[first.end : anchor.start].removesuffix("the ").strip()
    if side not in _SIDES or first.yearless:
        return None
    if first.weekday is not None:
        return weekday_beside(anchor.period[0], -1 if side == "before" else 1, first.weekday)
    seen = dates_in(text[first.start : first.end], anchor.period[0])
    moved = seen[0].period if seen else first.period
    return None if moved == first.period else moved


def _away(match: re.Match[str], side: str, anchor: Period) -> Period:
    """'Two weeks before 3 June', 'the day after Christmas': a period by its distance."""
    start, end = anchor
    unit = match["unit"]
    if not match["count"]:
        length = timedelta(days=_LENGTHS[unit])
        return (start - length, start) if side == "before" else (end, end + length)
    count = count_of(match["count"])
    return unit_ago(start, count if side == "before" else -count, unit)


def _opened(
    cue: str, place: tuple[int, int], word: str, period: Period, instant: Micros
) -> Span | None:
    start, end = _micros(period[0]), _micros(period[1])
    if word in _SINCE:
        # What happens at this very instant has happened since.
        end = Micros(instant + 1)
    elif word in _UP_TO:
        start, end = BEGINNING, start
    elif word in _INCLUDING:
        start = BEGINNING
    elif word in _FROM:
        start, end = end, END
    return _span(cue, *place, start, end)


def _span(cue: str, first: int, last: int, start: Micros, end: Micros) -> Span | None:
    return Span(start, end, cue[first:last].strip()) if start < end else None


def _range(first: Dated, last: Dated) -> Period:
    """From the start of one period to the end of another."""
    start, end = first.period[0], last.period[1]
    if first.yearless:
        # 'between March and May 2023': the year is said once, and a range runs forwards.
        start = year_changed(start, last.period[0].year)
        if start >= end:
            start = year_changed(start, start.year - 1)
    elif first.weekday is not None and start >= end:
        start -= timedelta(days=7)
    return (start, end) if start < end else (last.period[0], first.period[1])


def _weekday_of(weekday: Dated, other: Dated) -> Period:
    """A weekday inside another period, 'on Monday last week'; that period if it is longer."""
    start, end = other.period
    if end - start > timedelta(days=7) or weekday.weekday is None:
        return other.period
    return days(start + (weekday.weekday - start.weekday()) % 7 * timedelta(days=1), 1)


def _micros(at: datetime) -> Micros:
    return Micros((at - EPOCH) // timedelta(microseconds=1))


@cache
def _joins() -> re.Pattern[str]:
    return regex(r" ?(?:and|to|until|till|through|-|\u2013|)(?: the)? ?")


@cache
def _ranges() -> re.Pattern[str]:
    return regex(r"\b(?:between|from) (?:the )?$")


@cache
def _leads() -> re.Pattern[str]:
    return regex(rf"\b{_WORDS}(?: the)? $")


@cache
def _aways() -> re.Pattern[str]:
    return regex(rf"\b(?:the )?(?:{COUNT} )?(?P<unit>day|week|month|quarter|year|decade)s? $")

"""Times that a text tells of: its dates, as whole days, seen from the day on which it was said.

A date without a year is the last one that has begun, unless its clause is about what is still to
come: 'the man came on Wednesday', 'the man will come on Wednesday'.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from mnemolog.language.calendar import DAY, LISTS
from mnemolog.language.dates import DateReading, lowered, next_of, read_dates

_PATTERNS = LISTS.patterns_by_name
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
READ = 4_000  # Characters of a text that are read for dates
MOST = 16  # Most times of one text
_YEAR, _MONTH, _SOON = 365, 31, timedelta(days=92)
_JOINT = re.compile(r"[.;:,!?()\n\u2013\u2014]|\b(?:and|but|so|because|then)\b")
# What stands before the beginning of a clause, within a few characters.
_OPENS = re.compile(r"(?:^|[.!?;:(\n\"\u201c-]|\b(?:and|but|so|only))\s*$", re.IGNORECASE)
_BEFORE = 8
_EACH = re.compile(r"\b(?:every|each|most)(?: (?:other|second|third|single))?\s+$", re.IGNORECASE)
# What stands before a date that only names something ("the Christmas party"), and before others.
_NAMING = re.compile(r"\b(?:the|our|my|his|her|their|your)\s+$", re.IGNORECASE)
_DATING = re.compile(
    r"\b(?:at|on|in|over|for|during|by|from|last|this|next|past)\s+$", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_WHOLE_DAYS = frozenset({"on", "since", "starting", "between", "until", "after"})


class Days(msgspec.Struct, frozen=True, order=True):
    """Period of whole days in UTC: the first, counted from 1970, and the day after the last."""

    first: int
    end: int


def told_times(text: str, said: datetime) -> list[Days]:
    """Periods that a text tells of, at most 16, ascending; `said` is aware."""
    return sorted({days for one, days in _told(text, said) if one.relation != "after"})


def told_day(text: str, said: datetime) -> int | None:
    """Day of what a text tells, counted from 1970; None if it names none.

    It is the middle of the first period of at most a month, else of the shortest. What only names
    something ("the Christmas party was on 12 December") and a beginning ("since May") count only if
    nothing else is named; an end and what comes again ("every Friday") never do.
    """

    def weight(told: tuple[DateReading, Days]) -> tuple[bool, int, bool]:
        one, days = told
        begins = one.relation in {"since", "starting"}
        return begins, max(_MONTH, days.end - days.first), _only_names(text, one)

    found = [
        (one, days)
        for one, days in _told(text, said)
        if one.relation not in {"until", "after"} and not _EACH.search(text[: one.first])
    ]
    if not found:
        return None
    _, days = min(found, key=weight)
    return (days.first + days.end) // 2


def _only_names(text: str, one: DateReading) -> bool:
    """True if a date seems to be a part of a name: "the Christmas party", "Halloween dinner"."""
    if one.repeats is None or _DIGIT.search(text, one.first, one.last):
        return False
    before = text[max(0, one.first - _BEFORE) : one.first]
    is_holiday = one.repeats == "year" and one.precision in {"day", "days"}
    return bool(_NAMING.search(before)) or (is_holiday and not _DATING.search(before))


def begins_ahead(text: str, said: datetime) -> bool:
    """True if a text names a day after the one on which it was said, but not as an end.

    "After" names a beginning only where it begins a clause: what "ends after May" ends.
    """
    return any(
        days.first > day_number(said) and one.relation != "until" for one, days in _told(text, said)
    )


def _told(text: str, said: datetime) -> Iterator[tuple[DateReading, Days]]:
    """Each date in a text and its days; of those after a date, if it begins a clause."""
    read = text[:READ]
    readings = read_dates(read, said)[:MOST]
    low = lowered(read) if readings else ""
    for reading in readings:
        if reading.relation not in _WHOLE_DAYS or reading.precision == "vague":
            continue
        before = read[max(0, reading.first - _BEFORE) : reading.first]
        if reading.relation == "after" and _OPENS.search(before) is None:
            continue
        try:
            ahead = reading.repeats is not None and _is_ahead(low, reading, said)
            one = next_of(read, reading) if ahead else reading
        except (ValueError, OverflowError):  # beyond the calendar
            continue
        start, end = one.start, one.end
        if reading.relation == "until":
            start = end - DAY
        elif reading.relation in {"since", "after"} or reading.precision == "night":
            end = start
        first = day_number(start)
        yield reading, Days(first, max(first + 1, -((_EPOCH - end) // DAY)))


def day_number(at: datetime) -> int:
    """Day of an aware datetime in UTC, counted from 1970."""
    return (at - _EPOCH) // DAY


def _is_ahead(low: str, reading: DateReading, said: datetime) -> bool:
    """True if the clause of a date is about what is still to come."""
    if reading.relation == "on" and reading.start <= said < reading.end:
        return False
    before = [joint.end() for joint in _JOINT.finditer(low, 0, reading.first)]
    after = _JOINT.search(low, reading.last)
    clause = low[max(before, default=0) : after.start() if after else len(low)]
    if _PATTERNS.will_be.search(clause) is not None:
        return True
    is_told = _PATTERNS.gone.search(clause) is not None
    if reading.repeats == "year" and _is_soon(reading.start, said):
        # Who tells of a day of last year in passing names the year.
        return not is_told or _PATTERNS.arranged.search(clause) is not None
    return _PATTERNS.ahead.search(clause) is not None and not is_told


def _is_soon(start: datetime, said: datetime) -> bool:
    """True if a date of every year is a few weeks ahead, and was long ago the last time."""
    return said - start > timedelta(days=_YEAR) - _SOON

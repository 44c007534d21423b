"""Period that a cue names: 'last week', 'in May', 'between March and May 2023'."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

from mnemolog.language.dates.dates import DateReading, read_dates
from mnemolog.language.patterns import regex
from mnemolog.ledger.clock import EPOCH, Micros, to_datetime


class Span(msgspec.Struct, frozen=True):
    """A period [start, end) that a cue names, in microseconds UTC, and the words that name it.

    A period that is open on one side reaches to `BEGINNING` or to `END`. `start`
    is always before `end`.
    """

    start: Micros
    end: Micros
    words: str


def span_in(cue: str, instant: Micros) -> Span | None:
    """The first certain period that a cue names, as seen from `instant`; None if it names none."""
    for reading in read_dates(cue, to_datetime(instant)):
        words = cue[reading.first : reading.last].strip()
        if reading.precision != "vague" and not _DURATION.match(words):
            start, end = _widened(reading)
            return Span(_micros(start), _micros(end), words)
    return None


# 'In two weeks' is as often how long something took.
_DURATION = regex(r"in [^']*$")


def _widened(reading: DateReading) -> tuple[datetime, datetime]:
    """The interval of a reading; the whole day for a part of it.

    What is remembered of a morning is often dated with its day alone.
    """
    if reading.precision != "part of day" or reading.relation != "on":
        return reading.start, reading.end
    midnight = reading.start.replace(hour=0)
    return midnight, midnight + timedelta(days=1)


def _micros(at: datetime) -> Micros:
    return Micros((at - EPOCH) // timedelta(microseconds=1))


BEGINNING = _micros(datetime.min.replace(tzinfo=UTC))
"""Beginning of a period that has none: the first instant of the year 1."""

END = _micros(datetime.max.replace(tzinfo=UTC))
"""End of a period that has none: the last instant of the year 9999."""

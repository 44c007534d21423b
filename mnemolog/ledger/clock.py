"""Time as the ledger keeps it: microseconds since 1970, UTC."""

import time
from datetime import UTC, datetime, timedelta
from typing import NewType, Protocol

from mnemolog.ledger.errors import InvalidTime

Micros = NewType("Micros", int)  # A point in time: microseconds since 1970-01-01T00:00Z.
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST = Micros(-62_135_596_800_000_000)  # The first instant of a calendar of four-digit years.
NEVER = Micros(253_402_300_800_000_000)  # The instant after the last one that it has.


class Clock(Protocol):
    """Source of the present instant, the only one below the command line."""

    def now(self) -> Micros:
        """The present instant."""


class SystemClock:
    """The machine's clock, to the microsecond."""

    def now(self) -> Micros:
        """The present instant."""
        return Micros(time.time_ns() // 1000)


def recorded_after(now: Micros, last: Micros) -> Micros:
    """When an event is recorded behind another: not before it; `InvalidTime` past calendars."""
    if not 0 <= now < NEVER:
        raise InvalidTime("clock", f"reads {now} µs since 1970", "set the machine's clock")
    return Micros(max(now, last))


def to_datetime(instant: int) -> datetime:
    """The same instant as an aware datetime in UTC; the nearest that a calendar has."""
    # A log may hold an instant outside it: the last hours of 9999, west of Greenwich.
    return EPOCH + timedelta(microseconds=min(max(instant, FIRST), NEVER - 1))


def to_iso(instant: int) -> str:
    """ISO 8601 in UTC with microseconds, ending in Z."""
    return to_datetime(instant).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def from_datetime(field: str, value: datetime) -> Micros:
    """The instant of an aware datetime; `InvalidTime` without a zone or outside the calendar."""
    if value.utcoffset() is None:
        raise InvalidTime(field, f"{value.isoformat()} has no time zone", "add one, such as +00:00")
    instant = (value - EPOCH) // timedelta(microseconds=1)
    if not in_calendar(instant):
        fix = "give one from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z"
        raise InvalidTime(field, f"{value.isoformat()} is no time in UTC", fix)
    return Micros(instant)


def in_calendar(instant: int) -> bool:
    """True if a calendar of four-digit years has an instant, in UTC."""
    return FIRST <= instant < NEVER


def parse_time(field: str, text: str) -> Micros:
    """The instant of an ISO 8601 text, a date alone its midnight UTC; `InvalidTime` for others."""
    try:
        value = datetime.fromisoformat(text.strip())
    except ValueError:
        fix = "write it like 2026-04-30T14:00:00Z or 2026-04-30"
        raise InvalidTime(field, f"{text!r} is not ISO 8601", fix) from None
    if value.tzinfo is None and len(text.strip()) <= len("2026-04-30"):
        value = value.replace(tzinfo=UTC)
    return from_datetime(field, value)

"""Ids, positions and times of events. Ids are UUIDv7 (RFC 9562) in 32 lowercase hex digits."""

import hashlib
import os
import time
from datetime import UTC, datetime, timedelta
from typing import NewType, Protocol

from mnemolog.ledger.errors import InvalidField, InvalidTime

EventId = NewType("EventId", str)
MemoryId = NewType("MemoryId", str)
Position = NewType("Position", int)
Micros = NewType("Micros", int)  # A point in time: microseconds since 1970-01-01T00:00Z.

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST = Micros(-62_135_596_800_000_000)  # The first instant of a calendar of four-digit years.
NEVER = Micros(253_402_300_800_000_000)  # The instant after the last one that it has.
ID_DIGITS = 32
_RANDOM_BYTES = 8
_COUNTER_BITS = 12


def new_event_ids(count: int, now_us: int) -> list[EventId]:
    """`count` ascending ids; 12 bits count up, on into later milliseconds (RFC 9562 §6.2, 1)."""
    noise = os.urandom(_RANDOM_BYTES * count).hex()
    millisecond = now_us // 1000
    start = int.from_bytes(os.urandom(2)) >> 5 if count <= 1 << (_COUNTER_BITS - 1) else 0
    ids = []
    for index in range(count):
        tick, at = start + index, index * _RANDOM_BYTES * 2
        stamp = f"{millisecond + (tick >> _COUNTER_BITS):012x}7{tick & 0xFFF:03x}"
        ids.append(EventId(f"{stamp}{_variant(noise[at])}{noise[at + 1 : at + 16]}"))
    return ids


def _variant(digit: str) -> str:
    # The first two bits are those of the variant, 10.
    return "89ab"[int(digit, 16) & 3]


def event_id_from_source(source_key: str, at_us: int) -> EventId:
    """The id that an imported item has in every import: its own time, and 74 bits of SHA-256."""
    digest = hashlib.sha256(source_key.encode()).hexdigest()
    millisecond = max(0, at_us // 1000) & 0xFFFF_FFFF_FFFF
    return EventId(f"{millisecond:012x}7{digest[:3]}{_variant(digest[3])}{digest[4:19]}")


def parse_id(field: str, text: str) -> str:
    """A whole id, with or without a UUID's dashes; `InvalidField` unless 32 hexadecimal digits."""
    digits = parse_prefix(field, text)
    if len(digits) != ID_DIGITS:
        raise InvalidField(field, f"{text!r} is not a whole id", "give its 32 hexadecimal digits")
    return digits


def parse_prefix(field: str, text: str) -> str:
    """The beginning of an id: 1 to 32 digits, dashes left out; `InvalidField` for others."""
    digits = text.strip().replace("-", "").lower()
    if not digits or len(digits) > ID_DIGITS or digits.strip("0123456789abcdef"):
        fix = "give an id, the beginning of one, or @position"
        raise InvalidField(field, f"{text!r} is not an id", fix)
    return digits


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

"""Times on the command line: local in what people read, and read from relative words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

TIME_HELP = (
    'Words such as yesterday or "2 hours ago", or ISO 8601; a date alone is its midnight UTC.'
)


def when(instant: datetime) -> str:
    """A time on the user's clock, to the second, with its offset from UTC."""
    return instant.astimezone().isoformat(" ", "seconds").replace("+00:00", "Z")


def when_short(instant: datetime) -> str:
    """A time on the user's clock, to the minute, for tables on a terminal."""
    return instant.astimezone().strftime("%Y-%m-%d %H:%M")


class LocalZone(tzinfo):
    """The user's zone with all its changes of offset; `datetime.astimezone()` fixes today's."""

    def utcoffset(self, at: datetime | None) -> timedelta | None:
        """The offset on the user's clock at a time."""
        return None if at is None else at.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, _at: datetime | None) -> timedelta | None:
        """No part of the offset is told apart as summer time."""
        return None

    def tzname(self, at: datetime | None) -> str | None:
        """The name of the zone at a time."""
        return None if at is None else at.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, at: datetime) -> datetime:
        """A time in UTC on the user's clock."""
        return at.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)


def instant_of(text: str) -> str:
    """A time in relative words as ISO 8601; any other text unchanged."""
    if text.strip()[:4].isdecimal():
        return text
    from mnemolog.language.instants import UnreadTime, read_instant

    found = read_instant(text, datetime.now(LocalZone()))
    return text if isinstance(found, UnreadTime) else found.astimezone().isoformat()


def time_value(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """The time of an option, in ISO 8601; the library refuses what is none."""
    return None if value is None else instant_of(value)


def log_moment(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | str | None:
    """A moment of the log: a position, with or without an @, or a time in ISO 8601."""
    digits = (value or "").removeprefix("@")
    if value is None or not digits.isdecimal():
        return None if value is None else instant_of(value)
    # Twenty digits are beyond any log, and Python reads no more than 4,300 of them.
    return int(digits.lstrip("0")[:20] or "0")

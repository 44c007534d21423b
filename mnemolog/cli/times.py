"""Times on the command line: local in what people read, and read from relative words."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

TIME_HELP = (
    'Words such as yesterday or "2 hours ago", or ISO 8601; a date alone is its midnight UTC.'
)


_AGO = re.compile(r"(?P<count>\d{1,4}|an?) (?P<unit>hour|minute|second)s? ago")


def when(instant: datetime) -> str:
    """A time on the user's clock, to the second, with its offset from UTC."""
    return instant.astimezone().isoformat(" ", "seconds").replace("+00:00", "Z")


def when_short(instant: datetime) -> str:
    """A time on the user's clock, to the minute, for tables on a terminal."""
    return instant.astimezone().strftime("%Y-%m-%d %H:%M")


def instant_of(text: str) -> str:
    """A time in relative words as ISO 8601; any other text unchanged.

    A day or a longer period means its start, on the user's clock, unless a time of day follows.
    """
    words = " ".join(text.lower().split())
    if words[:4].isdecimal():
        return text
    now = datetime.now().astimezone()
    ago = _AGO.fullmatch(words)
    if ago is not None:
        count = int(ago["count"]) if ago["count"].isdecimal() else 1
        return (now - timedelta(**{f"{ago['unit']}s": count})).isoformat()
    from mnemolog.language.dates.dates import dates_in

    day, clock = _split_clock(words)
    found = dates_in(day, now)
    if [(one.start, one.end) for one in found] != [(0, len(day))]:
        return text
    start, end = found[0].period
    if clock is not None:
        if end - start != timedelta(days=1):
            return text
        start = datetime.combine(start, clock)
    # The wall clock of then may have had another offset than that of now.
    return start.replace(tzinfo=None).astimezone().isoformat()


def _split_clock(words: str) -> tuple[str, time | None]:
    """The words without a time of day at their end, and that time."""
    day, blank, last = words.removesuffix(" ago").rpartition(" ")
    try:
        clock = time.fromisoformat(last.zfill(5)) if blank and ":" in last else None
    except ValueError:
        clock = None
    return (words, None) if clock is None else (day.removesuffix(" at"), clock)


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

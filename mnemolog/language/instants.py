"""Instant reader: one point in time, as a person types it for an option.

As systemd reads times: a named day or period is its first instant ('yesterday', 'march 2026',
'3 days ago', an ISO date), hours and less are exact ('2 hours ago'), and a time of day is added
to the day before it or to today ('last monday 14:00', '9:30 pm').
"""

import re
from datetime import UTC, datetime

import msgspec

from mnemolog.language.calendar import DAY, LISTS, count_with_half, midnight, moved, whole
from mnemolog.language.dates import read_dates
from mnemolog.language.quantities.measures import quantities

LONGEST = 100


class UnreadTime(msgspec.Struct, frozen=True):
    """A text that names no single instant, why it does not, and what to give instead."""

    text: str
    problem: str
    fix: str

    @property
    def reason(self) -> str:
        """A sentence with both."""
        return f"{self.problem}: {self.fix}"


def read_instant(text: str, now: datetime) -> datetime | UnreadTime:
    """The instant in UTC that a text names; `now` is aware, in the zone that counts as local."""
    words = " ".join(text[: LONGEST + 1].casefold().split())
    found, reason = None, "is too long for a time"
    if len(words) <= LONGEST:
        reason = "names no single time"
        try:
            found = _iso(words, now) or _counted(words, now) or _named(words, now)
        except (ValueError, OverflowError):
            reason = "is beyond the calendar"
    if found is not None:
        return found.astimezone(UTC)
    advice = "give an ISO 8601 time, or one like 'yesterday 14:00' or '2 hours ago'"
    return UnreadTime(text, f"{text[:LONGEST]!r} {reason}", advice)


def _iso(words: str, now: datetime) -> datetime | None:
    try:
        found = datetime.fromisoformat(words.upper())
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=now.tzinfo)


def _counted(words: str, now: datetime) -> datetime | None:
    match = LISTS.patterns_by_name.counted_time.fullmatch(words)
    if match is None or (match["ahead"] is None) == (match["side"] is None):
        return None
    unit, one = match["unit"], match["unit"].removesuffix("s")
    unit = LISTS.key_of("short_units", unit) or LISTS.key_of("short_units", one) or one
    number, unit = whole(count_with_half(match)[0], unit)
    found = moved(now, -number if match["side"] == " ago" else number, unit)
    return found if unit in {"hour", "minute", "second"} else midnight(found)


def _named(words: str, now: datetime) -> datetime | None:
    """'Now', a day or period, a time of day, or a day with a time of day."""
    if words in ("", "now"):
        return now if words else None
    clocks = [one for one in quantities(words) if one.dimension == "clock"]
    if len(clocks) > 1:
        return None
    day, minutes = words, 0
    for clock in clocks:
        day, minutes = words[: clock.start] + words[clock.end :], int(clock.amount)
    day = re.sub(r"\bat ?$|^at\b|,", "", day.strip()).strip()
    start = _day_start(day, now, with_clock=bool(clocks))
    if start is None or not clocks:
        return start
    start += minutes // (24 * 60) * DAY
    return start.replace(hour=minutes // 60 % 24, minute=minutes % 60)


def _day_start(words: str, now: datetime, *, with_clock: bool) -> datetime | None:
    """The first instant of the one certain period that all the words name; today for none."""
    if not words:
        return midnight(now)
    # A month is one after a preposition alone: 'may' and 'march' are verbs.
    for said in (words, f"in {words}"):
        found = read_dates(said, now)
        if len(found) != 1 or found[0].last != len(said):
            continue
        (one,), counted = found, said.endswith("ago")
        if said[: one.first].strip() not in {"", "in", "on", "the", "in the", "on the"}:
            continue
        certain = one.relation == "on" and one.precision not in {
            "vague",
            "hour",
            "minute",
            "second",
        }
        if not certain or (with_clock and not counted and one.precision != "day"):
            break
        return (one.point if counted else one.start).astimezone(now.tzinfo)
    return None

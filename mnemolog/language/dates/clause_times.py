"""Times at the ends of a clause: since when it holds, when it changed, or that it lies ahead."""

from __future__ import annotations

from datetime import UTC, datetime

from mnemolog.language.dates.dates import DateReading, lowered, read_dates
from mnemolog.language.dates.forms import phrase
from mnemolog.language.patterns import before

_LATE = datetime(2102, 12, 31, 23, 59, tzinfo=UTC)
"""A Sunday at the end of a year, for questions that depend on the words alone.

Whatever a text calls 'this' has begun there, and all dates that have a year are past.
"""


def cut_trailing_time(clause: str, *, of_change: bool) -> tuple[str, str | None]:
    """A clause without the time at its end, and that time.

    A change happens at a time ('we dropped it on Monday'). Of a state the time may be the very
    point ('the demo is on Monday'), so only 'since Monday' and the like are cut off.
    """
    start = _trailing_start(clause, of_change=of_change)
    if start is None or not clause[:start].strip(" ,"):
        return clause, None
    return clause[:start].rstrip(" ,"), clause[start:]


def cut_leading_time(clause: str) -> tuple[str, str | None]:
    """A clause without the time at its beginning, and that time."""
    if (match := phrase("recurring_scope").match(lowered(clause))) is not None:
        return clause[match.end() :], clause[: match.end("when")]
    found = read_dates(clause, _LATE)
    if not found or _start(lowered(clause), found[0], of_change=True) != 0:
        return clause, None
    rest = clause[found[0].last :].removeprefix(",")
    if not rest[:1].isspace():
        return clause, None
    return rest.lstrip(), clause[: found[0].last]


def is_ahead(text: str) -> bool:
    """Test for a time that has not come when the text is said."""
    return any(reading.point > _LATE for reading in read_dates(text, _LATE))


def is_recurring(clause: str) -> bool:
    """Test for a recurring time at the beginning of a clause: 'in winter', 'on Fridays'."""
    return phrase("recurring").match(lowered(clause)) is not None


def change_time(words: str, now: datetime) -> datetime | None:
    """The instant of a change that is dated by such words; None if they name no past one."""
    found = [one for one in read_dates(words, now) if one.precision != "vague"]
    return found[0].point if found and found[0].point <= now else None


def _trailing_start(clause: str, *, of_change: bool) -> int | None:
    low = lowered(clause)
    if (match := phrase("now_or_then").search(low)) is not None:
        return match.start("when")
    found = read_dates(clause, _LATE)
    if not found or found[-1].last != len(clause):
        return None
    return _start(low, found[-1], of_change=of_change)


def _start(low: str, reading: DateReading, *, of_change: bool) -> int | None:
    """The start of a time with its preposition; None if it tells of no change or state."""
    if reading.relation in ("since", "starting"):
        return reading.first
    if not of_change or reading.relation != "on" or reading.point > _LATE:
        return None
    if (lead := before(phrase("lead"), low, reading.first)) is not None:
        return lead.start()
    past = phrase("past").match(low[reading.first : reading.last])
    return None if past is None else reading.first

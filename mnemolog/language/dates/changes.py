"""When something changed, as a sentence says it: 'last month', 'since Monday', 'as of 3 June'."""

from __future__ import annotations

import calendar
import re
from datetime import UTC, date, datetime, time, timedelta

from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import WEEKDAYS
from mnemolog.language.quantities.measures import quantities

_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "a couple of": 2, "couple of": 2, "a few": 3, "several": 4,
    "some": 3,
}  # fmt: skip
_COUNTED = "|".join(sorted(_COUNTS, key=len, reverse=True))
_UNIT = r"(?:day|night|week|weekend|month|quarter|year|spring|summer|autumn|fall|winter)"
_WEEKDAY = rf"(?:{'|'.join(WEEKDAYS)})s?"
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
)
_DATE = (
    rf"(?:\d{{4}}-\d\d-\d\d|(?:the )?\d{{1,2}}(?:st|nd|rd"
    rf"|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|{_MONTH}(?: \d{{4}})?|(?:19"
    rf"|20)\d\d|{_WEEKDAY})"
)
_AGO = (
    rf"(?:(?:{_COUNTED}|\d+) {_UNIT}s? (?:ago|back)|(?:a )?(?:long )?while (?:ago|back)"
    rf"|ages ago)"
)
_LAST = (
    rf"(?:(?:earlier |late )?(?:last|this|the other|this past|the past) (?:{_UNIT}"
    rf"|{_WEEKDAY}|{_MONTH}|morning"
    r"|afternoon|evening|sprint|term|season)|yesterday(?: morning| afternoon| evening)?"
    r"|earlier today|today"
    r"|tonight|this morning|recently|lately|just now|the other day|earlier|a moment ago)"
)
_PAST = rf"(?:(?:early |late |mid-?)?{_LAST}|{_AGO})"
_STATES = (
    rf"(?:(?:since|as of|effective|starting|beginning|with effect from)(?: from"
    rf"| on)? (?:{_DATE}|{_PAST}|now|then))"
)
_CHANGES = (
    rf"(?:(?:back )?(?:in|on|during|from|at the (?:start|end|beginning) of|in early|in late"
    rf"|early in|late in) (?:{_DATE}|{_LAST}|(?:the )?(?:spring|summer|autumn|fall"
    rf"|winter)))"
)
_STATE_TAIL = regex(rf"(?:^|[,\s]+)(?P<when>{_STATES})$", re.IGNORECASE)
_CHANGE_TAIL = regex(
    rf"(?:^|[,\s]+)(?P<when>(?:{_STATES}|(?:since |back )?{_PAST}|{_CHANGES}))$", re.IGNORECASE
)
_FRONT = regex(rf"^(?P<when>{_STATES}|{_PAST}|{_CHANGES}),?\s+", re.IGNORECASE)
_AHEAD = regex(
    r"\b(?:tomorrow|next (?:week|month|quarter|year|sprint|spring|summer|autumn|fall"
    r"|winter|term|season"
    rf"|{_WEEKDAY}|{_MONTH})|soon|in the future|later (?:this|today)|some ?day|eventually"
    r"|in (?:a|an|one|two|three|four|five|six|\d+) (?:\w+ )?(?:days?|weeks?|months?"
    r"|years?)(?:'s? time)?$)",
    re.IGNORECASE,
)
_STEP = regex(
    rf"\b(?P<count>{_COUNTED}|\d+) (?P<unit>day|night|week|month|quarter|year)s? (?:ago"
    rf"|back)\b",
    re.IGNORECASE,
)
_LAST_UNIT = regex(r"\blast (?P<unit>night|week|weekend|month|quarter|year)\b", re.IGNORECASE)
_DAYS = {"day": 1, "night": 1, "week": 7, "weekend": 7}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}


def without_time(part: str, *, of_change: bool) -> tuple[str, str | None]:
    """A clause without the words at its end that say since when, and those words.

    A change happens at a time ('we dropped it on Monday'); of a state such words
    may be the very point ('the demo is on Monday'), so that only 'since' and its
    like are taken off.
    """
    match = (_CHANGE_TAIL if of_change else _STATE_TAIL).search(part)
    if match is None or not part[: match.start()].strip():
        return part, None
    return part[: match.start()].rstrip(" ,"), match["when"]


def without_time_first(part: str) -> tuple[str, str | None]:
    """A clause without such words at its beginning, and those words."""
    match = _FRONT.match(part)
    return (part, None) if match is None else (part[match.end() :], match["when"])


def is_ahead(part: str) -> bool:
    """Whether a text speaks of a time that has not come when it is said."""
    return _AHEAD.search(part) is not None


def since(words: str, now: datetime) -> datetime | None:
    """The instant that such words mean at `now`, in UTC; None if they name no past one.

    A day means its midnight; a weekday or a date without a year the last one.
    """
    today = now.astimezone(UTC).date()
    day = _stepped(words.lower(), today) or _dated(words, today)
    if day is None or day > today:
        return None
    return datetime.combine(day, time(), UTC)


def _stepped(words: str, today: date) -> date | None:
    if "yesterday" in words:
        return today - timedelta(days=1)
    if match := _STEP.search(words):
        count = _COUNTS.get(match["count"].lower()) or int(match["count"])
        return _back(today, match["unit"].lower(), count)
    if match := _LAST_UNIT.search(words):
        return _back(today, match["unit"].lower(), 1)
    return None


def _back(today: date, unit: str, count: int) -> date | None:
    if unit in _DAYS:
        return today - timedelta(days=min(_DAYS[unit] * count, 36_500))
    months = today.year * 12 + today.month - 1 - _MONTHS[unit] * count
    year, month = divmod(months, 12)
    if year < 1:
        return None
    return date(year, month + 1, min(today.day, calendar.monthrange(year, month + 1)[1]))


def _dated(words: str, today: date) -> date | None:
    for one in quantities(f"in {words}" if words[:1].isupper() else words):
        if one.dimension == "weekday":
            days = (today.weekday() - int(one.amount)) % 7
            return today - timedelta(days=days or 7)
        if one.dimension == "date":
            year, month, day = (*map(int, one.values), 1, 1)[:3]
            found = date(
                year or today.year,
                month,
                min(day, calendar.monthrange(year or today.year, month)[1]),
            )
            return (
                found
                if year or found <= today
                else found.replace(year=found.year - 1, day=min(found.day, 28))
            )
    return None


_RECURRING = regex(
    r"^(?:in|during|at|on|over) (?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day )?"
    r"(?:winter|summer|spring|autumn|fall|mornings?|evenings?|afternoons?|nights?|weekends?|weekdays"
    r"|holidays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b(?!,? (?:of )?\d)",
    re.IGNORECASE,
)


def recurs(clause: str) -> bool:
    """Whether a clause begins with a time that comes again and again: 'in winter', 'on Fridays'."""
    return _RECURRING.match(clause) is not None

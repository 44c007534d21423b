"""Date reader: the days and periods that a text names, as seen from an instant in its zone.

One decision for each form with several meanings:
- A month, day, weekday, season or holiday without a year or 'last' is the latest that has begun;
  today may be it. 'Last Monday' is the one before today, 'next Monday' the one after it.
- 'Last spring' is the latest spring that has ended, 'this spring' the one that lasts or comes.
- 'Last week' is the calendar week before this one; 'the last week' the seven days up to now.
- 'Two weeks ago' is the day 14 days before, give or take three; 'two months ago' that calendar
  month, 'two years ago' that year. `point` is the day itself: 14 days, two months or years before.
- Fractions are counted in the next finer unit: half a year ago is six months ago.
- 03/04/2024 has the month first unless that cannot be; 03.04.2024 has the day first.
- 'Until' and 'by' include the period named, 'before' and 'after' do not, 'since' ends now;
  'as of' and 'starting' name the period itself, at whose start something begins to hold.
- Winter has the year in which it begins; seasons are those of the northern half of the earth.
- 'Tonight' and 'last night' reach from 18:00 to 6:00.
- 'Recently', 'the other day' and 'soon' name no certain period; their precision is 'vague'.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.analysis import STOP_WORDS
from mnemolog.language.calendar import (
    DAY,
    INSTANT,
    LISTS,
    WEEKDAYS,
    Period,
    Precision,
    count_of,
    counted,
    days,
    month_number,
    moved,
    weekday_beside,
    whole,
)
from mnemolog.language.date_meanings import MEANINGS, part_of
from mnemolog.language.lists import before, bounded_words, has_digit

_PATTERNS = LISTS.patterns_by_name

Repeats = Literal["week", "month", "year"]
_Form = tuple[re.Pattern[str], str]  # and its meaning
Relation = Literal["on", "before", "after", "since", "starting", "until", "between"]

# The start and the end of a period that has none.
BEGINNING, END = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)

_RELATIONS: tuple[Relation, ...] = ("since", "starting", "before", "until", "after")
_PARTS = ("year", "month", "day")
_REPEATS: dict[str, Repeats] = {
    **dict.fromkeys(("weekday", "part of day", "weekend"), "week"),
    **dict.fromkeys(("day", "days", "month", "season", "holiday", "part"), "year"),
    "day of month": "month",
}
# The needs of forms for any digit, and for those of a year, four or '23.
_ANY_DIGIT, _ANY_YEAR = "0", "2000"
_YEAR = re.compile(r"(?:19|20)\d\d|'\d\d")
_LEAD = 20  # Characters before a date by which it is read
# The last words of what stands before a date and belongs to it: the ends of two patterns.
_PART_ENDS = ("of", "in", "the", "early", "mid", "late")
_RELATION_ENDS = (
    *("since", "of", "from", "effective", "starting", "on", "beginning", "before", "to"),
    *("until", "till", "by", "after", "following", "the"),
)
_LEAP_YEAR = datetime(2000, 12, 31, tzinfo=UTC)  # has every day that a year may have


class DateReading(msgspec.Struct, frozen=True):
    """A period [start, end) in UTC that the characters `first` to `last` of a text name.

    The characters include a leading 'since', 'before' and the like. `point` is the instant from
    which a change so dated holds, see `Period`.
    """

    first: int
    last: int
    start: datetime
    end: datetime
    precision: Precision
    relation: Relation
    point: datetime
    repeats: Repeats | None = None


class _NamedDate(msgspec.Struct, frozen=True):
    first: int
    last: int
    meaning: str
    match: re.Match[str]
    period: Period

    @property
    def weekday(self) -> int | None:
        return WEEKDAYS.index(self.match["weekday"]) if self.meaning == "weekday" else None

    @property
    def yearless(self) -> bool:
        return self.meaning in {"day", "days", "month"} and not self._groups & {
            "year",
            "beside_year",
        }

    @property
    def edges(self) -> tuple[datetime, datetime]:
        """The days from which others are counted, before and after it."""
        period = self.period
        if self.meaning == "holiday" and period.point > period.start:
            # The Friday before Easter is Good Friday, though Easter begins with it.
            return period.point, period.point
        return period.start, period.end - DAY

    @property
    def repeats(self) -> Repeats | None:
        """After which unit the same words may name another period; None if they cannot."""
        if self._groups & {"year", "beside_year", "which", "near", "side"}:
            return None
        return _REPEATS.get(self.meaning)

    @property
    def _groups(self) -> set[str]:
        return {name for name, found in self.match.groupdict().items() if found}


def lowered(text: str) -> str:
    """A text in small letters, with each character in its place."""
    low = text.lower()
    if len(low) != len(text):  # some capitals have small forms of two characters
        low = "".join(small if len(small := char.lower()) == 1 else char for char in text)
    return low.replace("\u2019", "'")


# -- dates as seen from an instant -------------------------------------------------------


def read_dates(text: str, now: datetime) -> list[DateReading]:
    """The dates of a text in order; `now` is an aware datetime in the zone that is local."""
    low = lowered(text)
    if not (forms := _forms_in(low)):
        return []
    found, at = _named_dates(low, forms, now), 0
    readings: list[DateReading | None] = []
    while at < len(found):
        used = 1
        with suppress(ValueError, OverflowError):  # beyond the calendar
            used, reading = _related(low, found[at], found[at + 1 : at + 2], now)
            readings.append(reading)
        at += used
    return list(filter(None, readings))


def _named_dates(text: str, forms: Sequence[_Form], now: datetime) -> list[_NamedDate]:
    """The dates of a text without capitals; the first and longest of those that overlap."""
    found, kept = list[_NamedDate](), list[_NamedDate]()
    for pattern, meaning in forms:
        for match in pattern.finditer(text):
            with suppress(ValueError, OverflowError):  # no such day, or beyond the calendar
                period = MEANINGS[meaning](match, now)
                one = _NamedDate(match.start("dated"), match.end(), meaning, match, period)
                found += [one, *_part_named(text, one)]
    for one in sorted(found, key=lambda one: (one.first, -one.last)):
        if not kept or one.first >= kept[-1].last:
            kept.append(one)
    return kept


@cache
def _forms_by_word() -> Mapping[str, list[tuple[frozenset[str], int]]]:
    """Groups of words that forms need, and the forms' numbers, by a word of the group."""
    forms: dict[str, list[tuple[frozenset[str], int]]] = {}
    for number, groups in enumerate(LISTS.needs("forms")):
        for group in groups:
            rarest = max(sorted(group), key=lambda word: (word not in STOP_WORDS, len(word)))
            forms.setdefault(rarest, []).append((group, number))
    return forms


def may_name_dates(text: str, words: Iterable[str]) -> bool:
    """False if a text names no date, as its words from `Analyzer.surface` show."""
    # Of other texts than of ASCII, those words are split and folded otherwise than forms see them.
    unsure = not text.isascii() or has_digit(text)
    return unsure or not _forms_by_word().keys().isdisjoint(words)


def _forms_in(text: str) -> list[_Form]:
    """Forms, in order, of which a text without capitals has words that they need."""
    by_word, found = _forms_by_word(), bounded_words(text)
    if has_digit(text):
        found.append(_ANY_DIGIT)
        if _YEAR.search(text) is not None:
            found.append(_ANY_YEAR)
    rarest = by_word.keys() & found
    if not rarest:
        return []
    words, forms = set(found), LISTS.pairs("forms")
    numbers = {number for word in rarest for group, number in by_word[word] if group <= words}
    return [forms[number] for number in sorted(numbers)]


def _part_named(text: str, whole_of: _NamedDate) -> Iterator[_NamedDate]:
    """The part of a named period that the words before it name: 'the end of March'."""
    lead = _lead(_PATTERNS.part, _PART_ENDS, text, whole_of.first)
    if lead is not None and (period := part_of(lead, whole_of.period)) is not None:
        changed = {"first": lead.start(), "meaning": "part", "period": period}
        yield msgspec.structs.replace(whole_of, **changed)


def _lead(
    pattern: re.Pattern[str], ends: tuple[str, ...], text: str, date: int
) -> re.Match[str] | None:
    """Match of a pattern before a date, that ends with one of these words."""
    near = text[max(0, date - _LEAD) : date].rstrip("- \n")
    return before(pattern, text, date) if near.endswith(ends) else None


def _related(
    text: str, first: _NamedDate, following: list[_NamedDate], now: datetime
) -> tuple[int, DateReading | None]:
    """Number of successive dates, of two, that one reading uses, and the reading."""
    lead = _lead(_PATTERNS.relation, _RELATION_ENDS, text, first.first)
    if first.period.precision == "vague":
        start = lead.start() if lead and (lead["since"] or lead["starting"]) else first.first
        return 1, _reading_of(start, first.last, first.period, "on")
    used, period, last = 1, first.period, first.last
    for other in following:
        if other.period.precision == "vague":
            break
        opening = before(_PATTERNS.ranges, text, first.first)
        joined = _PATTERNS.joins.fullmatch(text, first.last, other.first)
        weekdays = first.weekday is not None and other.weekday is not None
        if joined and (opening or (weekdays and joined["to"])):
            start = opening.start() if opening else first.first
            return 2, _reading_of(start, other.last, _between(first, other), "between")
        if (seen := _seen_from(text, first, other)) is not None:
            return 2, _reading_of(first.first, other.last, seen, "on")
        within = first.weekday is not None and other.weekday is None
        if within and text[first.last : other.first].strip() in {
            "",
            "of",
            "in",
            "the",
            ",",
            "of the",
        }:
            used, period, last = 2, other.period, other.last
            if DAY < period.end - period.start <= 7 * DAY:
                # 'On Monday last week': the weekday inside the other period.
                ahead = (first.period.start.weekday() - period.start.weekday()) % 7
                period = days(period.start + ahead * DAY, 1)
    repeats = first.repeats if used == 1 else following[0].repeats
    if lead is None:
        return used, _reading_of(first.first, last, period, "on", repeats)
    away = before(_PATTERNS.distance, text, lead.start())
    if away is not None and lead["word"] in {"before", "after"}:
        distant = _distant(away, lead["word"], first)
        return used, _reading_of(away.start(), last, distant, "on")
    relation = next(name for name in _RELATIONS if lead[name])
    opened = _opened(relation, period, now)
    return used, _reading_of(lead.start(), last, opened, relation, repeats)


def _reading_of(
    first: int, last: int, period: Period, relation: Relation, repeats: Repeats | None = None
) -> DateReading | None:
    start, end, point = (at.astimezone(UTC) for at in (period.start, period.end, period.point))
    reading = DateReading(first, last, start, end, period.precision, relation, point, repeats)
    return reading if start < end else None


def _opened(relation: Relation, period: Period, now: datetime) -> Period:
    """A period with one end open: 'since Monday', 'before 2020'."""
    start, end = period.start, period.end
    ends = {
        # What happens at this very instant has happened since.
        "since": (start, now + INSTANT),
        "before": (BEGINNING, start),
        "until": (BEGINNING, end),
        "after": (end, END),
    }
    return Period(*ends.get(relation, (start, end)), period.precision, period.point)


def _between(first: _NamedDate, last: _NamedDate) -> Period:
    start, end = first.period.start, last.period.end
    if first.yearless:
        # 'between March and May 2023': the year is said once, and a range runs forwards.
        start = moved(start, last.period.start.year - start.year, "year")
        start = moved(start, -1, "year") if start >= end else start
    elif first.weekday is not None and start >= end:
        start -= 7 * DAY
    if start >= end:
        start, end = last.period.start, first.period.end
    return Period.of(start, end, "span")


def next_of(text: str, reading: DateReading) -> DateReading:
    """The date after the latest of those that the words of a repeating one may name.

    Raises `ValueError` or `OverflowError` beyond the calendar.
    """
    if reading.repeats == "year":
        # A 29 February may be eight years away.
        years = range(reading.point.year, reading.point.year + 9)
        later = (in_year(text, reading, year) for year in years)
        return next((one for one in later if one and one.point > reading.point), reading)
    if reading.repeats is None:
        return reading
    start, end, point = (
        at if at in {BEGINNING, END} else moved(at, 1, reading.repeats)
        for at in (reading.start, reading.end, reading.point)
    )
    return msgspec.structs.replace(reading, start=start, end=end, point=point)


def in_year(text: str, reading: DateReading, year: int) -> DateReading | None:
    """The latest date in a year, or before, that the same words name in UTC; None if none."""
    offset = max(0, reading.first - _LEAD)
    now = datetime(year, 12, 31, 23, 59, tzinfo=UTC)
    then = read_dates(text[offset : reading.last], now)
    found = next((one for one in then if one.last + offset == reading.last), None)
    if found is None:
        return None
    return msgspec.structs.replace(found, first=reading.first, last=reading.last)


def _seen_from(text: str, first: _NamedDate, anchor: _NamedDate) -> Period | None:
    """The first date as seen from the other: 'Friday before 3 June', 'last weekend before …'."""
    side = text[first.last : anchor.first].removeprefix("the ").strip()
    if side not in {"before", "after"} or first.yearless or first.meaning not in MEANINGS:
        return None
    start = anchor.edges[side == "after"]
    if first.weekday is not None:
        return weekday_beside(start, -1 if side == "before" else 1, first.weekday)
    moved_there = MEANINGS[first.meaning](first.match, start)
    return None if moved_there == first.period else moved_there


def _distant(match: re.Match[str], side: str, anchor: _NamedDate) -> Period:
    """A period by its distance: 'two weeks before 3 June', 'the day after Christmas'."""
    sign = -1 if side == "before" else 1
    number, unit = whole(count_of(match["count"] or "a")[0], match["unit"])
    first, last = anchor.edges
    if match["count"]:
        return counted(first if sign < 0 else last, sign * number, unit)
    if sign < 0:
        return Period.of(moved(first, -number, unit), first, "span")
    return Period.of(last + DAY, moved(last + DAY, number, unit), "span")


# -- dates as given, without an instant to see them from ---------------------------------


def calendar_dates(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, ...], bool]]:
    """The dates and weekdays of a text, the fullest forms first; they may overlap.

    Each is the span of its characters, its parts, and True for a weekday. The parts are the year (0
    if not given), month and day as far as given; of a weekday its number from Monday, 0.
    """
    low = lowered(text)
    for pattern, meaning in _forms_in(low):
        if meaning not in {"iso", "day", "month", "year"}:
            continue
        for match in pattern.finditer(low):
            if (parts := _given(meaning, match)) is not None:
                start = min(match.start(name) for name in _PARTS if match.groupdict().get(name))
                yield (start, match.end()), parts, False
    for match in _PATTERNS.weekdays.finditer(low) if "day" in low else ():
        yield match.span(), (WEEKDAYS.index(match["weekday"]),), True


def _given(meaning: str, match: re.Match[str]) -> tuple[int, ...] | None:
    groups = match.groupdict()
    if groups.get("which") or groups.get("stage"):
        return None
    try:
        MEANINGS[meaning](match, _LEAP_YEAR)
    except ValueError:  # no such day
        return None
    year, month, day = (groups.get(name) for name in _PARTS)
    if meaning == "year" and year and not year.isdecimal():
        return None
    # Which century '23 is in cannot be told without an instant.
    parts = [int(year) if year and year.isdecimal() else 0]
    if month:
        parts.append(int(month) if month.isdecimal() else month_number(month))
    return (*parts, int(day)) if day else tuple(parts)


def since_when(text: str, now: datetime) -> datetime | None:
    """The past instant since which something holds by a text ('since March'); None if none."""
    found = (one for one in read_dates(text, now) if one.relation in {"since", "starting"})
    return next((one.point for one in found if one.precision != "vague" and one.point <= now), None)

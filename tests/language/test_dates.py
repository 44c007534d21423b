"""Date reader: intervals, points and relations of dates, in the reader's own zone."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.calendar import MONTHS, WEEKDAYS
from mnemolog.language.dates import (
    BEGINNING,
    END,
    DateReading,
    calendar_dates,
    read_dates,
    since_when,
)

NOW = datetime(2026, 3, 11, 15, 20, tzinfo=UTC)  # a Wednesday
BERLIN = ZoneInfo("Europe/Berlin")
ZONES = st.sampled_from(
    [UTC, BERLIN, ZoneInfo("America/New_York"), ZoneInfo("Asia/Kathmandu"), ZoneInfo("Asia/Tokyo")]
)


def instants(zone: st.SearchStrategy = ZONES) -> st.SearchStrategy[datetime]:
    """Instants after 1970, in one of several zones."""
    return st.builds(
        datetime.fromtimestamp,
        st.integers(0, 4_000_000_000),
        zone,
    )


def only(text: str, now: datetime = NOW) -> DateReading:
    """The one reading of a text."""
    (reading,) = read_dates(text, now)
    return reading


@pytest.mark.parametrize(
    ("text", "start", "end", "precision"),
    [
        ("half a year ago", "2025-09-01", "2025-10-01", "month"),
        ("a year and a half ago", "2024-09-01", "2024-10-01", "month"),
        ("two and a half years ago", "2023-09-01", "2023-10-01", "month"),
        ("a fortnight ago", "2026-02-22", "2026-03-01", "week"),
        ("two weeks ago", "2026-02-22", "2026-03-01", "week"),
        ("half an hour ago", "2026-03-11T14:49", "2026-03-11T14:51", "minute"),
        ("the week before last", "2026-02-23", "2026-03-02", "week"),
        ("the weekend before last", "2026-02-28", "2026-03-02", "weekend"),
        ("the Monday before last", "2026-03-02", "2026-03-03", "day"),
        ("the weekend after next", "2026-03-28", "2026-03-30", "weekend"),
        ("last spring", "2025-03-01", "2025-06-01", "season"),
        ("last winter", "2025-12-01", "2026-03-01", "season"),
        ("two summers ago", "2024-06-01", "2024-09-01", "season"),
        ("H1 2025", "2025-01-01", "2025-07-01", "half"),
        ("the second half of 2025", "2025-07-01", "2026-01-01", "half"),
        ("in three days' time", "2026-03-14", "2026-03-15", "day"),
        ("two days from now", "2026-03-13", "2026-03-14", "day"),
        ("tonight", "2026-03-11T18:00", "2026-03-12T06:00", "night"),
        ("yesterday evening", "2026-03-10T17:00", "2026-03-11", "part of day"),
        ("on Friday morning", "2026-03-06T05:00", "2026-03-06T12:00", "part of day"),
        ("one quarter ago", "2025-10-01", "2026-01-01", "quarter"),
        ("2026-03-01T10:00Z", "2026-03-01", "2026-03-02", "day"),
        ("summer of the year before last", "2024-06-01", "2024-09-01", "season"),
        ("in early 2024", "2024-01-01", "2024-05-02", "days"),
        ("later this month", "2026-03-11T15:20", "2026-04-01", "span"),
        ("earlier this year", "2026-01-01", "2026-03-11T15:20", "span"),
    ],
)
def test_dates_have_an_interval_and_a_precision(text, start, end, precision):
    """Fractions, fortnights and 'before last' are read; a season needs to have ended to be last."""
    reading = only(text)
    assert reading.start == datetime.fromisoformat(start).replace(tzinfo=UTC)
    assert reading.end == datetime.fromisoformat(end).replace(tzinfo=UTC)
    assert reading.precision == precision


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("two weeks ago", "2026-02-25"),
        ("a fortnight ago", "2026-02-25"),
        ("half a year ago", "2025-09-11"),
        ("last month", "2026-02-11"),
        ("last spring", "2025-03-01"),
    ],
)
def test_a_count_leads_to_a_point(text, point):
    """The point of a count is the day counted back to, that of a named period its start."""
    assert only(text).point == datetime.fromisoformat(point).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("on 3 June 2025", "on"),
        ("since 3 June 2025", "since"),
        ("as of 3 June 2025", "starting"),
        ("before 3 June 2025", "before"),
        ("prior to 3 June 2025", "before"),
        ("by 3 June 2025", "until"),
        ("after 3 June 2025", "after"),
        ("between 3 June 2025 and 5 June 2025", "between"),
    ],
)
def test_a_leading_word_gives_the_relation(text, relation):
    """An interval is open on the side that the relation leaves open."""
    reading = only(text)
    assert reading.relation == relation
    assert (reading.start == BEGINNING) == (relation in {"before", "until"})
    assert (reading.end == END) == (relation == "after")


@pytest.mark.parametrize(
    ("now", "text", "hours"),
    [
        (datetime(2026, 3, 30, 9, tzinfo=BERLIN), "yesterday", 23),
        (datetime(2026, 10, 26, 9, tzinfo=BERLIN), "yesterday", 25),
        (datetime(2026, 3, 11, 9, tzinfo=BERLIN), "yesterday", 24),
    ],
)
def test_a_local_day_lasts_from_midnight_to_midnight(now, text, hours):
    """On the days when clocks change, a day has 23 or 25 hours."""
    reading = only(text, now)
    assert reading.end - reading.start == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("now", "text", "start"),
    [
        ("2024-03-31", "last month", "2024-02-01"),
        ("2024-02-29", "a year ago", "2023-01-01"),
        ("2026-01-01", "yesterday", "2025-12-31"),
        ("2026-01-01", "last month", "2025-12-01"),
        ("2025-02-28", "29 February", "2024-02-29"),
        ("2026-12-31", "tomorrow", "2027-01-01"),
    ],
)
def test_month_ends_leap_days_and_year_ends_are_counted(now, text, start):
    """A month that lacks a day ends earlier, and years turn."""
    reading = only(text, datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert reading.start == datetime.fromisoformat(start).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("12/2024 - a new engine", "2024-12-01", "2025-01-01"),
        ("February '23: a talk in Mumbai", "2023-02-01", "2023-03-01"),
        ("the class of '98", "1998-01-01", "1999-01-01"),
        ("09-Mar-2024: clutch cable", "2024-03-09", "2024-03-10"),
        ("the winter of 2023/24", "2023-12-01", "2024-03-01"),
        ("August bank holiday Monday 2024", "2024-01-01", "2025-01-01"),
        ("Labor Day weekend 2023", "2023-09-02", "2023-09-05"),
        ("New Year's morning 2025", "2025-01-01", "2025-01-02"),
        ("over the Christmas holidays", "2025-12-20", "2026-01-07"),
        ("mothers day", "2025-05-11", "2025-05-12"),
        ("Golden Week 2023", "2023-04-29", "2023-05-06"),
        ("Melbourne Cup 2023", "2023-11-07", "2023-11-08"),
        ("on Palm Sunday 2024", "2024-03-24", "2024-03-25"),
        ("Diwali 2024", "2024-10-29", "2024-11-03"),
        ("this Ramadan", "2026-02-19", "2026-03-21"),
        ("Chinese New Year 2024", "2024-02-09", "2024-02-17"),
        ("Eid before last", "2024-04-09", "2024-04-13"),
        ("last Hanukkah", "2025-12-14", "2025-12-23"),
        ("the Friday before Easter 2025", "2025-04-18", "2025-04-19"),
        ("the Monday after Easter 2025", "2025-04-21", "2025-04-22"),
    ],
)
def test_a_day_is_read_however_it_is_named(text, start, end):
    """By numbers, by a year in short, or by a holiday of any calendar, with words after it."""
    reading = only(text)
    assert reading.start == datetime.fromisoformat(start).replace(tzinfo=UTC)
    assert reading.end == datetime.fromisoformat(end).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "a shutter speed of 1/2000",
        "quotes from '12 Angry Men'",
        "an episode of '24' every evening",
        "with the advent of smartphones",
        "she wore a Halloween costume",
        "Corpus Christi is hot",
    ],
)
def test_what_only_looks_like_a_date_is_none(text):
    """Fractions, quotations and words that some festival shares."""
    assert read_dates(text, NOW) == []


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("the day before Easter", "2025-04-19", "2025-04-20"),
        ("three days after Diwali", "2025-10-25", "2025-10-26"),
        ("two weeks after the Christmas holidays", "2026-01-17", "2026-01-24"),
        ("the Sunday after last month", "2026-03-01", "2026-03-02"),
        ("two days before last month", "2026-01-30", "2026-01-31"),
        ("the night before last", "2026-03-09", "2026-03-10"),
        ("Last Friday 2000 people came", "2026-03-06", "2026-03-07"),
        ("the day before last week", "2026-03-01", "2026-03-02"),
        ("in '23 at my parents' house", "2023-01-01", "2024-01-01"),
    ],
)
def test_distances_are_counted_from_the_near_end(text, start, end):
    """Before from the first day, after from the last, and both from Easter Sunday."""
    reading = only(text)
    assert reading.start == datetime.fromisoformat(start).replace(tzinfo=UTC)
    assert reading.end == datetime.fromisoformat(end).replace(tzinfo=UTC)


def test_the_century_of_a_short_year_needs_an_instant():
    """Without one, the year is not known."""
    assert next(parts for _, parts, _ in calendar_dates("in February '23")) == (0, 2)
    assert [*calendar_dates("built in '23")] == []


def test_a_festival_beyond_its_table_is_no_date():
    """Where the day of a festival is not known, none is made up."""
    assert read_dates("Onam 1950", NOW) == []
    assert read_dates("at Diwali", datetime(2300, 1, 1, tzinfo=UTC)) == []


def test_uncertain_times_are_vague():
    """'Recently', 'the other day' and 'soon' are read, and say that they are uncertain."""
    for text in ("recently", "the other day", "a while ago", "ages ago", "soon", "some day"):
        assert only(text).precision == "vague"


WORDS = st.sampled_from(
    [
        *MONTHS,
        *WEEKDAYS,
        *("last", "next", "this", "the", "in", "on", "of", "since", "before", "after", "until"),
        *("between", "and", "from", "to", "early", "week", "weekend", "month", "years", "half"),
        *("ago", "days", "a", "few", "couple", "two", "3", "31", "29", "2023", "2024-02-30"),
        *("q4", "summer", "winter", "yesterday", "tonight", "christmas", "9999", "hour", "other"),
        *("fortnight", "day", "before last", "and a half", "recently", "Dana", "minutes", ","),
    ]
)


@given(st.lists(WORDS, max_size=12).map(" ".join), instants())
def test_readings_are_in_order_and_hold_an_instant_at_least(text, now):
    """Spans follow each other in the text, and an interval contains its start."""
    at = 0
    for reading in read_dates(text, now):
        assert at <= reading.first < reading.last <= len(text)
        assert BEGINNING <= reading.start < reading.end <= END
        at = reading.last


@given(st.lists(WORDS, max_size=8).map(" ".join), instants())
def test_reading_a_date_again_changes_nothing(text, now):
    """The same text at the same instant has the same readings, in capitals too."""
    assert read_dates(text, now) == read_dates(text, now) == read_dates(text.upper(), now)


PHRASES = st.sampled_from(
    [
        *("yesterday", "last week", "two weeks ago", "the weekend before last", "half a year ago"),
        *("3 June 2024", "since Monday", "before 2020-02-29", "Q2 2025", "last spring", "tonight"),
        *("between 3 June and 5 July 2024", "the day after Christmas", "Friday morning"),
    ]
)


@given(PHRASES, st.sampled_from(["", "We met ", "So, "]), st.sampled_from([".", "?", " with Ann"]))
def test_the_characters_of_a_reading_read_alike_alone(phrase, before, after):
    """Cut out of its text, a date has the same interval."""
    text = f"{before}{phrase}{after}"
    (reading,) = read_dates(text, NOW)
    alone = only(text[reading.first : reading.last])
    assert (alone.start, alone.end, alone.point) == (reading.start, reading.end, reading.point)


@given(st.integers(0, 3000), st.integers(0, 3000), instants(st.just(UTC)))
def test_days_ago_move_with_now(count, by, now):
    """N days ago, said so many days later, is so many days later."""
    first = only(f"{count} days ago", now)
    later = only(f"{count} days ago", now + timedelta(days=by))
    assert later.start - first.start == timedelta(days=by)
    assert first.start.date() == now.date() - timedelta(days=count)


@given(st.dates(date(1971, 1, 1), date(2099, 12, 31)), instants())
def test_a_full_date_is_the_same_local_day_from_wherever_it_is_seen(day, now):
    """A day with its year needs no now, but the zone whose midnights it has."""
    start = only(f"on {day.day} {MONTHS[day.month - 1]} {day.year}", now).start
    assert start.astimezone(now.tzinfo).date() == day


@pytest.mark.parametrize(
    "text",
    [
        "in " * 40_000,
        "the last " * 20_000,
        "two weeks before " * 10_000,
        "1" * 100_000,
        "a couple of " * 10_000,
        " " * 100_000 + "may",
        "between the " * 10_000 + "2020",
    ],
)
def test_hostile_texts_are_read_in_linear_time(text):
    """Reading four times the text takes no more than some eight times as long."""

    def seconds(length: int) -> float:
        begin = time.process_time()
        read_dates(text[:length], NOW)
        return time.process_time() - begin

    quarter = seconds(len(text) // 4)
    assert seconds(len(text)) < 8 * quarter + 1


def test_calendar_dates_need_no_now():
    """Dates and weekdays are given by their parts; relative dates give none."""
    text = "On Fridays in May, since 3 June 2025, not last week, by 2026-02-28 or 30 February"
    found = sorted(calendar_dates(text), key=lambda one: (one[0][0], -one[0][1]))
    assert [(text[slice(*span)], parts, is_weekday) for span, parts, is_weekday in found] == [
        ("Fridays", (4,), True),
        ("May", (0, 5), False),
        ("3 June 2025", (2025, 6, 3), False),
        ("June 2025", (2025, 6), False),
        ("2026-02-28", (2026, 2, 28), False),
    ]


def test_a_text_tells_since_when_it_holds():
    """'On Monday' may be the point of a state; 'since Monday' is not."""
    assert since_when("the port is 90 since 2 March 2026", NOW) == datetime(2026, 3, 2, tzinfo=UTC)
    assert since_when("the demo is on Monday", NOW) is None
    assert since_when("the flat is ours since next May", NOW) is None

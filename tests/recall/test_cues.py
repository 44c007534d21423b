"""What a cue seeks, how it is to be searched, its parts, and the period that it names."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.calendar import MONTHS, WEEKDAYS
from mnemolog.ledger.clock import Micros, from_datetime
from mnemolog.ledger.errors import InvalidNumber
from mnemolog.recall.cues import (
    BEGINNING,
    END,
    read_cue,
    reason_not_to_search,
    span_from,
    subject_of,
    topic_of,
)
from mnemolog.recall.search.checks import checked_share

NOW = from_datetime("now", datetime(2024, 5, 15, 14, 30, tzinfo=UTC))  # a Wednesday


def micros(text: str) -> Micros:
    return from_datetime("text", datetime.fromisoformat(text).replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("cue", "start", "end"),
    [
        ("What did I say yesterday about the budget?", "2024-05-14", "2024-05-15"),
        ("what happened last night", "2024-05-14T18:00", "2024-05-15T06:00"),
        ("What did we do last week?", "2024-05-06", "2024-05-13"),
        ("What did we do last weekend?", "2024-05-11", "2024-05-13"),
        ("plans for this weekend", "2024-05-18", "2024-05-20"),
        ("what is due tomorrow", "2024-05-16", "2024-05-17"),
        ("What happened in May?", "2024-05-01", "2024-06-01"),
        ("What happened in June?", "2023-06-01", "2023-07-01"),
        ("What happened last May?", "2023-05-01", "2023-06-01"),
        ("what did she say in may", "2024-05-01", "2024-06-01"),
        ("the trip in late April", "2024-04-21", "2024-05-01"),
        ("the call on 3 June 2024", "2024-06-03", "2024-06-04"),
        ("the call on the 5th of May", "2024-05-05", "2024-05-06"),
        ("the call on June 3rd, 2023", "2023-06-03", "2023-06-04"),
        ("the call on 29 February", "2024-02-29", "2024-03-01"),
        ("the call on 2024-02-29", "2024-02-29", "2024-03-01"),
        ("the call on 03/04/2024", "2024-03-04", "2024-03-05"),
        ("the call on 13/04/2024", "2024-04-13", "2024-04-14"),
        ("the call on 03.04.2024", "2024-04-03", "2024-04-04"),
        ("What did we ship in 2023?", "2023-01-01", "2024-01-01"),
        ("What did we ship in Q3 2023?", "2023-07-01", "2023-10-01"),
        ("the music of the 1990s", "1990-01-01", "2000-01-01"),
        ("the hike two months ago", "2024-03-01", "2024-04-01"),
        ("the hike a week ago", "2024-05-05", "2024-05-12"),
        ("the hike 3 days ago", "2024-05-12", "2024-05-13"),
        ("the hike a few days ago", "2024-05-10", "2024-05-15"),
        ("the hike five years ago", "2019-01-01", "2020-01-01"),
        ("What did Dana say on Monday?", "2024-05-13", "2024-05-14"),
        ("What did Dana say last Wednesday?", "2024-05-08", "2024-05-09"),
        ("What did Dana say on Monday last week?", "2024-05-06", "2024-05-07"),
        ("what is planned for next Friday", "2024-05-17", "2024-05-18"),
        ("What did I do in the winter of 2022?", "2022-12-01", "2023-03-01"),
        ("What did I do last summer?", "2023-06-01", "2023-09-01"),
        ("the dinner at Christmas", "2023-12-25", "2023-12-26"),
        ("the Christmas dinner the year before last", "2022-12-25", "2022-12-26"),
        ("the delivery just before Christmas", "2023-11-27", "2023-12-25"),
        ("the delivery in the run-up to Christmas 2022", "2022-11-27", "2022-12-25"),
        ("the stove in the winter before last", "2022-12-01", "2023-03-01"),
        ("the stove this past winter", "2023-12-01", "2024-03-01"),
        ("the stove at the start of this year", "2024-01-01", "2024-03-02"),
        ("the day after Christmas", "2023-12-26", "2023-12-27"),
        ("the gift two weeks before August 11, 2023", "2023-07-25", "2023-08-01"),
        ("the week before 9 June 2023", "2023-06-02", "2023-06-09"),
        ("the race last weekend before April 10, 2023", "2023-04-08", "2023-04-10"),
        ("the party on the Friday before 10.01.2024", "2024-01-05", "2024-01-06"),
        ("What did we ship between March and May?", "2024-03-01", "2024-06-01"),
        ("What did we ship between March and May 2023?", "2023-03-01", "2023-06-01"),
        ("What did we ship between November and February?", "2023-11-01", "2024-03-01"),
        ("the trip from 3 to 10 June 2023", "2023-06-03", "2023-06-11"),
        ("the trip from May 3 to May 10", "2024-05-03", "2024-05-11"),
        ("from 2019 to 2021", "2019-01-01", "2022-01-01"),
    ],
)
def test_a_period_that_a_cue_names_is_read_as_english_means_it(cue, start, end):
    """A period in words, as seen from a Wednesday in May, begins and ends where it should."""
    span = read_cue(cue, NOW).span
    assert span is not None
    assert (span.start, span.end) == (micros(start), micros(end))
    assert span.words in cue


@pytest.mark.parametrize(
    ("cue", "start", "end"),
    [
        ("since Monday", micros("2024-05-13"), NOW + 1),
        ("since the summer of 2023", micros("2023-06-01"), NOW + 1),
        ("the last three months", micros("2024-02-15"), NOW + 1),
        ("before the summer of 2023", BEGINNING, micros("2023-06-01")),
        ("until yesterday", BEGINNING, micros("2024-05-15")),
        ("after 2020", micros("2021-01-01"), END),
    ],
)
def test_a_period_may_be_open_on_one_side(cue, start, end):
    """'Since' ends with the instant, 'before' has no beginning, 'after' has no end."""
    span = read_cue(f"What did Dana write {cue}?", NOW).span
    assert span is not None
    assert (span.start, span.end) == (start, end)
    assert span.words == cue.removeprefix("the ") or span.words == cue


@pytest.mark.parametrize(
    "cue",
    [
        "When did Dana sign the contract in May?",
        "What day was the launch before June 2023?",
        "How many days passed since 3 June 2023?",
    ],
)
def test_a_cue_that_asks_when_names_no_period(cue):
    """What is asked for is not a period to look in."""
    reading = read_cue(cue, NOW)
    assert reading.sought == "time"
    assert reading.span is None


def test_a_cue_that_asks_how_long_names_the_period_that_it_asks_of():
    """How many hours something took last week is asked of last week."""
    reading = read_cue("How many hours did I run last week?", NOW)
    assert reading.sought == "time"
    assert reading.span is not None
    assert reading.span.words == "last week"


@pytest.mark.parametrize(
    "cue",
    [
        "What did April tell June?",
        "I may march on",
        "did the vase fall or spring back",
        "the second order of the day",
        "99999 years ago",
        "the meeting on 2024-13-45",
        "version 2.0.1 of the parser",
        "budget",
        "",
    ],
)
def test_words_that_only_look_like_a_date_name_no_period(cue):
    """People called April, verbs like 'may' and days that do not exist are no period."""
    assert read_cue(cue, NOW).span is None


@pytest.mark.parametrize(
    ("cue", "parts"),
    [
        (
            "What did Dana and Priya each say about the budget, and when was the launch?",
            (
                "What did Dana say about the budget",
                "What did Priya say about the budget",
                "when was the launch",
            ),
        ),
        (
            "Who approved the budget and why did she change it?",
            ("Who approved the budget", "why did she change it"),
        ),
        (
            "What did Dana say? And what did she want?",
            ("What did Dana say", "what did Dana want"),
        ),
        ("How many days passed between the launch and the audit?", ("the launch", "the audit")),
        (
            "Which happened first, the launch or the audit?",
            ("Which happened first the launch", "Which happened first the audit"),
        ),
        (
            "Compare the Berlin office with the Lisbon office",
            ("the Berlin office", "the Lisbon office"),
        ),
        (
            "How does the old parser compare to the new one?",
            ("the old parser", "the new one"),
        ),
        ("Did both Dana and Priya agree?", ("did Dana agree", "did Priya agree")),
        (
            "Which city have both Dana and Priya visited?",
            ("Which city has Dana visited", "Which city has Priya visited"),
        ),
        (
            "What did Dana change before she left the team?",
            ("What did Dana change", "Dana left the team"),
        ),
    ],
)
def test_a_cue_that_asks_for_several_things_falls_into_parts(cue, parts):
    """Each part is a cue of its own, and the parts are searched one by one."""
    reading = read_cue(cue, NOW)
    assert reading.parts == parts
    assert reading.route == "iterative"


@pytest.mark.parametrize(
    "cue",
    [
        "What did Dana choose?",
        "What do I like to eat and drink?",
        "What did I say about salt and pepper?",
        "Have I ever been to Rome or Paris?",
        "When I moved to Leeds, how old was I?",
        "How did the interview with Sam go?",
        "What was decided before the first draft?",
        "According to Dana, who wrote the report?",
        "dentist",
    ],
)
def test_a_plain_cue_has_no_parts(cue):
    """One thing asked for is one cue, whatever stands in it twice."""
    assert read_cue(cue, NOW).parts == ()


@pytest.mark.parametrize(
    ("cue", "sought", "route"),
    [
        ("What did Dana choose?", "fact", "single_shot"),
        ("What is the status of OPS-413?", "fact", "single_shot"),
        ("How many bikes do I own?", "fact", "single_shot"),
        ("When did Priya join?", "time", "single_shot"),
        ("How long have I been running?", "time", "single_shot"),
        ("budget", "fact", "hybrid"),
        ("Why did we drop Redis?", "fact", "hybrid"),
        ("Tell me about Dana", "overview", "hybrid"),
        ("Summarize what we know about the migration", "overview", "hybrid"),
        ("How is the parser related to the billing service?", "relation", "graph"),
        ("What depends on the cache?", "relation", "graph"),
        ("What caused the outage?", "relation", "graph"),
        ("Can you suggest a hotel for my trip to Miami?", "plan", "hybrid"),
        ("Which laptop should I buy?", "plan", "hybrid"),
        ("Plan a weekend in Rome", "plan", "hybrid"),
        ("ideas for a gift for my mother", "plan", "hybrid"),
        ("What hotel did you suggest for Miami?", "fact", "single_shot"),
        ("What was the plan for the launch?", "fact", "single_shot"),
    ],
)
def test_the_route_follows_from_what_a_cue_seeks(cue, sought, route):
    """A look-up is a single shot, a relation a walk, and what is open is searched broadly."""
    reading = read_cue(cue, NOW)
    assert (reading.sought, reading.route) == (sought, route)
    assert reading.why.endswith(".")


def test_only_a_simple_question_whose_asker_is_sure_is_not_searched():
    """Over 0.9 a simple question is not searched; an open one is, and so is an unsure asker's."""
    simple, open_one = read_cue("What did Dana choose?", NOW), read_cue("Tell me about Dana", NOW)
    assert reason_not_to_search(simple, 0.95) is not None
    assert reason_not_to_search(simple, 0.9) is None
    assert reason_not_to_search(simple, None) is None
    assert reason_not_to_search(open_one, 0.99) is None
    assert [simple.route, open_one.route] == ["single_shot", "hybrid"]


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan")])
def test_a_confidence_out_of_range_is_refused(confidence):
    """A confidence is a share, and nothing else is one."""
    with pytest.raises(InvalidNumber, match="confidence"):
        checked_share("confidence", confidence)


WORDS = st.sampled_from(
    [
        *MONTHS,
        *WEEKDAYS,
        *("last", "next", "this", "the", "in", "on", "of", "since", "before", "after", "until"),
        *("between", "and", "from", "to", "early", "late", "week", "weekend", "month", "years"),
        *("ago", "days", "a", "few", "couple", "two", "3", "31", "29", "2023", "2024-02-30"),
        *("31/12/1999", "q4", "summer", "winter", "yesterday", "christmas", "9999", "hour"),
        *("when", "what", "did", "Dana", "Priya", "each", "both", "or", "?", ","),
    ]
)
INSTANTS = st.integers(min_value=micros("1971-01-01"), max_value=micros("2300-01-01"))


@given(st.lists(WORDS, max_size=12), INSTANTS)
def test_a_span_is_never_empty_and_any_words_are_read_alike_twice(words, now):
    """Whatever words meet, a span begins before it ends, and the reading is the same again."""
    cue = " ".join(words)
    reading = read_cue(cue, now)
    assert reading == read_cue(cue, now)
    if reading.span is not None:
        assert BEGINNING <= reading.span.start < reading.span.end <= END
        assert reading.span.words
    assert len(reading.parts) != 1
    assert (reading.route == "iterative") == bool(reading.parts)


@given(st.text(max_size=200))
def test_any_text_can_be_read(cue):
    """No text is refused: what is not understood is an open cue."""
    read_cue(cue, NOW)


@given(st.dates(date(1971, 1, 1), date(2099, 12, 31)), INSTANTS)
def test_a_full_date_is_the_same_whenever_it_is_read(day, now):
    """A day with its year needs no now, and all ways of writing it name the same day."""
    month = MONTHS[day.month - 1].capitalize()
    start = micros(day.isoformat())
    end = start + timedelta(days=1) // timedelta(microseconds=1)
    for written in (
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day:02}.{day.month:02}.{day.year}",
        f"{day.month:02}/{day.day:02}/{day.year}",
    ):
        span = read_cue(f"the talk on {written}", now).span
        assert span is not None
        assert (span.start, span.end) == (start, end)
        assert span.words == written


@pytest.mark.parametrize(
    ("cue", "event", "side"),
    [
        ("What was Dana's last change before she left the team?", "she left the team", "before"),
        ("How was my first run since the surgery?", "the surgery", "after"),
        ("What was the first thing once the attic was done?", "the attic was done", "after"),
    ],
)
def test_an_event_opens_a_period(cue, event, side):
    """If an order is asked for, all that came before it, or after it, is of the period."""
    anchor = read_cue(cue, NOW).anchor
    assert (anchor.event, anchor.side, anchor.distance) == (event, side, "")
    span = span_from(anchor, date(2024, 5, 6), NOW)
    known = span.end if side == "before" else span.start
    assert known == micros("2024-05-06" if side == "before" else "2024-05-07")


@pytest.mark.parametrize(
    ("cue", "event", "distance"),
    [
        ("What broke two days after the wedding?", "the wedding", "two days after"),
        (
            "What did I do the day after Andr\u00e9s proposed?",
            "Andr\u00e9s proposed",
            "the day after",
        ),
        ("the week before \u00c9mile left", "\u00c9mile left", "the week before"),
    ],
)
def test_a_distance_may_be_counted_from_an_event(cue, event, distance):
    """Whoever the event is about, and however they are written."""
    anchor = read_cue(cue, NOW).anchor
    assert (anchor.event, anchor.distance) == (event, distance)


def test_a_festival_of_another_year_is_on_its_day():
    """Passover of last year is not a year before this one's."""
    span = read_cue("The Passover dinner last year", micros("2026-06-17")).span
    assert span.start == micros("2025-04-12")


@pytest.mark.parametrize(
    ("cue", "days"),
    [
        ("When is my last exam?", "all"),
        ("What is the last film I saw?", "past"),
        ("Can you tell me when I last saw the vet?", "past"),
        ("When did I last see the vet?", "past"),
        ("my last visit to the vet", "past"),
        ("my first exam", "all"),
        ("When is my next exam?", "to come"),
        ("upcoming visit to the vet", "to come"),
        ("When will I next see the vet?", "to come"),
    ],
)
def test_the_last_is_one_that_has_been_unless_asked_otherwise(cue, days):
    """Only what is or comes may have its last still to come, and what is next is to come."""
    assert read_cue(cue, NOW).place.days == days


@pytest.mark.parametrize(
    ("cue", "start"),
    [
        ("What do I have to do in December?", "2025-12-01"),
        ("What's planned for Friday?", "2025-05-16"),
        ("Are we going to the sea at Easter?", "2026-04-03"),
        ("What did I have to do in December?", "2024-12-01"),
        ("Who called on Friday?", "2025-05-09"),
        ("What do we have planned for Friday?", "2025-05-16"),
        ("Is there a photo of the trip in March?", "2025-03-01"),
        ("What gift came from Will at Christmas?", "2024-12-25"),
    ],
)
def test_a_day_is_to_come_if_the_cue_asks_of_what_comes(cue, start):
    """As in a memory, a day without a year is the latest one otherwise."""
    assert read_cue(cue, micros("2025-05-14")).span.start == micros(start)


@pytest.mark.parametrize(
    ("cue", "now", "start"),
    [
        ("Are we going to the sea at Easter?", "2026-03-28", "2026-04-03"),
        ("Are we going to the sea at Easter?", "2027-03-31", "2028-04-14"),
        ("How was the Easter dinner last year?", "2026-04-07", "2025-04-18"),
        ("What must be done on 29 February?", "2026-06-17", "2028-02-29"),
        ("What do I have to do after Friday?", "2026-06-17", "2026-06-20"),
    ],
)
def test_a_day_that_moves_is_that_of_its_year(cue, now, start):
    """The next Easter is the one after the latest, be it eleven months or thirteen."""
    assert read_cue(cue, micros(now)).span.start == micros(start)


def test_an_open_period_is_of_no_other_year():
    """What comes after Easter has no end that a year could move."""
    span = read_cue("What did we do after Easter, I mean this year?", NOW).span
    assert (span.start, span.end) == (micros("2024-04-02"), END)


def test_the_words_of_a_period_are_cut_where_they_stand():
    """What 'May' is part of stays: Maya is a person."""
    span = read_cue("What did Maya say in May?", NOW).span
    assert topic_of("What did Maya say in May?", span) == "What did Maya say in  ?"
    assert subject_of("What did Maya say in May?", span) == "What did Maya say ?"


def test_a_period_is_cut_however_it_is_typed():
    """Curly apostrophes and double blanks are read as plain ones."""
    cue = "What broke on  New Year\u2019s  Eve?"
    span = read_cue(cue, NOW).span
    assert topic_of(cue, span) == "What broke on  ?"
    assert subject_of(cue, span) == "What broke ?"


@pytest.mark.parametrize(
    ("cue", "number"),
    [
        ("Who came to my last party?", -1),
        ("last vet visit, what did it cost", -1),
        ("second herd test, how did it go", 2),
        ("oven, most recent breakdown?", -1),
        ("Who stayed over last?", -1),
        ("What broke first after the barn was up?", 1),
        ("When Nora last had a fit, where were we?", -1),
        ("the vet visit before last", -2),
        ("How did my second to last race go?", -2),
        ("the next step", None),
        ("What did I do the next day?", None),
        ("What's our Next.js version?", None),
        ("Who won the match before last against Leeds?", -2),
        ("the week before last", None),
        ("What did we do on the trip before last?", -2),
        ("What did we eat the night before last?", None),
        ("When did I see the dentist before last Christmas?", None),
        ("How long did the concert last?", None),
        ("Until when does the money last?", None),
        ("last name of the vet", None),
        ("What was it like at first?", None),
        ("names of the moons, largest first", None),
    ],
)
def test_a_place_in_time_is_read_wherever_it_stands(cue: str, number: int | None) -> None:
    """At the beginning, after a comma or at the end, unless it says something else."""
    place = read_cue(cue, NOW).place
    assert (place and place.number) == number

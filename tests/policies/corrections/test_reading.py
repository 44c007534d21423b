"""Reading corrections: what takes something back, what does not, and what is left."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mnemolog.language.dates import change_time
from mnemolog.policies.corrections.corrections import read_corrections, read_statement
from mnemolog.policies.corrections.readings import TargetCandidate
from mnemolog.policies.corrections.targets import denied, find_targets, same_meaning, successor_text
from mnemolog.policies.corrections.terms import terms

KNOWN = (
    "The daily standup is at 9:30.",
    "Anna lives in Berlin.",
    "Anna's birthday is 3 June.",
    "Ben's birthday is 3 June.",
    "We use Postgres for the billing service.",
    "We hold a Friday demo every week.",
    "Anna is the team lead.",
    "The port is 8080.",
    "Tom speaks French and German.",
)


@pytest.mark.parametrize(
    ("sentence", "old", "left"),
    [
        ("The record that the standup is at 9:30 is wrong.", 0, "The standup is not at 9:30."),
        ("Had lunch. By the way we moved the standup to 10:30, so come later.", 0, "10:30."),
        ("The note saying 'Anna lives in Berlin' is outdated. She lives in Munich.", 1, "Munich."),
        ("Forget that Anna lives in Berlin.", 1, "Anna does not live in Berlin."),
        ("Anna no longer lives in Berlin", 1, "Anna no longer lives in Berlin."),
        ("I was wrong about Anna's birthday: it's 4 June", 2, "Anna's birthday is 4 June."),
        ("We switched from Postgres to MySQL.", 4, "We use MySQL for the billing service."),
        ("we dropped the Friday demo last month", 5, "We dropped the Friday demo last month."),
        ("Ben took over as team lead from Anna", 6, "Ben is the team lead."),
        ("no, the port is 9090, not 8080", 7, "The port is 9090."),
        ("As of Monday the port is 9090", 7, "The port is 9090."),
    ],
)
def test_a_correction_finds_what_it_means(sentence: str, old: int, left: str) -> None:
    """The one memory that says it, and the words that take its place stand alone."""
    reading = next(iter(read_corrections(sentence)), None)
    assert reading is not None
    meant = find_targets(reading, [TargetCandidate(str(n), text) for n, text in enumerate(KNOWN)])
    assert [match.candidate.text for match in meant.chosen] == [KNOWN[old]]
    assert successor_text(reading, meant.chosen[0]).endswith(left)


@pytest.mark.parametrize(
    ("sentence", "known", "retired", "left"),
    [
        (
            "The app is no longer on version 3.0.",
            ("The app is on version 3.0", "The app costs $3"),
            (0,),
            "The app is no longer on version 3.0.",
        ),
        (
            "The record that Yusuf's email is y@b.example is wrong; his email is me@b.example.",
            ("Yusuf's email is y@b.example",),
            (0,),
            "Yusuf's email is me@b.example.",
        ),
        (
            "The sync is no longer on Monday at 10:00, it's on Friday at 11:00.",
            ("The sync takes place on Monday at 10:00",),
            (0,),
            "The sync takes place on Friday at 11:00.",
        ),
        (
            "And the owner of the shop page changed from Victor to Helen. The rest is fine.",
            ("Victor owns the shop page", "Victor owns the blog"),
            (0,),
            "Helen owns the shop page.",
        ),
        (
            "We stopped using Jenkins for Heron.",
            ("Heron is built with Jenkins", "Atlas is built with Jenkins"),
            (0,),
            "We stopped using Jenkins for Heron.",
        ),
        (
            "We dropped Postgres for Atlas last month.",
            ("Atlas stores its data in Postgres", "Heron runs on Postgres"),
            (0,),
            "We dropped Postgres for Atlas last month.",
        ),
        (
            "Dana no longer lives in Oslo; she lives in Bergen.",
            ("Dana lives in Oslo", "Dana's home is in Oslo", "Dana was born in Oslo"),
            (0, 1),
            "Dana lives in Bergen.",
        ),
        (
            "Dana no longer lives in Oslo.",
            ("Dana's sister lives in Oslo",),
            (),
            "",
        ),
        (
            "Dana moved to Bergen.",
            ("Dana lives in Oslo", "Dana's email address is d@home.example"),
            (0,),
            "Dana lives in Bergen.",
        ),
        (
            "Lee is not allergic to nuts; it's gluten.",
            ("Lee is allergic to nuts", "Lee is fond of nuts"),
            (0,),
            "Lee is allergic to gluten.",
        ),
        (
            "Kofi doesn't like tea anymore.",
            ("Kofi's favourite drink is tea", "Mei likes tea"),
            (0,),
            "Kofi doesn't like tea anymore.",
        ),
        (
            "Please correct the record: Lee is a teacher.",
            ("Lee is a nurse", "Lee is allergic to nuts", "Tom is a nurse"),
            (0,),
            "Lee is a teacher.",
        ),
        (
            "The entry about the CI of Heron is stale; Heron is built with Buildkite.",
            ("Heron is built with Jenkins", "Atlas is built with Jenkins"),
            (0,),
            "Heron is built with Buildkite.",
        ),
        (
            "Atlas keeps its data in Redis. Disregard the note that Atlas keeps its data in MySQL.",
            ("Atlas keeps its data in MySQL",),
            (0,),
            "Atlas keeps its data in Redis.",
        ),
        # Green tea is no colour, and a door's handles are not the door.
        (
            "Chidi's favourite colour is crimson instead of green.",
            ("Chidi's favourite colour is green.", "In the morning Chidi drinks green tea."),
            (0,),
            "Chidi's favourite colour is crimson.",
        ),
        (
            "Correction: the door is blue, not green.",
            ("The door is green.", "The door has green handles."),
            (0,),
            "The door is blue.",
        ),
        # What else runs on the new database stays on it.
        (
            "Turns out we use MySQL for the search service.",
            (
                "The search service runs on SQLite.",
                "We use MySQL for the billing service.",
                "We use SQLite for the search service.",
            ),
            (0, 2),
            "We use MySQL for the search service.",
        ),
        (
            "FYI: we use MySQL for the search service now.",
            ("We use MySQL for the billing service.",),
            (),
            "",
        ),
    ],
)
def test_a_correction_retires_all_that_says_it_and_nothing_else(
    sentence: str, known: tuple[str, ...], retired: tuple[int, ...], left: str
) -> None:
    """Other words for the same go as well; what others have, and other facts, stay."""
    reading = next(iter(read_corrections(sentence)), None)
    assert reading is not None
    meant = find_targets(reading, [TargetCandidate(str(n), text) for n, text in enumerate(known)])
    assert {match.candidate.text for match in meant.chosen} == {known[n] for n in retired}
    if meant.chosen:
        first = next(one for one in meant.chosen if one.candidate.text == known[0])
        assert successor_text(meant.reading, first) == left


@pytest.mark.parametrize(
    ("sentence", "known", "chosen"),
    [
        ("Lee isn't a nurse.", "Lee works as a nurse", 1),
        ("Lee is not allergic to nuts.", "Lee is allergic to nuts", 1),
        ("She moved to Bergen last month.", "Dana lives in Oslo", 1),
        ("It is not clear that Dana lives in Oslo.", "Dana lives in Oslo", 0),
        ("Lee isn't a nurse in Oslo.", "Lee is a nurse", 0),
    ],
)
def test_a_plain_denial_corrects_what_says_that_it_is_so(
    sentence: str, known: str, chosen: int
) -> None:
    """Told to correct, 'X is not Y' takes back 'X is Y', word for word."""
    reading = next(iter(read_corrections(sentence)), None) or read_statement(sentence)
    found = reading and find_targets(reading, [TargetCandidate("0", known)]).chosen
    assert len(found or ()) == chosen


@pytest.mark.parametrize(
    "sentence",
    [
        "Anna said 'we dropped Postgres'",
        "Anna said we dropped Postgres last month",
        "If we dropped Postgres, we would save money",
        "Should we drop Postgres?",
        "What if the standup is at 10:30?",
        "Imagine this. We dropped Postgres.",
        "We may switch to MySQL",
        "We will switch to MySQL next month",
        "Their team dropped Postgres",
        "The article says the record that the standup is at 9:30 is wrong",
        "At my old company we dropped Postgres",
        "In the movie, the hero dropped Postgres",
        "I don't think that's wrong",
        "The record that the standup is at 9:30 is not wrong",
        "We haven't dropped Postgres",
        "Nobody dropped Postgres",
        "The standup is at 9:30",
        "According to Ben, the standup moved to 10:30",
        "Don't forget that Anna lives in Berlin.",
        "I am writing a story in which the standup is at 10:30, no longer 9:30",
        "As an example sentence take: no, the standup is at 10:30",
        "The test data says: Correction: the standup is at 10:30",
    ],
)
def test_other_talk_corrects_nothing(sentence: str) -> None:
    """Quoted, supposed, asked, planned, denied or told of others: none is a correction."""
    assert next(iter(read_corrections(sentence)), None) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Netflix dropped Postgres",
        "For the mobile app, we dropped Postgres",
        "Actually, Ben lives in Berlin",
        "No, his birthday is 4 June",
        "Tom no longer speaks German",
        "Actually it's the other port",
    ],
)
def test_what_is_not_clearly_meant_is_left_alone(sentence: str) -> None:
    """Another subject, another scope, no subject, or a part of what a memory says."""
    reading = next(iter(read_corrections(sentence)), None)
    candidates = [TargetCandidate(str(n), text) for n, text in enumerate(KNOWN)]
    assert reading is None or not find_targets(reading, candidates).chosen


def test_times_in_words_are_past_instants() -> None:
    """Counted back from now; the last such day where no year is given; never the future."""
    now = datetime(2026, 3, 11, 15, tzinfo=UTC)
    assert change_time("last month", now) == datetime(2026, 2, 11, tzinfo=UTC)
    assert change_time("two weeks ago", now) == datetime(2026, 2, 25, tzinfo=UTC)
    assert change_time("since Monday", now) == datetime(2026, 3, 9, tzinfo=UTC)
    assert change_time("as of 3 June", now) == datetime(2025, 6, 3, tzinfo=UTC)
    assert change_time("as of 2026-06-03", now) is None
    assert change_time("recently", now) is None


def test_denials_say_that_it_does_not_hold() -> None:
    """With 'no longer' where it once did."""
    assert denied("Anna lives in Berlin", for_good=True) == "Anna no longer lives in Berlin"
    assert denied("the port is 8080", for_good=False) == "the port is not 8080"
    assert denied("we use Postgres", for_good=False) == "we do not use Postgres"


def test_two_wordings_of_one_fact_mean_the_same() -> None:
    """Names and quantities must be equal, other words mostly, and neither denied alone."""
    assert same_meaning("The standup is at 10:00", "the standup starts at 10")
    assert same_meaning("Anna lives in Berlin", "Anna is based in Berlin.")
    assert not same_meaning("Anna lives in Berlin", "Anna lives in Munich")
    assert not same_meaning("Anna lives in Berlin", "Anna no longer lives in Berlin")


def test_a_decimal_of_many_digits_is_a_number() -> None:
    """A text with a long decimal behind 'version' can be compared, as any other."""
    found = [one.key for one in terms("version 0.11756846123456789")]
    assert found == ["version", "number 0.117568"]

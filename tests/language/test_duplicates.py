"""Whether one text says what another says, in nearly the same words."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.sameness import says_all, tells_of_an_occasion

SAME = (
    ("Dana prefers green tea in the morning", "In the morning, Dana prefers green tea."),
    ("Dana isn't allergic to nuts", "Dana is not allergic to nuts!"),
    ("By the way, the office is in Berlin.", "the office is in Berlin"),
    ("Dana really likes tea", "Dana likes tea"),
    ("I moved to Oslo in May", "In May I moved to Oslo"),
    ("The key expires on 3.5.2026.", "The key expires on 3.5.2026"),
    ("Note: use tabs, not spaces", "Use tabs, not spaces."),
    ("Don\N{RIGHT SINGLE QUOTATION MARK}t deploy on Fridays", "Do not deploy on Fridays"),
    ("I'm allergic to nuts", "I am allergic to nuts"),
    ("We use Postgres. It runs on port 5432.", "We use Postgres.\nIt runs on port 5432"),
)
OTHER = (
    ("Dana lives in Oslo", "Dana lived in Oslo"),
    ("Dana pays Ben", "Ben pays Dana"),
    ("The limit is 5 MB", "The limit is 50 MB"),
    ("It runs on port 8080", "It runs on port 8081"),
    ("I have few friends", "I have a few friends"),
    ("Dana is here?", "Dana is here"),
    ("Dana does not like tea", "Dana does like tea"),
    ("Dana does not really like tea", "Dana does not like tea"),
    ("Python v1.2 is used", "Python v1.3 is used"),
    ("It was -5 degrees", "It was 5 degrees"),
    ("Retry while x < 5", "Retry while x > 5"),
    ("Use C for the parser", "Use C++ for the parser"),
    ("Use C for the parser", "Use C# for the parser"),
    ("Only Dana likes tea", "Dana only likes tea"),
    ("Mia told Tom in May that she left", "In May Mia told Tom that she left"),
    ("The fee is 1,000 euros", "The fee is 1.000 euros"),
    ("The US team owns the parser", "The us team owns the parser"),
    ("Dana: I like tea", "Ben: I like tea"),
    ("Anna (Dana's sister) cooks", "Anna Dana's sister cooks"),
    ("Meet at 10:30", "Meet at 1030"),
    ("The rate is 5%", "The rate is 5"),
    ("No, Dana cooks", "Dana cooks"),
    ("Use `a`", "Use `b`"),
    ("In winter the pool is closed", "In summer the pool is closed"),
    ("Call Ann before Bob", "Call Bob before Ann"),
    ("Dana likes tea and hates coffee", "Dana hates tea and likes coffee"),
    ("Vitamin A is good", "Vitamin is good"),
    ("Copy from disk A to disk B", "Copy from disk B to disk A"),
)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_in_nearly_the_same_words(one: str, other: str) -> None:
    """Marks, articles, contractions, openings and where a phrase stands make no difference."""
    assert says_all(one, other)
    assert says_all(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_any_other_word_makes_a_difference(one: str, other: str) -> None:
    """Numbers, names, negations, tenses, roles and marks that mean something tell texts apart."""
    assert not says_all(one, other)
    assert not says_all(other, one)


def test_a_fuller_text_says_all_of_a_shorter_one() -> None:
    """Sentences of its own make a text say more; the shorter one does not say all of it."""
    fuller, shorter = "Dana prefers tabs. The editor is set so.", "Dana prefers tabs"
    assert says_all(fuller, shorter)
    assert not says_all(shorter, fuller)


@given(st.text(), st.text())
def test_any_text_can_be_compared(one: str, other: str) -> None:
    """Whatever the texts hold, comparing them gives an answer, and the same one again."""
    assert says_all(one, other) is says_all(one, other)
    tells_of_an_occasion(one)


OCCASIONS = (
    "The build failed",
    "I have a meeting tomorrow",
    "It is broken",
    "I went for a run",
    "We deploy on Friday",
    "The server restarts when it is full",
    "Did Dana call?",
    "Jon: Thanks!",
    "Emi: That looks beautiful.",
    "Nicolas: Good morning!",
    "Dana cooked dinner",
    "Ben is away this week",
    "The release is next month",
)
STANDING = (
    "We decided to use Postgres",
    "Dana moved to Oslo in May",
    "The cache is configured with 5 GB",
    "The deprecated API is off",
    "Dana lives in Oslo",
    "We deploy every Friday",
    "I was born in 1980",
    "Use tabs, not spaces",
    "Dana prefers green tea in the morning",
    "Dana is allergic to nuts and she carries an EpiPen",
)


@pytest.mark.parametrize("text", OCCASIONS)
def test_what_may_be_said_of_two_occasions(text: str) -> None:
    """What happened, or goes by the day or thing that is pointed at, may be true twice over."""
    assert tells_of_an_occasion(text)


@pytest.mark.parametrize("text", STANDING)
def test_what_means_the_same_whenever_it_is_said(text: str) -> None:
    """What holds, or happens but once, means the same said again."""
    assert not tells_of_an_occasion(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Well water is safe to drink.", "Water is safe to drink."),
        ("Reminder emails are sent daily.", "Emails are sent daily."),
        ("Hey Jude is on the list", "Jude is on the list"),
        ("The password is hunter2", "The password is hunter2!"),
        ("The password is hunter2", "The password is Hunter2"),
    ],
)
def test_what_only_looks_like_an_opening_or_a_mark_makes_a_difference(one: str, other: str) -> None:
    """A word that may be spoken of, and what is no plain word, stay as they are."""
    assert not says_all(one, other)
    assert not says_all(other, one)

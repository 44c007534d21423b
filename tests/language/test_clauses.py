"""What a text asserts, and whether it says one thing alone."""

from __future__ import annotations

import pytest

from mnemolog.language.clauses.assertions import asserted, says_one_thing
from mnemolog.language.clauses.readings import read


@pytest.mark.parametrize(
    "text",
    [
        "Dana lives in Oslo.",
        "Dana: I love liquorice!",
        "The timeout of the billing service is 30 seconds",
        "Dr. Amin is my doctor.",
    ],
)
def test_one_short_statement_says_one_thing(text):
    """A sentence of one clause may be retired whole."""
    assert says_one_thing(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Dana lives in Oslo. She is a nurse.",
        "Dana lives in Oslo and works at Acme.",
        "Dana lives in Oslo, but her office is in Rome.",
        "Dana lives in Oslo with her husband.",
        "Dana lives in Oslo because " + "it is close to the sea and " * 9 + "quiet.",
    ],
)
def test_what_is_not_clearly_one_statement_says_more(text):
    """Several sentences, clauses or companions are more than one statement."""
    assert not says_one_thing(text)


@pytest.mark.parametrize(
    "text",
    [
        "Does Dana live in Oslo?",
        "If Dana lived in Oslo, she would ski.",
        "Maybe Dana lives in Oslo.",
        "Tom said that Dana lives in Oslo.",
        'The sign says "Dana lives in Oslo".',
        "```\nDana lives in Oslo\n```",
        "word " * 2000,
    ],
)
def test_questions_guesses_reports_and_code_assert_nothing(text):
    """What is asked, supposed, reported or quoted is nobody's statement."""
    assert asserted(text).clauses == ()


def test_clauses_are_told_apart_with_contractions_spelled_out():
    """A sentence falls into what it says; the speaker's name is not part of it."""
    telling = asserted("Ana: I don't smoke; my brother does, but he wants to stop. Right?")
    assert telling.speaker == "Ana"
    assert telling.clauses == ("I do not smoke", "my brother does")


def test_a_subject_that_begins_with_a_preposition_is_read() -> None:
    """'On-call' is a thing, not a place."""
    (predicate,) = read("On-call this month is Olamide").predicates
    assert predicate.subject == {"on-call"}

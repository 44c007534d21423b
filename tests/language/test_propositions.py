"""Statements that a text joins, taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.clauses.propositions import propositions, shorter, with_asides


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Dana works at Acme and lives in Lyon.", ["Dana works at Acme.", "Dana lives in Lyon."]),
        ("I work at Acme and live in Lyon", ["I work at Acme.", "I live in Lyon."]),
        (
            "The cabin has a sauna, sleeps six and only takes cash.",
            ["The cabin has a sauna.", "The cabin sleeps six.", "The cabin only takes cash."],
        ),
        (
            "Nadia's phone is a Pixel 7; her number ends in 4412.",
            ["Nadia's phone is a Pixel 7.", "Her number ends in 4412."],
        ),
        (
            "Ben sold the boat. He keeps the trailer.",
            ["Ben sold the boat.", "He keeps the trailer."],
        ),
        (
            "The rent is 940 euros, due on the 1st and paid by transfer",
            [
                "The rent is 940 euros.",
                "The rent is due on the 1st.",
                "The rent is paid by transfer.",
            ],
        ),
        (
            "The choir is small, led by Ana and open to all",
            ["The choir is small.", "The choir is led by Ana.", "The choir is open to all."],
        ),
        ("She is a nurse and worked in Lyon", ["She is a nurse.", "She worked in Lyon."]),
    ],
)
def test_joined_statements_become_sentences(text: str, parts: list[str]) -> None:
    """Each part has a verb of its own, and the subject that it lacks."""
    assert propositions(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "We use Slack for chat and Jira for tickets.",
        "Sven and Malin have a daughter",
        "The review is on Tuesday at 14:00 in room Kestrel.",
        "red and blue",
        "The kids are at school, Ben by car",
        "The cafe is nice, free wifi",
    ],
)
def test_lists_of_nouns_stay_whole(text: str) -> None:
    """A text is split only where each part has a verb."""
    assert propositions(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "My flight leaves at 7:15, seat 12A, gate B4.",
            ["My flight leaves at 7:15.", "My flight: seat 12A.", "My flight: gate B4."],
        ),
        ("My flight leaves at 7:15", []),
        ("Yes, my flight leaves at 7:15", []),
        ("My flight leaves at 7:15, because of the fog", []),
        ("Fog, rain and snow", []),
        ("My doctor is Dr Lee, phone 555-1234", []),
        ("The shop sells tea, coffee", []),
        ("He lives in Oslo, near the port", []),
        ("Ben sold the boat, the big one. He keeps the trailer.", []),
    ],
)
def test_an_aside_gets_the_subject_of_its_sentence(text: str, parts: list[str]) -> None:
    """What stands behind a statement without a verb of its own is about its subject."""
    assert with_asides(text) == parts


@given(st.text(max_size=200))
def test_any_text_is_taken(text: str) -> None:
    """No text is refused, and one without words states nothing."""
    assert all(part.strip() for part in propositions(text))
    assert len(with_asides(text)) != 1


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        (
            "Yoga is on Monday at nine with Dirk",
            [
                [
                    "Yoga is at nine with Dirk.",
                    "Yoga is on Monday with Dirk.",
                    "Yoga is on Monday at nine.",
                ],
                ["Yoga is with Dirk.", "Yoga is on Monday."],
            ],
        ),
        (
            "The club meets on Mondays and Fridays.",
            [["The club meets on Mondays.", "The club meets on Fridays."]],
        ),
        ("Sven has a boat and a camper", [["Sven has a boat.", "Sven has a camper."]]),
        ("Dana lives in Lyon", [[]]),
        ("Sven plays folk and country", [[]]),
        ("In June on Monday at nine", [[]]),
        ("Dana works at Acme. She lives in Lyon.", []),
    ],
)
def test_a_statement_is_shortened_by_phrases_and_by_one_of_two_things(
    text: str, groups: list[list[str]]
) -> None:
    """What is left is a statement, and the groups leave out more and more."""
    assert shorter(text) == groups


@given(st.text(alphabet="Ab, andto.1", max_size=60))
def test_whatever_is_shortened_gets_shorter(text: str) -> None:
    """No text becomes longer but for the full stop."""
    assert all(len(one) <= len(text.strip()) + 1 for group in shorter(text) for one in group)


def test_what_has_no_subject_in_front_of_its_verb_is_read() -> None:
    """A part behind "been practising", which names nobody, is no reason to fail."""
    text = "Been practising hard and gonna make it happen."
    assert "practising" in " ".join(propositions(text))

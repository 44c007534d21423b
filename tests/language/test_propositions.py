"""Statements that a text joins, taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from mnemolog.language.clauses.propositions import propositions


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
    ],
)
def test_lists_of_nouns_stay_whole(text: str) -> None:
    """A text is split only where each part has a verb."""
    assert propositions(text) == [text]


@given(st.text(max_size=200))
def test_any_text_is_taken(text: str) -> None:
    """No text is refused, and one without words states nothing."""
    assert all(part.strip() for part in propositions(text))

"""The text that is put before a prompt, and where texts are cut."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, strategies as st

from mnemolog.language.analysis import Analyzer
from mnemolog.recall.context import cut_at_sentence
from mnemolog.recall.layers import (
    CHARACTERS,
    PASSAGE_CHARACTERS,
    Passage,
    assembled,
    best_of,
)

words = st.lists(
    st.sampled_from(["Reef", "Early.", "Sail", "Late!", "Why?", "Mast\n"]), max_size=60
)
texts = words.map(" ".join)


@given(texts, st.integers(0, 200))
def test_a_text_is_cut_where_a_sentence_ends(text: str, most: int) -> None:
    """What is left begins the text, fits, and ends with a sentence unless none fits."""
    kept = cut_at_sentence(text, lambda part: len(part) <= most)
    assert text.startswith(kept)
    assert len(kept) <= most
    ends_well = kept == text or not kept or kept[-1] in ".!?" or text[len(kept) :][:1] == "\n"
    assert ends_well or not any(mark in text[:most] for mark in ".!?\n")


@given(texts, st.integers(1, 80))
def test_no_more_is_cut_than_must_be(text: str, most: int) -> None:
    """The next sentence would not have fitted."""
    kept = cut_at_sentence(text, lambda part: len(part) <= most)
    if kept != text and kept.endswith((".", "!", "?")):
        rest = text[len(kept) :].lstrip()
        begins = next((end for end, one in enumerate(rest, 1) if one in ".!?\n"), len(rest))
        assert len(text) - len(rest) + len(rest[:begins].rstrip()) > most


def _passage(text: str) -> Passage:
    return Passage("palace", text, "user:dana", 0.5, at=datetime(2026, 3, 1, tzinfo=UTC))


@given(st.lists(st.text("ab. ", min_size=1, max_size=3_000).map(_passage), max_size=12))
def test_a_context_has_an_upper_limit(passages: list[Passage]) -> None:
    """However much was found, the context stays in bounds; the best passage is always in it."""
    context = assembled("I am the first mate.", ["Not in memory."], passages)
    assert context.startswith("I am the first mate.\n\nNot in memory.")
    assert len(context) <= CHARACTERS + PASSAGE_CHARACTERS
    assert context.count("[user:dana; 2026-03-01]") >= min(1, len(passages))


def test_what_did_not_fit_is_told() -> None:
    """A cut passage and passages left out are marked as such."""
    context = assembled(None, (), [_passage("Reef early. " * 300) for _ in range(9)])
    assert context.count("Reef early. [cut here]") == 3
    assert context.endswith("(6 more did not fit)")


def test_nothing_makes_no_context() -> None:
    """Without identity, sentences and passages there is nothing to add."""
    assert assembled(None, (), ()) == ""


def matches(prompt: str, *texts: tuple[str, str]) -> list[int]:
    """Places of the texts with titles that match a prompt, best first."""
    found = [
        (Passage("scratchpad", str(place), None, 0.0), *each) for place, each in enumerate(texts)
    ]
    return [int(one.text) for one in best_of(Analyzer(), prompt, found, 5)]


def test_a_text_fits_that_shares_half_of_the_words() -> None:
    """Texts are matched by words and their stems; a chance word in common is not enough."""
    known = [("Rolling back a deploy", ""), ("Deploying on Fridays", ""), ("Brewing coffee", "")]
    assert matches("how do we roll back a deploy?", *known) == [0]
    assert matches("which coffee did Rob buy on Tuesday?", *known) == []


def test_of_texts_that_fit_alike_the_shorter_comes_first() -> None:
    """A text that says little else is more about what is asked than one that says much."""
    said = ("We roll out, then reef, then deploy", "Roll and deploy", "Deploy, roll")
    known = [(text, "") for text in said]
    assert matches("roll a deploy", *known) == [2, 1, 0]
    known.append(("We roll out, then reef, and more of the like", "Deploy"))
    assert matches("roll a deploy", *known)[0] == 3


def test_a_text_about_another_number_does_not_fit() -> None:
    """Where a prompt names a number, a text that names another is about something else."""
    known = ("PR 7 changed the winch", ""), ("PR 42 changed the winch", "")
    assert matches("what did PR 42 change", *known) == [1]

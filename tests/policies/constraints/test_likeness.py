"""Statements that limit are told from others by their likeness to labelled ones."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.likeness import fitted, packed
from mnemolog.indexes.embedder import MiniLM
from mnemolog.policies.constraints.likeness import (
    FITTED_TO,
    fitted_weights,
    grams,
    is_rare,
    likely_class,
    may_limit,
    unpacked,
)

# Written after the weights were fitted; no statement of the set says the same.
LIMITS = [
    ("Hana's throat closes up when there is cashew in anything.", "safety"),
    ("The treasurer tears up every invoice beyond 400 euros.", "cost"),
    ("The crane gives up at two tonnes.", "compatibility"),
    ("After 21:00 the landlady wants it quiet in the stairwell.", "time"),
    ("Whoever merges without a second pair of eyes hears from the lead.", "policy"),
    ("You will not get Pavel onto a plane, ever.", "preference"),
]
OTHERS = [
    "Hana baked a cake with cashews for the party last week.",
    "The treasurer sent the invoice for 400 euros in May.",
    "The crane arrived at two in the afternoon.",
    "I never laughed so much in my life!",
    "Pavel took the plane to Lisbon and loved it.",
    "You must be so proud of her.",
]


@pytest.fixture(scope="module")
def embedder() -> MiniLM:
    """The embedder that the weights are fitted to."""
    return MiniLM()


def test_the_weights_are_for_the_built_in_embedder(embedder: MiniLM) -> None:
    """They tell nothing of another model's vectors."""
    assert embedder.name == FITTED_TO
    assert fitted_weights().landmarks.shape[1] == embedder.dimensions


def test_limits_without_any_word_for_them_are_recognised(embedder: MiniLM) -> None:
    """Two of three at least by what they are like, most with the class that they have."""
    weights = fitted_weights()
    found = [
        likely_class(text, embedder.embed([text])[0], None, weights)
        for text, _ in LIMITS
        if may_limit(text, weights)
    ]
    assert sum(one is not None for one in found) >= 4
    right = [one for one, (_, label) in zip(found, LIMITS, strict=False) if one == label]
    assert len(right) >= 3


@pytest.mark.parametrize("text", OTHERS)
def test_the_same_words_without_a_limit_are_left_alone(embedder: MiniLM, text: str) -> None:
    """A story, a fact, a guess limit nothing."""
    weights = fitted_weights()
    assert likely_class(text, embedder.embed([text])[0], None, weights) is None


def test_what_a_rule_found_keeps_standing(embedder: MiniLM) -> None:
    """Likeness says then of which class it is."""
    text = "Dana is allergic to peanuts"
    vector = embedder.embed([text])[0]
    assert likely_class(text, vector, "policy", fitted_weights()) == "safety"
    text = "Dana likes tea"
    assert likely_class(text, embedder.embed([text])[0], "policy", fitted_weights()) is not None


def test_weights_are_kept_in_a_file(embedder: MiniLM) -> None:
    """Fitted to a handful of statements, packed and read again they say nearly the same."""
    texts = [text for text, _ in LIMITS] + OTHERS
    labels = [label for _, label in LIMITS] + ["none"] * len(OTHERS)
    weights = fitted(texts, embedder.embed(texts), labels)
    again = unpacked(packed(weights))
    assert again.classes == weights.classes
    assert again.grams == weights.grams
    assert np.allclose(again.landmarks, weights.landmarks, atol=0.01)
    assert np.allclose(again.by_landmark, weights.by_landmark, atol=0.01)
    found = [likely_class(text, embedder.embed([text])[0], None, again) for text in texts]
    assert found == [label if label != "none" else None for label in labels]


def test_grams_are_words_and_pairs() -> None:
    """Numbers are all one; a speaker's name is no word of what is said."""
    assert grams("Nora: No more than 40!") == {
        "no", "more", "than", "#", "!", "< no", "no more", "more than", "than #", "# !",
    }  # fmt: skip


def test_rare_words_tell_what_a_statement_is_about() -> None:
    """Those that stand in few statements, or in none."""
    assert is_rare("cashew")
    assert not is_rare("must")

"""Terms of a text: wordings of one fact share them."""

from __future__ import annotations

from mnemolog.policies.terms import same_meaning, terms


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

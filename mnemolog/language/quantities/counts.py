"""Nouns that numbers count: 'boxes' in 'three large boxes', 'person' in 'an 8-person tent'."""

from __future__ import annotations

import re
from functools import cache

import msgspec

from mnemolog.language.lists import english
from mnemolog.language.morphology import is_plural
from mnemolog.language.patterns import before, regex
from mnemolog.language.quantities.numerals import Number

_NOUN = regex(
    r"(?P<joint>[ -])(?P<first>[A-Za-z][A-Za-z'-]+)(?:[ ](?P<second>[A-Za-z][A-Za-z-]+)"
    r"(?=(?:[ ](?P<third>[A-Za-z][A-Za-z-]+))?))?",
    re.IGNORECASE,
)
_RATIO = regex(r"\b(?:one|two|three|\d+)[ ](?:in|out[ ]of)[ ]$", re.IGNORECASE)
_OF_ONE = regex(r"\ban?$", re.IGNORECASE)


class CountedNoun(msgspec.Struct, frozen=True):
    """A noun that a number counts, and where it ends in the text."""

    text: str
    end: int


def is_plural_noun(word: str) -> bool:
    """True for a plural that a number may count."""
    return word.lower() not in _not_counted() and is_plural(word)


def counted_noun(text: str, number: Number) -> CountedNoun | None:
    """Noun that a number counts: the plural after it, maybe behind one or two adjectives.

    A singular after a number other than one is not counted by it ('a Windows 11
    laptop'), unless a hyphen joins them ('an 8-person tent') or the number is a part
    of one ('half an avocado').
    """
    match = _NOUN.match(text, number.end)
    if (
        match is None
        or before(_RATIO, text, number.start) is not None
        or match["first"].lower() in _not_counted()
    ):
        return None
    first, second, third = match["first"], match["second"], match["third"]
    if (
        is_plural(first)
        or number.value == 1
        or match["joint"] == "-"
        or first.lower() in _counted_in_singular()
        or before(_OF_ONE, text, number.end) is not None
    ):
        return CountedNoun(first, match.end("first"))
    if second is None or second.lower() in _not_counted():
        return None
    if is_plural(second):
        return CountedNoun(second, match.end("second"))
    return CountedNoun(third, match.end("third")) if third and is_plural_noun(third) else None


@cache
def _not_counted() -> frozenset[str]:
    return english("counting").words("not_counted")


@cache
def _counted_in_singular() -> frozenset[str]:
    return english("counting").words("counted_in_singular")

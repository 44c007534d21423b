"""What somebody is of: the nations of the world, as adjectives."""

from __future__ import annotations

from functools import cache

from mnemolog.language.patterns import regex
from mnemolog.language.word_lists import word_file, word_set

NATION = regex(r"(?:an? )?(?P<v>[A-Z][a-z]+)(?: (?:citizen|national))?$")
"""What follows 'be' where it says of what nation somebody is."""


@cache
def nationalities() -> frozenset[str]:
    """The adjectives of nations, capitalised."""
    return word_set(word_file("nationalities")["nationalities"])

"""Nationalities: the nations of the world, as adjectives."""

from __future__ import annotations

from functools import cache

from mnemolog.language.lists import english
from mnemolog.language.patterns import regex

NATION = regex(r"(?:an? )?(?P<v>[A-Z][a-z]+)(?: (?:citizen|national))?$")
"""The words after 'be' in a statement of nationality."""


@cache
def nationalities() -> frozenset[str]:
    """The adjectives of nations, capitalised."""
    return english("nationalities").words("nationalities")

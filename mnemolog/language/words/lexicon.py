"""Lexicon: words by which two statements are judged, and which places lie in others."""

from __future__ import annotations

from functools import cache

from mnemolog.language.lists import english, word_set

LEXICON = english("lexicon")
PLACES = english("places")
SOFTWARE = english("software")
"""Software by its `kinds`, of which one takes another's place, and its `aliases`."""


@cache
def opposites(name: str = "opposites") -> dict[str, tuple[str, bool]]:
    """Words with their positive word; True for its opposites."""
    found: dict[str, tuple[str, bool]] = {}
    for row in english("opposites").text(name).strip().splitlines():
        sides = [[word.replace("_", " ") for word in side.split()] for side in row.split("|")]
        for at, side in enumerate(sides):
            for word in side:
                found.setdefault(word, (sides[0][0], at > 0))
    return found


@cache
def household_kinds() -> dict[str, str]:
    """The kind of each thing of which somebody has one."""
    return {member: kinds[-1] for member, kinds in LEXICON.keys_of("household").items()}


@cache
def rival_preferences() -> tuple[frozenset[str], ...]:
    """Sets of things of which one prefers one."""
    return tuple(map(word_set, LEXICON.text("rivals").strip().splitlines()))


def rows_of(state: str) -> frozenset[str]:
    """The rows of states that a state is in."""
    return frozenset(LEXICON.keys_of("states").get(state, ()))


def place(text: str) -> str:
    """Normalised name of a place: lowercase, one word."""
    name = "_".join(text.lower().replace(".", "").split())
    name = name.removeprefix("the_") if name != "the_hague" else name
    return PLACES.key_of("also_called", name) or name


def is_place(text: str) -> bool:
    """True if a text is the name of a known place."""
    return place(text) in PLACES.keys_of("within") or place(text) in PLACES.table("within")


def within(inner: str, outer: str) -> bool:
    """True if one place, as text, is known to lie in another."""
    goal, parents = place(outer), PLACES.keys_of("within")
    seen, ahead = set[str](), [place(inner)]
    while ahead:
        found = set(parents.get(ahead.pop(), ())) - seen
        if goal in found:
            return True
        seen |= found
        ahead += found
    return False

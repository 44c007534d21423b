"""Lexicon: words by which two statements are judged, in the shapes that judging needs."""

from __future__ import annotations

from functools import cache

from mnemolog.language.lists import english, word_set

LEXICON = english("lexicon")


@cache
def opposites() -> dict[str, tuple[str, bool]]:
    """Words with their positive word; True for its opposites."""
    found: dict[str, tuple[str, bool]] = {}
    for row in english("opposites").text("opposites").strip().splitlines():
        positives, negatives = (part.split() for part in row.split("|"))
        for word in positives:
            found.setdefault(word.replace("_", " "), (positives[0].replace("_", " "), False))
        for word in negatives:
            found.setdefault(word.replace("_", " "), (positives[0].replace("_", " "), True))
    return found


@cache
def household_kinds() -> dict[str, str]:
    """The kind of each thing of which somebody has one."""
    table = LEXICON.table("household")
    return {member: kind for kind, members in table.items() for member in members}


@cache
def rival_preferences() -> tuple[frozenset[str], ...]:
    """Sets of things of which one prefers one."""
    return tuple(map(word_set, LEXICON.text("rivals").strip().splitlines()))


@cache
def _states() -> dict[str, frozenset[str]]:
    return {name: frozenset(states) for name, states in LEXICON.table("states").items()}


def rows_of(state: str) -> frozenset[str]:
    """The rows of states that a state is in."""
    return frozenset(name for name, states in _states().items() if state in states)

"""Closed word classes, and comparison keys of nouns and phrases."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from mnemolog.language.lists import english, word_set
from mnemolog.language.morphology import singular

_LISTS = english("english")

BE = word_set("am is are was were be been being")
HAVE = word_set("have has had having")
DO = word_set("do does did")
MODAL = word_set("can will must shall should")
PAST_AUXILIARY = frozenset({"was", "were", "had", "did"})
DETERMINERS = word_set(
    "a an the this that these those my our your his her its their some any every each"
)
PREPOSITIONS = word_set(
    "of in on at for from to with by under over near about into through during as per "
    "between behind above below inside within against until since than before after"
)
PRONOUNS = word_set(
    "it this that these those there they them he she him her you your yours one ones something "
    "anything nothing everything someone everyone which who what here his its their"
)
"""Pronouns that no subject or object may be, as the text leaves open what they refer to."""
_SILENT = word_set("project current new year date day total official")
"""Words of a topic that do not distinguish attributes."""


@lru_cache(maxsize=4096)
def noun(word: str) -> str:
    """Comparison key of a noun: its singular in small letters, or the common synonym."""
    bare = word.removesuffix("'s").removesuffix("'")
    low, synonyms = bare.lower(), _LISTS.keys_of("synonyms")
    if low == "users":
        # Not the user, who speaks.
        return low
    found = synonyms.get(low) or synonyms.get(one := singular(bare))
    return one if found is None else found[0]


def topic(phrase: Iterable[str]) -> frozenset[str]:
    """Topic of a phrase: its words of content, without their order."""
    listed = list(phrase)
    # 'My boss's boss' is not my boss.
    twice = {word for word in listed if word.endswith("'s") and word[:-2] in listed}
    telling = ({noun(word) for word in listed} | twice) - DETERMINERS - PREPOSITIONS
    if "A" in listed[1:]:
        telling.add("a")
    if _LISTS.patterns_by_name.number_of.match(" ".join(listed)) and len(telling) > 2:  # noqa: PLR2004
        # 'The number of rooms in the flat' is how many rooms it has.
        telling.discard("number")
    if "limit" in telling:
        telling -= {"size", "rate"}
    for thing, silent in (("phone", "number"), ("email", "address")):
        if thing in telling:
            telling.discard(silent)
    if len(telling) > 1:
        telling.discard("we")
    return frozenset(telling - _SILENT) or frozenset(telling)

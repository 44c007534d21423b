"""Kinds of things: denying a kind denies every member of it."""

from __future__ import annotations

from mnemolog.language.lists import word_set
from mnemolog.language.names.kinds import everyday_kinds, everyday_name
from mnemolog.language.quantities.numbers import number_words
from mnemolog.language.words.lexicon import PREPOSITIONS, household_kinds

HOW = PREPOSITIONS | word_set("morning evening night day week weekend month year")
"""Words that say more closely how something is done, not what is done."""

_CLASSED = frozenset({"eat", "drink", "hav", "have", "own", "keep", "us", "use"})
_TAKEN = frozenset({"eat", "drink", "tak", "take", "hav", "have"})
_NOT_QUITE = frozenset({"vegan", "vegetarian", "plant-based", "plant", "non-alcoholic", "decaf",
                        "toy", "virtual", "alcohol-free", "dairy-free", "gluten-free", "free",
                        "no", "little", "few", "fake", "mock"})  # fmt: skip


def of_the_kind(denied: tuple[str, ...], affirmed: tuple[str, ...]) -> bool:
    """True if a kind is denied and a member of it affirmed: 'no pets', 'a dog'."""
    taken = denied[0] == "use" and affirmed[0] in _TAKEN
    if len(denied) not in {2, 3} or not (denied[0] == affirmed[0] or taken):
        return False
    if denied[0] not in _CLASSED:
        return False
    if taken and denied[1:] == affirmed[1 : len(denied)]:
        return True
    kind = " ".join(denied[1:])
    for length in (1, 2, 3):
        said = affirmed[1 : 1 + length]
        if len(said) < length or not _NOT_QUITE.isdisjoint(said) or said[-1] in PREPOSITIONS:
            return False
        for start in range(length):
            name = " ".join(said[start:])
            entry = everyday_name(name)
            if entry is not None or name in household_kinds():
                # 'A cat tree' is not a cat.
                following = affirmed[1 + length : 2 + length]
                whole = not following or following[0] in HOW | number_words() | _JOINING
                kinds = {known.name for known in everyday_kinds(entry)} if entry else set[str]()
                return whole and kind in {*kinds, household_kinds().get(name)}
    return False


_JOINING = frozenset({"and", "or", "named", "called", "too", "every", "once", "twice", "again"})

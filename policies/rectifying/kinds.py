"""Nouns that only name the kind of a value: 'the day', 'the version', 'her car'.

'The day of the retrospective is Friday' says of 'The retrospective is on Monday' what it
says without the noun, for Monday is a day.
"""

from __future__ import annotations

import re

from ledger.patterns import regex
from policies.rectifying.demands import Said
from policies.rectifying.terms import key_of

_OF_MEASURES = {
    "weekday date": "day date",
    "clock": "time hour",
    "version number": "version release",
    "money number": "amount sum total figure",
    "duration": "length duration time",
    "data number": "size",
    "number": "number count",
}
_OF_RELATIONS = {
    "<drive>": "car vehicle auto automobile ride",
    "<residence>": "city town place",
    "<employment>": "company firm workplace job occupation",
    "<use>": "tool editor database framework language browser system software",
    "<store>": "database",
    "<drink>": "beverage",
    "<lead>": "boss",
    "<host>": "region zone location place provider",
    "<located>": "region location place city room",
    "written": "language",
    "<due>": "date day",
}
_IS_A = regex(r"\b(?:is|am|works as|become|became) (?:now )?an?\b", re.IGNORECASE)
_OWNED = regex(r"['\u2019]s\s+(?P<what>[\w-]+)\s+(?:is|are|was|were)\b")
_NAMED = regex(
    r"['\u2019]s\s+(?:new\s+)?[\w-]+\s+(?:is|are)\s+(?:now\s+)?(?:an?\s+|the\s+)?[A-Z0-9]"
)
_HAS = regex(r"\b(?:has|have|had|owns|got)\b", re.IGNORECASE)
_WORK = frozenset(key_of(word) for word in ("job", "occupation", "profession", "role", "position"))


def kinds_of(said: Said) -> frozenset[str]:
    """The keys of nouns that name the kind of a value that a sentence has, by its measure."""
    measures = {term.quantity.dimension for term in said.found if term.quantity is not None}
    return _named(measures, _OF_MEASURES)


def kinds_of_related(said: Said) -> frozenset[str]:
    """As `kinds_of`, with the nouns that its verb implies: of what one drives, a car."""
    related = _named(said.held, _OF_RELATIONS)
    return kinds_of(said) | related | (_WORK if _IS_A.search(said.text) else frozenset())


def kinds_owned(statement: str, said: Said) -> frozenset[str]:
    """The noun of 'Chloe's pet is a rabbit' where a sentence says only that she has something."""
    owned = _OWNED.search(statement)
    has = _HAS.search(said.text)
    return frozenset() if owned is None or has is None else frozenset([key_of(owned["what"])])


def names_a_kind(statement: str) -> bool:
    """Whether a statement gives a name to what somebody has: 'Dana's car is a Tesla'.

    'Dana's car is red' and 'Dana's car is in Oslo' name no car.
    """
    return _NAMED.search(statement) is not None


def _named(held: set[str], table: dict[str, str]) -> frozenset[str]:
    return frozenset(
        key_of(noun)
        for kinds, nouns in table.items()
        if not held.isdisjoint(kinds.split())
        for noun in nouns.split()
    )

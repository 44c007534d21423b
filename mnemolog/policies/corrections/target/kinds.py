"""Nouns that only name the kind of a value: 'the day', 'the version', 'her car'.

'The day of the retrospective is Friday' says of 'The retrospective is on Monday' what it
says without the noun, for Monday is a day.
"""

from __future__ import annotations

import re

from mnemolog.language.names.kinds import everyday_kinds, everyday_name
from mnemolog.language.patterns import regex
from mnemolog.language.words.lexicon import household_kinds
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.target.demands import CandidateSentence
from mnemolog.policies.corrections.terms import key_of

_DIETS = frozenset(
    ["vegetarian", "vegan", "pescatarian", "keto", "paleo", "halal", "kosher", "omnivore"]
)
_PLAIN_WORD = regex(r"[a-z]+(?:-[a-z]+)*")
_IS_A = regex(r"\b(?:is|am|works as|become|became) (?:now )?an?\b", re.IGNORECASE)
_OWNED = LISTS.pattern("owned")
_HEAD = LISTS.pattern("head")
_NAMED = LISTS.pattern("named")
_HAS = regex(r"\b(?:has|have|had|owns|got)\b", re.IGNORECASE)
_WORK = "job occupation profession role position"


def kinds_of(said: CandidateSentence) -> frozenset[str]:
    """The keys of nouns that name the kind of a value that a sentence has, by its measure."""
    measures = {term.quantity.dimension for term in said.found if term.quantity is not None}
    return _named(measures, "nouns_of_measures")


def kinds_of_related(said: CandidateSentence) -> frozenset[str]:
    """Keys as of `kinds_of`, and of nouns that the verb implies: a car for what one drives."""
    related = _named(said.held, "nouns_of_relations") | kinds_of_values(said.text)
    work = map(key_of, _WORK.split()) if _IS_A.search(said.text) else ()
    return kinds_of(said) | related | frozenset(work)


def kinds_of_values(text: str) -> frozenset[str]:
    """The keys of nouns for what the words of a text are, as anybody knows: of a parrot, a pet."""
    return frozenset(
        key_of(kind) for word in _PLAIN_WORD.findall(text.lower()) for kind in _everyday(word)
    )


def _everyday(word: str) -> set[str]:
    known = everyday_name(word)
    kinds = set[str]() if known is None else {kind.name for kind in everyday_kinds(known)}
    household = household_kinds().get(word)
    return kinds | ({household} if household else set()) | ({"diet"} if word in _DIETS else set())


def kinds_owned(statement: str, said: CandidateSentence) -> frozenset[str]:
    """The noun of 'Chloe's pet is a rabbit' where a sentence says only that she has something."""
    owned = _OWNED.search(statement)
    has = _HAS.search(said.text)
    return frozenset() if owned is None or has is None else frozenset([key_of(owned["what"])])


def head_nouns(statement: str, said: CandidateSentence) -> frozenset[str]:
    """The keys of the nouns by which a statement names what a value is: 'the region of Sable'.

    Where the old value is named as well, a sentence need not have them; none where it
    names what its own value is, for the villain of a novel is not its hero.
    """
    ours, theirs = _heads(statement), _heads(said.text)
    return ours if not theirs or theirs & ours else frozenset()


def _heads(statement: str) -> frozenset[str]:
    match = _HEAD.match(statement)
    if match is None:
        return frozenset()
    nouns = match["of"] or match["had"]
    return frozenset(key_of(noun) for noun in nouns.lower().split())


def names_a_kind(statement: str) -> bool:
    """True if a statement gives a name to what somebody has: 'Dana's car is a Tesla'.

    So does 'her diet is vegan' to her diet; 'Dana's car is red' and 'is in Oslo' name no car.
    """
    owned = _OWNED.search(statement)
    is_one = owned is not None and key_of(owned["what"]) in kinds_of_values(statement)
    return is_one or _NAMED.search(statement) is not None


def _named(held: set[str], table: str) -> frozenset[str]:
    return frozenset(
        key_of(noun)
        for kinds, nouns in LISTS.table(table).items()
        if not held.isdisjoint(kinds.split())
        for noun in nouns
    )

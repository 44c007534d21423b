"""Nouns that only name the kind of a value, as 'the day' or 'her car', and nouns for one thing.

'The day of the retrospective is Friday' says of 'The retrospective is on Monday' what it
says without the noun, for Monday is a day.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from mnemolog.language.names.kinds import everyday_kinds, everyday_name
from mnemolog.language.words.lexicon import household_kinds
from mnemolog.policies.corrections.demands import CandidateSentence
from mnemolog.policies.corrections.readings import CorrectionReading
from mnemolog.policies.corrections.terms import LISTS, RE, key_of

_WORK = ("job", "occupation", "profession", "role", "position")


def kinds_of(said: CandidateSentence) -> frozenset[str]:
    """The keys of nouns that name the kind of a value that a sentence has, by its measure."""
    measures = {term.quantity.dimension for term in said.found if term.quantity is not None}
    return _nouns(measures, "nouns_of_measures")


def kinds_of_related(said: CandidateSentence) -> frozenset[str]:
    """Keys as of `kinds_of`, and of nouns that the verb implies: a car for what one drives."""
    related = _nouns(said.held, "nouns_of_relations") | kinds_of_values(said.text)
    work = map(key_of, _WORK) if RE.is_of_a_kind.search(said.text) else ()
    return kinds_of(said) | related | frozenset(work)


def kinds_of_values(text: str) -> frozenset[str]:
    """The keys of nouns for what the words of a text are, as anybody knows: of a parrot, a pet."""
    kinds: set[str] = set()
    for word in RE.plain_word.findall(text.lower()):
        known, household = everyday_name(word), household_kinds().get(word)
        kinds |= set() if known is None else {kind.name for kind in everyday_kinds(known)}
        kinds |= {household} if household else set()
        kinds |= {"diet"} if word in LISTS.words("diets") else set()
    return frozenset(map(key_of, kinds))


def kinds_owned(statement: str, said: CandidateSentence) -> frozenset[str]:
    """The noun of 'Chloe's pet is a rabbit' where a sentence says only that she has something."""
    owned = RE.owned.search(statement)
    has = RE.has_it.search(said.text)
    return frozenset() if owned is None or has is None else frozenset([key_of(owned["what"])])


def head_nouns(statement: str, said: CandidateSentence) -> frozenset[str]:
    """The keys of the nouns by which a statement names what a value is: 'the region of Sable'.

    Where the old value is named as well, a sentence need not have them; none where it
    names what its own value is, for the villain of a novel is not its hero.
    """
    ours, theirs = (
        frozenset[str]()
        if (match := RE.head.match(text)) is None
        else frozenset(map(key_of, (match["of"] or match["had"]).lower().split()))
        for text in (statement, said.text)
    )
    return ours if not theirs or theirs & ours else frozenset()


def names_a_kind(statement: str) -> bool:
    """True if a statement gives a name to what somebody has: 'Dana's car is a Tesla'.

    So does 'her diet is vegan' to her diet; 'Dana's car is red' and 'is in Oslo' name no car.
    """
    owned = RE.owned.search(statement)
    is_one = owned is not None and key_of(owned["what"]) in kinds_of_values(statement)
    return is_one or RE.named.search(statement) is not None


def _nouns(held: set[str], table: str) -> frozenset[str]:
    return frozenset(
        key_of(noun)
        for kinds, nouns in LISTS.table(table).items()
        if not held.isdisjoint(kinds.split())
        for noun in nouns
    )


def reworded(reading: CorrectionReading, texts: Iterable[str]) -> CorrectionReading | None:
    """A reading with the nouns that some texts have for what it speaks of; None if none differ.

    A noun gives way only where no text has it and they have one other for the same.
    """
    known = {key_of(word) for text in texts for word in RE.any_word.findall(text)}
    groups = [(first, *others) for first, others in LISTS.table("synonyms").items()]
    mates = [set(map(key_of, group)) for group in groups]
    stems = {key_of(word): word for group in groups for word in group}

    def mate(match: re.Match[str]) -> str:
        key = key_of(match[0])
        others = {one for group in mates if key in group for one in group & known}
        return stems[others.pop()] if key not in known and len(others) == 1 else match[0]

    parts = (
        None if text is None else RE.any_word.sub(mate, text)
        for text in (reading.old, reading.new, reading.about)
    )
    other = replace(reading, **dict(zip(("old", "new", "about"), parts, strict=True)))
    return None if other == reading else other

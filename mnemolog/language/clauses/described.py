"""Attributes that 'is' and 'prefers' give: the A of X is V, X is a nurse, X is red."""

from __future__ import annotations

import msgspec

from mnemolog.language.clauses.attribute_patterns import NAMED, OF, PLACE_THING, SOLELY, TRADE
from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.clauses.denials import state_of
from mnemolog.language.clauses.frames import (
    IDENTIFIER,
    SEATS,
    Frame,
    frame,
    head_of,
    of_subject,
    subject_text,
)
from mnemolog.language.lists import english
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.words.english import PREPOSITIONS, PRONOUNS, noun, topic
from mnemolog.language.words.lexicon import LEXICON, rows_of


def trade(clause: Clause) -> Frame | None:
    """Frame of an occupation: 'X is a nurse', 'X became a nurse'."""
    match = TRADE.match(clause.rest) if clause.verb in {"be", "become"} else None
    if match is None or not clause.subject.is_person:
        return None
    if noun(match["t"].split()[-1]) not in LEXICON.words("occupations"):
        return None
    return of_subject(clause, "job", clause.rest)


_NATION = regex(r"(?:an? )?(?P<v>[A-Z][a-z]+)(?: (?:citizen|national))?$")
_YEARS = regex(r"⟦\d+⟧(?: old| of age)?$")
_OLDEST = 120


def of_person(clause: Clause) -> Frame | None:
    """Frame of a person's age ('Ann is 34') or nationality."""
    if clause.verb != "be" or not clause.subject.is_person or clause.past:
        return None
    match = _NATION.match(clause.rest)
    if match is not None and match["v"] in english("nationalities").words("nationalities"):
        return of_subject(clause, "nationality", match["v"])
    amounts = clause.quantities_in(clause.rest) if _YEARS.match(clause.rest) else ()
    if not amounts or amounts[0].dimension not in {"number", "duration"}:
        return None
    if amounts[0].dimension == "number":
        if not 0 < amounts[0].amount < _OLDEST:
            return None
        # A bare 34 is an age in years.
        amounts = quantities(f"{amounts[0].text} years")
    found = of_subject(clause, "age", amounts[0].text)
    return msgspec.structs.replace(found, quantities=amounts)


def in_state(clause: Clause) -> Frame | None:
    """Frame of a state that excludes its alternatives: a colour, a stage of progress."""
    state = clause.rest.lower()
    if clause.verb != "be" or clause.past or clause.subject.is_person or not rows_of(state):
        return None
    return of_subject(clause, "state", clause.rest)


_OF_AN_EVENT = frozenset({"winner", "cause", "author", "founder", "inventor", "victim", "killer"})
"""Who or what was that is it for good."""


def described(clause: Clause) -> Frame | None:
    """Frame of 'the A of X is V': attributes of one value, no other descriptions."""
    value = clause.rest
    if head_of(clause) in _OF_AN_EVENT:
        clause = msgspec.structs.replace(clause, past=False)
    if clause.verb != "be" or not value or value.startswith("so "):
        return None
    amounts, said = clause.quantities_in(value), subject_text(clause)
    if amounts and not clause.subject.is_person:
        if head_of(clause) in SEATS and value.startswith(("at ", "on ")):
            return frame(clause, topic([*clause.subject.words, "street"]), said, value)
        bare = all(amount.dimension in {"number", "version"} for amount in amounts)
        if bare and not value.startswith(("a ", "an ")):
            # 'Parked on level 2' describes where it is parked; 'a Toyota' does not.
            beside = [word for word in value.split() if word.isalpha()]
            return frame(clause, topic([*clause.subject.words, *beside]), said, value)
        return frame(clause, topic(clause.subject.words), said, value)
    head = head_of(clause)
    # Max with a possessive is a name and not 'maximum'.
    sole = any(
        noun(word) in LEXICON.words("sole") for word in clause.subject.words if word != "Max's"
    )
    if sole and not clause.subject.is_person:
        apt = noun(value.split()[-1]) not in PRONOUNS and not state_of(value)[0]
    elif _is_named(clause, head):
        apt = True
    elif head not in LEXICON.words("attributes") or (
        state_of(value)[0] and not value.startswith(("a ", "an "))
    ):
        apt = False
    else:
        if head in SEATS and value.split()[0] in PREPOSITIONS:
            value = value.partition(" ")[2]
        exact = IDENTIFIER.fullmatch(value) or ("@" in value and " " not in value)
        apt = bool(
            head in LEXICON.words("plain")
            or exact
            or NAMED.match(value)
            or PLACE_THING.match(value)
        )
    return frame(clause, topic(clause.subject.words), said, value) if apt else None


def _is_named(clause: Clause, head: str) -> bool:
    """True if a subject that is unique in its context is identified with a name."""
    subject = [word.lower() for word in clause.subject.words]
    last = OF.split(subject_text(clause).lower(), maxsplit=1)[0].split()[-1]
    definite = subject[0] in {"the", "our", "my"} or any(word.endswith("'s") for word in subject)
    return (
        definite
        # 'Ann's landlord' can be identified, but Ann is Ann.
        and not (clause.subject.is_person and clause.subject.words[-1][:1].isupper())
        and head not in LEXICON.words("manifold")
        and noun(last) == last.removesuffix("'s")
        and bool(_NAME.match(clause.rest))
    )


_NAME = regex(
    r"(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?[A-Z][\w.+-]*(?: [A-Z][\w.+-]*)*$|[\w./:-]*[\d_./-][\w./:-]*\w$"
)


def sole(clause: Clause) -> Frame | None:
    """Frame of the only, first or best of its kind: the kind is the topic."""
    match = SOLELY.match(clause.rest) if clause.verb == "be" else None
    if match is None:
        return None
    return frame(clause, topic(match["t"].split()), match["t"], subject_text(clause))


_SOME_PERSON = regex(r"an? \w+ person")


def preferred(clause: Clause) -> Frame | None:
    """Frame of a preference or a type of person: one of several alternatives."""
    kind = clause.verb == "be" and _SOME_PERSON.fullmatch(clause.rest)
    if clause.verb != "prefer" and not kind:
        return None
    about = topic(clause.subject.words) | {"prefer"}
    return frame(clause, about, "preference", clause.rest, single=False)

"""Exclusive holders and doers: 'only admins can delete', 'Lima is the capital of Peru'."""

from __future__ import annotations

import msgspec

from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.clauses.frames import Frame, subject_text
from mnemolog.language.morphology import is_plural
from mnemolog.language.patterns import regex
from mnemolog.language.words.english import noun, topic
from mnemolog.language.words.lexicon import LEXICON

_ONE_OF = regex(
    r"be the (?P<n>(?!only|same|other)[a-z][\w-]*(?: [\w-]+)?) (?:of|for|at|behind) (?P<t>.+)"
)


def sole_holder(clause: Clause) -> Frame | None:
    """Frame of the one N of a thing: the thing is the topic, its holder the value."""
    match = _ONE_OF.match(clause.predicate)
    if match is None or clause.past or not clause.subject.words[0][:1].isupper():
        return None
    if clause.subject.words[0].lower() in {"the", "a", "an", "this", "our", "my", "i", "we"}:
        return None
    head = noun(match["n"].split()[-1])
    if (
        is_plural(match["n"].split()[-1])
        or head in LEXICON.words("manifold")
        or head in LEXICON.words("parts_of_things")
    ):
        return None
    about = topic(clause.spelled(f"{match['n']} {match['t']}").split())
    return _of(clause, about, match["n"], single=True)


_WHOSE = regex(r"be (?P<t>(?:[A-Z][\w-]*'s?|my|our|the \w+'s)) (?P<n>[a-z-]+(?: [a-z-]+)?)$")


def sole_relation(clause: Clause) -> Frame | None:
    """Frame of a relation that one person at a time has to another: 'Ann is Ben's boss'."""
    match = _WHOSE.match(clause.predicate)
    if (
        match is None
        or clause.past
        or noun(match["n"].split()[-1]) not in LEXICON.words("one_each")
    ):
        return None
    about = topic([match["t"], *match["n"].split()])
    return _of(clause, about, match["n"], single=True)


_WON = regex(r"win (?P<t>(?:the|this year's|our|last year's) .+)")


def winner(clause: Clause) -> Frame | None:
    """Frame of the winner of a contest with one winner."""
    match = _WON.match(clause.predicate)
    if match is None or not clause.past:
        return None
    told = msgspec.structs.replace(clause, past=False)
    return _of(told, topic([*clause.spelled(match["t"]).split(), "winner"]), "winner", single=True)


def doer(clause: Clause) -> Frame | None:
    """Frame of the doer of an action, to compare with claims of an only doer."""
    if clause.past or not clause.rest or "⟦" in clause.predicate:
        return None
    said = clause.predicate.split()
    # 'Be' names no action, and neither does a bare 'can'.
    if clause.verb == "be" or (said[0] == "can" and len(said) == 1):
        return None
    about = topic(said) | {"who"}
    told = msgspec.structs.replace(clause, only=clause.aside.only_first, also=False)
    return _of(told, about, f"who may {clause.predicate.removeprefix('can ')}", single=False)


def is_one(clause: Clause) -> bool:
    """True if a subject is one person and not a group: 'Ann', not 'Interns'."""
    last = clause.subject.words[-1].lower()
    return clause.subject.is_person and (
        noun(last) == last or last in LEXICON.words("names_like_plurals")
    )


def _of(clause: Clause, about: frozenset[str], attribute: str, *, single: bool) -> Frame:
    return Frame(about, attribute, subject_text(clause), (), single, fixed=False, clause=clause)

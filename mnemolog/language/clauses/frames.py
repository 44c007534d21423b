"""Frames: a thing, its attribute and the value that a clause gives it."""

from __future__ import annotations

import re

import msgspec

from mnemolog.language.clauses.attribute_patterns import OF
from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Quantity
from mnemolog.language.quantities.numbers import number_words
from mnemolog.language.words.english import noun, topic
from mnemolog.language.words.lexicon import LEXICON

ADDRESSED = ("you",)
Groups = re.Match[str]
IDENTIFIER = regex(r"\+?[\w./-]*[\d_./-][\w./-]*\w")
SEATS = frozenset({"home", "headquarters", "office"})


class Frame(msgspec.Struct, frozen=True):
    """Attribute of a thing with its value.

    `topic` holds the words for the thing and the attribute. `value` is the value's text,
    `quantities` the amounts and times in it. `single` is True for an attribute with one
    value at a time; `fixed` for one that does not change.
    """

    topic: frozenset[str]
    attribute: str
    value: str
    quantities: tuple[Quantity, ...]
    single: bool
    fixed: bool
    clause: Clause


def frame(
    clause: Clause, about: frozenset[str], attribute: str, value: str, *, single: bool = True
) -> Frame:
    """Frame with amounts spelled out in its topic and value."""
    # 'Team 3' and 'team 4' are two teams: a number in the topic separates them.
    about = frozenset(part for word in about for part in clause.spelled(word).split())
    return Frame(
        about,
        attribute,
        clause.spelled(value),
        clause.quantities_in(value),
        single,
        bool(about & LEXICON.words("fixed")),
        clause,
    )


def of_subject(clause: Clause, attribute: str, value: str) -> Frame:
    """Frame whose topic is the clause's subject alone."""
    return frame(clause, topic([*clause.subject.words, attribute]), attribute, value)


def subject_text(clause: Clause) -> str:
    """Subject of a clause as text."""
    return " ".join(clause.subject.words)


def head_of(clause: Clause) -> str:
    """Head noun of the subject: 'deadline' in 'the deadline for Atlas', 'Atlas deadline'."""
    first = OF.split(subject_text(clause), maxsplit=1)[0].split()
    return noun(first[-1]) if first else ""


def counted_words(amounts: tuple[Quantity, ...]) -> list[str]:
    """Counted nouns, with the words that separate them from other counted things."""
    return [
        word
        for amount in amounts
        if amount.dimension == "count"
        for word in re.findall(r"[A-Za-z][\w-]*", amount.text)
        if word.lower() not in number_words()
    ]

"""A frame: what a clause says of what, the attribute of a thing and its value."""

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
    """A thing's attribute has a value.

    `topic` holds the words for the thing and the attribute. `value` are the words of
    the value, `quantities` the amounts and times in it. `single` tells an attribute
    with one value at a time from one with many; `fixed` one that does not change.
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
    """A frame as a reader makes it, its topic and value with the amounts spelled out."""
    # 'Team 3' and 'team 4' are two: a number in what is spoken of tells them apart.
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
    """What a clause says of its subject alone."""
    return frame(clause, topic([*clause.subject.words, attribute]), attribute, value)


def subject_text(clause: Clause) -> str:
    """The subject of a clause as text."""
    return " ".join(clause.subject.words)


def head_of(clause: Clause) -> str:
    """The noun that the subject is: 'deadline' in 'the deadline for Atlas', 'Atlas deadline'."""
    first = OF.split(subject_text(clause), maxsplit=1)[0].split()
    return noun(first[-1]) if first else ""


def counted_words(amounts: tuple[Quantity, ...]) -> list[str]:
    """What is counted, with the words that tell it from other things counted."""
    return [
        word
        for amount in amounts
        if amount.dimension == "count"
        for word in re.findall(r"[A-Za-z][\w-]*", amount.text)
        if word.lower() not in number_words()
    ]

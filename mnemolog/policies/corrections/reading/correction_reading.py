"""Readings of matched forms: the correction that the groups of a match make up."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from mnemolog.language.clauses.assertions import MaskedSentence
from mnemolog.language.patterns import regex
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.reading.sentence_openings import is_statement, opened

Manner = Literal["explicit", "in_passing", "request"]
"""Manner of a correction: announced, said among other talk, or requested."""

LONGEST = 4_000
"""Characters of a text that are read: a correction is said in a few words."""

_I = re.IGNORECASE
_PRONOUN_IS = LISTS.pattern("pronoun_is_value")
_NOT_OLD = regex(r",\s+(?:and\s+)?not\s+[^,;:]+$", _I)
_PRONOUN = regex(r"^(?:it|that|this|he|she|they|we|i|these|those)\b(?!\s+\w+\s+that\b)", _I)
_OWN = regex(r"^(?:we|i)\s", _I)
_NOW = regex(r"\s+(?:now|instead|currently|these days|at the moment|really|in fact)$", _I)
_AMENDS = regex(r"^(?:please\s+)?(?:update|correct|amend|change|fix|adjust|revise|edit)\b", _I)
_SHOULD = regex(r"\s+(?:should|ought to|needs to|must)\s+(?:be|read|say|have been)\s+", _I)

_TURNED_OUT = regex(r"\s+(?:has\s+)?turn(?:s|ed)\s+out\s+to\s+be\s+", _I)
DENIED = "denied"
"""The form of a plain denial, which corrects nothing but what says word for word that it is so."""


class CorrectionReading(msgspec.Struct, frozen=True):
    """Correction that a sentence states.

    `old` are the words that no longer hold, `new` those that hold instead;
    `old_kind` and `new_kind` say whether they are a whole statement, a thing, or
    only a value of `about`, what both are said of. `agent` made the change,
    `scope` says where it holds, `when` since when, as written. `sentence` is the
    part of the text that says all this, `form` how, `speaker` who is said to say it.
    """

    manner: Manner
    sentence: str
    form: str
    old: str | None = None
    old_kind: Literal["statement", "thing", "value"] = "statement"
    new: str | None = None
    new_kind: Literal["statement", "value"] = "statement"
    about: str | None = None
    agent: str | None = None
    scope: str | None = None
    when: str | None = None
    speaker: str | None = None

    @property
    def in_passing(self) -> bool:
        """True if it counts in a text that was not given as a correction.

        What is asked for may be meant for another than the memory, unless it says
        what is so, or speaks of what is recorded.
        """
        if self.manner != "request":
            return True
        return self.new is not None and (
            self.form in {"request-forget", "request-forget-about", "request-scratch"}
            or _AMENDS.match(self.sentence) is not None
        )


def by_pronoun(text: str) -> bool:
    """True if a text begins with a pronoun."""
    return _PRONOUN.match(text) is not None


def goes_on(text: str) -> bool:
    """True if a text goes on about the last subject, by pronoun or without a subject."""
    return by_pronoun(text) or _PRONOUN_IS.match(text) is not None


def instead(part: MaskedSentence, text: str) -> tuple[str, Literal["statement", "value"]]:
    """Replacement of the old words: a statement, or a value without the pronoun before it."""
    text = text.strip(" ,;:.")
    lead, _, told = text.rpartition(": ")
    apart = lead and is_statement(told) and (_OWN.match(told) or not _PRONOUN.match(told))
    _, rest = opened(told if apart else text)
    text = _NOW.sub("", rest or text)
    match = _PRONOUN_IS.match(text)
    if match is not None and text[match.end() :].strip():
        return part.unmasked(_NOT_OLD.sub("", text[match.end() :])), "value"
    text = _SHOULD.sub(" is ", text, count=1)
    text = _TURNED_OUT.sub(" is ", text, count=1)
    if not is_statement(text):
        return part.unmasked(text), "value"
    plain = re.sub(r"\b(?:actually|now|in fact|currently|really)\s+", "", text, count=1, flags=_I)
    return part.unmasked(plain), "statement"

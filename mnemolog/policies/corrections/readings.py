"""Readings of corrections, the forms in which English corrects, and openings of sentences."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.clauses.masked_sentences import MaskedSentence
from mnemolog.language.patterns import regex
from mnemolog.policies.corrections.terms import LISTS

Manner = Literal["explicit", "in_passing", "request"]
"""Manner of a correction: announced, said among other talk, or requested."""

Old = Literal["statement", "thing", "value"]
New = Literal["statement", "value"]
Group = Literal["record", "request", "denial", "contrast", "change", "ending", "news"]

LONGEST = 4_000
"""Characters of a text that are read: a correction is said in a few words."""

DENIED = "denied"
"""The form of a plain denial, which corrects nothing but what says word for word that it is so."""

_I = re.IGNORECASE
_PRONOUN_IS = LISTS.pattern("pronoun_is_value")
_NOT_OLD = regex(r",\s+(?:and\s+)?not\s+[^,;:]+$", _I)
_PRONOUN = regex(r"^(?:it|that|this|he|she|they|we|i|these|those)\b(?!\s+\w+\s+that\b)", _I)
_OWN = regex(r"^(?:we|i)\s", _I)
_NOW = regex(r"\s+(?:now|instead|currently|these days|at the moment|really|in fact)$", _I)
_AMENDS = regex(r"^(?:please\s+)?(?:update|correct|amend|change|fix|adjust|revise|edit)\b", _I)
_SHOULD = regex(r"\s+(?:should|ought to|needs to|must)\s+(?:be|read|say|have been)\s+", _I)
_TURNED_OUT = regex(r"\s+(?:has\s+)?turn(?:s|ed)\s+out\s+to\s+be\s+", _I)
_IN_FACT = regex(r"\b(?:actually|now|in fact|currently|really)\s+", _I)
_PLAIN_WORDS = regex(r"[a-z]+(?:'[a-z]+)?")
_OPENER = LISTS.pattern("opener")
_IT_IS = regex(r"^(?:(?:it|that)(?:'s| is| should be)|(?P<many>they)(?:'re| are))\s+", _I)
_EXCUSE = LISTS.pattern("excuse")
_NOW_FIRST = regex(r"^(?:now|instead|these days),?\s+(?=(?:he|she|it|they|we|i)\b)", _I)
# Words that begin an ordinary statement as well: they open one only before a mark.
_NEED_MARK = LISTS.pattern("need_mark")
_MAY_RUN_ON = LISTS.pattern("may_run_on")
_REASON = LISTS.pattern("reason")
_SAYS = LISTS.pattern("says")


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
    old_kind: Old = "statement"
    new: str | None = None
    new_kind: New = "statement"
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
        of_record = self.form in {"request-forget", "request-forget-about", "request-scratch"}
        return self.new is not None and (of_record or _AMENDS.match(self.sentence) is not None)


class CorrectionForm(msgspec.Struct, frozen=True):
    """One form of correction, of a group of kin, and what kind of words `old` are."""

    name: str
    group: Group
    old: Old = "statement"


@cache
def forms() -> tuple[tuple[CorrectionForm, re.Pattern[str]], ...]:
    """The forms and their patterns, in the order in which they are tried."""
    return tuple(LISTS.rows("forms", CorrectionForm))


def may_correct(text: str) -> bool:
    """True if a text has any word with which something is taken back: cheap, before any form."""
    words = _PLAIN_WORDS.findall(text.lower().replace("\u2019", "'"))
    return not LISTS.words("signs").isdisjoint(words)


def opened(text: str) -> tuple[bool, str]:
    """Test for opening words that announce a correction, and the sentence without its opening."""
    marked, rest = False, text.strip()
    while match := _OPENER.match(rest):
        word, end, topic = match["mark"] or match["noise"], match["end"], match["topic"]
        after = rest[match.end() :]
        unmarked = end and not end.strip() and _NEED_MARK.match(word) is not None
        if unmarked and not (_MAY_RUN_ON.match(word) and _OPENER.match(after)):
            break
        marked, rest = marked or match["mark"] is not None, after
        if topic is not None and (is_ := _IT_IS.match(after)):
            # 'It is 50', said of the budget, is 'the budget is 50'.
            rest = f"{topic} {'are' if is_['many'] else 'is'} {after[is_.end() :]}"
    excuse = _EXCUSE.search(rest)
    if excuse is not None and excuse.start():
        marked, rest = True, rest[: excuse.start()]
    return marked, rest.strip()


def without_now(text: str) -> str:
    """A clause by a pronoun without the 'now' or 'instead' that it begins with."""
    return _NOW_FIRST.sub("", text)


def cut(text: str) -> str:
    """A clause without what only explains it."""
    return _REASON.sub("", text).strip().rstrip(".!,;: ")


def is_statement(text: str) -> bool:
    """True if a text is a statement, rather than only a name."""
    return _SAYS.match(text) is not None


def by_pronoun(text: str) -> bool:
    """True if a text begins with a pronoun."""
    return _PRONOUN.match(text) is not None


def goes_on(text: str) -> bool:
    """True if a text goes on about the last subject, by pronoun or without a subject."""
    return by_pronoun(text) or _PRONOUN_IS.match(text) is not None


def instead(part: MaskedSentence, text: str) -> tuple[str, New]:
    """Replacement of the old words: a statement, or a value without the pronoun before it."""
    text = text.strip(" ,;:.")
    lead, _, told = text.rpartition(": ")
    apart = lead and is_statement(told) and (_OWN.match(told) or not _PRONOUN.match(told))
    _, rest = opened(told if apart else text)
    text = _NOW.sub("", rest or text)
    match = _PRONOUN_IS.match(text)
    if match is not None and text[match.end() :].strip():
        return part.unmasked(_NOT_OLD.sub("", text[match.end() :])), "value"
    text = _TURNED_OUT.sub(" is ", _SHOULD.sub(" is ", text, count=1), count=1)
    if not is_statement(text):
        return part.unmasked(text), "value"
    return part.unmasked(_IN_FACT.sub("", text, count=1)), "statement"

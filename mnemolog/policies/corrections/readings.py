"""Readings of corrections, the forms in which English corrects, and openings of sentences."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.clauses.masked_sentences import MaskedSentence
from mnemolog.policies.corrections.terms import LISTS, RE

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
        return self.new is not None and (of_record or RE.amends.match(self.sentence) is not None)


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
    words = RE.plain_words.findall(text.lower().replace("\u2019", "'"))
    return not LISTS.words("signs").isdisjoint(words)


def opened(text: str) -> tuple[bool, str]:
    """Test for opening words that announce a correction, and the sentence without its opening."""
    marked, rest = False, text.strip()
    while match := RE.opener.match(rest):
        word, end, topic = match["mark"] or match["noise"], match["end"], match["topic"]
        after = rest[match.end() :]
        unmarked = end and not end.strip() and RE.need_mark.match(word) is not None
        if unmarked and not (RE.may_run_on.match(word) and RE.opener.match(after)):
            break
        marked, rest = marked or match["mark"] is not None, after
        if topic is not None and (is_ := RE.it_is_first.match(after)):
            # 'It is 50', said of the budget, is 'the budget is 50'.
            rest = f"{topic} {'are' if is_['many'] else 'is'} {after[is_.end() :]}"
    excuse = RE.excuse.search(rest)
    if excuse is not None and excuse.start():
        marked, rest = True, rest[: excuse.start()]
    return marked, rest.strip()


def without_now(text: str) -> str:
    """A clause by a pronoun without the 'now' or 'instead' that it begins with."""
    return RE.now_first.sub("", text)


def cut(text: str) -> str:
    """A clause without what only explains it."""
    return RE.reason.sub("", text).strip().rstrip(".!,;: ")


def is_statement(text: str) -> bool:
    """True if a text is a statement, rather than only a name."""
    return RE.says.match(text) is not None


def by_pronoun(text: str) -> bool:
    """True if a text begins with a pronoun."""
    return RE.pronoun_first.match(text) is not None


def goes_on(text: str) -> bool:
    """True if a text goes on about the last subject, by pronoun or without a subject."""
    return by_pronoun(text) or RE.pronoun_is_value.match(text) is not None


def instead(part: MaskedSentence, text: str) -> tuple[str, New]:
    """Replacement of the old words: a statement, or a value without the pronoun before it."""
    text = text.strip(" ,;:.")
    lead, _, told = text.rpartition(": ")
    apart = (
        lead and is_statement(told) and (RE.by_us.match(told) or not RE.pronoun_first.match(told))
    )
    _, rest = opened(told if apart else text)
    text = RE.now_last.sub("", rest or text)
    match = RE.pronoun_is_value.match(text)
    if match is not None and text[match.end() :].strip():
        return part.unmasked(RE.not_old.sub("", text[match.end() :])), "value"
    text = RE.turned_out.sub(" is ", RE.should.sub(" is ", text, count=1), count=1)
    if not is_statement(text):
        return part.unmasked(text), "value"
    return part.unmasked(RE.in_fact.sub("", text, count=1)), "statement"

"""Predicates affirmed or denied of a subject, in the same words for both."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from mnemolog.language.clauses.clauses import Clause
from mnemolog.language.clauses.comparisons import comparison
from mnemolog.language.clauses.places import is_place
from mnemolog.language.clauses.sayings import (
    BEGUN,
    IMPLIES,
    NO_SUCH,
    SAME,
    SETTLED,
    Readings,
)
from mnemolog.language.morphology import stem
from mnemolog.language.patterns import regex
from mnemolog.language.words.english import DETERMINERS, PRONOUNS, noun, topic
from mnemolog.language.words.lexicon import LEXICON, opposites

Share = Literal["all", "most", "some"] | None
_SHARES: dict[str, Share] = {
    "all": "all", "every": "all", "each": "all", "most": "most", "some": "some",
    "several": "some", "many": "some", "few": "some",
}  # fmt: skip


class Predicate(msgspec.Struct, frozen=True):
    """Predicate affirmed or denied of a subject, in the same words for both.

    `ever` separates an experience ('has done', 'has never done') from a habit ('does').
    `share` is the quantifier before the subject, if there is one.
    """

    subject: frozenset[str]
    words: tuple[str, ...]
    affirmed: bool
    state: bool
    clause: Clause
    ever: bool = False
    share: Share = None


def read_predicate(clause: Clause) -> Predicate | None:
    """Predicate of a clause, with opposites read as denials; None if nothing in it lasts."""
    first, *rest = clause.subject.words
    share = _SHARES.get(first.lower()) if rest else None
    if share is not None:
        subject = msgspec.structs.replace(clause.subject, words=tuple(rest))
        clause = msgspec.structs.replace(clause, subject=subject)
    found = _read(clause)
    return found if found is None else msgspec.structs.replace(found, share=share)


def _read(clause: Clause) -> Predicate | None:
    compared = comparison(clause)
    if compared is not None:
        both, words, affirmed = compared
        return Predicate(both, words, affirmed, state=False, clause=clause)
    been = _BEEN.match(clause.predicate) is not None and clause.verb == "be"
    if clause.experienced or clause.never or been:
        return _experienced(clause)
    if clause.episodic or (clause.verb == "leave" and is_place(clause.rest)):
        return None
    if clause.verb == "cost" and any(a.dimension == "money" and a.amount for a in clause.amounts):
        about = topic(clause.subject.words)
        return Predicate(about, ("be", "paid"), clause.affirmed, state=True, clause=clause)
    return _present(clause)


def _present(clause: Clause) -> Predicate | None:
    said, flips = _positive(clause.predicate, IMPLIES + SAME if clause.affirmed else SAME)
    affirmed = clause.affirmed != flips
    if said.startswith("approve "):
        # 'The board approved Atlas' states that Atlas is approved.
        about = topic(clause.spelled(said).split()[1:])
        return Predicate(about, ("be", "approved"), affirmed, state=True, clause=clause)
    state = False
    if said.startswith("be "):
        phrase, flips = _of_trouble(clause, said[3:]) or state_of(said[3:])
        if phrase:
            state, said, affirmed = True, f"be {phrase}", affirmed != flips
    told = SETTLED.match(said) is not None
    settled = told or (state and said.split()[1].endswith("ed"))
    state |= told
    if clause.past and not settled and (not clause.when or _BEEN.match(clause.predicate)):
        return _experienced(clause)
    words = _words(clause.spelled(said))
    passing = (
        words[:1] == ("be",)
        and len(words) == 2  # noqa: PLR2004
        and words[1] in LEXICON.words("feelings")
        and not state
    )
    # Prices may rise at one time and fall at another.
    dated = clause.when or clause.aside.lately or " in Q" in said or "⟦" in said
    passing |= said.startswith("increase") and not dated
    if passing or not words or words == ("be",) or not PRONOUNS.isdisjoint(words):
        return None
    return Predicate(topic(clause.subject.words), words, affirmed, state, clause)


def _of_trouble(clause: Clause, rest: str) -> tuple[str, bool] | None:
    """State of a problem that is fixed or still open; None for any other subject."""
    nouns = {noun(word) for word in clause.subject.words} | {
        noun(word) for word in clause.subject.words[-1].split("#")
    }
    if LEXICON.words("troubles").isdisjoint(nouns):
        return None
    known = {"fixed": False, "closed": False, "open": True, "unfixed": True, "gone": False}
    return ("resolved", known[rest]) if rest in known else None


_BEEN = regex(
    r"(?:be|go|travel|fly|visit)(?: to)? (?P<v>(?:the )?[A-Z][\w-]*(?: [A-Z][\w-]*)*)"
    r"(?: (?:once|twice|before|(?:many|several|a few) times|⟦\d+⟧(?: times)?))?"
    r"(?: (?:on|for|with) .+| in ⟦\d+⟧)?$"
)


def _experienced(clause: Clause) -> Predicate | None:
    """Predicate of an experience: 'has never been to Italy', 'went to Italy'."""
    been = _BEEN.match(clause.predicate)
    said, flips = (f"visit {been['v']}", False) if been else _positive(clause.predicate, SAME)
    words = _words(clause.spelled(said))
    if not words or not PRONOUNS.isdisjoint(words):
        return None
    if not clause.never and been is None:
        # Only for a particular thing: a person who did not drink coffee drank some another day.
        alone = len(words) == 1 and clause.experienced and not clause.subject.is_person
        done = clause.affirmed and clause.subject.is_person and len(words) > 1
        if not (alone or done or _DEFINITE.match(clause.rest)):
            return None
    affirmed = clause.affirmed != flips
    about = topic(clause.subject.words)
    return Predicate(about, words, affirmed, state=False, clause=clause, ever=True)


_DEFINITE = regex(r"(?:(?:for|to|at|in|on|with) )?(?:the|his|her|their|my|our|its) |[A-Z]")


def _positive(said: str, readings: Readings) -> tuple[str, bool]:
    """Predicate in its positive words, and True if it denies them."""
    denied = False
    for pattern, positive, denies in readings:
        match = pattern.match(said)
        if match is not None:
            said, denied = positive + said[match.end() :], denies
            break
    nothing = NO_SUCH.match(said)
    if nothing is not None:
        said, denied = f"{nothing[1]} {said[nothing.end() :]}", not denied
    for pattern, denies in BEGUN:
        match = pattern.match(said)
        if match is not None:
            return match[1] + said[match.end() :], denied != denies
    return said, denied


def _words(said: str) -> tuple[str, ...]:
    words = [noun(word) for word in said.split() if word.lower() not in DETERMINERS]
    return (stem(words[0]), *words[1:]) if words else ()


_UN = regex(r"un(?!der|til|ique|ion|it|iform|iversal|animous)([a-z]{4,})$")
_PREFIXED = regex(
    r"(?:un|non-|in|im|ir|dis)([a-z]{3,}(?:ed|ing|able|ible|al|ful|free|ive|ant|ent|ic))$"
)


def state_of(rest: str) -> tuple[str, bool]:
    """State after 'be': first words as the positive of their pair, and True if they deny it.

    Empty if they belong to no pair.
    """
    known = opposites()
    words = re.sub(r"^an? ", "", rest).split()
    for length in (3, 2, 1):
        first = " ".join(words[:length]).lower()
        if len(words) >= length and first in known:
            positive, flips = known[first]
            return " ".join([positive, *words[length:]]), flips
    # 'Unheated' is not heated; 'united' has no such opposite.
    prefixed = (_PREFIXED.match(words[0]) or _UN.match(words[0])) if words else None
    return (" ".join([prefixed[1], *words[1:]]), True) if prefixed else ("", False)

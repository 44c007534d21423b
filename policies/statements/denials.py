"""What is affirmed or denied of a subject, in words that do not depend on which of the two."""

from __future__ import annotations

import re

import msgspec

from policies.statements.clauses import Clause
from policies.statements.english import DETERMINERS, PRONOUNS, noun, topic
from policies.statements.lexicon import FEELINGS, opposites


class Predicate(msgspec.Struct, frozen=True):
    """Something is affirmed or denied of a subject, in words that do not depend on which."""

    subject: frozenset[str]
    words: tuple[str, ...]
    affirmed: bool
    state: bool
    clause: Clause


Readings = tuple[tuple[re.Pattern[str], str, bool], ...]
_SAME: Readings = tuple(
    (re.compile(pattern), said, denies)
    for pattern, said, denies in (
        (r"be (?:a )?(?:strict )?(?:vegetarian|vegan)\b.*", "eat meat", True),
        (r"get married\b", "be married", False),
        (r"drink$", "drink alcohol", False),
        (r"eat (?:no|zero) meat\b", "eat meat", True),
        (r"be (?:a )?teetotall?er\b", "drink alcohol", True),
        (r"be (?:a |the )?(?:heavy |chain )?smoker\b", "smoke", False),
        (r"be (?:a |the )?non-?smoker\b", "smoke", True),
        (r"(?:dislike|hate|detest|loathe|dread)\b", "like", True),
        (r"can not (?:stand|bear|tolerate)\b", "like", True),
        (r"can (?:stand|bear|tolerate)\b", "like", False),
        (r"(?:love|enjoy|adore|be (?:a (?:big |huge )?fan|fond) of)\b", "like", False),
        (r"have support for\b", "support", False),
        (r"(?:lack|have no) support for\b", "support", True),
        (r"lack\b", "have", True),
        (r"have (?:an? |any )?allerg(?:y|ies)(?: to)?\b", "be allergic", False),
        (r"have no (?:known )?allerg(?:y|ies)(?: to)?\b", "be allergic", True),
        (r"be allergic to(?: any| anything)?\b", "be allergic", False),
        (r"have no (?=\w)", "have ", True),
        (r"have (?:an?|any|some) (?=\w)", "have ", False),
        (r"be a (?:bachelor|bachelorette)\b", "be married", True),
        (r"(?:reject|decline|refuse|deny)\b", "approve", True),
        (r"be turned on\b", "be enabled", False),
        (r"be turned off\b", "be enabled", True),
        (r"can speak\b", "speak", False),
        (r"speak (?:any|some|a little|good)\b", "speak", False),
        (r"can (?=play|swim|drive|cook|ride|read|sing|dance|ski)", "", False),
        (r"be able to\b", "can", False),
        (r"work full[- ]time\b", "be at work", False),
        (r"work part[- ]time\b", "be at work", True),
        (r"work (?:remotely|from home)\b", "be remote", False),
        (r"work (?:in the office|on[- ]site)\b", "be remote", True),
        (r"need a\b", "require a", False),
        (r"allow\b", "allow", False),
        (r"(?:forbid|prohibit|ban|disallow)\b", "allow", True),
    )
)
# What does something in particular does the thing; who does not, may still do it.
_IMPLIES: Readings = tuple(
    (re.compile(pattern), said, denies)
    for pattern, said, denies in (
        (r"(?:love|like|enjoy) (?:beef|steak|bacon|pork|burgers)\b", "eat meat", False),
        (r"drink (?:beer|wine|whisky|whiskey|vodka)\b", "drink alcohol", False),
        (r"eat (?:beef|pork|chicken|steak|bacon|ham|lamb|sausage|burger)s?\b.*", "eat meat", False),
        (r"eat (?:\w+ (?:and|or) )+meat\b", "eat meat", False),
    )
)
_BEGUN = (
    (re.compile(r"(?:stop|quit|give up) (\w+)ing\b"), True),
    (re.compile(r"(?:start|begin|resume|take up) (\w+)ing\b"), False),
)


def read_predicate(clause: Clause) -> Predicate | None:
    """What a clause affirms or denies, with opposites read as denials; None if nothing lasts."""
    if clause.episodic:
        return None
    said, flips = _positive(clause.predicate, _IMPLIES + _SAME if clause.affirmed else _SAME)
    affirmed = clause.affirmed != flips
    if said.startswith("approve "):
        # 'The board approved Atlas' says of Atlas that it is approved.
        return Predicate(topic(said.split()[1:]), ("be", "approved"), affirmed, True, clause)  # noqa: FBT003
    state = False
    if said.startswith("be "):
        phrase, flips = state_of(said[3:])
        if phrase:
            state, said, affirmed = True, f"be {phrase}", affirmed != flips
    if clause.past and not (state and said.split()[1].endswith("ed")) and not clause.when:
        return None
    words = _words(clause.spelled(said))
    passing = words[:1] == ("be",) and len(words) == 2 and words[1] in FEELINGS and not state  # noqa: PLR2004
    if passing or not words or words == ("be",) or not PRONOUNS.isdisjoint(words):
        return None
    return Predicate(topic(clause.subject.words), words, affirmed, state, clause)


def _positive(said: str, readings: Readings) -> tuple[str, bool]:
    """A predicate in the words of its positive, and whether it denies that."""
    denied = False
    for pattern, positive, denies in readings:
        match = pattern.match(said)
        if match is not None:
            said, denied = positive + said[match.end() :], denies
            break
    for pattern, denies in _BEGUN:
        match = pattern.match(said)
        if match is not None:
            return match[1] + said[match.end() :], denied != denies
    return said, denied


def _words(said: str) -> tuple[str, ...]:
    words = [noun(word) for word in said.split() if word.lower() not in DETERMINERS]
    return (_stem(words[0]), *words[1:]) if words else ()


_PREFIXED = re.compile(r"(?:un|non-)([a-z]{3,}(?:ed|ing|able|al|ful|free))$")


def state_of(rest: str) -> tuple[str, bool]:
    """What follows 'be', its first words as the positive of their pair and whether they deny it.

    Empty where they are of no pair.
    """
    known = opposites()
    words = re.sub(r"^an? ", "", rest).split()
    for length in (3, 2, 1):
        first = " ".join(words[:length]).lower()
        if len(words) >= length and first in known:
            positive, flips = known[first]
            return " ".join([positive, *words[length:]]), flips
    # 'Unheated' is not heated; of 'united' nobody says the contrary.
    prefixed = _PREFIXED.match(words[0]) if words else None
    return (" ".join([prefixed[1], *words[1:]]), True) if prefixed else ("", False)


def _stem(verb: str) -> str:
    return verb.rstrip("e") if len(verb) > 3 else verb  # noqa: PLR2004

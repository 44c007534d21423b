"""Recognition of constraints: the class of a statement that limits what may be done.

It goes by what English says when it limits: an allergy, a ceiling, a
requirement, a ban. Precision comes first: everyday talk is full of 'must',
'never' and 'can't' that limit nothing ('you must be tired', 'never mind'), and a
constraint that is none would be brought along with every plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from mnemolog.language.lists import Rule
from mnemolog.language.patterns import plain_letters, regex
from mnemolog.language.quantities.amounts import Bound
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.quantities.numbers import number_words
from mnemolog.language.sentences import main_clauses, spoken
from mnemolog.policies.constraints.lists import LISTS

SAFETY, COST, COMPATIBILITY = "safety", "cost", "compatibility"
TIME, POLICY, PREFERENCE = "time", "policy", "preference"
CLASSES = (SAFETY, COST, COMPATIBILITY, TIME, POLICY, PREFERENCE)
"""The classes that are recognised, the gravest first."""

_TABLES = (
    *("dangers", "ceilings", "capacities", "moments", "binds"),
    *("fittings", "needs", "policies", "habits"),
)

LONGEST = 600
"""Characters; who says more tells a story, in which a limit is by the way."""

_WORD = regex(r"[a-z]+(?:'[a-z]+)?")
_IDIOMS = LISTS.pattern("idioms")
_TOLD = LISTS.pattern("told")
_STORY = LISTS.pattern("story")
_TECHNICAL_NAME = LISTS.pattern("technical_name")


@cache
def _number() -> re.Pattern[str]:
    """Words of a sentence that may give an amount or a moment."""
    return regex(
        rf"\d|\b(?:an?|mon|tues|\w+days?|noon|midnight|june|july|august|march|may|april|\w+ber"
        rf"|january|february|{'|'.join(number_words())})\b",
        re.IGNORECASE,
    )


def constraint_class(text: str) -> str | None:
    """The class of the constraint that a text states; None if it states none.

    safety (allergies, medicine, danger, secrets), cost (money), compatibility
    (requirements, versions), time (deadlines, availability), policy (rules) or
    preference (diets and habits): the gravest of those that its sentences state.
    """
    if len(text) > LONGEST or _words(text).isdisjoint(_triggers()):
        return None
    return gravest(map(_class_of, clause_texts(text)))


def gravest(found: Iterable[str | None]) -> str | None:
    """The gravest of some classes; None where there is none."""
    there = frozenset(found)
    return next((one for one in CLASSES if one in there), None)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(plain_letters(text).lower()))


@cache
def _rules(table: str) -> tuple[Rule, ...]:
    return LISTS.rules(table)


@cache
def _triggers() -> frozenset[str]:
    """The words without one of which no rule can find anything."""
    return frozenset().union(*(rule.needs for table in _TABLES for rule in _rules(table)))


def _first(table: str, sentence: str, words: frozenset[str]) -> re.Match[str] | None:
    """The match of the first rule of a table that a sentence fulfils."""
    return next((found for rule in _rules(table) if (found := rule.search(sentence, words))), None)


def clause_texts(text: str) -> list[str]:
    """The sentences of a text, without the name of who speaks."""
    _, plain = spoken(plain_letters(text))
    return [plain[start:end] for start, end in main_clauses(plain)]


def _class_of(sentence: str) -> str | None:
    words = _words(sentence)
    if sentence.endswith("?") or words.isdisjoint(_triggers()):
        return None
    plain = _IDIOMS.sub(" ", sentence)
    if _first("dangers", plain, words) and _OVER.search(plain) is None:
        return SAFETY
    if _TOLD.search(plain) is not None:
        return None
    return _measured(plain, words) or _in_words(plain, words)


def _in_words(plain: str, words: frozenset[str]) -> str | None:
    """The class of a sentence that limits without a quantity."""
    if _first("fittings", plain, words) or _needs_technical(plain, words):
        return COMPATIBILITY
    if _first("policies", plain, words):
        return POLICY
    return PREFERENCE if _first("habits", plain, words) else None


_OVER = regex(r"\b(?:used to be|was|were) (?:\w+ )?(?:allergic|dangerous|toxic)\b")


def _measured(sentence: str, words: frozenset[str]) -> str | None:
    """The class of a sentence that bounds a quantity."""
    if _number().search(sentence) is None or _STORY.search(sentence) is not None:
        return None
    if _first("moments", sentence, words) and _gives_moment(sentence):
        return TIME
    if _first("ceilings", sentence, words) and any(
        one.dimension == "money" for one in quantities(sentence)
    ):
        return COST
    if _first("capacities", sentence, words):
        return _of_bounds(sentence) or POLICY
    signed = _SIGN.search(sentence) is not None
    if not signed and _first("binds", sentence, words) is None:
        return None
    return _of_bounds(sentence)


_DAY_OR_HOUR = LISTS.pattern("day_or_hour")


def _gives_moment(sentence: str) -> bool:
    """True if a sentence names a date, a day or a time of day."""
    return any(one.dimension in _MOMENTS for one in quantities(sentence)) or (
        _DAY_OR_HOUR.search(sentence) is not None
    )


def _of_bounds(sentence: str) -> str | None:
    """The class of the first bound of a sentence that has one."""
    found = (_class_of_bound(bound, sentence) for bound in bounds(sentence))
    return next((one for one in found if one is not None), None)


_SIGN = regex(r"[<>\N{LESS-THAN OR EQUAL TO}\N{GREATER-THAN OR EQUAL TO}]")
_MOMENTS = frozenset({"date", "clock", "weekday"})
_COMPATIBLE = frozenset(
    {"version", "data", "data rate", "power", "voltage", "current", "frequency", "pixels"}
)
# 'I have to be there by ten' is an errand, 'it must be there by ten' a limit.
_STRICT = LISTS.pattern("strict")
_DOSE = LISTS.pattern("dose")


def _class_of_bound(bound: Bound, sentence: str) -> str | None:
    dimension = bound.quantity.dimension
    if dimension == "money":
        return COST if bound.high is not None else None
    if dimension in _MOMENTS:
        return TIME if _STRICT.search(sentence) else None
    if dimension in _COMPATIBLE:
        return COMPATIBILITY
    if dimension == "mass" and _DOSE.search(sentence):
        return SAFETY
    return None if dimension == "number" else POLICY


_SPEAKERS_NEED = LISTS.pattern("speakers_need")


def _needs_technical(sentence: str, words: frozenset[str]) -> bool:
    """True if a sentence says that something needs a version, a size or a thing named by a code."""
    match = _first("needs", sentence, words)
    if match is None or _SPEAKERS_NEED.search(sentence):
        return False
    what = match["what"]
    return _TECHNICAL_NAME.search(what) is not None or any(
        one.dimension in _COMPATIBLE for one in quantities(what)
    )

"""Recognition of constraints: the class of a statement that limits, and the people it is about.

It goes by what English says when it limits: an allergy, a ceiling, a
requirement, a ban. Precision comes first: everyday talk is full of 'must',
'never' and 'can't' that limit nothing ('you must be tired', 'never mind'), and a
constraint that is none would be brought along with every plan.
"""

import re
from collections.abc import Iterable
from functools import cache

from mnemolog.language.entities import KINDS as COMMON_KINDS
from mnemolog.language.lists import Lists, Rule, plain_letters, regex
from mnemolog.language.quantities.amounts import Bound
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.quantities.numbers import number_words
from mnemolog.language.sentences import main_clauses, spoken

LISTS = Lists("mnemolog.policies.constraints", "constraints", shared=COMMON_KINDS)
"""The file of the rules and patterns by which a constraint is recognised and read."""

RE = LISTS.patterns_by_name
"""The patterns of that file."""

SAFETY, COST, COMPATIBILITY = "safety", "cost", "compatibility"
TIME, POLICY, PREFERENCE = "time", "policy", "preference"
CLASSES = (SAFETY, COST, COMPATIBILITY, TIME, POLICY, PREFERENCE)
"""The classes that are recognised, the gravest first."""

LONGEST = 600
"""Characters; who says more tells a story, in which a limit is by the way."""

USER = "user"
"""Name of the speaker."""

_TABLES = (
    *("dangers", "ceilings", "capacities", "moments", "binds"),
    *("fittings", "needs", "policies", "habits"),
)
_MOMENTS = frozenset({"date", "clock", "weekday"})
_COMPATIBLE = frozenset(
    {"version", "data", "data rate", "power", "voltage", "current", "frequency", "pixels"}
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


def clause_texts(text: str) -> list[str]:
    """The sentences of a text, without the name of who speaks."""
    _, plain = spoken(plain_letters(text))
    return [plain[start:end] for start, end in main_clauses(plain)]


def _words(text: str) -> frozenset[str]:
    return frozenset(RE.plain_word.findall(plain_letters(text).lower()))


@cache
def _rules(table: str) -> tuple[Rule, ...]:
    return LISTS.rules(table)


@cache
def _triggers() -> frozenset[str]:
    """The words without one of which no rule can find anything."""
    return frozenset().union(*(rule.needs for table in _TABLES for rule in _rules(table)))


@cache
def _number() -> re.Pattern[str]:
    """Words of a sentence that may give an amount or a moment."""
    return regex(
        rf"\d|\b(?:an?|mon|tues|\w+days?|noon|midnight|june|july|august|march|may|april|\w+ber"
        rf"|january|february|{'|'.join(number_words())})\b",
        re.IGNORECASE,
    )


def _first(table: str, sentence: str, words: frozenset[str]) -> re.Match[str] | None:
    """The match of the first rule of a table that a sentence fulfils."""
    return next((found for rule in _rules(table) if (found := rule.search(sentence, words))), None)


def _class_of(sentence: str) -> str | None:
    words = _words(sentence)
    if sentence.endswith("?") or words.isdisjoint(_triggers()):
        return None
    plain = RE.idioms.sub(" ", sentence)
    if _first("dangers", plain, words) and RE.over.search(plain) is None:
        return SAFETY
    told = RE.told.search(plain) is not None
    measured = None if told else _measured(plain, words)
    if told or measured is not None:
        return measured
    if _first("fittings", plain, words) or _needs_technical(plain, words):
        return COMPATIBILITY
    if _first("policies", plain, words):
        return POLICY
    return PREFERENCE if _first("habits", plain, words) else None


def _measured(sentence: str, words: frozenset[str]) -> str | None:
    """The class of a sentence that bounds a quantity."""
    if _number().search(sentence) is None or RE.story.search(sentence) is not None:
        return None
    if _first("moments", sentence, words) and (
        _measures(sentence, _MOMENTS) or RE.day_or_hour.search(sentence) is not None
    ):
        return TIME
    if _first("ceilings", sentence, words) and _measures(sentence, {"money"}):
        return COST
    holds = _first("capacities", sentence, words) is not None
    if (
        not holds
        and RE.comparison_sign.search(sentence) is None
        and _first("binds", sentence, words) is None
    ):
        return None
    found = (_class_of_bound(bound, sentence) for bound in bounds(sentence))
    return next((one for one in found if one is not None), POLICY if holds else None)


def _measures(text: str, dimensions: frozenset[str] | set[str]) -> bool:
    """True if a text has a quantity of one of some dimensions."""
    return any(one.dimension in dimensions for one in quantities(text))


def _class_of_bound(bound: Bound, sentence: str) -> str | None:
    dimension = bound.quantity.dimension
    if dimension == "money":
        return COST if bound.high is not None else None
    if dimension in _MOMENTS:
        return TIME if RE.strict.search(sentence) else None
    if dimension in _COMPATIBLE:
        return COMPATIBILITY
    if dimension == "mass" and RE.dose.search(sentence):
        return SAFETY
    return None if dimension == "number" else POLICY


def _needs_technical(sentence: str, words: frozenset[str]) -> bool:
    """True if a sentence says that something needs a version, a size or a thing named by a code."""
    match = _first("needs", sentence, words)
    if match is None or RE.speakers_need.search(sentence):
        return False
    what = match["what"]
    return RE.technical_name.search(what) is not None or _measures(what, _COMPATIBLE)


def about(text: str, source: str | None = None) -> tuple[str, ...]:
    """People whom a statement is about, in lowercase; 'user' is the speaker."""
    plain = plain_letters(text)
    found = [
        name.lower()
        for pattern in (RE.named, RE.owned, RE.owner_first, RE.titled, RE.family, RE.for_whom)
        for match in pattern.finditer(plain)
        for name in (match["name"], match.groupdict().get("other"))
        if name and name.lower() not in LISTS.words("no_person")
    ]
    found += [match["name"].lower() for match in RE.relative.finditer(plain)]
    if not found and RE.first_person.search(plain):
        scheme, _, name = (source or "").partition(":")
        own = re.split(r"[\W_]", name.lower())[:1] if scheme == "user" and name else []
        found = [USER, *own]
    return tuple(dict.fromkeys(found))


def is_named(subject: str) -> bool:
    """True if a subject is a name, rather than a son, a guest or the speaker."""
    return subject != USER and RE.relative.match(f"the {subject}") is None

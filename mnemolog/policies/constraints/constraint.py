"""Constraints as read: people, bounds, exclusions and requirements of a statement."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Bound, Quantity, period_of, rate_words
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.quantities.clocks import outside, parts_of_day, through_midnight
from mnemolog.language.quantities.measures import Bare, quantities
from mnemolog.policies.constraints.comparison_direction import asks, directed, presumed_bounds
from mnemolog.policies.constraints.exclusions import Exclusion, distinct, exclusions
from mnemolog.policies.constraints.likeness import is_rare
from mnemolog.policies.constraints.lists import LISTS
from mnemolog.policies.constraints.recognition import COST, clause_texts, constraint_class
from mnemolog.policies.constraints.requirements import Requirement, requirements
from mnemolog.policies.constraints.subjects import about

_MOST_READ, _LONGEST_SENTENCE = 20_000, 1_000
"""Characters of a constraint and of a sentence that are read; patterns go over them many times."""


class Constraint(msgspec.Struct, frozen=True):
    """A constraint as read from its text.

    `about` are the people whom it names, in lowercase: empty where it is about
    nobody in particular, 'user' where someone speaks of themselves or of 'us'.
    `bounds` are comparisons that must hold, `blocked` stretches that must not be
    touched, `exact` values that are asked for. `presumed` are bounds that no word of
    the statement makes: an amount that it names, since it limits something. `aliases`
    are other names for what it rules out. `speaks_of` are its telling words where nothing
    but a class could be read of it, and `asks` says whether it asks for them.
    """

    text: str
    constraint_class: str | None
    about: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()
    blocked: tuple[Bound, ...] = ()
    exact: tuple[Quantity, ...] = ()
    presumed: tuple[Bound, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    aliases: tuple[str, ...] = ()
    speaks_of: tuple[str, ...] = ()
    asks: bool = False


_UNTOUCHED = LISTS.pattern("untouched")


def read_constraint(
    text: str,
    aliases: Sequence[str] = (),
    source: str | None = None,
    given_class: str | None = None,
) -> Constraint | None:
    """Constraint that a statement makes; None where nothing of it can be read.

    `aliases` are other names by which the memory is asked for. `source` (`user:dana`) says who
    speaks, where the text says 'I'. `given_class` stands for the recognised one.
    """
    found = constraint_class(text) if given_class is None else given_class
    stated: list[Bound] = []
    blocked: list[Bound] = []
    exact: list[Quantity] = []
    presumed: list[Bound] = []
    ruled_out: list[Exclusion] = []
    asked_for: list[Requirement] = []
    for each in clause_texts(text[:_MOST_READ]):
        sentence = each[:_LONGEST_SENTENCE]
        limits, untouched, values = _measures(sentence, "money" if found == COST else "number")
        if not (limits or untouched or values):
            presumed += presumed_bounds(sentence, found)
        stated += limits
        blocked += untouched
        exact += values
        ruled_out += [one for one in exclusions(sentence) if not _PART_OF_DAY.fullmatch(one.thing)]
        asked_for += [
            one
            for one in requirements(sentence)
            if not (limits and _SAYS_ONLY_BOUND.match(one.thing))
            and not _PART_OF_DAY.fullmatch(one.thing)
        ]
    speaks_of: tuple[str, ...] = ()
    if not (stated or blocked or exact or presumed or ruled_out or asked_for):
        speaks_of = () if found is None else telling_words(text)
        if not speaks_of:
            return None
    return Constraint(
        text=text,
        constraint_class=found,
        about=about(text, source),
        bounds=tuple(stated),
        blocked=tuple(blocked),
        exact=tuple(exact),
        presumed=tuple(presumed),
        exclusions=distinct(ruled_out),
        requirements=tuple({one.thing: one for one in asked_for}.values()),
        aliases=tuple(aliases),
        speaks_of=speaks_of,
        asks=asks(text),
    )


def telling_words(text: str) -> tuple[str, ...]:
    """The rare words of a statement's first sentence, but for names."""
    people = about(text)
    first = next(iter(clause_texts(text)), "")
    words = dict.fromkeys(
        match[0] for match in _WORD.finditer(first) if not match.start() or not match[0].istitle()
    )
    return tuple(one for one in words if one.lower() not in people and is_rare(one))


_WORD = regex(r"[A-Za-z][A-Za-z-]{2,}")
_PART_OF_DAY = regex(r"(?:the |in the )?(?:morning|afternoon|evening)s?")
# 'must be filed before', 'has to be 18 or newer': the bound alone is what is asked for.
_SAYS_ONLY_BOUND = LISTS.pattern("says_only_bound")


def _measures(sentence: str, bare: Bare) -> tuple[list[Bound], list[Bound], list[Quantity]]:
    """Bounds that must hold, stretches that must not be touched, and values asked for."""
    stated, blocked = [], []
    worded = [
        bound for bound in bounds(sentence, bare) if not _names_port(sentence, bound.quantity)
    ]
    found = tuple(_with_period(sentence, directed(sentence, bound)) for bound in worded)
    denied = _UNTOUCHED.search(sentence) is not None
    for bound in found:
        moment = bound.quantity.dimension in ("date", "clock", "weekday")
        both = bound.low is not None and bound.high is not None
        shut = both and (denied or (bound.start <= _OPENS and not _allows(sentence)))
        if moment and (shut or _closes(sentence, bound)):
            blocked.append(bound)
        else:
            stated.append(bound)
    stretch = through_midnight(sentence)
    if stretch is not None:
        blocked += [outside(stretch)] if _allows(sentence) else stretch
        found += stretch
    elif not any(bound.quantity.dimension == "clock" for bound in found):
        named = tuple(parts_of_day(sentence))
        (stated if asks(sentence) else blocked).extend(named)
    taken = [(bound.start, bound.end) for bound in found]
    free = [
        one
        for one in quantities(sentence, bare)
        if not any(start <= one.start < end for start, end in taken)
    ]
    exact = [one for one in free if _is_asked_for(sentence, one)]
    stated += [
        Bound(None, one, strict=False, text=one.text, start=one.start, end=one.end)
        for one in free
        if one not in exact and _is_ceiling(sentence, one)
    ]
    return stated, blocked, exact


def _closes(sentence: str, bound: Bound) -> bool:
    """'unavailable before 10:30', 'away until 3 June': what the comparison names is ruled out."""
    if re.search(r"\b(?:no|not|never|n't)\b|n't\b", bound.text, re.IGNORECASE):
        return False
    before = sentence[max(0, bound.start - 40) : bound.start]
    return (
        re.search(
            r"\b(?:unavailable|away|closed|busy|on (?:holiday|vacation|leave)"
            r"|blocked|out of office|travell?ing|abroad|off)\s*$",
            before,
            re.IGNORECASE,
        )
        is not None
    )


def _is_asked_for(sentence: str, quantity: Quantity) -> bool:
    """True if a value without a comparison is the one that is needed."""
    if _names_port(sentence, quantity):
        return True
    if quantity.dimension not in ("version", "number", "data", "voltage", "power", "frequency"):
        return False
    before = sentence[: quantity.start]
    if re.match(r"\s*(?:is|are) (?:required|needed|mandatory)\b", sentence[quantity.end :]):
        return True
    return (
        re.search(
            r"\b(?:requires?|needs?|must|only|has to|have to|depends? on|runs? on"
            r"|works? (?:only )?with|pinned|stay on|stuck on|limited to)\b",
            before,
            re.IGNORECASE,
        )
        is not None
        and re.search(r"(?:\bnot\b|n't\b|\bnever\b)[^,;]*$", before) is None
    )


def _names_port(sentence: str, quantity: Quantity) -> bool:
    """'over port 443' compares nothing: it is the way that something goes."""
    return sentence[: quantity.start].rstrip().lower().endswith((" port", " channel"))


_OPENS = 10
"""Characters; a sentence that begins with a stretch of time says what goes on in it."""

_ALLOWED = LISTS.pattern("allowed")


def _allows(sentence: str) -> bool:
    """True if a stretch between two times is when something may be."""
    return _ALLOWED.search(sentence) is not None and _UNTOUCHED.search(sentence) is None


_PERIODS = LISTS.pattern("periods")


def _with_period(sentence: str, bound: Bound) -> Bound:
    """A bound on money for the time that the sentence says it is for: 'the monthly limit'."""
    said = _PERIODS.search(sentence)
    end = bound.quantity
    if said is None or end.dimension != "money" or end.per is not None or end.period is not None:
        return bound
    factor = period_of(rate_words()[said["how"].lower()])
    low, high = (
        None if one is None else msgspec.structs.replace(one, per="", period=factor)
        for one in (bound.low, bound.high)
    )
    return msgspec.structs.replace(bound, low=low, high=high)


_HOLDS_ONLY = LISTS.pattern("holds_only")


def _is_ceiling(sentence: str, quantity: Quantity) -> bool:
    """True if a plain amount is a ceiling by what is said around it: 'the deadline is 3 June'."""
    before = sentence[max(0, quantity.start - 80) : quantity.start]
    if quantity.dimension == "money":
        return (
            re.search(r"\b(?:budget|ceiling|limit|afford|cap|maximum)\b", sentence, re.IGNORECASE)
            is not None
        )
    if quantity.dimension in ("count", "mass", "volume", "data"):
        return _HOLDS_ONLY.search(before) is not None
    if quantity.dimension in ("date", "clock", "weekday"):
        return (
            re.search(r"\b(?:deadline|due|cut-?off|expires?|ends?)\b", before, re.IGNORECASE)
            is not None
        )
    return False

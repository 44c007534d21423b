"""What a constraint says: whom it is about, what it bounds, rules out and asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from ledger.patterns import regex
from policies.limits.classes import constraint_class, sentences
from policies.limits.subjects import about
from policies.limits.things import (
    Exclusion,
    Requirement,
    distinct,
    exclusions,
    requirements,
)
from policies.quantities.amounts import Bound, Quantity
from policies.quantities.bounds import bounds
from policies.quantities.measures import quantities


class Constraint(msgspec.Struct, frozen=True):
    """A constraint as read from its text.

    `about` are the people whom it names, in lowercase: empty where it is about
    nobody in particular, 'user' where someone speaks of themselves or of 'us'.
    `bounds` are comparisons that must hold, `blocked` stretches that must not be
    touched, `exact` values that are asked for. `aliases` are other names for
    what it rules out.
    """

    text: str
    constraint_class: str | None
    about: tuple[str, ...] = ()
    bounds: tuple[Bound, ...] = ()
    blocked: tuple[Bound, ...] = ()
    exact: tuple[Quantity, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    aliases: tuple[str, ...] = ()


_UNTOUCHED = regex(
    r"\b(?:not|n't|un|never|no \w+)[ -]?(?:be )?(?:available|free|reachable"
    r"|around)?\b|\b(?:away|closed|busy|on (?:holiday|vacation|leave)|out of"
    r" office|blackout|unavailable|blocked|travell?ing|booked)\b",
    re.IGNORECASE,
)


def read_constraint(
    text: str,
    aliases: Sequence[str] = (),
    source: str | None = None,
    given_class: str | None = None,
) -> Constraint | None:
    """What a statement bounds, rules out and asks for; None where nothing of it can be read.

    `aliases` are other names by which the memory is asked for. `source` (`user:dana`) says who
    speaks, where the text says 'I'. `given_class` stands for the recognised one.
    """
    found = constraint_class(text) if given_class is None else given_class
    stated: list[Bound] = []
    blocked: list[Bound] = []
    exact: list[Quantity] = []
    ruled_out: list[Exclusion] = []
    asked_for: list[Requirement] = []
    for sentence in sentences(text):
        limits, untouched, values = _measures(sentence)
        stated += limits
        blocked += untouched
        exact += values
        ruled_out += exclusions(sentence)
        asked_for += [
            one
            for one in requirements(sentence)
            if not (limits and _SAYS_ONLY_BOUND.match(one.thing))
        ]
    if not (stated or blocked or exact or ruled_out or asked_for):
        return None
    return Constraint(
        text=text,
        constraint_class=found,
        about=about(text, source),
        bounds=tuple(stated),
        blocked=tuple(blocked),
        exact=tuple(exact),
        exclusions=distinct(ruled_out),
        requirements=tuple({one.thing: one for one in asked_for}.values()),
        aliases=tuple(aliases),
    )


# 'must be filed before', 'has to be 18 or newer': the bound alone is what is asked for.
_SAYS_ONLY_BOUND = regex(
    r"(?:[a-z]+(?:ed|ten|nt|pt|ld)|newer|later|older|earlier|higher|more|less|done|made)$"
    r"|(?:minimum|maximum|at least|at most|no more|up to)\b"
)


def _measures(sentence: str) -> tuple[list[Bound], list[Bound], list[Quantity]]:
    """Bounds that must hold, stretches that must not be touched, and values asked for."""
    stated, blocked = [], []
    found = tuple(_turned(sentence, bound) for bound in bounds(sentence))
    denied = _UNTOUCHED.search(sentence) is not None
    for bound in found:
        moment = bound.quantity.dimension in ("date", "clock", "weekday")
        both = bound.low is not None and bound.high is not None
        if moment and ((both and denied) or _closes(sentence, bound)):
            blocked.append(bound)
        else:
            stated.append(bound)
    taken = [(bound.start, bound.end) for bound in found]
    free = [
        one
        for one in quantities(sentence)
        if not any(start <= one.start < end for start, end in taken)
    ]
    exact = [one for one in free if _is_asked_for(sentence, one)]
    stated += [
        Bound(None, one, strict=False, text=one.text, start=one.start, end=one.end)
        for one in free
        if one not in exact and _is_ceiling(sentence, one)
    ]
    return stated, blocked, exact


_REFUSED = regex(
    r"\b(?:is|are|get|gets|will be|would be|'s|'re)\b[^.;,]{0,20}\b(?:not (?:allowed|permitted|ok"
    r"|okay|fine|possible|acceptable|an option|accepted|reimbursed|covered|refunded|paid)"
    r"|out of the question|off limits|rejected"
    r"|refused|forbidden|prohibited|banned|denied|blocked|declined|too (?:much|many|expensive|long"
    r"|late|heavy|big|far)|unacceptable|a no-go|no option)\b",
    re.IGNORECASE,
)


def _turned(sentence: str, bound: Bound) -> Bound:
    """A bound the other way round where what is beyond it is refused: 'over 90 is too much'."""
    behind = sentence[bound.end :]
    if not bound.strict or _REFUSED.search(behind) is None:
        return bound
    return msgspec.structs.replace(bound, low=bound.high, high=bound.low, strict=False)


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
    """Whether a value without a comparison is the one that is needed."""
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


_HOLDS_ONLY = regex(
    r"\b(?:fits?|holds?|seats?|sleeps?|takes?|carr(?:y|ies)|bears?|has|have|room for|space for"
    r"|accommodates?) (?:only|just)\s*$|\b(?:limited|restricted) to\s*$",
    re.IGNORECASE,
)


def _is_ceiling(sentence: str, quantity: Quantity) -> bool:
    """Whether a plain amount is a ceiling by what is said around it: 'the deadline is 3 June'."""
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

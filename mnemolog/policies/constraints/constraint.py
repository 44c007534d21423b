"""Constraints as read: bounds, exclusions and requirements of a statement, and their direction.

Words give a comparison, and the sentence says whether what fits it is asked for or refused:
'the freezer must be kept below -70' asks, 'below 20 degrees she stays home' refuses. What comes
of it is said in more ways than can be listed. So, in a sentence that limits, a comparison with
more is a ceiling unless something obliges to it, and one with less unless something is refused
or it stands for those to whom something happens ('someone under 25 drives').
"""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from mnemolog.language.quantities.amounts import Bound, Quantity, period_of, rate_words
from mnemolog.language.quantities.bounds import bounds, outside, parts_of_day, through_midnight
from mnemolog.language.quantities.measures import Bare, quantities
from mnemolog.policies.constraints import recognition
from mnemolog.policies.constraints.likeness import is_rare
from mnemolog.policies.constraints.recognition import COST, RE, Exclusion, Requirement, about

_MOST_READ, _LONGEST_SENTENCE = 20_000, 1_000
"""Characters of a constraint and of a sentence that are read; patterns go over them many times."""
_OPENS = 10  # characters; a sentence that begins with a stretch of time says what goes on in it
_SUBJECT = 3  # words at most that a subject has in front of a comparison that is said of it

_MOMENTS = {"date", "clock", "weekday"}
_EXACT = {"voltage", "version", "frequency"}
_ASKED_FOR = {"version", "number", "data", "voltage", "power", "frequency"}
_COUNTED = {"count", "mass", "volume", "data"}
_CEILINGS = {
    *("mass", "length", "volume", "data", "count", "speed", "power", "current", "pixels"),
    *("temperature", "grammage", "sound level", "pressure"),
}


class Constraint(msgspec.Struct, frozen=True):
    """A constraint as read from its text.

    `about` are the people whom it names, in lowercase, 'user' for the speaker. `bounds` must
    hold, `blocked` stretches must not be touched, `exact` values are asked for. `presumed` are
    bounds that no word makes: amounts that a limiting statement names. `aliases` are other
    names for what it rules out. `speaks_of` are its telling words if nothing but a class could
    be read, and `asks` says whether it asks for them.
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


def read_constraint(
    text: str,
    aliases: Sequence[str] = (),
    source: str | None = None,
    given_class: str | None = None,
) -> Constraint | None:
    """Constraint that a statement makes, if any; `given_class` stands for the recognised one."""
    kind = recognition.constraint_class(text) if given_class is None else given_class
    stated, blocked, presumed = list[Bound](), list[Bound](), list[Bound]()
    exact, ruled_out = list[Quantity](), list[Exclusion]()
    asked_for: dict[str, Requirement] = {}
    for each in recognition.clause_texts(text[:_MOST_READ]):
        sentence = each[:_LONGEST_SENTENCE]
        limits, untouched, values = _measures(sentence, "money" if kind == COST else "number")
        if not (limits or untouched or values):
            presumed += _presumed_bounds(sentence, kind)
        stated += limits
        blocked += untouched
        exact += values
        ruled_out += recognition.exclusions(sentence)
        for one in recognition.requirements(sentence):
            if not (limits and RE.says_only_bound.match(one.thing)):
                asked_for[one.thing] = one
    # A part of the day is a stretch of time, and no thing.
    things = [one for one in ruled_out if not RE.part_of_day.fullmatch(one.thing)]
    required = [one for thing, one in asked_for.items() if not RE.part_of_day.fullmatch(thing)]
    speaks_of: tuple[str, ...] = ()
    if not (stated or blocked or exact or presumed or things or required):
        speaks_of = () if kind is None else _telling_words(text)
        if not speaks_of:
            return None
    return Constraint(
        text,
        kind,
        about(text, source),
        tuple(stated),
        tuple(blocked),
        tuple(exact),
        tuple(presumed),
        recognition.distinct(things),
        tuple(required),
        tuple(aliases),
        speaks_of,
        asks(text),
    )


def _telling_words(text: str) -> tuple[str, ...]:
    """The rare words of a statement's first sentence, but for names."""
    people, first = about(text), next(iter(recognition.clause_texts(text)), "")
    found = RE.telling_word.finditer(first)
    words = dict.fromkeys(one[0] for one in found if not one.start() or not one[0].istitle())
    return tuple(one for one in words if one.lower() not in people and is_rare(one))


def _measures(sentence: str, bare: Bare) -> tuple[list[Bound], list[Bound], list[Quantity]]:
    """Bounds that must hold, stretches that must not be touched, and values asked for."""
    stated, blocked = list[Bound](), list[Bound]()
    found = [
        _with_period(sentence, directed(sentence, bound))
        for bound in bounds(sentence, bare)
        if not _names_port(sentence, bound.quantity)
    ]
    denied = RE.untouched.search(sentence) is not None
    # A stretch between two times is when something may be.
    allowed = not denied and RE.allowed.search(sentence) is not None
    for bound in found:
        both = bound.low is not None and bound.high is not None
        shut = both and (denied or (bound.start <= _OPENS and not allowed))
        moment = bound.quantity.dimension in _MOMENTS
        # 'unavailable before 10:30', 'away until 3 June': what the comparison names is ruled out.
        before = sentence[max(0, bound.start - 40) : bound.start]
        closes = not RE.denies_bound.search(bound.text) and RE.closed_before.search(before)
        (blocked if moment and (shut or closes) else stated).append(bound)
    if stretch := through_midnight(sentence):
        blocked += [outside(stretch)] if allowed else stretch
        found += stretch
    elif not any(bound.quantity.dimension == "clock" for bound in found):
        (stated if asks(sentence) else blocked).extend(parts_of_day(sentence))
    exact = []
    for one in quantities(sentence, bare):
        if any(bound.start <= one.start < bound.end for bound in found):
            continue
        if _is_asked_for(sentence, one):
            exact.append(one)
        elif _is_ceiling(sentence, one):
            stated.append(_at(one, None, one))
    return stated, blocked, exact


def _at(one: Quantity, low: Quantity | None, high: Quantity | None) -> Bound:
    return Bound(low, high, strict=False, text=one.text, start=one.start, end=one.end)


def _is_asked_for(sentence: str, quantity: Quantity) -> bool:
    before = sentence[: quantity.start]
    asked = RE.asked_before.search(before) and not RE.not_before.search(before)
    return _names_port(sentence, quantity) or (
        quantity.dimension in _ASKED_FOR
        and bool(asked or RE.required.match(sentence[quantity.end :]))
    )


def _names_port(sentence: str, quantity: Quantity) -> bool:
    """'over port 443' compares nothing: it is the way that something goes."""
    return sentence[: quantity.start].rstrip().lower().endswith((" port", " channel"))


def _with_period(sentence: str, bound: Bound) -> Bound:
    """A bound on money for the time that the sentence says it is for: 'the monthly limit'."""
    said, end = RE.periods.search(sentence), bound.quantity
    if said is None or end.dimension != "money" or end.per is not None or end.period is not None:
        return bound
    factor = period_of(rate_words()[said["how"].lower()])
    low, high = (one and replace(one, per="", period=factor) for one in (bound.low, bound.high))
    return replace(bound, low=low, high=high)


def _is_ceiling(sentence: str, quantity: Quantity) -> bool:
    """True if a plain amount is a ceiling by what is said around it: 'the deadline is 3 June'."""
    before = sentence[max(0, quantity.start - 80) : quantity.start]
    if quantity.dimension == "money":
        return RE.budget.search(sentence) is not None
    sign = RE.holds_only if quantity.dimension in _COUNTED else RE.due
    return quantity.dimension in _COUNTED | _MOMENTS and sign.search(before) is not None


def directed(sentence: str, bound: Bound) -> Bound:
    """A bound of a sentence that limits, turned where what fits the comparison is refused."""
    both = bound.low is not None and bound.high is not None
    compared = bound.strict or bound.text.lower().startswith("within")
    before, behind = sentence[: bound.start], sentence[bound.end :]
    if both or not compared or RE.denied_inside.search(bound.text) or RE.exempts.search(before):
        return bound
    refused, obliged = RE.refuses.search(before), RE.obliges.search(before)
    if bound.low is not None:
        turned = not obliged or bool(refused)
    else:
        # 'Parts under 4 cm are a choking risk': less than the bound is refused.
        stands_for = RE.leads.search(before) is not None or len(before.split()) <= _SUBJECT
        turned = bool(
            (refused and not obliged)
            or RE.refuses.match(behind.lstrip(" ,:-"))
            or (stands_for and RE.goes_on.match(behind))
        )
    turn = {"low": bound.high, "high": bound.low, "strict": not bound.strict}
    return replace(bound, **turn) if turned else bound


def _presumed_bounds(sentence: str, kind: str | None) -> Iterator[Bound]:
    """Bounds that a limiting sentence without any comparison likely means by its amounts.

    A price, a size or a load is the most ('the ladder's sticker says 100 kg'), a time the least
    where something needs it. A voltage and a version are what there is, unless refused.
    """
    needs = RE.needs_amount.search(sentence) is not None
    for one in quantities(sentence, "money" if kind == COST else "number"):
        if one.dimension in _EXACT:
            if RE.refuses.search(sentence[: one.start]) is None:
                yield _at(one, one, one)
        elif kind == COST and one.dimension == "money":
            yield _at(one, None, one)
        elif kind != COST and one.dimension in _CEILINGS | {"duration"}:
            yield _at(one, one, None) if needs else _at(one, None, one)


def asks(text: str) -> bool:
    """True if a limiting statement asks for a thing; to say what comes of the thing refuses it."""
    return RE.obliges.search(text) is not None and RE.refuses.search(text) is None

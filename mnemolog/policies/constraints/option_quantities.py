"""Options held against bounds: what is outside them, and what cannot be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from mnemolog.language.lists import word_set
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Bound, Quantity, compare, meets
from mnemolog.policies.constraints.constraint import Constraint
from mnemolog.policies.constraints.option_words import OptionReading
from mnemolog.policies.constraints.verdicts import Named, OptionFinding


def held(
    bound: Bound, constraint: Constraint, option: OptionReading, severity: int
) -> OptionFinding:
    """Finding on a bound, by the option's quantities."""
    end = bound.quantity
    rivals = [one for one in _heads(option, end) if _same_dimension(one, end)]
    if not any(compare(one, end) is not None for one in rivals):
        rivals = _loosely(option, end) or rivals
    measured = _of_attribute(rivals, bound, constraint, option)
    judged = [(one, meets(bound, one)) for one in measured]
    told = [(one, answer) for one, answer in judged if answer is not None]
    if not told:
        return _not_told(end, bound, rivals, severity)
    outside = [one for one, answer in told if not answer]
    if outside and len(outside) == len(told):
        one = outside[0]
        named: Named = "attribute" if end.dimension == "version" else "nothing"
        return OptionFinding("violated", one.text, _outside(one, bound), severity, named=named)
    if outside:
        why = f"it says {_and(one.text for one, _ in told)}: not all of it is {_bound_words(bound)}"
        return OptionFinding("doubtful", outside[0].text, why, severity)
    one = told[0][0]
    return OptionFinding("met", one.text, f"{one.text} is {_bound_words(bound)}", severity)


def _heads(option: OptionReading, end: Quantity) -> Iterator[Quantity]:
    """The option's quantities; where people are counted, 'for 8' and 'seats 8' count them too."""
    for one in option.quantities:
        if one.dimension == "number" and end.unit == "person" and one.name in _COUNTS_PEOPLE:
            yield msgspec.structs.replace(one, dimension="count", unit="person", name="")
        else:
            yield one


def _loosely(option: OptionReading, end: Quantity) -> list[Quantity]:
    """Quantities that likely measure the same, where none is said to.

    Bare numbers beside a price, and the only thing that is counted beside a count:
    'a choir of 45 singers' where 20 performers fit.
    """
    if end.dimension == "money":
        return [_rated_like(one, end) for one in option.prices if one.dimension == "money"]
    if end.dimension not in ("count", "number"):
        return []
    counted = [one for one in option.quantities if one.dimension in ("count", "number")]
    if len(counted) != 1 or counted[0].per or end.per:
        return []
    return [
        msgspec.structs.replace(counted[0], dimension=end.dimension, unit=end.unit, name=end.name)
    ]


def _rated_like(one: Quantity, end: Quantity) -> Quantity:
    """A price as the bound gives it, where only one of the two says what it is for."""
    said = one.per is not None or one.period is not None
    bound_says = end.per is not None or end.period is not None
    if said == bound_says:
        return one
    return msgspec.structs.replace(one, per=end.per, period=end.period)


_COUNTS_PEOPLE = frozenset({"for", "seats", "sleeps", "of", "hosts", "party", "all"})


def _same_dimension(one: Quantity, end: Quantity) -> bool:
    if one.dimension == end.dimension:
        return end.dimension not in ("count", "version", "number") or compare(one, end) is not None
    return compare(one, end) is not None


def _not_told(
    end: Quantity, bound: Bound, rivals: Sequence[Quantity], severity: int
) -> OptionFinding:
    if (
        rivals
        and end.dimension == "money"
        and all(one.unit not in ("", end.unit) for one in rivals)
    ):
        why = (
            f"it gives {rivals[0].text}, the bound is {bound.text}: "
            "amounts in different currencies are not compared"
        )
        return OptionFinding("doubtful", rivals[0].text, why, severity)
    if rivals:
        why = f"it gives {rivals[0].text}, which cannot be held against {bound.text}"
        return OptionFinding("doubtful", rivals[0].text, why, severity)
    return OptionFinding(
        "silent", "", f"it says nothing that {bound.text} could be held against", severity
    )


_NEAR_WORD = regex(r"[A-Za-z][\w-]*")
_NOT_TELLING = word_set("of the a an in on at for to and or is per with each by from")
_TOLD_APART = frozenset({"data", "data rate", "frequency", "power", "voltage", "pixels"})


def _of_attribute(
    rivals: Sequence[Quantity], bound: Bound, constraint: Constraint, option: OptionReading
) -> list[Quantity]:
    """Those of the option's quantities that measure what the bound is about.

    '16 GB of RAM' is not about the SSD: where the words around the quantities
    tell them apart, they decide.
    """
    wanted = set(option.stems(_outside_of(constraint.text, bound)))
    about = [one for one in rivals if wanted.intersection(option.stems(_around(option.text, one)))]
    if about:
        return about
    totals = [one for one in rivals if "total" in _around(option.text, one).lower()]
    if totals:
        return totals
    if bound.quantity.dimension not in _TOLD_APART:
        return list(rivals)
    attribute = _behind(constraint.text, bound.end) or _behind(constraint.text, bound.quantity.end)
    return [one for one in rivals if not attribute or not _behind(option.text, one.end)]


def _outside_of(text: str, bound: Bound) -> str:
    """The telling words of a constraint around its bound."""
    rest = text.replace(bound.text, " ").replace(bound.quantity.text, " ")
    return " ".join(
        word
        for word in _NEAR_WORD.findall(rest)
        if word.lower() not in _NOT_TELLING and len(word) > 2  # noqa: PLR2004 - 'is', 'or'
    )


_REACH = 120


def _around(text: str, quantity: Quantity) -> str:
    """The words of the clause around a quantity, two before it and three behind it."""
    before = re.split(
        r"[,;.()]\s|\band\b|\d", text[max(0, quantity.start - _REACH) : quantity.start]
    )[-1].split()[-2:]
    behind = re.split(r"[,;.()](?:\s|$)|\band\b|\d", text[quantity.end : quantity.end + _REACH])[
        0
    ].split()[:3]
    return " ".join([*before, *behind])


def _behind(text: str, end: int) -> str:
    """The noun that a quantity is of: 'RAM' in '16 GB of RAM'."""
    match = re.match(r"[ ](?:of[ ])?([A-Za-z][\w-]*)", text[end : end + _REACH])
    word = match[1].lower() if match else ""
    return "" if word in _NOT_TELLING else word


def _outside(one: Quantity, bound: Bound) -> str:
    low, high = bound.low, bound.high
    if low is not None and high is not None:
        return f"{one.text} is not between {low.text} and {high.text}"
    if low is not None:
        order = compare(one, low)
        how = "no more than" if order == 0 else "earlier than" if _is_time(one) else "less than"
        return f"{one.text} is {how} {low.text}, where {bound.text} is asked for"
    end = bound.quantity
    order = compare(one, end)
    how = "no less than" if order == 0 else "later than" if _is_time(one) else "more than"
    return f"{one.text} is {how} {end.text}, the most that is allowed"


def _is_time(one: Quantity) -> bool:
    return one.dimension in ("date", "clock", "weekday")


def _bound_words(bound: Bound) -> str:
    return f"within what is asked for ({bound.text})"


def _and(words: Iterator[str]) -> str:
    return " and ".join(words)


def kept_free(bound: Bound, option: OptionReading, severity: int) -> OptionFinding:
    """Finding on a stretch of time that the option must keep out of."""
    for one in option.quantities:
        inside = meets(bound, one)
        if inside:
            why = f"{one.text} is in the time that is ruled out ({bound.text})"
            return OptionFinding("violated", one.text, why, severity)
    told = [one for one in option.quantities if meets(bound, one) is not None]
    if told:
        return OptionFinding(
            "met", told[0].text, f"{told[0].text} is outside {bound.text}", severity
        )
    return OptionFinding(
        "silent", "", f"it does not say when, and {bound.text} is ruled out", severity
    )


def _in_range(ranged: Sequence[tuple[Bound, bool]], value: str, severity: int) -> OptionFinding:
    """Finding on a value that an option demands: 'needs Android 12 or newer'."""
    for bound, fits in ranged:
        if fits:
            return OptionFinding("met", bound.text, f"it takes {value}", severity)
    found = ranged[0][0].text
    why = f"it asks for {found}, and there is {value}"
    return OptionFinding("violated", found, why, severity, named="attribute")


def given(value: Quantity, option: OptionReading, severity: int) -> OptionFinding:
    """Finding on a value that is asked for."""
    name = f"{value.name} " if value.dimension in ("version", "number") and value.name else ""
    ranged = [(bound, fits) for bound in option.bounds if (fits := meets(bound, value)) is not None]
    if ranged:
        return _in_range(ranged, f"{name}{value.text}", severity)
    compared = [
        (one, order) for one in option.quantities if (order := compare(one, value)) is not None
    ]
    fitting = [one for one, order in compared if order == 0]
    if fitting and all(option.denies(one) for one in fitting):
        why = f"it says that there is no {name}{value.text}, which is asked for"
        return OptionFinding("violated", fitting[0].text, why, severity, named="attribute")
    if fitting:
        return OptionFinding("met", fitting[0].text, f"it has {name}{value.text}", severity)
    lower = [one for one, order in compared if order < 0]
    if lower:
        why = f"it has {name}{lower[0].text}, not {name}{value.text}"
        return OptionFinding("violated", lower[0].text, why, severity, named="attribute")
    if compared:
        one = compared[0][0]
        why = (
            f"it has {name}{one.text}, newer or more than {name}{value.text}: whether th"
            f"at will do is not said"
        )
        return OptionFinding("doubtful", one.text, why, severity, named="attribute")
    return OptionFinding(
        "silent", "", f"it does not say whether it has {name}{value.text}", severity
    )

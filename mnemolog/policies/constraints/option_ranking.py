"""Options compared with constraints: what each violates and why, and what is unknown.

An option is blamed only for words of its own: a quantity outside a bound, a thing that is
ruled out, by whatever name, or another value of what is asked for.
"""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from mnemolog.language.lists import word_set
from mnemolog.language.quantities.amounts import Bound, Quantity, compare, meets
from mnemolog.policies.constraints import option_reading
from mnemolog.policies.constraints.constraint import Constraint
from mnemolog.policies.constraints.option_reading import Named, OptionFinding, OptionReading, Topic
from mnemolog.policies.constraints.recognition import RE, Requirement

SEVERITY = {"safety": 3, "cost": 2, "compatibility": 2, "time": 2, "policy": 2, "preference": 1}
"""Severity of violating a constraint, by its class; 2 for any other class."""

_COUNTS_PEOPLE = frozenset({"for", "seats", "sleeps", "of", "hosts", "party", "all"})
_NOT_TELLING = word_set("of the a an in on at for to and or is per with each by from")
_TOLD_APART = frozenset({"data", "data rate", "frequency", "power", "voltage", "pixels"})
_REACH = 120


class Option(msgspec.Struct, frozen=True):
    """Something that may be chosen: its text, and facts that are known of it."""

    text: str
    facts: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        """All that is said of it."""
        return ". ".join([self.text, *self.facts])


def findings_of(
    constraint: Constraint, option: OptionReading, goal: OptionReading, topic: Topic
) -> tuple[OptionFinding, ...]:
    """Findings on an option, one a demand of a constraint, in the order of the demands.

    `goal` is what the options are for. Unless the constraint's `topic` is the same, an option is
    blamed only for naming what is ruled out; to break a bound is suspicious if it is near.
    """
    severity = SEVERITY.get(constraint.constraint_class or "", 2)
    findings = []
    for found in _judged(constraint, option, goal, topic):
        blamed = replace(found, severity=severity)
        if topic != "same" and (found.verdict, found.named) != ("violated", "thing"):
            if found.verdict == "silent" or (topic == "open" and found.named != "attribute"):
                continue
            if found.verdict == "violated":
                why = f"{found.why}, if it is about this as well"
                blamed = replace(blamed, verdict="suspected", why=why)
        findings.append(blamed)
    return tuple(findings)


def _judged(
    constraint: Constraint, option: OptionReading, goal: OptionReading, topic: Topic
) -> Iterator[OptionFinding]:
    for bound in constraint.bounds:
        yield _held(bound, constraint, option)
    for bound in constraint.presumed:
        exact = bound.low is bound.high
        found = _given(bound.quantity, option) if exact else _held(bound, constraint, option)
        # What no word of the statement says leaves a suspicion at most.
        unmet = found.verdict in {"violated", "doubtful"}
        named: Named = "attribute" if unmet else found.named
        yield replace(found, verdict="suspected" if unmet else "met", named=named)
    for bound in constraint.blocked:
        yield _kept_free(bound, option)
    for value in constraint.exact:
        found = _given(value, option)
        if found.verdict == "silent" and value.name:
            # Another thing in the place of what has a version.
            other = option_reading.served(Requirement(value.name, value.text), option)
            found = other if other.verdict == "violated" else found
        yield found
    for exclusion in constraint.exclusions:
        yield option_reading.left_out(exclusion, constraint, (option, goal), topic)
    if constraint.speaks_of:
        yield option_reading.spoken_of(constraint, (option, goal))
    for requirement in constraint.requirements:
        yield option_reading.served(requirement, option)


def _held(bound: Bound, constraint: Constraint, option: OptionReading) -> OptionFinding:
    end = bound.quantity
    alike = end.dimension not in {"count", "version", "number"}
    rivals = [
        one
        for one in _heads(option, end)
        if (alike and one.dimension == end.dimension) or compare(one, end) is not None
    ]
    if not any(compare(one, end) is not None for one in rivals):
        rivals = _loosely(option, end) or rivals
    measured = _of_attribute(rivals, bound, constraint, option)
    told = [(one, fits) for one in measured if (fits := meets(bound, one)) is not None]
    if not told:
        return _not_told(end, bound, rivals)
    outside = next((one for one, fits in told if not fits), None)
    within = f"within what is asked for ({bound.text})"
    if outside is None:
        said = told[0][0].text
        return OptionFinding("met", said, f"{said} is {within}")
    if any(fits for _, fits in told):
        said = " and ".join(one.text for one, _ in told)
        why = f"it says {said}: not all of it is {within}"
        return OptionFinding("doubtful", outside.text, why)
    named: Named = "attribute" if end.dimension == "version" else "nothing"
    return OptionFinding("violated", outside.text, _outside(outside, bound), named=named)


def _heads(option: OptionReading, end: Quantity) -> Iterator[Quantity]:
    """The option's quantities; where people are counted, 'for 8' and 'seats 8' count them too."""
    for one in option.quantities:
        people = one.dimension == "number" and end.unit == "person" and one.name in _COUNTS_PEOPLE
        yield replace(one, dimension="count", unit="person", name="") if people else one


def _loosely(option: OptionReading, end: Quantity) -> list[Quantity]:
    """Quantities that likely measure the same, where none is said to.

    Bare numbers beside a price, and the only thing that is counted beside a count: 'a choir of
    45 singers' where 20 performers fit.
    """
    if end.dimension == "money":
        rated = end.per is not None or end.period is not None
        return [
            one
            if (one.per is not None or one.period is not None) == rated
            else replace(one, per=end.per, period=end.period)
            for one in option.prices
            if one.dimension == "money"
        ]
    if end.dimension not in {"count", "number"}:
        return []
    counted = [one for one in option.quantities if one.dimension in {"count", "number"}]
    if len(counted) != 1 or counted[0].per or end.per:
        return []
    return [replace(counted[0], dimension=end.dimension, unit=end.unit, name=end.name)]


def _not_told(end: Quantity, bound: Bound, rivals: Sequence[Quantity]) -> OptionFinding:
    if not rivals:
        return OptionFinding(
            "silent", "", f"it says nothing that {bound.text} could be held against"
        )
    said = rivals[0].text
    why = f"it gives {said}, which cannot be held against {bound.text}"
    if end.dimension == "money" and all(one.unit not in {"", end.unit} for one in rivals):
        unlike = "amounts in different currencies are not compared"
        why = f"it gives {said}, the bound is {bound.text}: {unlike}"
    return OptionFinding("doubtful", said, why)


def _of_attribute(
    rivals: Sequence[Quantity], bound: Bound, constraint: Constraint, option: OptionReading
) -> Sequence[Quantity]:
    """Those of the quantities that measure what the bound is about, as far as words tell."""
    rest = constraint.text.replace(bound.text, " ").replace(bound.quantity.text, " ")
    words = [word for word in RE.near_word.findall(rest) if word.lower() not in _NOT_TELLING]
    wanted = set(option.stems(" ".join(word for word in words if len(word) > len("is"))))
    about, totals = [], []
    for one in rivals:
        # The words of the clause around it, two before it and three behind it.
        ahead = option.text[max(0, one.start - _REACH) : one.start]
        before = RE.clause_before.split(ahead)[-1].split()[-2:]
        behind = RE.clause_behind.split(option.text[one.end : one.end + _REACH])[0].split()[:3]
        near = " ".join([*before, *behind])
        about += [one] if wanted.intersection(option.stems(near)) else []
        totals += [one] if "total" in near.lower() else []
    if about or totals or bound.quantity.dimension not in _TOLD_APART:
        return about or totals or rivals
    attribute = _behind(constraint.text, bound.end) or _behind(constraint.text, bound.quantity.end)
    return [one for one in rivals if not attribute or not _behind(option.text, one.end)]


def _behind(text: str, end: int) -> str:
    """The noun that a quantity is of: 'RAM' in '16 GB of RAM'."""
    match = RE.of_noun.match(text[end : end + _REACH])
    word = match[1].lower() if match else ""
    return "" if word in _NOT_TELLING else word


def _outside(one: Quantity, bound: Bound) -> str:
    low, end = bound.low, bound.quantity
    if low is not None and bound.high is not None:
        return f"{one.text} is not between {low.text} and {bound.high.text}"
    is_time, equal = one.dimension in {"date", "clock", "weekday"}, compare(one, end) == 0
    if low is not None:
        how = "no more" if equal else "earlier" if is_time else "less"
        return f"{one.text} is {how} than {low.text}, where {bound.text} is asked for"
    how = "no less" if equal else "later" if is_time else "more"
    return f"{one.text} is {how} than {end.text}, the most that is allowed"


def _kept_free(bound: Bound, option: OptionReading) -> OptionFinding:
    told = [(one.text, meets(bound, one)) for one in option.quantities]
    if inside := next((said for said, is_in in told if is_in), None):
        why = f"{inside} is in the time that is ruled out ({bound.text})"
        return OptionFinding("violated", inside, why)
    if outside := next((said for said, is_in in told if is_in is not None), None):
        return OptionFinding("met", outside, f"{outside} is outside {bound.text}")
    return OptionFinding("silent", "", f"it does not say when, and {bound.text} is ruled out")


def _given(value: Quantity, option: OptionReading) -> OptionFinding:
    named = f"{value.name} " if value.dimension in {"version", "number"} and value.name else ""
    asked = f"{named}{value.text}"
    # A value that the option demands: 'needs Android 12 or newer'.
    ranged = [(bound, fits) for bound in option.bounds if (fits := meets(bound, value)) is not None]
    if ranged:
        bound, fits = next((each for each in ranged if each[1]), ranged[0])
        met = OptionFinding("met", bound.text, f"it takes {asked}")
        return met if fits else _other(bound, f"it asks for {bound.text}, and there is {asked}")
    quantities = option.quantities
    compared = [(one, order) for one in quantities if (order := compare(one, value)) is not None]
    if not compared:
        return OptionFinding("silent", "", f"it does not say whether it has {asked}")
    equal = [one for one, order in compared if order == 0]
    if equal and all(map(option.denies, equal)):
        return _other(equal[0], f"it says that there is no {asked}, which is asked for")
    if equal:
        return OptionFinding("met", equal[0].text, f"it has {asked}")
    lower = next((one for one, order in compared if order < 0), None)
    if lower is not None:
        return _other(lower, f"it has {named}{lower.text}, not {asked}")
    said = compared[0][0].text
    why = f"it has {named}{said}, newer or more than {asked}: whether that will do is not said"
    return OptionFinding("doubtful", said, why, named="attribute")


def _other(found: Bound | Quantity, why: str) -> OptionFinding:
    return OptionFinding("violated", found.text, why, named="attribute")

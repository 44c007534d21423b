"""Options held against constraints: what each violates and why, and what cannot be told.

An option is blamed only for words of its own: a quantity outside a bound, a thing
that is ruled out (by its name, another name for it, or as a thing of that kind),
or another value of what is asked for. What it says nothing of is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from mnemolog.language.names.kinds import Knows
from mnemolog.language.quantities.amounts import Quantity
from mnemolog.policies.constraints.constraint import Constraint
from mnemolog.policies.constraints.option_quantities import given, held, kept_free
from mnemolog.policies.constraints.option_things import Topic, left_out, served, spoken_of
from mnemolog.policies.constraints.option_words import OptionReading
from mnemolog.policies.constraints.requirements import Requirement
from mnemolog.policies.constraints.verdicts import OptionFinding

SEVERITY = {"safety": 3, "cost": 2, "compatibility": 2, "time": 2, "policy": 2, "preference": 1}
"""Severity of violating a constraint, by its class; 2 for any other class."""


class Option(msgspec.Struct, frozen=True):
    """Something that may be chosen: its text, and facts that are known of it."""

    text: str
    facts: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        """All that is said of it."""
        return ". ".join([self.text, *self.facts])


def violations(
    constraint: Constraint, option: Option, knows: Knows, goal: str = "", topic: Topic = "open"
) -> tuple[OptionFinding, ...]:
    """Violations of a constraint by an option, with reasons; empty if there are none."""
    found = findings(constraint, option, knows, goal, topic)
    return tuple(one for one in found if one.verdict == "violated")


def findings(
    constraint: Constraint, option: Option, knows: Knows, goal: str = "", topic: Topic = "open"
) -> tuple[OptionFinding, ...]:
    """Findings on an option, one a demand of a constraint, in the order of the demands.

    `goal` is what the options are for. Unless the constraint's `topic` is the
    same, an option is blamed only where it names what is ruled out; a bound that
    it breaks leaves a suspicion where the topic is near, and says nothing where it is open.
    """
    return findings_of(
        constraint, OptionReading(option.whole, knows), OptionReading(goal, knows), topic
    )


def findings_of(
    constraint: Constraint, option: OptionReading, goal: OptionReading, topic: Topic
) -> tuple[OptionFinding, ...]:
    """Findings as of `findings`, on texts that were read already."""
    found = _judged(constraint, option, goal, topic)
    return tuple(one for each in found if (one := _on_topic(each, topic)) is not None)


def _on_topic(found: OptionFinding, topic: Topic) -> OptionFinding | None:
    """A finding as far as the topic lets it count."""
    if topic == "same" or (found.verdict == "violated" and found.named == "thing"):
        return found
    if found.verdict == "silent" or (topic == "open" and found.named != "attribute"):
        return None
    if found.verdict != "violated":
        return found
    return msgspec.structs.replace(
        found, verdict="suspected", why=f"{found.why}, if it is about this as well"
    )


def _judged(
    constraint: Constraint, option: OptionReading, goal: OptionReading, topic: Topic
) -> Iterator[OptionFinding]:
    severity = SEVERITY.get(constraint.constraint_class or "", 2)
    for bound in constraint.bounds:
        yield held(bound, constraint, option, severity)
    for bound in constraint.presumed:
        exact = bound.low is bound.high and bound.low is not None
        yield _presumed(
            given(bound.quantity, option, severity)
            if exact
            else held(bound, constraint, option, severity)
        )
    for bound in constraint.blocked:
        yield kept_free(bound, option, severity)
    for value in constraint.exact:
        yield _given_or_other(value, option, severity)
    for exclusion in constraint.exclusions:
        yield left_out(exclusion, constraint, (option, goal), topic, severity)
    if constraint.speaks_of:
        yield spoken_of(constraint, (option, goal), severity)
    for requirement in constraint.requirements:
        yield served(requirement, option, severity)


def _presumed(found: OptionFinding) -> OptionFinding:
    """Finding on a presumed bound: a suspicion at most."""
    if found.verdict in {"violated", "doubtful"}:
        return msgspec.structs.replace(found, verdict="suspected", named="attribute")
    return msgspec.structs.replace(found, verdict="met")


def _given_or_other(value: Quantity, option: OptionReading, severity: int) -> OptionFinding:
    """Finding on a version that is asked for, or another thing in its place."""
    found = given(value, option, severity)
    if found.verdict != "silent" or not value.name:
        return found
    other = served(Requirement(value.name, value.text), option, severity)
    return other if other.verdict == "violated" else found

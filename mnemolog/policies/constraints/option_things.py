"""Options held against what is ruled out and what is asked for, under whatever name."""

from __future__ import annotations

from datetime import date
from typing import Literal

from mnemolog.language.dates.calendar import WEEKDAYS
from mnemolog.language.morphology import singular
from mnemolog.language.names.kinds import Link, everyday_kinds, everyday_name
from mnemolog.policies.constraints.constraint import Constraint
from mnemolog.policies.constraints.exclusions import Exclusion
from mnemolog.policies.constraints.likeness import is_rare
from mnemolog.policies.constraints.lists import LISTS
from mnemolog.policies.constraints.option_words import OptionName, OptionReading, alternatives_to
from mnemolog.policies.constraints.requirements import Requirement
from mnemolog.policies.constraints.verdicts import OptionFinding, Verdict

Topic = Literal["same", "near", "open"]
"""Topic of a constraint: that of the plan, possibly so, or likely another."""


def left_out(
    exclusion: Exclusion,
    constraint: Constraint,
    readings: tuple[OptionReading, OptionReading],
    topic: Topic,
    severity: int,
) -> OptionFinding:
    """Finding on a thing that is ruled out, under whatever name the option has it."""
    thing = exclusion.thing
    option, goal = readings
    hit = _hit(thing, constraint, option)
    if hit is None:
        return _partly(thing, option, severity)
    words, chain = hit
    if exclusion.context and not (option.holds(exclusion.context) or goal.holds(exclusion.context)):
        doing = " or ".join(exclusion.context)
        is_day = singular(thing) in (*WEEKDAYS, "weekend")
        if is_day and topic != "same":
            said: Verdict = "doubtful" if topic == "near" else "silent"
            return OptionFinding(said, words, f"it says {words}, but nothing of {doing}", severity)
        if not is_day:
            why = f"it speaks of {words}; {thing} with {doing} is ruled out"
            return OptionFinding("doubtful", words, why, severity)
    if topic != "same" and _elsewhere(constraint.text, readings):
        why = f"it names {words}, which is ruled out, if this is about the same place"
        return OptionFinding("doubtful", words, why, severity)
    if not chain:
        why = f"it names {words}, which is ruled out"
        return OptionFinding("violated", words, why, severity, named="thing")
    steps = ", ".join(_step(link) for link in chain)
    why = f"it has {words}; {steps}, and this is ruled out"
    return OptionFinding("violated", words, why, severity, chain, named="thing")


_PLACE = LISTS.pattern("place")


def _elsewhere(text: str, readings: tuple[OptionReading, OptionReading]) -> bool:
    """True if a constraint holds for a place that neither option nor goal mentions."""
    match = _PLACE.search(text)
    if match is None:
        return False
    words = [word for word in (match["where"] or match["whose"]).split() if is_rare(word)]
    return bool(words) and not any(one.holds([word]) for one in readings for word in words)


def _partly(thing: str, option: OptionReading, severity: int) -> OptionFinding:
    """Finding on the word that makes a thing special: 'aisle' of 'aisle seats'."""
    *special, _ = option.stems(thing) or ("",)
    here = option.named(tuple(special)) if special else []
    if any(not name.denied and not name.softened for name in here):
        words = here[0].text
        return OptionFinding("doubtful", words, f"it names {words}; {thing} is ruled out", severity)
    return OptionFinding("met", "", f"nothing in it is known to be {thing}", severity)


def spoken_of(
    constraint: Constraint, readings: tuple[OptionReading, OptionReading], severity: int
) -> OptionFinding:
    """Finding on the words of a constraint of which no more could be read.

    What the goal speaks of as well tells nothing of an option.
    """
    option, goal = readings
    words = [word for word in constraint.speaks_of if not goal.named(goal.stems(word))]
    named = [
        name
        for word in words
        for name in option.named(option.stems(word))
        if not name.denied and not name.softened
    ]
    if constraint.asks:
        if named or not words:
            return OptionFinding(
                "met", named[0].text if named else "", "it is what is asked for", severity
            )
        return OptionFinding("silent", "", f"it says nothing of {' or '.join(words)}", severity)
    if not named:
        return OptionFinding("met", "", "it names nothing that the constraint speaks of", severity)
    why = f"it names {named[0].text}, which the constraint speaks of"
    return OptionFinding("suspected", named[0].text, why, severity)


def _step(link: Link) -> str:
    said = {"ALIAS_OF": "is another name for", "SAME_AS": "is the same as", "CONTAINS": "contains"}
    usual = "counts as" if link.evidence is None else "is a kind of"
    return f"{link.source} {said.get(link.type, usual)} {link.target}"


def _hit(
    thing: str, constraint: Constraint, option: OptionReading
) -> tuple[str, tuple[Link, ...]] | None:
    """The option's words for something, and the steps from them to it; None if there are none."""
    targets: dict[tuple[str, ...], tuple[Link, ...]] = {option.stems(thing): ()}
    for alias in constraint.aliases:
        targets.setdefault(option.stems(alias), (Link(alias.lower(), "ALIAS_OF", thing, None),))
    denied = option.denied
    for stems, chain in targets.items():
        here = [name for name in option.named(stems) if not name.denied]
        if here and not _consumed(here[0], stems, option):
            return here[0].text, chain
    if any(stems in denied for stems in targets):
        # It says that the very thing is not in it: then nothing in it is a thing of that kind.
        return None
    day = _weekday_hit(thing, option)
    if day is not None:
        return day
    return _kind_hit(targets, denied, option)


def _consumed(name: OptionName, stems: tuple[str, ...], option: OptionReading) -> bool:
    """True if a word is only part of the name of another thing: the milk of 'almond milk'."""
    if name.softened:
        return True
    for longer in option.names:
        if len(longer.stems) <= len(stems) or not (
            longer.start <= name.start and name.end <= longer.end
        ):
            continue
        entry = everyday_name(longer.text)
        if entry is not None and not _reaches(entry, stems, option):
            return True
    return False


def _reaches(entry: str, stems: tuple[str, ...], option: OptionReading) -> bool:
    return any(option.stems(known.name) == stems for known in everyday_kinds(entry))


def _weekday_hit(thing: str, option: OptionReading) -> tuple[str, tuple[Link, ...]] | None:
    """A date that falls on a weekday that is ruled out, or a day of a weekend."""
    wanted = {"weekend": (5, 6), "weekday": (0, 1, 2, 3, 4)}.get(
        singular(thing), (WEEKDAYS.index(thing),) if thing in WEEKDAYS else ()
    )
    for one in option.quantities:
        full = one.dimension == "date" and len(one.values) == 3 and one.values[0]  # noqa: PLR2004 - year, month, day
        if full:
            day = date(*map(int, one.values)).weekday()
        elif one.dimension == "weekday":
            day = int(one.amount)
        else:
            continue
        if day in wanted:
            chain = (Link(one.text, "IS_A", WEEKDAYS[day], None),) if full else ()
            return one.text, chain
    return None


def _kind_hit(
    targets: dict[tuple[str, ...], tuple[Link, ...]],
    denied: frozenset[tuple[str, ...]],
    option: OptionReading,
) -> tuple[str, tuple[Link, ...]] | None:
    """A name in the option that is known to be a thing of the kind."""
    kinds_there = {known.name for _, found in option.known for known, _ in found}
    for name, found in option.known:
        if name.denied or name.softened:
            continue
        if "plant milk" in kinds_there and any(one.name == "milk drink" for one, _ in found):
            continue
        for kind, stems in found:
            chain = next(
                (chain for wanted, chain in targets.items() if _within(wanted, stems)), None
            )
            if chain is None or "free" in stems:
                continue
            if any(option.stems(link.target) in denied for link in kind.path):
                continue
            return name.text, (*kind.path, *chain)
    return None


def _within(wanted: tuple[str, ...], stems: tuple[str, ...]) -> bool:
    """True if a kind is named after something: a 'peanut dish' after peanuts."""
    return any(
        stems[first : first + len(wanted)] == wanted
        for first in range(len(stems) - len(wanted) + 1)
    )


def served(requirement: Requirement, option: OptionReading, severity: int) -> OptionFinding:
    """Finding on a thing that is asked for, or another in its place."""
    thing = requirement.thing
    stems = option.stems(thing)
    # A long phrase is known by its last two words as well.
    here = option.named(stems) or option.named(stems[-max(2, len(stems) - 1) :])
    if any(not name.denied for name in here):
        return OptionFinding("met", here[0].text, f"it has {here[0].text}", severity)
    if here:
        why = f"it says that there is no {here[0].text}, which is asked for ({requirement.words})"
        return OptionFinding("violated", here[0].text, why, severity)
    kind = _kind_hit({stems: ()}, option.denied, option)
    if kind is not None:
        return OptionFinding("met", kind[0], f"it has {kind[0]}", severity)
    rival = _rival(thing, option)
    if rival is not None:
        words, chain, common = rival
        why = f"it has {words}, another {common} than {thing}, which is asked for"
        return OptionFinding("violated", words, why, severity, chain, named="attribute")
    return _half_served(thing, stems, option, severity)


def _half_served(
    thing: str, stems: tuple[str, ...], option: OptionReading, severity: int
) -> OptionFinding:
    """Finding on a part of what is asked for: 'DDR4' says enough, 'memory' does not."""
    special = option.named(stems[:-1]) if len(stems) > 1 else []
    if any(not name.denied for name in special):
        return OptionFinding("met", special[0].text, f"it has {special[0].text}", severity)
    if len(stems) > 1 and any(not name.denied for name in option.named(stems[-1:])):
        why = f"it speaks of {thing.rsplit(maxsplit=1)[-1]}, but does not say {thing}"
        return OptionFinding("doubtful", thing.rsplit(maxsplit=1)[-1], why, severity)
    return OptionFinding("silent", "", f"it says nothing of {thing}", severity)


def _rival(thing: str, option: OptionReading) -> tuple[str, tuple[Link, ...], str] | None:
    """Another thing of the same set in the option: its words, how that is known, and the set."""
    wanted = dict(alternatives_to(thing, option.knows))
    for name, common, chain in option.alternatives:
        if common in wanted:
            return name.text, (*wanted[common], *chain), common
    return None

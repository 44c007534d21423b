"""Options held against what is ruled out and what is asked for, under whatever name."""

from collections.abc import Mapping
from datetime import date
from typing import Literal

from mnemolog.language.calendar import WEEKDAYS
from mnemolog.language.entities import Link, everyday_kinds, everyday_name
from mnemolog.language.words.lexicon import singular
from mnemolog.policies.constraints.constraint import Constraint
from mnemolog.policies.constraints.exclusions import Exclusion, Requirement
from mnemolog.policies.constraints.likeness import is_rare
from mnemolog.policies.constraints.option_reading import (
    OptionFinding,
    OptionName,
    OptionReading,
    Stems,
    Verdict,
    alternatives_to,
)
from mnemolog.policies.constraints.recognition import RE

Topic = Literal["same", "near", "open"]
"""Topic of a constraint: that of the plan, possibly so, or likely another."""

_STEPS = {"ALIAS_OF": "is another name for", "SAME_AS": "is the same as", "CONTAINS": "contains"}
_Hit = tuple[str, tuple[Link, ...]]
"""An option's words for something, and the steps from them to it."""


def left_out(
    exclusion: Exclusion,
    constraint: Constraint,
    readings: tuple[OptionReading, OptionReading],
    topic: Topic,
) -> OptionFinding:
    """Finding on a thing that is ruled out, under whatever name the option has it."""
    thing, (option, goal) = exclusion.thing, readings
    hit = _hit(thing, constraint, option)
    if hit is None:
        # The word that makes a thing special: 'aisle' of 'aisle seats'.
        *special, _ = option.stems(thing) or ("",)
        here = option.named(tuple(special)) if special else []
        if any(name.there for name in here):
            why = f"it names {here[0].text}; {thing} is ruled out"
            return OptionFinding("doubtful", here[0].text, why)
        return OptionFinding("met", "", f"nothing in it is known to be {thing}")
    words, chain = hit
    if exclusion.context and not (option.holds(exclusion.context) or goal.holds(exclusion.context)):
        doing = " or ".join(exclusion.context)
        is_day = singular(thing) in (*WEEKDAYS, "weekend")
        if is_day and topic != "same":
            said: Verdict = "doubtful" if topic == "near" else "silent"
            return OptionFinding(said, words, f"it says {words}, but nothing of {doing}")
        if not is_day:
            why = f"it speaks of {words}; {thing} with {doing} is ruled out"
            return OptionFinding("doubtful", words, why)
    why = f"it names {words}, which is ruled out"
    if topic != "same" and _elsewhere(constraint.text, readings):
        why = f"{why}, if this is about the same place"
        return OptionFinding("doubtful", words, why)
    if chain:
        why = f"it has {words}; {', '.join(map(_step, chain))}, and this is ruled out"
    return OptionFinding("violated", words, why, chain=chain, named="thing")


def _elsewhere(text: str, readings: tuple[OptionReading, OptionReading]) -> bool:
    """True if a constraint holds for a place that neither option nor goal mentions."""
    if (match := RE.place.search(text)) is None:
        return False
    words = [word for word in (match["where"] or match["whose"]).split() if is_rare(word)]
    return bool(words) and not any(one.holds(words) for one in readings)


def spoken_of(
    constraint: Constraint, readings: tuple[OptionReading, OptionReading]
) -> OptionFinding:
    """Finding on the words of an otherwise unread constraint, but for those of the goal."""
    option, goal = readings
    words = [word for word in constraint.speaks_of if not goal.named(goal.stems(word))]
    named = [name.text for word in words for name in option.named(option.stems(word)) if name.there]
    if not constraint.asks and named:
        why = f"it names {named[0]}, which the constraint speaks of"
        return OptionFinding("suspected", named[0], why)
    if not constraint.asks:
        why = "it names nothing that the constraint speaks of"
        return OptionFinding("met", "", why)
    if named or not words:
        return OptionFinding("met", "".join(named[:1]), "it is what is asked for")
    return OptionFinding("silent", "", f"it says nothing of {' or '.join(words)}")


def _step(link: Link) -> str:
    usual = "counts as" if link.evidence is None else "is a kind of"
    return f"{link.source} {_STEPS.get(link.type, usual)} {link.target}"


def _hit(thing: str, constraint: Constraint, option: OptionReading) -> _Hit | None:
    """The option's words for something, and the steps from them to it; None if there are none."""
    targets: dict[Stems, tuple[Link, ...]] = {option.stems(thing): ()}
    for alias in constraint.aliases:
        targets.setdefault(option.stems(alias), (Link(alias.lower(), "ALIAS_OF", thing, None),))
    for stems, chain in targets.items():
        here = [name for name in option.named(stems) if not name.denied]
        if here and not _consumed(here[0], stems, option):
            return here[0].text, chain
    if not option.denied.isdisjoint(targets):
        # It says that the very thing is not in it: then nothing in it is a thing of that kind.
        return None
    return _weekday_hit(thing, option) or _kind_hit(targets, option)


def _consumed(name: OptionName, stems: Stems, option: OptionReading) -> bool:
    """True if a word is only part of the name of another thing: the milk of 'almond milk'."""
    if name.softened:
        return True
    longer = (
        one.text
        for one in option.names
        if len(one.stems) > len(stems) and one.start <= name.start and name.end <= one.end
    )
    return any(
        all(option.stems(known.name) != stems for known in everyday_kinds(entry))
        for text in longer
        if (entry := everyday_name(text)) is not None
    )


def _weekday_hit(thing: str, option: OptionReading) -> _Hit | None:
    """A date that falls on a weekday that is ruled out, or a day of a weekend."""
    wanted = {"weekend": (5, 6), "weekday": (0, 1, 2, 3, 4)}.get(
        singular(thing), (WEEKDAYS.index(thing),) if thing in WEEKDAYS else ()
    )
    for one in option.quantities:
        full = one.dimension == "date" and len(one.values) == 3 and one.values[0]  # noqa: PLR2004 - year, month, day
        if not full and one.dimension != "weekday":
            continue
        day = date(*map(int, one.values)).weekday() if full else int(one.amount)
        if day in wanted:
            return one.text, (Link(one.text, "IS_A", WEEKDAYS[day], None),) if full else ()
    return None


def _kind_hit(targets: Mapping[Stems, tuple[Link, ...]], option: OptionReading) -> _Hit | None:
    """A name in the option that is known to be a thing of the kind."""
    plant_milk = any(known.name == "plant milk" for _, found in option.known for known, _ in found)
    for name, found in option.known:
        if not name.there or (plant_milk and any(one.name == "milk drink" for one, _ in found)):
            continue
        for kind, stems in found:
            # A kind may be named after something: a 'peanut dish' after peanuts.
            places = range(len(stems) + 1)
            runs = {stems[one:other] for one in places for other in places[one:]}
            chain = next((steps for wanted, steps in targets.items() if wanted in runs), None)
            if chain is None or "free" in stems:
                continue
            if not any(option.stems(link.target) in option.denied for link in kind.path):
                return name.text, (*kind.path, *chain)
    return None


def served(requirement: Requirement, option: OptionReading) -> OptionFinding:
    """Finding on a thing that is asked for, or another in its place."""
    thing = requirement.thing
    stems = option.stems(thing)
    # A long phrase is known by its last two words as well.
    here = option.named(stems) or option.named(stems[-max(2, len(stems) - 1) :])
    if any(not name.denied for name in here):
        return OptionFinding("met", here[0].text, f"it has {here[0].text}")
    if here:
        why = f"it says that there is no {here[0].text}, which is asked for ({requirement.words})"
        return OptionFinding("violated", here[0].text, why)
    if (kind := _kind_hit({stems: ()}, option)) is not None:
        return OptionFinding("met", kind[0], f"it has {kind[0]}")
    # Another thing of the same set of alternatives.
    wanted = dict(alternatives_to(thing, option.knows))
    for name, common, chain in option.alternatives:
        if common in wanted:
            why = f"it has {name.text}, another {common} than {thing}, which is asked for"
            steps = (*wanted[common], *chain)
            return OptionFinding("violated", name.text, why, chain=steps, named="attribute")
    return _in_part(thing, stems, option)


def _in_part(thing: str, stems: Stems, option: OptionReading) -> OptionFinding:
    """Finding on a part of what is asked for: 'DDR4' says enough, 'memory' does not."""
    special, last = option.named(stems[:-1]) if len(stems) > 1 else [], thing.split()[-1:]
    if any(not name.denied for name in special):
        return OptionFinding("met", special[0].text, f"it has {special[0].text}")
    if len(stems) > 1 and any(not name.denied for name in option.named(stems[-1:])):
        why = f"it speaks of {last[0]}, but does not say {thing}"
        return OptionFinding("doubtful", last[0], why)
    return OptionFinding("silent", "", f"it says nothing of {thing}")

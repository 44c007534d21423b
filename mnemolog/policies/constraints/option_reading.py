"""An option as read: its names, denials and quantities; and findings on the things in it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import product, starmap
from typing import Literal

import msgspec

from mnemolog.language import entities as knowledge
from mnemolog.language.calendar import WEEKDAYS
from mnemolog.language.entities import Known, Knows, Link, everyday_kinds, everyday_name
from mnemolog.language.lists import plain_letters
from mnemolog.language.quantities.amounts import Bound, Quantity
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.quantities.measures import quantities
from mnemolog.language.words.lexicon import singular
from mnemolog.policies.constraints.constraint import Constraint
from mnemolog.policies.constraints.likeness import is_rare
from mnemolog.policies.constraints.recognition import RE, Exclusion, Requirement

# What an option names: the thing ruled out, or an attribute of which another value is asked for.
Named = Literal["nothing", "attribute", "thing"]
# On one demand: `suspected` if the option violates it in case that is about the same, `doubtful`
# if the option speaks of it, but not clearly.
Verdict = Literal["violated", "suspected", "doubtful", "silent", "met"]
Stems = tuple[str, ...]

_LONGEST_NAME = 4
_LONGEST_LIST = 20
_NEAR = 40  # characters in front of a name among which 'vegan' or 'alcohol-free' stands


class OptionFinding(msgspec.Struct, frozen=True):
    """Finding on what an option does to one demand of a constraint.

    `found` are the option's words, `why` is a sentence, `chain` what links the words to the
    thing that is ruled out. `severity` is 1 to 3.
    """

    verdict: Verdict
    found: str
    why: str
    severity: int = 2
    chain: tuple[Link, ...] = ()
    named: Named = "nothing"


class OptionName(msgspec.Struct, frozen=True):
    """A run of words of a text, as stems, and as `parts` with hyphenated words apart."""

    stems: Stems
    parts: Stems
    text: str
    start: int
    end: int
    denied: bool
    softened: bool

    @property
    def there(self) -> bool:
        """True if the text says that it, and no other thing by its name, is there."""
        return not self.denied and not self.softened


class OptionReading:
    """A text with its names, its denials and its quantities, read once."""

    def __init__(self, text: str, knows: Knows) -> None:
        self.text = plain_letters(text)
        self.knows = knows
        self.words = [
            (match[0].lower().removesuffix("'s"), match.start(), match.end())
            for match in RE.option_word.finditer(self.text)
        ]
        self.quantities = quantities(self.text)
        self._denied = self._denied_places()
        self.names = tuple(self._names())

    def stems(self, phrase: str) -> Stems:
        """The stems of a phrase, hyphens as blanks."""
        return tuple(self._stem(word) for word in RE.option_word.findall(phrase.lower()))

    def _stem(self, word: str) -> str:
        return self.knows.stem(singular(word))

    def _denied_places(self) -> bytearray:
        """For each character whether a thing, or a list, that begins there is denied."""
        denied = bytearray(len(self.text))
        for match in RE.before_absent.finditer(self.text):
            end = match.end()
            for _ in range(_LONGEST_LIST):
                if (phrase := RE.denied_phrase.match(self.text, end)) is None:
                    break
                end, more = phrase.end(), RE.listed.match(self.text, phrase.end())
                if more is None or not re.match(r"\s*(?:or|nor|,\s*(?:or|nor|no)\b)", more[0]):
                    break
                end = more.end()
            denied[match.start() : end] = b"\1" * (end - match.start())
        return denied

    def _names(self) -> Iterator[OptionName]:
        """Every run of up to four words, the longer ones first; none across a mark."""
        each = tuple(self._stem(word) for word, _, _ in self.words)
        for length in range(_LONGEST_NAME, 0, -1):
            for first in range(len(self.words) - length + 1):
                run = self.words[first : first + length]
                start, end = run[0][1], run[-1][2]
                if length > 1 and re.search(r"[.,;:!?()]\s", self.text[start:end]):
                    continue
                absent = RE.after_absent.match(self.text[end : end + 20])
                denied = bool(self._denied[start] or absent)
                softened = bool(RE.meatless.search(self.text, max(0, start - _NEAR), start))
                stems, words = each[first : first + length], " ".join(word for word, _, _ in run)
                yield OptionName(stems, _parts(stems), words, start, end, denied, softened)

    def denies(self, quantity: Quantity) -> bool:
        """True if the text says that a quantity is not in it: 'without ISO 27001'."""
        return bool(self._denied[quantity.start])

    def named(self, stems: Stems) -> list[OptionName]:
        """Names with these stems, denied or not."""
        return self._by_parts.get(_parts(stems), [])

    @cached_property
    def _by_parts(self) -> dict[Stems, list[OptionName]]:
        found: dict[Stems, list[OptionName]] = {}
        for name in self.names:
            found.setdefault(name.parts, []).append(name)
        return found

    @cached_property
    def bounds(self) -> tuple[Bound, ...]:
        """Bounds that the option demands: 'requires Python >= 3.10'."""
        return bounds(self.text)

    @cached_property
    def prices(self) -> tuple[Quantity, ...]:
        """Its quantities where bare numbers are prices: '245 per night, breakfast included'."""
        return quantities(self.text, "money")

    @cached_property
    def denied(self) -> frozenset[Stems]:
        """The names that are said not to be in it, as stems."""
        free = {self.stems(word[:-5]) for word, _, _ in self.words if word.endswith("-free")}
        return frozenset(free | {name.stems for name in self.names if name.denied})

    @cached_property
    def known(self) -> tuple[tuple[OptionName, tuple[tuple[Known, Stems], ...]], ...]:
        """The longest names that are known to be something: almond milk is no milk."""
        taken = bytearray(len(self.text))
        found = []
        for name in self.names:
            # Longer ones come first, and the blank between two of them is taken by neither.
            if all(taken[name.start : name.end]):
                continue
            if kinds := knowledge.known_kinds(name.text, self.knows):
                taken[name.start : name.end] = b"\1" * (name.end - name.start)
                found.append((name, tuple((kind, self.stems(kind.name)) for kind in kinds)))
        return tuple(found)

    @cached_property
    def alternatives(self) -> tuple[tuple[OptionName, str, tuple[Link, ...]], ...]:
        """The names in it that are one of a set of alternatives: the set, and how that is known."""
        # Every constraint asks: to look each name up again takes minutes for a long option.
        return tuple(
            (name, common, chain)
            for name in self.names
            if not name.denied
            for common, chain in alternatives_to(name.text, self.knows)
        )

    @cached_property
    def _single(self) -> frozenset[str]:
        return frozenset(name.stems[0] for name in self.names if len(name.stems) == 1)

    def holds(self, words: Sequence[str]) -> bool:
        """True if one of some words is in the text, in whatever form."""
        stems = {stem for word in words for stem in self.stems(word)}
        return not stems.isdisjoint(self._single) or any(
            starmap(_kin, product(stems, self._single))
        )


def alternatives_to(name: str, knows: Knows) -> Iterator[tuple[str, tuple[Link, ...]]]:
    """The sets of alternatives that a name is one of, by what anybody and the memory knows."""
    *first, last = name.lower().split() or [name]
    for form in sorted({name.lower(), singular(name), " ".join([*first, singular(last)])}):
        yield from (
            (alternative, ()) for alternative in knowledge.KINDS.keys_of("contrasts").get(form, ())
        )
    for known in knows.kinds_of(name):
        if len(known.path) == 1 and known.path[0].type in {"IS_A", "INSTANCE_OF"}:
            yield known.name.lower(), known.path


def _parts(stems: Stems) -> Stems:
    return tuple(part for stem in stems for part in stem.split("-"))


def _kin(one: str, other: str) -> bool:
    """True if two stems are forms of one word: 'deploy' and 'deployment'."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) > 3 and longer.startswith(shorter) and len(longer) - len(shorter) < 5  # noqa: PLR2004 - the length of a suffix


Topic = Literal["same", "near", "open"]  # of a constraint: the plan's, possibly so, likely another
_STEPS = {"ALIAS_OF": "is another name for", "SAME_AS": "is the same as", "CONTAINS": "contains"}
_Hit = tuple[str, tuple[Link, ...]]  # an option's words for something, and the steps to it


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
        special = option.stems(thing)[:-1]
        here = option.named(special) if special else []
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
    place = None if topic == "same" else RE.place.search(constraint.text)
    if place is not None:
        where = [word for word in (place["where"] or place["whose"]).split() if is_rare(word)]
        if where and not option.holds(where) and not goal.holds(where):
            return OptionFinding("doubtful", words, f"{why}, if this is about the same place")
    if chain:
        why = f"it has {words}; {', '.join(map(_step, chain))}, and this is ruled out"
    return OptionFinding("violated", words, why, chain=chain, named="thing")


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
    return any(
        all(option.stems(known.name) != stems for known in everyday_kinds(entry))
        for one in option.names
        if len(one.stems) > len(stems) and one.start <= name.start and name.end <= one.end
        if (entry := everyday_name(one.text)) is not None
    )


def _weekday_hit(thing: str, option: OptionReading) -> _Hit | None:
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
    kind = None if here else _kind_hit({stems: ()}, option)
    if kind is not None or any(not name.denied for name in here):
        found = here[0].text if kind is None else kind[0]
        return OptionFinding("met", found, f"it has {found}")
    if here:
        why = f"it says that there is no {here[0].text}, which is asked for ({requirement.words})"
        return OptionFinding("violated", here[0].text, why)
    # Another thing of the same set of alternatives.
    wanted = dict(alternatives_to(thing, option.knows))
    for name, common, chain in option.alternatives:
        if common in wanted:
            why = f"it has {name.text}, another {common} than {thing}, which is asked for"
            steps = (*wanted[common], *chain)
            return OptionFinding("violated", name.text, why, chain=steps, named="attribute")
    # Of what is asked for, 'DDR4' says enough, 'memory' does not.
    special = option.named(stems[:-1])
    if any(not name.denied for name in special):
        return OptionFinding("met", special[0].text, f"it has {special[0].text}")
    if any(not name.denied for name in option.named(stems[-1:])):
        last = thing.split()[-1]
        return OptionFinding("doubtful", last, f"it speaks of {last}, but does not say {thing}")
    return OptionFinding("silent", "", f"it says nothing of {thing}")

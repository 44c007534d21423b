"""Options held against constraints: what each violates and why, and what cannot be told.

An option is blamed only for words of its own: a quantity outside a bound, a thing
that is ruled out (by its name, another name for it, or as a thing of that kind),
or another value of what is asked for. What it says nothing of is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Literal, Protocol

import msgspec

from policies.common_kinds import common_kinds, contrasts, known_names
from policies.constraint_reading import Constraint, Exclusion, Requirement
from policies.quantities import WEEKDAYS, Bound, Quantity, compare, meets, quantities
from policies.units import singular

Topic = Literal["same", "near", "open"]
"""Whether a constraint is about what is planned, may be, or is likely about something else."""

Named = Literal["nothing", "attribute", "thing"]

Verdict = Literal["violated", "doubtful", "silent", "met"]
"""What an option does to one demand: `doubtful` where it speaks of it, but not clearly."""

_LONGEST_NAME = 4
_DEEPEST = 6
SEVERITY = {"safety": 3, "cost": 2, "compatibility": 2, "time": 2, "policy": 2, "preference": 1}
"""How grave it is to violate a constraint of a class; of any other class 2."""


class Link(msgspec.Struct, frozen=True):
    """One step from a name to what it is: `satay IS_A peanut dish`.

    `evidence` is the log position that says so; None for what anybody knows.
    """

    source: str
    type: str
    target: str
    evidence: int | None = None


class Known(msgspec.Struct, frozen=True):
    """Something that a name is known to be, and the steps there."""

    name: str
    path: tuple[Link, ...]


class Knows(Protocol):
    """What is known of words and names."""

    def stem(self, word: str) -> str:
        """The term that a lowercase word comes to."""
        ...

    def kinds_of(self, name: str) -> Sequence[Known]:
        """What a lowercase name is known to be, directly or through others, nearest first."""
        ...


class Option(msgspec.Struct, frozen=True):
    """Something that may be chosen: its text, and facts that are known of it."""

    text: str
    facts: tuple[str, ...] = ()

    @property
    def whole(self) -> str:
        """All that is said of it."""
        return ". ".join([self.text, *self.facts])


class Finding(msgspec.Struct, frozen=True):
    """What an option does to one demand of a constraint.

    `found` are the option's words, `why` is a sentence, `chain` what links the words to the thing
    that is ruled out. `severity` is 1 to 3. `named` is what of the constraint the option names: the thing that is
    ruled out, the attribute that another value is asked for, or nothing.
    """

    verdict: Verdict
    found: str
    why: str
    severity: int
    chain: tuple[Link, ...] = ()
    named: Named = "nothing"


def violations(
    constraint: Constraint, option: Option, knows: Knows, goal: str = "", topic: Topic = "open"
) -> tuple[Finding, ...]:
    """What an option violates of a constraint, and why; empty if it can be blamed for nothing."""
    found = findings(constraint, option, knows, goal, topic)
    return tuple(one for one in found if one.verdict == "violated")


def findings(
    constraint: Constraint, option: Option, knows: Knows, goal: str = "", topic: Topic = "open"
) -> tuple[Finding, ...]:
    """What an option does to each demand of a constraint, in the order of the demands.

    `goal` is what the options are for. Unless the constraint's `topic` is the
    same, an option is blamed only where it names what is ruled out; a bound that
    it breaks leaves a doubt where the topic is near, and says nothing where it is open.
    """
    reading = _Reading(option.whole, knows)
    found = _judged(constraint, reading, _Reading(goal, knows), topic)
    return tuple(one for each in found if (one := _on_topic(each, topic)) is not None)


def _on_topic(found: Finding, topic: Topic) -> Finding | None:
    """A finding as far as the topic lets it count."""
    if topic == "same" or (found.verdict == "violated" and found.named == "thing"):
        return found
    if found.verdict == "silent" or (topic == "open" and found.named != "attribute"):
        return None
    if found.verdict != "violated":
        return found
    return msgspec.structs.replace(
        found, verdict="doubtful", why=f"{found.why}, if it is about this as well"
    )


def _judged(
    constraint: Constraint, option: _Reading, goal: _Reading, topic: Topic
) -> Iterator[Finding]:
    severity = SEVERITY.get(constraint.constraint_class or "", 2)
    for bound in constraint.bounds:
        yield _held(bound, constraint, option, severity)
    for bound in constraint.blocked:
        yield _kept_free(bound, option, severity)
    for value in constraint.exact:
        yield _given(value, option, severity)
    for exclusion in constraint.exclusions:
        yield _left_out(exclusion, constraint, (option, goal), topic, severity)
    for requirement in constraint.requirements:
        yield _served(requirement, option, severity)


# -- the option's words ----------------------------------------------------------------

_WORD = re.compile(r"[A-Za-z\d]+(?:[.+#'-][A-Za-z\d]+)*[+#]*")
_BEFORE_ABSENT = re.compile(
    r"\b(?:no|not|without|zero|non|never|excluding|excludes|except|minus|skip(?:s"
    r"|ping)?|instead of|rather than"
    r"|replac(?:es|ing)|in place of|free of|free from|lacks?|lacking|omit(?:s|ting)?"
    r"|neither|nor|avoid(?:s|ing)?|leaves? out|hold the"
    r"|substitut(?:es|ing)|does not (?:contain|include|use|need|require|have)"
    r"|doesn't (?:contain|include|use|need|require|have)"
    r"|isn't|aren't|contains no|won't|can't|cannot)\s+(?:(?:any|the|a|an|added|use"
    r"|contain|of|on|be|be on|made with|traces of)\s+)*",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?:\s*,\s*(?:or |and |nor )?|\s+(?:or|nor|and)\s+)(?:no\s+)?", re.IGNORECASE)
_AFTER_ABSENT = re.compile(
    r"[- ]free\b|less\b| (?:is |are |was |were )?(?:removed|omitted|left out"
    r"|excluded|replaced|not included|not used|not available|unavailable|out)\b",
    re.IGNORECASE,
)
_MEATLESS = re.compile(
    r"\b(?:vegan|plant-based|plant based|meatless|meat-free|dairy-free|non-dairy"
    r"|veggie|mock|imitation|vegetarian|faux|alcohol-free|non-alcoholic|virgin"
    r"|sugar-free|lactose-free|decaf(?:feinated)?|gluten-free|egg-free|nut-free"
    r"|soy-free)\s+$",
    re.IGNORECASE,
)


class _Name(msgspec.Struct, frozen=True):
    """A run of words of a text, as stems: where it stands, and whether it is denied there."""

    stems: tuple[str, ...]
    text: str
    start: int
    end: int
    denied: bool
    softened: bool


class _Reading:
    """A text with its names, its denials and its quantities, read once."""

    def __init__(self, text: str, knows: Knows) -> None:
        self.text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        self.knows = knows
        self.words = [
            (match[0].lower().removesuffix("'s"), match.start(), match.end())
            for match in _WORD.finditer(self.text)
        ]
        self.quantities = quantities(self.text)
        self._absent = self._denied_spans()
        self.names = tuple(self._names())

    def stems(self, phrase: str) -> tuple[str, ...]:
        """The stems of a phrase, hyphens as blanks."""
        return tuple(self._stem(word) for word in _WORD.findall(phrase.lower()))

    def _stem(self, word: str) -> str:
        return self.knows.stem(singular(word))

    def _denied_spans(self) -> list[tuple[int, int]]:
        """Where a thing is said not to be: up to three words behind a denial, and its list."""
        spans = []
        for match in _BEFORE_ABSENT.finditer(self.text):
            end = match.end()
            while True:
                phrase = re.match(
                    r"[\w'-]+(?: (?!but\b|with\b|and\b|or\b|nor\b|only\b|is\b|are\b"
                    r"|in\b|on\b|at\b)[\w'-]+){0,2}",
                    self.text[end:],
                )
                if phrase is None:
                    break
                end += phrase.end()
                more = _LISTED.match(self.text, end)
                if more is None or not re.match(r"\s*(?:or|nor|,\s*(?:or|nor|no)\b)", more[0]):
                    break
                end = more.end()
            spans.append((match.start(), end))
        return spans

    def _names(self) -> Iterator[_Name]:
        """Every run of up to four words, the longer ones first; none across a mark."""
        for length in range(_LONGEST_NAME, 0, -1):
            for first in range(len(self.words) - length + 1):
                run = self.words[first : first + length]
                start, end = run[0][1], run[-1][2]
                if length > 1 and re.search(r"[.,;:!?()]\s", self.text[start:end]):
                    continue
                denied = any(a <= start < b for a, b in self._absent)
                behind = self.text[end : end + 20]
                denied = denied or (_AFTER_ABSENT.match(behind) is not None)
                yield _Name(
                    tuple(self._stem(word) for word, _, _ in run),
                    " ".join(word for word, _, _ in run),
                    start,
                    end,
                    denied,
                    _MEATLESS.search(self.text[:start]) is not None,
                )

    def named(self, stems: tuple[str, ...]) -> list[_Name]:
        """Where these stems stand one after another, denied or not."""
        wanted = tuple(part for stem in stems for part in stem.split("-"))
        return [
            name
            for name in self.names
            if tuple(part for stem in name.stems for part in stem.split("-")) == wanted
        ]

    def holds(self, words: Sequence[str]) -> bool:
        """Whether one of some words is in the text, in whatever form."""
        there = {stem for name in self.names if len(name.stems) == 1 for stem in name.stems}
        return any(
            stem in there or any(_kin(stem, other) for other in there)
            for word in words
            for stem in self.stems(word)
        )


def _kin(one: str, other: str) -> bool:
    """Whether two stems are forms of one word: 'deploy' and 'deployment'."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) > 3 and longer.startswith(shorter) and len(longer) - len(shorter) < 5  # noqa: PLR2004 - the length of a suffix


# -- quantities ------------------------------------------------------------------------


def _held(bound: Bound, constraint: Constraint, option: _Reading, severity: int) -> Finding:
    """Whether the option's quantities keep within a bound."""
    end = bound.quantity
    rivals = [one for one in _heads(option, end) if _same_dimension(one, end)]
    measured = _of_attribute(rivals, bound, constraint, option)
    judged = [(one, meets(bound, one)) for one in measured]
    told = [(one, answer) for one, answer in judged if answer is not None]
    if not told:
        return _not_told(end, bound, rivals, severity)
    outside = [one for one, answer in told if not answer]
    if outside and len(outside) == len(told):
        one = outside[0]
        named: Named = "attribute" if end.dimension == "version" else "nothing"
        return Finding("violated", one.text, _outside(one, bound), severity, named=named)
    if outside:
        why = f"it says {_and(one.text for one, _ in told)}: not all of it is {_bound_words(bound)}"
        return Finding("doubtful", outside[0].text, why, severity)
    one = told[0][0]
    return Finding("met", one.text, f"{one.text} is {_bound_words(bound)}", severity)


def _heads(option: _Reading, end: Quantity) -> Iterator[Quantity]:
    """The option's quantities; where people are counted, 'for 8' and 'seats 8' count them too."""
    for one in option.quantities:
        if one.dimension == "number" and end.unit == "person" and one.name in _COUNTS_PEOPLE:
            yield msgspec.structs.replace(one, dimension="count", unit="person", name="")
        else:
            yield one


_COUNTS_PEOPLE = frozenset({"for", "seats", "sleeps", "of", "hosts", "party", "all"})


def _same_dimension(one: Quantity, end: Quantity) -> bool:
    if one.dimension == end.dimension:
        return end.dimension not in ("count", "version", "number") or compare(one, end) is not None
    return compare(one, end) is not None


def _not_told(end: Quantity, bound: Bound, rivals: Sequence[Quantity], severity: int) -> Finding:
    if (
        rivals
        and end.dimension == "money"
        and all(one.unit not in ("", end.unit) for one in rivals)
    ):
        why = (
            f"it gives {rivals[0].text}, the bound is {bound.text}: "
            "amounts in different currencies are not compared"
        )
        return Finding("doubtful", rivals[0].text, why, severity)
    if rivals:
        why = f"it gives {rivals[0].text}, which cannot be held against {bound.text}"
        return Finding("doubtful", rivals[0].text, why, severity)
    return Finding(
        "silent", "", f"it says nothing that {bound.text} could be held against", severity
    )


_NEAR_WORD = re.compile(r"[A-Za-z][\w-]*")
_NOT_TELLING = frozenset("of the a an in on at for to and or is per with each by from".split())
_TOLD_APART = frozenset({"data", "data rate", "frequency", "power", "voltage", "pixels"})


def _of_attribute(
    rivals: Sequence[Quantity], bound: Bound, constraint: Constraint, option: _Reading
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


def _around(text: str, quantity: Quantity) -> str:
    """The words of the clause around a quantity, two before it and three behind it."""
    before = re.split(r"[,;.()]\s|\band\b|\d", text[: quantity.start])[-1].split()[-2:]
    behind = re.split(r"[,;.()](?:\s|$)|\band\b|\d", text[quantity.end :])[0].split()[:3]
    return " ".join([*before, *behind])


def _behind(text: str, end: int) -> str:
    """The noun that a quantity is of: 'RAM' in '16 GB of RAM'."""
    match = re.match(r"[ ](?:of[ ])?([A-Za-z][\w-]*)", text[end:])
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


def _kept_free(bound: Bound, option: _Reading, severity: int) -> Finding:
    """Whether the option keeps out of a stretch of time."""
    for one in option.quantities:
        inside = meets(bound, one)
        if inside:
            why = f"{one.text} is in the time that is ruled out ({bound.text})"
            return Finding("violated", one.text, why, severity)
    told = [one for one in option.quantities if meets(bound, one) is not None]
    if told:
        return Finding("met", told[0].text, f"{told[0].text} is outside {bound.text}", severity)
    return Finding("silent", "", f"it does not say when, and {bound.text} is ruled out", severity)


def _given(value: Quantity, option: _Reading, severity: int) -> Finding:
    """Whether the option has the value that is asked for."""
    name = f"{value.name} " if value.dimension in ("version", "number") and value.name else ""
    compared = [
        (one, order) for one in option.quantities if (order := compare(one, value)) is not None
    ]
    fitting = [one for one, order in compared if order == 0]
    if fitting:
        return Finding("met", fitting[0].text, f"it has {name}{value.text}", severity)
    lower = [one for one, order in compared if order < 0]
    if lower:
        why = f"it has {name}{lower[0].text}, not {name}{value.text}"
        return Finding("violated", lower[0].text, why, severity, named="attribute")
    if compared:
        one = compared[0][0]
        why = (
            f"it has {name}{one.text}, newer or more than {name}{value.text}: whether th"
            f"at will do is not said"
        )
        return Finding("doubtful", one.text, why, severity, named="attribute")
    return Finding("silent", "", f"it does not say whether it has {name}{value.text}", severity)


# -- things ----------------------------------------------------------------------------


def _left_out(
    exclusion: Exclusion,
    constraint: Constraint,
    readings: tuple[_Reading, _Reading],
    topic: Topic,
    severity: int,
) -> Finding:
    """Whether something that is ruled out is in the option, under whatever name."""
    thing = exclusion.thing
    option, goal = readings
    hit = _hit(thing, constraint, option)
    if hit is None:
        return Finding("met", "", f"nothing in it is known to be {thing}", severity)
    words, chain = hit
    if exclusion.context and not (option.holds(exclusion.context) or goal.holds(exclusion.context)):
        doing = " or ".join(exclusion.context)
        is_day = singular(thing) in (*WEEKDAYS, "weekend")
        if is_day and topic != "same":
            said = "doubtful" if topic == "near" else "silent"
            return Finding(said, words, f"it says {words}, but nothing of {doing}", severity)
        if not is_day:
            why = f"it speaks of {words}; {thing} with {doing} is ruled out"
            return Finding("doubtful", words, why, severity)
    if not chain:
        why = f"it names {words}, which is ruled out"
        return Finding("violated", words, why, severity, named="thing")
    steps = ", ".join(_step(link) for link in chain)
    why = f"it has {words}; {steps}, and this is ruled out"
    return Finding("violated", words, why, severity, chain, named="thing")


def _step(link: Link) -> str:
    said = {"ALIAS_OF": "is another name for", "SAME_AS": "is the same as", "CONTAINS": "contains"}
    usual = "counts as" if link.evidence is None else "is a kind of"
    return f"{link.source} {said.get(link.type, usual)} {link.target}"


def _hit(
    thing: str, constraint: Constraint, option: _Reading
) -> tuple[str, tuple[Link, ...]] | None:
    """The option's words for something, and the steps from them to it; None if there are none."""
    targets = {option.stems(thing): ()}
    for alias in constraint.aliases:
        targets.setdefault(option.stems(alias), (Link(alias.lower(), "ALIAS_OF", thing, None),))
    denied = {name.stems for name in option.names if name.denied}
    denied |= {option.stems(word[:-5]) for word, _, _ in option.words if word.endswith("-free")}
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


def _consumed(name: _Name, stems: tuple[str, ...], option: _Reading) -> bool:
    """Whether a word is only part of the name of another thing: the milk of 'almond milk'."""
    if name.softened:
        return True
    for longer in option.names:
        if len(longer.stems) <= len(stems) or not (
            longer.start <= name.start and name.end <= longer.end
        ):
            continue
        entry = _entry(longer.text)
        if entry is not None and not _reaches(entry, stems, option):
            return True
    return False


def _reaches(entry: str, stems: tuple[str, ...], option: _Reading) -> bool:
    return any(option.stems(known.name) == stems for known in _common(entry))


def _weekday_hit(thing: str, option: _Reading) -> tuple[str, tuple[Link, ...]] | None:
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
    denied: set[tuple[str, ...]],
    option: _Reading,
) -> tuple[str, tuple[Link, ...]] | None:
    """A name in the option that is known to be a thing of the kind."""
    taken: list[tuple[int, int]] = []
    has_plant_milk = any(
        known.name == "plant milk"
        for name in option.names
        if not name.denied and (entry := _entry(name.text)) is not None
        for known in _common(entry)
    )
    for name in option.names:
        if any(start <= name.start and name.end <= end for start, end in taken):
            continue
        known = known_kinds(name.text, option.knows)
        if not known:
            continue
        if has_plant_milk and any(one.name == "milk drink" for one in known):
            continue
        taken.append((name.start, name.end))
        if name.denied or name.softened:
            continue
        for kind in known:
            stems = option.stems(kind.name)
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
    """Whether a kind is named after something: a 'peanut dish' after peanuts."""
    return any(
        stems[first : first + len(wanted)] == wanted
        for first in range(len(stems) - len(wanted) + 1)
    )


def known_kinds(name: str, knows: Knows) -> list[Known]:
    """What a name is: by what the memory knows first, then by what anybody knows of that."""
    found: dict[str, Known] = {}
    for one in knows.kinds_of(name):
        found.setdefault(one.name.lower(), one)
    for start in [Known(name, ()), *found.values()]:
        entry = _entry(start.name.lower())
        for one in _common(entry) if entry is not None else ():
            found.setdefault(one.name, Known(one.name, (*start.path, *one.path)))
    return list(found.values())


def _entry(name: str) -> str | None:
    """The name under which everyday knowledge holds a thing; None if it does not."""
    known = known_names()
    *first, last = name.split() or [""]
    for form in (name, " ".join([*first, singular(last)])):
        if form in known:
            return form
    return None


def _common(entry: str) -> Iterator[Known]:
    """The kinds of an everyday thing, nearest first."""
    ahead = [Known(entry, ())]
    seen = {entry}
    while ahead:
        one = ahead.pop(0)
        for kind in common_kinds().get(one.name, ()):
            if kind not in seen and len(one.path) < _DEEPEST:
                seen.add(kind)
                further = Known(kind, (*one.path, Link(one.name, "IS_A", kind)))
                yield further
                ahead.append(further)


def _served(requirement: Requirement, option: _Reading, severity: int) -> Finding:
    """Whether the option has what is asked for, or has another thing in its place."""
    thing = requirement.thing
    stems = option.stems(thing)
    here = (
        option.named(stems) or option.named(stems[-2:]) if len(stems) > 2 else option.named(stems)
    )  # noqa: PLR2004 - a long phrase is known by its end
    if any(not name.denied for name in here):
        return Finding("met", here[0].text, f"it has {here[0].text}", severity)
    if here:
        why = f"it says that there is no {here[0].text}, which is asked for ({requirement.words})"
        return Finding("violated", here[0].text, why, severity)
    rival = _rival(thing, option)
    if rival is not None:
        words, chain, common = rival
        why = f"it has {words}, another {common} than {thing}, which is asked for"
        return Finding("violated", words, why, severity, chain, named="attribute")
    if len(stems) > 1 and any(not name.denied for name in option.named(stems[-1:])):
        why = f"it speaks of {thing.split()[-1]}, but does not say {thing}"
        return Finding("doubtful", thing.split()[-1], why, severity)
    return Finding("silent", "", f"it says nothing of {thing}", severity)


def _rival(thing: str, option: _Reading) -> tuple[str, tuple[Link, ...], str] | None:
    """Another thing of the same set in the option: its words, how that is known, and the set."""
    wanted = {name: chain for name, chain in _sets(thing, option.knows)}
    taken: list[tuple[int, int]] = []
    for name in option.names:
        if name.denied or any(a <= name.start and name.end <= b for a, b in taken):
            continue
        for common, chain in _sets(name.text, option.knows):
            if common in wanted:
                taken.append((name.start, name.end))
                return name.text, (*wanted[common], *chain), common
    return None


def _sets(name: str, knows: Knows) -> Iterator[tuple[str, tuple[Link, ...]]]:
    """The sets of alternatives that a name is one of, by what anybody and the memory knows."""
    words = name.lower().split()
    forms = {
        name.lower(),
        singular(name),
        " ".join([*words[:-1], singular(words[-1])]) if words else name,
    }
    for form in sorted(forms):
        for common in contrasts().get(form, ()):
            yield common, ()
    for known in knows.kinds_of(name):
        if len(known.path) == 1 and known.path[0].type in ("IS_A", "INSTANCE_OF"):
            yield known.name.lower(), known.path

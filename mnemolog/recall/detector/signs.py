"""Signs in a prompt that it asks for something remembered, or that it does not.

A sign's weight is what it adds to the log-odds: 1 is weak, 2 plain, 3 strong and
4 nearly decides. They are round and were chosen by what the words mean. Signs of
one group say the same in other words, so only the strongest of a group counts.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from mnemolog.language.lists import word_set
from mnemolog.language.patterns import regex
from mnemolog.recall.detector.phrases import LISTS, Group, phrases
from mnemolog.recall.detector.wording import PromptName, Wording, opening_verb

_DEFINITE = LISTS.pattern("definite")
_POSSESSED = regex(r"\b(?:my|the|a) ([\w'-]+(?: [\w'-]+)?)")
_OF_ANOTHER = LISTS.pattern("of_another")
_THING_MEANT = LISTS.pattern("thing_meant")
_NUMBER = LISTS.pattern("number")
_OF_SOMETHING = regex(r"\S+ of\b.*")
_AT_HOME = LISTS.pattern("at_home")
_RELATIVE = LISTS.pattern("relative")

PASSAGE = 60
"""From how many words on what is told is taken for the text that is asked about."""


class Sign(msgspec.Struct, frozen=True):
    """A sign, what it adds to the log-odds of recall, and the words that gave it."""

    group: Group
    weight: float
    words: str


def signs(prompt: Wording) -> list[Sign]:
    """The strongest sign of each group, the heaviest first."""
    strongest: dict[Group, Sign] = {}
    for sign in _all_signs(prompt):
        other = strongest.get(sign.group)
        if other is None or abs(sign.weight) > abs(other.weight):
            strongest[sign.group] = sign
    return sorted(strongest.values(), key=lambda sign: -abs(sign.weight))


def _all_signs(prompt: Wording) -> Iterator[Sign]:
    for phrase in phrases():
        if phrase.needs and phrase.needs.isdisjoint(prompt.words):
            continue
        found = phrase.pattern.search(prompt.whole if phrase.part == "whole" else prompt.asked)
        if found:
            yield Sign(phrase.group, phrase.weight, found[0].strip())
    for name in prompt.names:
        weight = _weight_of_name(name)
        if weight:
            yield Sign("a person", weight, name.words)
    yield from _of_life(prompt)
    yield from _of_work(prompt)
    yield from _of_service_and_world(prompt)
    yield from _of_tasks(prompt)


def _weight_of_name(name: PromptName) -> float:
    """Weight of a name: high if the memory knows it, low if it looks like a famous one."""
    does = name.before in _BEFORE_ONE_WHO_DOES
    has = (
        name.possessive
        or name.before in LISTS.words("before_one_who_is")
        or name.after in LISTS.words("after_one_who_does")
    )
    match name.standing:
        case "known":
            return 4.0
        case "given":
            return 3.5 if has or does else 2.5
        case "full":
            return 0.5
        case "bare":
            return 2.0 if does else 1.0 if has else 0.0


def _of_life(prompt: Wording) -> Iterator[Sign]:
    """Signs that people and their private lives are asked about."""
    people = prompt.words & LISTS.words("people_of_ones_own")
    if people:
        owned = not prompt.words.isdisjoint(_OWNERS)
        yield Sign("private life", 1.5 if owned else 1.0, min(people))
    someone = next((name for name in prompt.names if name.standing != "full"), None)
    if someone and not prompt.words.isdisjoint(_OF_SOMEONE):
        yield Sign("private life", 1.5, someone.words)
    home = _AT_HOME.search(prompt.asked)
    if home:
        yield Sign("private life", 2.0, home[0])
    relatives = prompt.words & LISTS.words("parents_by_name")
    if relatives and _RELATIVE.search(prompt.asked):
        yield Sign("private life", 2.5, min(relatives))
    life = prompt.words & LISTS.words("private_life")
    if life:
        yield Sign("private life", 1.0, min(life))


def _definite(prompt: Wording) -> frozenset[str]:
    """The words that follow 'the', 'our' and the like, but for 'the … of' something."""
    return frozenset(
        word
        for found in _DEFINITE.findall(prompt.asked)
        for word in _OF_SOMETHING.sub("", found).split()
    )


def _of_work(prompt: Wording) -> Iterator[Sign]:
    """Signs that work is asked about which asker and asked share, or what someone said."""
    named = _definite(prompt)
    shared = named & LISTS.words("shared_work") | named & LISTS.words("roles")
    if shared:
        yield Sign("work at hand", 3.0 if len(shared) > 1 else 2.0, " ".join(sorted(shared)))
    thing = _THING_MEANT.search(prompt.asked)
    if thing and not prompt.capitals:
        # Whose thing it is goes without saying; general knowledge would name it.
        yield Sign("work at hand", 2.0, thing[0])
    said = prompt.words & LISTS.words("saying")
    if said and _OF_ANOTHER.search(prompt.asked):
        yield Sign("what was said", 2.0, min(said))


def _of_service_and_world(prompt: Wording) -> Iterator[Sign]:
    """Signs that a service's support is asked, or general knowledge."""
    service = prompt.words & LISTS.words("service")
    own = not prompt.words.isdisjoint(_ASKER)
    of_others = any(name.standing in {"known", "given"} for name in prompt.names)
    if service and (own or not of_others):
        possessed = _POSSESSED.findall(prompt.whole)
        theirs = any(not LISTS.words("service").isdisjoint(found.split()) for found in possessed)
        yield Sign("a service", -3.0 if theirs else -2.0, min(service))
    world = prompt.words & LISTS.words("world")
    if world:
        # Who asks of their own asks of no general knowledge, whatever its subject.
        yield Sign("general knowledge", -0.5 if own else -1.5, min(world))


def _of_tasks(prompt: Wording) -> Iterator[Sign]:
    """Signs that something is to be made, or that the prompt brings what it asks about."""
    verb = opening_verb(prompt.whole)
    if verb in {"suggest", "recommend"}:
        # Advice may rest on what is remembered of the asker, if they speak of themselves.
        yield Sign("a task", -2.0, verb)
    elif verb in LISTS.words("making"):
        yield Sign("a task", -4.0, verb)
    elif verb in LISTS.words("fetching"):
        yield Sign("a task", -1.0, verb)
    if not prompt.asked:
        yield Sign("telling", -3.0, "nothing is asked")
    elif not prompt.told:
        return
    elif prompt.told.count(" ") >= PASSAGE:
        yield Sign("telling", -4.0, "a passage and a question")
    elif any(name.words.lower() in prompt.told for name in prompt.names) or (
        "how" in prompt.words and len(_NUMBER.findall(prompt.told)) > 1
    ):
        yield Sign("telling", -5.0, "what is asked about is told")
    else:
        yield Sign("telling", -1.5, "a question after news")


_ASKER = word_set("i i'm i've my me we our us")
_OWNERS = word_set("my our his her their")
_OF_SOMEONE = word_set("his her their he she")
_BEFORE_ONE_WHO_DOES = word_set("did does do didn't doesn't don't has have had hasn't")

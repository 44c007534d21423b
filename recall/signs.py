"""Signs in a prompt that it asks for something remembered, or that it does not.

A sign's weight is what it adds to the log-odds: 1 is weak, 2 plain, 3 strong and
4 nearly decides. They are round and were chosen by what the words mean. Signs of
one group say the same in other words, so only the strongest of a group counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from recall.lexicon import (
    FETCHING,
    MAKING,
    PEOPLE_OF_ONES_OWN,
    PRIVATE_LIFE,
    ROLES,
    SAYING,
    SERVICE,
    SHARED_WORK,
    WORLD,
    words,
)
from recall.phrases import phrases
from recall.sign_groups import Group
from recall.wording import Name, Wording

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


def _weight_of_name(name: Name) -> float:
    """What a name adds: much if the memory knows it, little if it looks like a famous one."""
    does = name.before in _BEFORE_ONE_WHO_DOES
    has = name.possessive or name.before in _BEFORE_ONE_WHO_IS or name.after in _AFTER_ONE_WHO_DOES
    match name.standing:
        case "known":
            return 4.0
        case "given":
            return 3.5 if has or does else 2.5
        case "full":
            return 1.0 if has or does else 0.5
        case "bare":
            return 2.0 if does else 1.0 if has else 0.0


def _of_life(prompt: Wording) -> Iterator[Sign]:
    """Signs that people and their private lives are asked about."""
    people = prompt.words & PEOPLE_OF_ONES_OWN
    if people:
        owned = not prompt.words.isdisjoint(_OWNERS)
        yield Sign("private life", 1.5 if owned else 1.0, min(people))
    if prompt.names and not prompt.words.isdisjoint(_OF_SOMEONE):
        yield Sign("private life", 1.5, prompt.names[0].words)
    life = prompt.words & PRIVATE_LIFE
    if life:
        yield Sign("private life", 1.0, min(life))


def _of_work(prompt: Wording) -> Iterator[Sign]:
    """Signs that work is asked about which asker and asked share, or what someone said."""
    patterns = _patterns()
    shared = {
        word
        for found in patterns.definite.findall(prompt.asked)
        for word in found.split()
        if word in SHARED_WORK or word in ROLES
    }
    if shared:
        yield Sign("work at hand", 3.0 if len(shared) > 1 else 2.0, " ".join(sorted(shared)))
    said = prompt.words & SAYING
    if said and patterns.of_another.search(prompt.asked):
        yield Sign("what was said", 1.5, min(said))


def _of_service_and_world(prompt: Wording) -> Iterator[Sign]:
    """Signs that a service's support is asked, or general knowledge."""
    service = prompt.words & SERVICE
    own = not prompt.words.isdisjoint(_ASKER)
    of_others = any(name.standing in {"known", "given"} for name in prompt.names)
    if service and (own or not of_others):
        possessed = _patterns().possessed.findall(prompt.whole)
        theirs = any(not SERVICE.isdisjoint(found.split()) for found in possessed)
        yield Sign("a service", -3.0 if theirs else -2.0, min(service))
    world = prompt.words & WORLD
    if world:
        # Who asks of their own asks of no general knowledge, whatever its subject.
        yield Sign("general knowledge", -0.5 if own else -1.5, min(world))


def _of_tasks(prompt: Wording) -> Iterator[Sign]:
    """Signs that something is to be made, or that the prompt brings what it asks about."""
    verb = _opening_verb(prompt.whole)
    if verb in {"suggest", "recommend"}:
        # Advice may rest on what is remembered of the asker, if they speak of themselves.
        yield Sign("a task", -2.0, verb)
    elif verb in MAKING:
        yield Sign("a task", -4.0, verb)
    elif verb in FETCHING:
        yield Sign("a task", -1.0, verb)
    if not prompt.asked:
        yield Sign("telling", -2.0, "nothing is asked")
    elif not prompt.told:
        return
    elif prompt.told.count(" ") >= PASSAGE:
        yield Sign("telling", -4.0, "a passage and a question")
    elif any(name.words.lower() in prompt.told for name in prompt.names) or (
        "how" in prompt.words and len(_patterns().number.findall(prompt.told)) > 1
    ):
        yield Sign("telling", -4.0, "what is asked about is told")
    else:
        yield Sign("telling", -1.5, "a question after news")


def _opening_verb(whole: str) -> str:
    """The word that a request begins with, past what is said for politeness."""
    for word in whole.split():
        bare = word.strip(",.!:")
        if bare not in _POLITE:
            return bare
    return ""


class _Patterns(msgspec.Struct, frozen=True):
    definite: re.Pattern[str]
    possessed: re.Pattern[str]
    of_another: re.Pattern[str]
    number: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    saying = "|".join(sorted(SAYING))
    return _Patterns(
        definite=re.compile(
            r"\b(?:the|that|this|my|our|his|her|their|which|last|next|latest|open|\w+'s) "
            r"(?=([\w'+.-]+(?: [\w'+.-]+){0,2}))"
        ),
        possessed=re.compile(r"\b(?:my|the|a) ([\w'-]+(?: [\w'-]+)?)"),
        of_another=re.compile(
            rf"\b(?:did|does|do|has|have|had) (?:[\w'-]+ ){{1,4}}?(?:{saying})\b"
        ),
        number=re.compile(r"\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|twice|half)\b"),
    )


_ASKER = words("i i'm i've my me we our us")
_OWNERS = words("my our his her their")
_OF_SOMEONE = words("his her their he she")
_BEFORE_ONE_WHO_DOES = words("did does do didn't doesn't don't has have had hasn't")
_BEFORE_ONE_WHO_IS = words(
    """is are was were isn't wasn't will would can could should might and or
    dr dr. mr mr. mrs mrs. ms ms. aunt uncle cousin coach attorney"""
)
_AFTER_ONE_WHO_DOES = words(
    """had has did does is was said says wants wanted likes liked went got made gave told bought
    will would can could started mentioned"""
)
_POLITE = words(
    """please kindly now then also hey hi ok okay can could would will you i'd like i want need to
    help me let's so and just"""
)

"""Exclusions: the things that a sentence rules out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from mnemolog.language.lists import word_set
from mnemolog.language.names.kinds import diets
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.bounds import bounds
from mnemolog.policies.constraints.lists import LISTS
from mnemolog.policies.constraints.things import (
    content_words,
    days_named,
    free_of,
    noun_phrases,
)


class Exclusion(msgspec.Struct, frozen=True):
    """Something ruled out; where `context` has words, only together with one of them."""

    thing: str
    context: tuple[str, ...] = ()


_ALLERGIC = LISTS.pattern("allergic")
_ALLERGY = LISTS.pattern("allergy")
_DENIED = LISTS.pattern("denied")
_AVOIDED = LISTS.pattern("avoided")
_NONE_OF = LISTS.pattern("none_of")
_BANNED = LISTS.pattern("banned")
_KEPT_AWAY = regex(r"\bkeep (?P<things>.+?) (?:away|out|off)\b", re.IGNORECASE)
_MAKES_ILL = LISTS.pattern("makes_ill")
_SUCH_AS = LISTS.pattern("such_as")
_SHUT = LISTS.pattern("shut")
_NOT_TO_BE = LISTS.pattern("not_to_be")
_DIET = LISTS.pattern("diet")


def exclusions(sentence: str) -> Iterator[Exclusion]:
    """Exclusions of a sentence."""
    for pattern in (_ALLERGIC, _ALLERGY, _AVOIDED):
        for match in pattern.finditer(sentence):
            yield from _ruled_out(match["things"])
    for match in _NONE_OF.finditer(sentence):
        yield from _none_of(match["things"])
    for pattern in (_BANNED, _KEPT_AWAY, _MAKES_ILL):
        found = pattern.search(sentence)
        if found is None or bounds(found["things"]):
            continue
        words = re.split(r"[:,]\s", found["things"])[-1]
        if "without" not in words.split():
            when = _ON_DAYS.match(sentence[found.end() :])
            yield from _none_of(words) if when is None else _ruled_out(words + when[0])
    yield from _shut_or_not_done(sentence)
    yield from map(Exclusion, free_of(sentence))
    yield from _of_diet(sentence)
    for match in _DENIED.finditer(sentence):
        yield from _denied(match["verb"].lower(), match["things"])


_ON_DAYS = LISTS.pattern("on_days")
_MAY = LISTS.pattern("may")


def _none_of(words: str) -> Iterator[Exclusion]:
    """Exclusions of 'no': all of a thing, or only such as is with, from or by something.

    'No service may log addresses' rules out what nobody may do, not the service.
    """
    doing = _MAY.match(words)
    if doing is not None:
        yield from _denied(doing["verb"].lower(), doing["things"])
        return
    narrowed = _SUCH_AS.match(words)
    if narrowed is None or days_named(words):
        yield from _ruled_out(words)
        return
    context = tuple(content_words(narrowed["which"].lower()))
    for thing in noun_phrases(narrowed["things"]):
        yield Exclusion(thing, context)
    if narrowed["how"].lower() != "with":
        for name in re.findall(r"\b[A-Z][\w-]+", narrowed["which"]):
            yield Exclusion(name.lower())


def _shut_or_not_done(sentence: str) -> Iterator[Exclusion]:
    """Days on which something is shut, and what is not to be done with a thing."""
    for match in _SHUT.finditer(sentence):
        yield from (Exclusion(day) for day in days_named(match["days"]))
    for match in _NOT_TO_BE.finditer(sentence):
        for thing in noun_phrases(match["things"]):
            yield Exclusion(thing, (match["done"],))


def _of_diet(sentence: str) -> Iterator[Exclusion]:
    for match in _DIET.finditer(sentence):
        for thing in diets()[match["diet"].lower()]:
            yield Exclusion(thing)


def _ruled_out(words: str) -> Iterator[Exclusion]:
    """Things of a list, each ruled out; days that follow narrow them."""
    days = days_named(words)
    things = list(noun_phrases(words))
    if days and things:
        context = tuple(word for thing in things for word in content_words(thing))
        yield from (Exclusion(day, context) for day in days)
        return
    for thing in things or days:
        yield Exclusion(thing)


def _denied(verb: str, words: str) -> Iterator[Exclusion]:
    """Exclusions of 'never' or 'do not' with a verb.

    With a place or a way given, only there and so: keys may be put elsewhere
    than in the repository.
    """
    if verb in _GIVING:
        words = _RECEIVER.sub("", words)
    if bounds(f"{verb} {words}") and not days_named(words):
        # What is denied is the amount, not the thing.
        return
    days = days_named(words)
    things = list(noun_phrases(words)) if words.strip() else []
    light = verb in LISTS.words("light")
    if days:
        doing = [] if verb in _NOTHING_DONE else [verb]
        context = tuple(word for one in (doing, *map(content_words, things)) for word in one)
        yield from (Exclusion(day, context) for day in days)
        return
    if things:
        where = None if light else _WHERE.search(words)
        place = (
            []
            if where is None
            else [w for one in noun_phrases(where[1]) for w in content_words(one)]
        )
        for thing in things:
            yield Exclusion(thing, () if light else tuple(place) or (verb,))
        return
    behind = re.match(
        r"(?:to|in|on|at|with|from|into|by|for|near|through)\s+(?P<things>.+)",
        words.strip(),
        re.IGNORECASE,
    )
    if behind is not None:
        for thing in noun_phrases(behind["things"]):
            yield Exclusion(thing, () if light else (verb,))


_NOTHING_DONE = word_set("be do have get take come want use like need prefer")
_GIVING = word_set("give serve offer bring send prescribe feed get buy cook order book")
_RECEIVER = LISTS.pattern("receiver")
_WHERE = regex(r"\b(?:in|into|on|to|via|by|through|over|inside)\s+(.+)", re.IGNORECASE)


def distinct(exclusions: Iterable[Exclusion]) -> tuple[Exclusion, ...]:
    """Each thing once; without a context where one reading has none."""
    best: dict[str, Exclusion] = {}
    for one in exclusions:
        if one.thing not in best or (best[one.thing].context and not one.context):
            best[one.thing] = one
    return tuple(best.values())

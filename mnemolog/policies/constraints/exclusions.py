"""Exclusions and requirements: the things that a sentence rules out, and those it asks for."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from mnemolog.language.calendar import WEEKDAYS
from mnemolog.language.entities import KINDS
from mnemolog.language.lists import word_set
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.words.lexicon import singular
from mnemolog.policies.constraints.recognition import LISTS, RE

_DAYS = (*WEEKDAYS, "weekend")
_LONGEST_PHRASE = 4
_NOTHING_DONE = word_set("be do have get take come want use like need prefer")
_GIVING = word_set("give serve offer bring send prescribe feed get buy cook order book")


class Exclusion(msgspec.Struct, frozen=True):
    """Something ruled out; where `context` has words, only together with one of them."""

    thing: str
    context: tuple[str, ...] = ()


class Requirement(msgspec.Struct, frozen=True):
    """Something asked for: what it is, and the words that ask for it."""

    thing: str
    words: str


def exclusions(sentence: str) -> Iterator[Exclusion]:
    """Exclusions of a sentence."""
    named = (
        match for one in (RE.allergic, RE.allergy, RE.avoided) for match in one.finditer(sentence)
    )
    for match in named:
        yield from _ruled_out(match["things"])
    for match in RE.none_of.finditer(sentence):
        yield from _none_of(match["things"])
    for pattern in (RE.banned, RE.kept_away, RE.makes_ill):
        found = pattern.search(sentence)
        if found is None or bounds(found["things"]):
            continue
        words = re.split(r"[:,]\s", found["things"])[-1]
        if "without" not in words.split():
            when = RE.on_days.match(sentence[found.end() :])
            yield from _none_of(words) if when is None else _ruled_out(words + when[0])
    for match in RE.shut.finditer(sentence):
        yield from map(Exclusion, _days_named(match["days"]))
    for match in RE.not_to_be.finditer(sentence):
        yield from _each(match["things"], (match["done"],))
    yield from map(Exclusion, _free_of(sentence))
    for match in RE.diet.finditer(sentence):
        yield from map(Exclusion, KINDS.table("diets")[match["diet"].lower()])
    for match in RE.denied.finditer(sentence):
        yield from _denied(match["verb"].lower(), match["things"])


def _each(words: str, context: tuple[str, ...] = ()) -> Iterator[Exclusion]:
    return (Exclusion(thing, context) for thing in _noun_phrases(words))


def _none_of(words: str) -> Iterator[Exclusion]:
    """Exclusions of 'no': all of a thing, only such as is with something, or what it may not do."""
    if (doing := RE.may.match(words)) is not None:
        yield from _denied(doing["verb"].lower(), doing["things"])
        return
    narrowed = RE.such_as.match(words)
    if narrowed is None or _days_named(words):
        yield from _ruled_out(words)
        return
    yield from _each(narrowed["things"], tuple(_content_words(narrowed["which"].lower())))
    if narrowed["how"].lower() != "with":
        for name in re.findall(r"\b[A-Z][\w-]+", narrowed["which"]):
            yield Exclusion(name.lower())


def _ruled_out(words: str) -> Iterator[Exclusion]:
    """Things of a list, each ruled out; days that follow narrow them."""
    days, things = _days_named(words), list(_noun_phrases(words))
    context = tuple(word for thing in things for word in _content_words(thing)) if days else ()
    return (Exclusion(one, context) for one in (days or things))


def _denied(verb: str, words: str) -> Iterator[Exclusion]:
    """Exclusions of 'never' with a verb; with a place or a way given, only there and so."""
    words = RE.receiver.sub("", words) if verb in _GIVING else words
    days, things = _days_named(words), list(_noun_phrases(words)) if words.strip() else []
    light = verb in LISTS.words("light")
    if bounds(f"{verb} {words}") and not days:
        # What is denied is the amount, not the thing.
        return
    if days:
        doing = [] if verb in _NOTHING_DONE else [verb]
        context = tuple(word for one in (doing, *map(_content_words, things)) for word in one)
        yield from (Exclusion(day, context) for day in days)
    elif things:
        where = None if light else RE.where.search(words)
        phrases = () if where is None else _noun_phrases(where[1])
        place = tuple(word for one in phrases for word in _content_words(one))
        yield from (Exclusion(thing, () if light else place or (verb,)) for thing in things)
    elif (behind := RE.behind.match(words.strip())) is not None:
        yield from _each(behind["things"], () if light else (verb,))


def distinct(exclusions: Iterable[Exclusion]) -> tuple[Exclusion, ...]:
    """Each thing once; without a context where one reading has none."""
    best: dict[str, Exclusion] = {}
    for one in exclusions:
        if one.thing not in best or (best[one.thing].context and not one.context):
            best[one.thing] = one
    return tuple(best.values())


@cache
def _wordings() -> tuple[re.Pattern[str], ...]:
    return LISTS.patterns("requirements")


def requirements(sentence: str) -> Iterator[Requirement]:
    """The things that a sentence asks for."""
    for pattern in _wordings():
        for match in pattern.finditer(sentence):
            if RE.denied_before.search(sentence[: match.start()]) is not None:
                continue
            asked = list(_noun_phrases(match["things"]))
            for thing in asked:
                if _without_general_head(thing) in asked or any(_free_of(thing)):
                    continue
                if not re.search(r"\d", thing) or re.search(r"[a-z]-?\d|-", thing):
                    yield Requirement(thing, match[0].strip(" .!"))


def _noun_phrases(words: str) -> Iterator[str]:
    """The noun phrases of a list, in lowercase, without articles and what follows them."""
    text = RE.inside.sub("", re.sub(r"\([^)]*\)", " ", words))
    for part in RE.list_marks.split(text):
        cut, *rest = RE.np_end.split(f" {part}", maxsplit=1)
        thing = RE.leading.sub("", cut.strip().lower()).strip(" .,!?'\"-")
        short = len(thing.split()) <= _LONGEST_PHRASE and thing not in LISTS.words("vague")
        if thing and short and singular(thing) not in _DAYS:
            yield thing
            if (bare := _without_general_head(thing)) is not None:
                yield bare
        if rest:
            return


def _without_general_head(thing: str) -> str | None:
    """'gpl' of 'gpl libraries': the last word only says what sort of thing it is."""
    *first, last = thing.split()
    return " ".join(first) if first and singular(last) in LISTS.words("general_heads") else None


def _days_named(words: str) -> list[str]:
    """The weekdays, and 'weekend', that words name, in the order of the week."""
    low = words.lower()
    return [day for day in _DAYS if day in low and re.search(rf"\b{day}s?\b", low)]


def _content_words(thing: str) -> list[str]:
    """The words of a noun phrase that say something."""
    return [word for word in re.findall(r"[\w+#-]+", thing) if word not in LISTS.words("vague")]


def _free_of(words: str) -> Iterator[str]:
    """The things that words say something is free of: 'gluten' of 'gluten-free'."""
    found = (match["things"].lower() for match in RE.free_from.finditer(words))
    return (thing for thing in found if thing not in LISTS.words("not_free"))

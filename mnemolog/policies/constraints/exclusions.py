"""What a sentence rules out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from mnemolog.language.names.common_kinds import DIETS
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.word_lists import word_set
from mnemolog.policies.constraints.things import (
    DENIAL,
    FREE,
    NOT_FREE,
    content_words,
    days_named,
    noun_phrases,
)


class Exclusion(msgspec.Struct, frozen=True):
    """Something ruled out; where `context` has words, only together with one of them."""

    thing: str
    context: tuple[str, ...] = ()


_LIGHT = word_set(
    "use using eat eats drink drinks have take takes serve buy order include recomm"
    "end suggest book offer"
    " add give give feed be touch consume tolerate handle get choose pick propose i"
    "nstall wear prescribe"
    " administer accept allow allowed contain bring receive purchase adopt eating d"
    "rinking support fit like"
    " fed has had house keep hold host stand bear do work given want need enjoy love prefer"
    " ship install deploy run depend rely import hire rent visi"
    "t adopt pull"
)
_ALLERGIC = regex(
    r"\b(?:allerg(?:ic|y|ies)|intoleran(?:t|ce)|sensitiv(?:e|ity)|anaphyla\w+"
    r"|reacts?(?: badly| strongly| violently)?|hives|rash(?:es)?|migraines?|cramps"
    r"|sick|ill|shock|reaction) (?:to|of|from|after) (?P<things>.+)",
    re.IGNORECASE,
)
_ALLERGY = regex(
    r"(?P<things>[\w-]+(?: (?:and|or) [\w-]+)?)[ -](?:allerg(?:y|ies)|intoleran(?:t|ce))\b",
    re.IGNORECASE,
)
_DENIED = regex(
    rf"\b{DENIAL}\s+(?:ever\s+|be\s+|to\s+)?(?P<verb>[a-z-]+)\s*(?P<things>.*)", re.IGNORECASE
)
_AVOIDED = regex(
    r"\b(?:avoid(?:s|ing)?|stay away from|(?:stay|keep|lay)s? off|cuts? out"
    r"|steer clear of|keep away from"
    r"|incompatible with|not compatible with|n't compatible with"
    r"|does not support|doesn't support|do not support|don't support|(?:must"
    r"|should) be free (?:of|from)|rules? out|off limits:"
    r"|contraindicated (?:with|for|in)|(?:refrains?|desists?) from(?: using)?|bans|forbids?"
    r"|prohibits?|disallows?|outlaws?|blacklists|vetoes|(?:has|have) (?:banned|forbidden"
    r"|blacklisted|vetoed|prohibited|outlawed)|under no circumstances (?:use|buy|order"
    r"|run)|except|anything but|abstains? from|skips?) (?P<things>.+)",
    re.IGNORECASE,
)
_NONE_OF = regex(
    r"(?:^|[,:;.]\s*|\b(?:with|and|has|have|eats?|there (?:is|are)|absolutely"
    r"|strictly|so|serves?|uses?|gives?|offers?|takes?|contains?|includes?|adds?"
    r"|brings?|wants?|allows?|buys?|orders?|puts?|drinks?|accepts?)\s)no (?!more\b"
    r"|less\b|later\b|longer\b|fewer\b|earlier\b|one\b|matter\b)(?P<things>.+)",
    re.IGNORECASE,
)
_BANNED = regex(
    r"^(?P<things>.+?)\s+(?:is|are)\s+(?:strictly |absolutely )?(?:not (?:allowed"
    r"|permitted|an option|acceptable|okay|ok|tolerated|possible)|out|a no-go|taboo"
    r"|no option|forbidden|prohibited|banned"
    r"|off[- ]limits|off the table|out of the question|ruled out|toxic|poisonous"
    r"|dangerous|harmful|fatal|deadly|contraindicated|excluded|unacceptable)",
    re.IGNORECASE,
)
_KEPT_AWAY = regex(r"\bkeep (?P<things>.+?) (?:away|out|off)\b", re.IGNORECASE)
_MAKES_ILL = regex(
    r"^(?:.*[:,] )?(?P<things>.+?) (?:makes?|gives?|triggers?|causes?"
    r"|sends?) (?:[A-Za-z]+ ){1,3}?(?:very |badly |violently )?(?:ill|sick|unwell"
    r"|nauseous"
    r"|palpitations|nausea|\w+ ?aches?|pains?|diarrh?oe?a|swelling|bloating|insomnia"
    r"|hives|migraines?|headaches?|rash(?:es)?|seizures?|attacks?|itch\w*|into shock"
    r"|cramps|heartburn|reactions?)\b",
    re.IGNORECASE,
)
_SUCH_AS = regex(
    r"(?P<things>(?:[\w-]+ ){1,3})(?P<how>with|from|via|through|under|using|by) "
    r"(?P<which>[^.,;!?]+)",
    re.IGNORECASE,
)
_SHUT = regex(
    r"\b(?:closed|away|unavailable|busy|not (?:available|open|free|reachable)) (?:on |every |all )?"
    r"(?P<days>(?:mon|tues|wednes|thurs|fri|satur|sun|week)\w*(?:(?:, | and | or )\w+days?)*)",
    re.IGNORECASE,
)
_NOT_TO_BE = regex(
    r"^(?P<things>[\w -]{2,40}?) (?:is|are) (?:not|never) to be (?P<done>[a-z]+)\b"
    r"(?! (?:before|after|until|over|above|more|on|by)\b)",
    re.IGNORECASE,
)
_DIET = regex(rf"\b(?P<diet>{'|'.join(DIETS)})s?\b", re.IGNORECASE)


def exclusions(sentence: str) -> Iterator[Exclusion]:
    """What a sentence rules out."""
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
    for match in FREE.finditer(sentence):
        if match["things"].lower() not in NOT_FREE:
            yield Exclusion(match["things"].lower())
    yield from _of_diet(sentence)
    for match in _DENIED.finditer(sentence):
        yield from _denied(match["verb"].lower(), match["things"])


_ON_DAYS = regex(
    r" (?:on|every|over) (?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?)"
    r"(?:(?:, | and | or )\w+days?)*",
    re.IGNORECASE,
)
_MAY = regex(
    r"(?:[\w-]+ ){1,3}?(?:may|can|must|should|shall|is allowed to|are allowed to|gets? to) "
    r"(?:ever |be )?(?P<verb>[a-z-]+)\s*(?P<things>.*)",
    re.IGNORECASE,
)


def _none_of(words: str) -> Iterator[Exclusion]:
    """What 'no' rules out: all of a thing, or only such as is with, from or by something.

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
        for thing in DIETS[match["diet"].lower()]:
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
    """What 'never' or 'do not' with a verb rules out.

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
    light = verb in _LIGHT
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
_RECEIVER = regex(
    r"^(?:[A-Z][a-z]+|him|her|them|us|me|(?:my|our|his|the) \w+) (?=\w)(?!(?:in|on|at|to)\b)"
)
_WHERE = regex(r"\b(?:in|into|on|to|via|by|through|over|inside)\s+(.+)", re.IGNORECASE)


def distinct(exclusions: Iterable[Exclusion]) -> tuple[Exclusion, ...]:
    """Each thing once; without a context where one reading has none."""
    best: dict[str, Exclusion] = {}
    for one in exclusions:
        if one.thing not in best or (best[one.thing].context and not one.context):
            best[one.thing] = one
    return tuple(best.values())

"""What a sentence rules out and what it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from ledger.patterns import regex
from policies.limits.common_kinds import DIETS
from policies.quantities.amounts import WEEKDAYS
from policies.quantities.bounds import bounds
from policies.quantities.units import singular
from policies.statements.word_lists import word_set


class Exclusion(msgspec.Struct, frozen=True):
    """Something ruled out; where `context` has words, only together with one of them."""

    thing: str
    context: tuple[str, ...] = ()


class Requirement(msgspec.Struct, frozen=True):
    """Something asked for: what it is, and the words that ask for it."""

    thing: str
    words: str


_NP_END = regex(
    r"[.](?!\d)|[,;:!?()]|\s[-\N{EN DASH}\N{EM DASH}]\s|\s(?:because|since|as|so|due"
    r"|for|when|while|if|unless|until|during|after|before|in|on|at"
    r"|with|without|that|which|who|to|from|by|but|than|under|over|per|into|onto"
    r"|between|within|through|via|even|at all"
    r"|whatsoever|any ?more|either|please|though|although|is|are|was|must|should|can"
    r"|will|may|has|have|outside"
    r"|instead|of any kind|anywhere|ever)\b",
    re.IGNORECASE,
)
_LIST = regex(
    r"\s*,\s*(?:and |or |nor )?|\s+(?:and/or|and|or|nor|&|as well as)\s+|\s*/\s*", re.IGNORECASE
)
_INSIDE = regex(
    r"^\s*(?:anything|everything|any|all)?\s*(?:foods?|dish(?:es)?|meals?|products?"
    r"|recipes?|things?|drinks?|snacks?)?\s*"
    r"(?:with|containing|made (?:with|from|of)|(?:licensed )?under|from|by"
    r"|that (?:contains?|has|have)|based on)\s+",
    re.IGNORECASE,
)
_LEADING = regex(
    r"^(?:(?:the|a|an|any|all|some|more|other|every|each|our|my|his|her|their|its"
    r"|your|of|to|in|with|on|using|use|and|or"
    r"|anything|eating|drinking|having|taking|touching|using|contact with|products?"
    r"|foods?|things?|made|containing|contains?|kinds?|types?|such|most|both|only"
    r"|also|from|be)\s+)+",
    re.IGNORECASE,
)
_LIGHT = word_set(
    "use using eat eats drink drinks have take takes serve buy order include recomm"
    "end suggest book offer"
    " add give give feed be touch consume tolerate handle get choose pick propose i"
    "nstall wear prescribe"
    " administer accept allow allowed contain bring receive purchase adopt eating d"
    "rinking support fit like"
    " stand bear do work given ship install deploy run depend rely import hire rent visi"
    "t adopt pull"
)
_DENIAL = (
    r"(?:must ?n[o']t|must never|should not|should never|shouldn't|shall not|may not"
    r"|can ?not|can't|are not to|is not to"
    r"|is not allowed to|are not allowed to|isn't allowed to|aren't allowed to"
    r"|not supposed to|do not|don't|does not"
    r"|doesn't|never|won't|will not|no longer|not be)"
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
    rf"\b{_DENIAL}\s+(?:ever\s+|be\s+|to\s+)?(?P<verb>[a-z-]+)\s*(?P<things>.*)", re.IGNORECASE
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
_FREE = regex(r"\b(?P<things>[a-z]+)[- ]free\b", re.IGNORECASE)
_SUCH_AS = regex(
    r"(?P<things>(?:[\w-]+ ){1,3})(?P<how>with|from|via|through) (?P<which>[^.,;!?]+)",
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
_NOT_FREE = word_set(
    "hands step stress care debt duty toll rent free barrier scot worry smoke royalty"
)
_DIET = regex(rf"\b(?P<diet>{'|'.join(DIETS)})s?\b", re.IGNORECASE)

_REQUIRED = (
    regex(
        r"\b(?:requires?|needs?|insists? on|demands?|depends? on|relies on"
        r"|is limited to|are limited to|is restricted to)\s+(?!to\b"
        r"|not\b)(?P<things>.+)",
        re.IGNORECASE,
    ),
    regex(
        r"\b(?:must|has to|have to|needs? to|need to|should|shall"
        r"|ought to)\s+(?:always\s+|only\s+|at least\s+)?(?:be|have|use|support"
        r"|run(?: on| under)?|include|provide|offer|come with|contain|fit|accept"
        r"|stay(?: on| in| within| inside)?|be run on|work with|allow)\s+(?!not\b|no\b"
        r"|never\b)(?P<things>.+)",
        re.IGNORECASE,
    ),
    regex(
        r"\b(?:only|exclusively|solely)\s+(?:ever\s+)?(?:works?|runs?|fits?"
        r"|supports?|accepts?|compatible|eats?|drinks?|flies|fly|uses?|using|use"
        r"|available|book|buy|takes?|take|serve|deploy|stays?|travels?|wears?"
        r"|order)\s+(?:with|on|in|under|from|by|to)?\s*(?P<things>.+)",
        re.IGNORECASE,
    ),
    regex(
        r"\b(?:works?|runs?|fits?|supports?|accepts?|eats?|drinks?|flies|uses?"
        r"|available|sold|served?|coffee|tea|comes?|travels?)\s+(?:only"
        r"|exclusively)\s+(?:with|on|in|under|from|by|to)?\s*(?P<things>.+)",
        re.IGNORECASE,
    ),
    regex(r"\bonly\s+(?:with|on|under|in|by)\s+(?P<things>.+)", re.IGNORECASE),
    regex(
        r"\b(?:accepts?|takes?|supports?|runs?(?: on)?|uses?|eats?|drinks?|allows?|fits?|reads?"
        r"|works? with) nothing (?:but|except|other than)\s+(?P<things>.+)",
        re.IGNORECASE,
    ),
    regex(r"\b(?:has|have) only (?P<things>[\w-]*[A-Z\d-][\w-]*(?: [a-z]+)?)"),
    regex(
        r"^(?:please )?always (?:use|book|buy|order|serve|choose|pick|take|deploy on"
        r"|run)\s+(?P<things>.+)",
        re.IGNORECASE,
    ),
    regex(
        r"(?:^|[:;,]\s*)(?P<things>(?!not\b|if\b)[\w+#.-]+(?: [\w+#.-]+){0,2}) only[.!]?$",
        re.IGNORECASE,
    ),
    regex(
        r"\bonly\s+\w+s\s+(?:over|via|with|on|through|from|in|by)\s+(?P<things>.+)", re.IGNORECASE
    ),
    regex(
        r"\b(?:accepts?|takes?|supports?|uses?|has|wants?|works? with"
        r"|runs? on)\s+(?P<things>[\w+#-]+(?: [\w+#-]+)?)\s+only\b(?! (?:with|on|in"
        r"|by|from|via|over|under|at)\b)",
        re.IGNORECASE,
    ),
)


def exclusions(sentence: str) -> Iterator[Exclusion]:
    """What a sentence rules out."""
    for pattern in (_ALLERGIC, _ALLERGY, _AVOIDED):
        for match in pattern.finditer(sentence):
            yield from _ruled_out(match["things"])
    for match in _NONE_OF.finditer(sentence):
        yield from _none_of(match["things"])
    for pattern in (_BANNED, _KEPT_AWAY, _MAKES_ILL):
        found = pattern.search(sentence)
        if found is not None and not bounds(found["things"]):
            yield from _ruled_out(re.split(r"[:,]\s", found["things"])[-1])
    yield from _shut_or_not_done(sentence)
    for match in _FREE.finditer(sentence):
        if match["things"].lower() not in _NOT_FREE:
            yield Exclusion(match["things"].lower())
    yield from _of_diet(sentence)
    for match in _DENIED.finditer(sentence):
        yield from _denied(match["verb"].lower(), match["things"])


def _none_of(words: str) -> Iterator[Exclusion]:
    """What 'no' rules out: all of a thing, or only such as is with, from or by something."""
    narrowed = _SUCH_AS.match(words)
    if narrowed is None or _days(words):
        yield from _ruled_out(words)
        return
    context = tuple(_content(narrowed["which"].lower()))
    for thing in _things(narrowed["things"]):
        yield Exclusion(thing, context)
    if narrowed["how"].lower() != "with":
        for name in re.findall(r"\b[A-Z][\w-]+", narrowed["which"]):
            yield Exclusion(name.lower())


def _shut_or_not_done(sentence: str) -> Iterator[Exclusion]:
    """Days on which something is shut, and what is not to be done with a thing."""
    for match in _SHUT.finditer(sentence):
        yield from (Exclusion(day) for day in _days(match["days"]))
    for match in _NOT_TO_BE.finditer(sentence):
        for thing in _things(match["things"]):
            yield Exclusion(thing, (match["done"],))


def _of_diet(sentence: str) -> Iterator[Exclusion]:
    for match in _DIET.finditer(sentence):
        for thing in DIETS[match["diet"].lower()]:
            yield Exclusion(thing)


def _ruled_out(words: str) -> Iterator[Exclusion]:
    """Things of a list, each ruled out; days that follow narrow them."""
    days = _days(words)
    things = list(_things(words))
    if days and things:
        context = tuple(word for thing in things for word in _content(thing))
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
    if bounds(f"{verb} {words}") and not _days(words):
        # What is denied is the amount, not the thing.
        return
    days = _days(words)
    things = list(_things(words)) if words.strip() else []
    light = verb in _LIGHT
    if days:
        doing = [] if verb in _NOTHING_DONE else [verb]
        context = tuple(word for one in (doing, *map(_content, things)) for word in one)
        yield from (Exclusion(day, context) for day in days)
        return
    if things:
        where = None if light else _WHERE.search(words)
        place = [] if where is None else [w for one in _things(where[1]) for w in _content(one)]
        for thing in things:
            yield Exclusion(thing, () if light else tuple(place) or (verb,))
        return
    behind = re.match(
        r"(?:to|in|on|at|with|from|into|by|for|near|through)\s+(?P<things>.+)",
        words.strip(),
        re.IGNORECASE,
    )
    if behind is not None:
        for thing in _things(behind["things"]):
            yield Exclusion(thing, () if light else (verb,))


_NOTHING_DONE = word_set("be do have get take come")
_GIVING = word_set("give serve offer bring send prescribe feed get buy cook order book")
_RECEIVER = regex(
    r"^(?:[A-Z][a-z]+|him|her|them|us|me|(?:my|our|his|the) \w+) (?=\w)(?!(?:in|on|at|to)\b)"
)
_WHERE = regex(r"\b(?:in|into|on|to|via|by|through|over|inside)\s+(.+)", re.IGNORECASE)


def requirements(sentence: str) -> Iterator[Requirement]:
    """What a sentence asks for."""
    for pattern in _REQUIRED:
        for match in pattern.finditer(sentence):
            denied = re.search(
                rf"\b{_DENIAL}\s+(?:\w+\s+)?$", sentence[: match.start()], re.IGNORECASE
            )
            if denied is not None:
                continue
            asked = list(_things(match["things"]))
            for thing in asked:
                if _without_general_head(thing) in asked:
                    continue
                if (match_free := _FREE.search(thing)) and match_free["things"] not in _NOT_FREE:
                    continue
                if not re.search(r"\d", thing) or re.search(r"[a-z]-?\d|-", thing):
                    yield Requirement(thing, match[0].strip(" .!"))


def _things(words: str) -> Iterator[str]:
    """The noun phrases of a list, in lowercase, without articles and what follows them."""
    text = _INSIDE.sub("", re.sub(r"\([^)]*\)", " ", words))
    parts = _LIST.split(text)
    for part in parts:
        cut = _NP_END.split(" " + part, maxsplit=1)[0]
        thing = _LEADING.sub("", cut.strip().lower()).strip(" .,!?'\"-")
        ended = _NP_END.search(" " + part) is not None
        if thing and len(thing.split()) <= 4 and thing not in _VAGUE and not _is_day(thing):  # noqa: PLR2004 - longer is a clause
            yield thing
            if (bare := _without_general_head(thing)) is not None:
                yield bare
        if ended:
            return


_GENERAL_HEADS = word_set(
    "code library package dependency product food dish item ingredient software con"
    "tent flight component module"
    " port slot socket cookware equipment gear hardware supplier vendor tool framework"
    " licence license meal drink"
    " device medicine medication drug tab"
    "let pill service system"
)


def _without_general_head(thing: str) -> str | None:
    """'gpl' of 'gpl libraries': the last word only says what sort of thing it is."""
    *first, last = thing.split()
    return " ".join(first) if first and singular(last) in _GENERAL_HEADS else None


_VAGUE = word_set(
    "it them this that anything everything something one ones any all both us me hi"
    "m her you him either more less much"
    " lot stuff way time there here able sure"
)


def _days(words: str) -> list[str]:
    low = words.lower()
    return [day for day in (*WEEKDAYS, "weekend") if re.search(rf"\b{day}s?\b", low)]


def _is_day(thing: str) -> bool:
    return thing.removesuffix("s") in (*WEEKDAYS, "weekend")


def _content(thing: str) -> list[str]:
    return [word for word in re.findall(r"[\w+#-]+", thing) if word not in _VAGUE]


def distinct(exclusions: Iterable[Exclusion]) -> tuple[Exclusion, ...]:
    """Each thing once; without a context where one reading has none."""
    best: dict[str, Exclusion] = {}
    for one in exclusions:
        if one.thing not in best or (best[one.thing].context and not one.context):
            best[one.thing] = one
    return tuple(best.values())

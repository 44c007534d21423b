"""The things that words name: noun phrases of a list, days, and what sorts of things are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mnemolog.language.dates.calendar import WEEKDAYS
from mnemolog.language.morphology import singular
from mnemolog.language.patterns import regex
from mnemolog.language.word_lists import word_set

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
DENIAL = (
    r"(?:must ?n[o']t|must never|should not|should never|shouldn't|shall not|may not"
    r"|can ?not|can't|are not to|is not to"
    r"|is not allowed to|are not allowed to|isn't allowed to|aren't allowed to"
    r"|not supposed to|do not|don't|does not"
    r"|doesn't|never|won't|will not|no longer|not be)"
)
FREE = regex(r"\b(?P<things>[a-z]+)[- ]free\b", re.IGNORECASE)
NOT_FREE = word_set(
    "hands step stress care debt duty toll rent free barrier scot worry smoke royalty"
)


def noun_phrases(words: str) -> Iterator[str]:
    """The noun phrases of a list, in lowercase, without articles and what follows them."""
    text = _INSIDE.sub("", re.sub(r"\([^)]*\)", " ", words))
    parts = _LIST.split(text)
    for part in parts:
        cut = _NP_END.split(" " + part, maxsplit=1)[0]
        thing = _LEADING.sub("", cut.strip().lower()).strip(" .,!?'\"-")
        ended = _NP_END.search(" " + part) is not None
        if thing and len(thing.split()) <= 4 and thing not in _VAGUE and not _is_day(thing):  # noqa: PLR2004 - longer is a clause
            yield thing
            if (bare := without_general_head(thing)) is not None:
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


def without_general_head(thing: str) -> str | None:
    """'gpl' of 'gpl libraries': the last word only says what sort of thing it is."""
    *first, last = thing.split()
    return " ".join(first) if first and singular(last) in _GENERAL_HEADS else None


_VAGUE = word_set(
    "it them this that anything everything something one ones any all both us me hi"
    "m her you him either more less much"
    " lot stuff way time there here able sure"
)


def days_named(words: str) -> list[str]:
    """The weekdays, and 'weekend', that words name, in the order of the week."""
    low = words.lower()
    return [day for day in (*WEEKDAYS, "weekend") if re.search(rf"\b{day}s?\b", low)]


def _is_day(thing: str) -> bool:
    return singular(thing) in (*WEEKDAYS, "weekend")


def content_words(thing: str) -> list[str]:
    """The words of a noun phrase that say something."""
    return [word for word in re.findall(r"[\w+#-]+", thing) if word not in _VAGUE]

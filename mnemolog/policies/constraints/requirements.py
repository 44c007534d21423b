"""What a sentence asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.policies.constraints.things import (
    DENIAL,
    FREE,
    NOT_FREE,
    noun_phrases,
    without_general_head,
)


class Requirement(msgspec.Struct, frozen=True):
    """Something asked for: what it is, and the words that ask for it."""

    thing: str
    words: str


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
    regex(
        r"\bwithout (?:an? |any )?(?P<things>[^.,;]+?) (?:is|are|will be|gets?|may|must|can)"
        r" (?:not|never|rejected|refused|turned|sent|excluded|out\b|off\b)",
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


def requirements(sentence: str) -> Iterator[Requirement]:
    """What a sentence asks for."""
    for pattern in _REQUIRED:
        for match in pattern.finditer(sentence):
            denied = re.search(
                rf"\b{DENIAL}\s+(?:\w+\s+)?$", sentence[: match.start()], re.IGNORECASE
            )
            if denied is not None:
                continue
            asked = list(noun_phrases(match["things"]))
            for thing in asked:
                if without_general_head(thing) in asked:
                    continue
                if (match_free := FREE.search(thing)) and match_free["things"] not in NOT_FREE:
                    continue
                if not re.search(r"\d", thing) or re.search(r"[a-z]-?\d|-", thing):
                    yield Requirement(thing, match[0].strip(" .!"))

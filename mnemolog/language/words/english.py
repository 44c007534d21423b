"""Closed word classes, adverbs and synonyms, for the comparison of statements."""

from __future__ import annotations

import re
from collections.abc import Iterable

from mnemolog.language.lists import word_set
from mnemolog.language.morphology import singular
from mnemolog.language.patterns import regex

# fmt: off
BE = word_set("am is are was were be been being")
HAVE = word_set("have has had having")
DO = word_set("do does did")
MODAL = word_set("can will must shall should")
PAST_AUXILIARY = frozenset({"was", "were", "had", "did"})
DETERMINERS = word_set(
    "a an the this that these those my our your his her its their some any every each"
)
PREPOSITIONS = word_set(
    "of in on at for from to with by under over near about into through during as per "
    "between behind above below inside within against until since than before after"
)
PRONOUNS = word_set(
    "it this that these those there they them he she him her you your yours one ones something "
    "anything nothing everything someone everyone which who what here "
    "his its their"
)
"""Pronouns that no subject or object may be, as the text leaves open what they refer to."""

ADVERBS = regex(
    r"\b(?:right now|at the moment|at present|these days|as of (?:now|today)|for now|nowadays"
    r"|by default|from now on|now|currently|still|also|really|actually|just|already|officially"
    r"|recently|finally|presently|again|yet|too|anymore|any more|even|very|quite|definitely"
    r"|fully|completely|totally|usually|often|always|generally|normally|typically|mostly"
    r"|instead(?! of)"
    r"|at all|directly|a lot|very much|so much|regularly|simply|absolutely|certainly|permanently"
    r"|temporarily|personally|honestly|truly|fluently|fluent|happily|newly|at the latest|sharp"
    r"|(?:a|two|three) (?:week|month|year)s? ago|as of)\b",
    re.IGNORECASE,
)
EPISODE = regex(
    r"\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week|"
    r"weekend|time)|the other day|so far|in total|ago|next (?:week|month|year|time)|one day|"
    r"someday|eventually|soon|until recently|last time|once|another|this year)\b",
    re.IGNORECASE,
)
"""Times of single or added-up events: a similar event on another day is no contradiction."""

_SYNONYMS = {
    "favorite": "favourite", "color": "colour", "gp": "doctor", "physician": "doctor",
    "boss": "manager", "occupation": "job", "profession": "job", "fee": "price", "cost": "price",
    "kid": "child", "children": "child", "birthday": "birth", "born": "birth",
    "hq": "headquarters", "headquarters": "headquarters", "leader": "lead", "movie": "film",
    "licence": "license", "licensed": "license", "head": "lead", "owner": "own",
    "ceiling": "limit", "cap": "limit", "maximum": "limit", "max": "limit", "release": "launch",
    "residence": "home", "wife": "spouse", "husband": "spouse", "people": "member",
    "person": "member", "employee": "member", "db": "database", "organisation": "organization",
    "ram": "memory", "birthplace": "birth", "established": "founded", "constructed": "built",
    "erected": "built", "depart": "leave", "commence": "start", "begin": "start", "finish": "end",
    "shut": "close", "purchase": "buy", "mobile": "phone", "telephone": "phone", "due": "deadline",
    "my": "i", "mine": "i", "me": "i", "user": "i", "our": "we", "ours": "we", "us": "we",
    "meetup": "meeting",
}
_SILENT = frozenset({"project", "current", "new", "year", "date", "day", "total", "official"})
"""Words of a topic that do not distinguish attributes."""
_NUMBER_OF = regex(r"(?:the )?(?:total )?number of\b", re.IGNORECASE)

# fmt: on


def noun(word: str) -> str:
    """Comparison key of a noun: its singular in small letters, or the common synonym."""
    bare = word.removesuffix("'s").removesuffix("'")
    low = bare.lower()
    if low == "users":
        # Not the user, who speaks.
        return low
    one = _SYNONYMS.get(low) or singular(bare)
    return _SYNONYMS.get(one, one)


def topic(phrase: Iterable[str]) -> frozenset[str]:
    """Topic of a phrase: its words of content, without their order."""
    listed = list(phrase)
    found = {noun(word) for word in listed}
    # 'My boss's boss' is not my boss.
    found |= {word for word in listed if word.endswith("'s") and word[:-2] in listed}
    telling = {word for word in found if word not in DETERMINERS and word not in PREPOSITIONS}
    telling |= {"a"} if "A" in listed[1:] else set()
    if _NUMBER_OF.match(" ".join(listed)) and len(telling) > 2:  # noqa: PLR2004
        # 'The number of rooms in the flat' is how many rooms it has.
        telling -= {"number"}
    if "limit" in telling:
        telling -= {"size", "rate"}
    for thing, silent in (("phone", "number"), ("email", "address")):
        telling -= {silent} if thing in telling else set()
    if len(telling) > 1:
        telling -= {"we"}
    return frozenset(telling - _SILENT) or frozenset(telling)

"""Asides of a clause: a time relative to now, a duty, 'only' before the subject."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from mnemolog.language.patterns import regex

Duty = Literal["must", "need not"] | None


class Aside(msgspec.Struct, frozen=True):
    """Asides removed from a clause.

    `deictic` is a time relative to the utterance ('this week'), `lately` a past one
    ('last week') or a named day. `duty` separates what must be done from what need not.
    `only_first` is True if 'only' restricts the subject.
    """

    deictic: str | None
    lately: str | None
    duty: Duty
    only_first: bool


ALSO = regex(r"\b(?:also|too|as well|another|additionally|in addition)\b", re.IGNORECASE)
_DEICTIC = regex(
    r"\b(today|tonight|tomorrow|yesterday|last night"
    r"|(?:this|next) (?:week|weekend|month|year|morning|afternoon|evening))\b",
    re.IGNORECASE,
)

_LATELY = regex(
    r",?\s*\b(?:(?:on |in |over )?last (?P<t>week|month|quarter|year|spring|summer|autumn|fall"
    r"|winter|mon|tues|wednes|thurs|fri|satur|sun)(?P<d>day)?"
    r"|(?:on|at|over) (?P<h>new year'?s (?:eve|day)|christmas(?: eve| day)?|thanksgiving|halloween"
    r"|easter(?: sunday| monday)?|valentine'?s day|boxing day|independence day))\b,?",
    re.IGNORECASE,
)
_MUST = regex(
    r"\b(?:must|(?:has|have|needs?) to|(?:is|are|am) (?:required|obliged|supposed) to) (?!not\b)"
)
_NEED_NOT = regex(
    r"\b(?:(?:does|do) not (?:have|need) to|need not|(?:is|are|am) not (?:required|obliged) to) "
)
_PHONE = regex(r"(?<!\w)\+\d[\d ()-]{5,}\d")
_ONLY_FIRST = regex(r"(?:only|just|nobody but|no one (?:but|except)|none but) ", re.IGNORECASE)


def set_aside(text: str) -> tuple[str, Aside]:
    """Clause without its asides, with duties in one form and phone numbers as one word."""
    told_from_now = _DEICTIC.search(text)
    deictic = told_from_now[1].lower() if told_from_now is not None else None
    text = _DEICTIC.sub(" ", text, count=1).strip(" ,") if deictic else text
    past_time = _LATELY.search(text)
    text = _LATELY.sub(" ", text, count=1).strip(" ,")
    text = _PHONE.sub(lambda match: re.sub(r"[ ()-]", "", match[0]), text)
    duty: Duty = "need not" if _NEED_NOT.search(text) else None
    text = _NEED_NOT.sub("must not ", text)
    if duty is None and _MUST.search(text):
        duty, text = "must", _MUST.sub("must ", text)
    only_first = _ONLY_FIRST.match(text) is not None
    aside = Aside(deictic, None if past_time is None else _period(past_time), duty, only_first)
    return text, aside


def _period(match: re.Match[str]) -> str:
    """Past time by its last word, or a named day."""
    return (match["h"] or f"{match['t']}{match['d'] or ''}").lower().replace("'", "")

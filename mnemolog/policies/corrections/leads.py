"""Leads of values: the preposition and the determiner before a value in a sentence."""

from __future__ import annotations

import re

import msgspec

from mnemolog.language.morphology import verb_forms
from mnemolog.language.patterns import regex
from mnemolog.language.quantities.clocks import clocks
from mnemolog.language.words.lexicon import BE, HAVE
from mnemolog.policies.corrections.lists import LISTS

_I = re.IGNORECASE
_PREPOSITION = (
    r"in|at|on|to|for|with|by|from|called|named|as|of|near|under|via|behind|opposite|above|below"
)
_DETERMINER = r"an?|the|my|our|your|his|her|its|their|this|that|these|those|some|any|every|each"
LEAD = regex(rf"^(?:(?P<prep>{_PREPOSITION})\s+)?(?:(?P<det>{_DETERMINER})\s+)?", _I)
LEADING = regex(rf"(?<!\S)(?:(?P<prep>{_PREPOSITION})\s+)?(?:(?P<det>{_DETERMINER})\s+)?$", _I)
_SAYS_OF_ITSELF = LISTS.pattern("says_of_itself")
_SOUNDS_CONSONANT = regex(r"(?:eu(?!\b)|ew|uni(?!n|m)|us[ae]|uto|ubi|one\b|once|u[krsn]\b)", _I)
_SOUNDS_VOWEL = LISTS.pattern("sounds_vowel")
_PLURAL = regex(r"^[a-z][\w\s-]*[^su'\u2019i\s]s$")
_DAY = LISTS.pattern("day")
_SPAN = LISTS.pattern("span")
_DATELESS = regex(r"(?:next|last|this|tomorrow|today|tonight|every|each)\b", _I)


class ValueLead(msgspec.Struct, frozen=True):
    """A preposition and an article, "" for none."""

    prep: str
    det: str


def split_lead(before: str) -> tuple[str, ValueLead]:
    """The beginning of a sentence, and the preposition and the article that it ends with."""
    found = LEADING.search(before)
    if found is None:
        return before, ValueLead("", "")
    return before[: found.start()], ValueLead(found["prep"] or "", found["det"] or "")


def own_lead(text: str) -> tuple[ValueLead, str]:
    """The preposition and the article that a phrase begins with, and the rest of it."""
    found = LEAD.match(text)
    if found is None:
        return ValueLead("", ""), text
    return ValueLead(found["prep"] or "", found["det"] or ""), text[found.end() :]


def ends_inside_phrase(head: str) -> bool:
    """True if a sentence breaks off inside a noun phrase: 'he is the head'."""
    found = re.search(rf"\s(?:{_DETERMINER})((?:\s+[\w-]+){{1,2}})\s+$", head, _I)
    if found is None:
        return False
    forms = verb_forms()
    return not any(
        word in BE | HAVE or ((form := forms.get(word)) is not None and form.form in {"s", "past"})
        for word in found[1].split()
    )


def determiner_of(lead: ValueLead, own: str, old: str, core: str) -> str | None:
    """Determiner of a new value, its own or that of the old; None where it is not known."""
    if own or not lead.det or _SAYS_OF_ITSELF.match(core) is not None:
        return own
    det = lead.det.lower()
    if core[:1].isupper() and not old[:1].isupper():
        # 'At a bank', 'at Globex'.
        return "" if lead.prep and det in {"a", "an", "the"} else None
    plural = _PLURAL.match(core) is not None
    if det in {"a", "an"}:
        return "" if plural else _article(core)
    return None if plural and det in {"every", "each"} else lead.det


def _article(word: str) -> str:
    """'An' before what sounds as if it began with a vowel: 'an MBA', but 'a union'."""
    letters = word[1:2].isupper()
    vowel = _SOUNDS_VOWEL.match(word if letters else word.lower())
    return "an" if vowel is not None and _SOUNDS_CONSONANT.match(word) is None else "a"


def time_preposition(text: str) -> str | None:
    """The preposition of a time, None of what is none."""
    bare = re.sub(r"^(?:the|a|an)\s+", "", text, flags=_I)
    if any(one.start == 0 for one in clocks(bare)):
        return "at"
    for pattern, preposition in ((_DAY, "on"), (_SPAN, "in")):
        if pattern.match(bare) is not None:
            return preposition
    return None


def are_times(old: str, new: str) -> bool:
    """True if two values are both times."""
    return time_preposition(old) is not None and time_preposition(new) is not None


def preposition_of(prep: str, old: str, new: str) -> str:
    """The preposition before a new value: another one before a time of another kind."""
    if prep.lower() not in {"in", "on", "at"} or time_preposition(old) is None:
        return prep
    if _DATELESS.match(new) is not None:
        return ""
    return time_preposition(new) or prep

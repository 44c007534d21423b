"""A sentence of a correction beside the one before or after it: what 'it' and 'she' are."""

from __future__ import annotations

import re

import msgspec

from mnemolog.language.clauses.assertions import MaskedSentence
from mnemolog.language.patterns import regex
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.reading.correction_reading import CorrectionReading, instead
from mnemolog.policies.corrections.reading.sentence_openings import (
    cut,
    is_statement,
    opened,
    without_now,
)
from mnemolog.policies.corrections.reading.subjects import with_antecedent
from mnemolog.policies.corrections.terms import keys, same_measure, terms

_I = re.IGNORECASE
_NOT = regex(r"\b(?:is|are|was|am|does|do) not\b|\b(?:isn|aren|wasn|doesn|don)'t\b|'m not\b", _I)
_IT_IS = LISTS.pattern("it_is")
_OF_WHAT = regex(r"(?:not|n't)\s+\w+\s+(?:to|in|at|on|with|for|by|of|from)\s", _I)
_TOLD_BEFORE = LISTS.pattern("told_before")
_BACK = regex(r"^(?:it|he|she|they|his|her|its|their)\b", _I)
_SHORT = 3


def back(sentence: str) -> bool:
    """True if a sentence begins with a pronoun that refers to the one before it."""
    return _BACK.match(sentence) is not None


def said_before(reading: CorrectionReading, before: MaskedSentence) -> CorrectionReading:
    """A reading with the statement before it, where that says otherwise of the same."""
    core = cut(opened(before.text)[1])
    if reading.old is None or reading.old_kind != "statement" or not is_statement(core):
        return reading
    old, new = keys(terms(reading.old)), keys(terms(before.unmasked(core)))
    if new <= old or len(old & new) * 2 < len(old):
        return reading
    said, kind = instead(before, core)
    return msgspec.structs.replace(reading, new=said, new_kind=kind)


def recalled(reading: CorrectionReading, before: MaskedSentence) -> CorrectionReading:
    """A reading of only what is so now as the correction of the statement before it.

    'I told you that the budget is 40. That was a mistake, it is 50.'
    """
    told = _TOLD_BEFORE.match(before.text)
    core = cut(before.text if told is None else before.text[told.end() :])
    new = reading.new or ""
    bare = reading.new_kind == "value" or _BACK.match(new) is not None
    if reading.form != "marked" or not is_statement(core) or not (bare or told is not None):
        return reading
    if reading.new_kind == "value" and not _same_kind(core, new):
        return reading
    sentence = f"{before.unmasked(before.text)} {reading.sentence}"
    return msgspec.structs.replace(reading, old=before.unmasked(core), sentence=sentence)


def _same_kind(statement: str, value: str) -> bool:
    """True if a value may stand where a statement ends: an amount or a name for its like."""
    old, new = terms(statement), terms(value)
    amounts = [[term.quantity for term in some if term.quantity is not None] for some in (old, new)]
    if any(amounts):
        return any(same_measure(one, other) for one in amounts[0] for other in amounts[1])
    if not old or not new:
        return False
    named = any(term.kind == "name" or value[term.start].isupper() for term in new)
    return named if old[-1].kind == "name" else len(value.split()) <= _SHORT


def named(part: MaskedSentence, earlier: str) -> MaskedSentence:
    """A sentence of 'he' or 'she' with the name that the one before it gives.

    With a doubt, where it may be any of several people.
    """
    rest = without_now(opened(part.text)[1])
    told = with_antecedent(rest, earlier)
    if told is None:
        return msgspec.structs.replace(part, doubt=part.doubt or "of one of several people")
    if told == rest:
        return part
    return msgspec.structs.replace(part, text=f"{part.text[: len(part.text) - len(rest)]}{told}")


def with_contrast(
    part: MaskedSentence, following: MaskedSentence | None, said: str
) -> MaskedSentence:
    """A denial with the sentence after it, where that says at once what is so instead."""
    if following is None or following.doubt is not None or _NOT.search(part.text) is None:
        return part
    told = _IT_IS.match(following.text)
    if told is None:
        return part
    sign = (told["sign"] or "").strip().lower()
    if sign:
        joined = sign in part.text.lower().split()
    else:
        firm = any(
            one.kind != "word" or following.text[one.start].isupper()
            for one in terms(following.text)
        )
        joined = (firm and _same_kind(part.text, following.text)) or (
            f"{part.text}; {following.text.rstrip('.! ')}" in said
            and _OF_WHAT.search(part.text) is not None
        )
    if not joined:
        return part
    return msgspec.structs.replace(part, text=f"{part.text.rstrip('.;! ')}; {following.text}")

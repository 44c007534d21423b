"""A plain statement or denial as the correction of what says otherwise."""

from __future__ import annotations

import re

import msgspec

from mnemolog.language.clauses.assertions import MaskedSentence, is_future, masked_sentences
from mnemolog.language.dates.dates import (
    cut_leading_time,
    cut_trailing_time,
    is_ahead,
    is_recurring,
)
from mnemolog.language.patterns import regex
from mnemolog.language.sentences import spoken
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.reading.correction_reading import (
    DENIED,
    LONGEST,
    CorrectionReading,
    instead,
)
from mnemolog.policies.corrections.reading.pronouns import named
from mnemolog.policies.corrections.reading.sentence_openings import cut, is_statement, opened
from mnemolog.policies.corrections.terms import keys, negated, terms

_I = re.IGNORECASE

_DENIAL = LISTS.pattern("denial")
_MOVED = LISTS.pattern("moved")
_ALSO = LISTS.pattern("also")
_ONCE = LISTS.pattern("once")
_NOBODY = regex(r"^(?:it|this|that|there|nobody|no one|nothing|what|which|who)\b", _I)
# 'Not only he' and 'not until noon' deny nothing of him, nor of noon.
_NO_DENIAL = regex(r"^(?:the )?(?:only|sole|just|merely|simply)\b|\buntil\b", _I)


def read_statement(text: str) -> CorrectionReading | None:
    """A plain statement as the correction of what says otherwise; None if it is not asserted."""
    speaker, said = spoken(text[:LONGEST])
    parts = masked_sentences(said)
    if not parts or any(one.doubt is not None for one in parts) or is_future(said):
        return None
    if negated(parts[0].text):
        reading = denial(parts[0], said, speaker)
        return reading if reading is None else _with_statement(reading, parts)
    if len(parts) != 1:
        return None
    core = cut(opened(parts[0].text)[1])
    moved = _MOVED.match(cut_trailing_time(core, of_change=True)[0])
    if moved is not None:
        place = parts[0].unmasked(moved["new"])
        return CorrectionReading(
            "explicit", parts[0].unmasked(core), "changed-to", new=place, new_kind="value"
        )
    quoted = any(is_statement(quote) for quote in parts[0].quotes)
    if quoted or not is_statement(core) or is_ahead(core) or _says_more_of_it(core):
        return None
    plain, first = cut_leading_time(core)
    recurring = first is not None and is_recurring(core)
    new, kind = instead(parts[0], plain if recurring else core)
    return CorrectionReading(
        "explicit",
        parts[0].unmasked(core),
        "stated",
        new=new,
        new_kind=kind,
        scope=first if recurring else None,
        speaker=speaker,
    )


def _says_more_of_it(core: str) -> bool:
    """True if a plain statement tells of one more, of what was so once, or of an exception."""
    return _ALSO.search(core) is not None or _ONCE.search(core) is not None


def _with_statement(
    reading: CorrectionReading, parts: tuple[MaskedSentence, ...]
) -> CorrectionReading:
    """A denial with the statement after it, where that speaks of the same and all is said."""
    if len(parts) != len(("denial", "statement")):
        return reading
    part = named(parts[1], parts[0].text)
    core = cut(opened(part.text)[1])
    told = keys(terms(reading.old or "")) & keys(terms(part.unmasked(core)))
    if not told or not is_statement(core) or negated(core):
        return reading
    new, kind = instead(part, core)
    return msgspec.structs.replace(reading, new=new, new_kind=kind)


def denial(part: MaskedSentence, said: str, speaker: str | None) -> CorrectionReading | None:
    """A plain denial as the correction of what says that it is so."""
    match = _DENIAL.match(cut(opened(part.text)[1]))
    if match is None or _NOBODY.match(match["about"]):
        return None
    if negated(match["old"]) or _NO_DENIAL.search(match["old"]):
        return None
    verb = match["is"] or match["isnt"] or match["m"]
    verb = "" if verb.lower() in {"does", "do"} else f" {verb}"
    old = part.unmasked(
        f"{match['about']}{verb.replace(chr(32) + chr(39), chr(39))} {match['old']}"
    )
    return CorrectionReading("explicit", said.strip(), DENIED, old=old, speaker=speaker)

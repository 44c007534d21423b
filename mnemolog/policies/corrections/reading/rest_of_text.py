"""Rest of a text that corrects: what it says besides the correction."""

from __future__ import annotations

import re

from mnemolog.language.clauses.assertions import MaskedSentence, masked_sentences
from mnemolog.language.patterns import regex
from mnemolog.language.sentences import spoken
from mnemolog.policies.corrections.lists import LISTS
from mnemolog.policies.corrections.reading.correction_reading import LONGEST
from mnemolog.policies.corrections.reading.corrections import read_corrections, told_in, turns
from mnemolog.policies.corrections.reading.pronouns import back, named
from mnemolog.policies.corrections.reading.sentence_openings import opened
from mnemolog.policies.corrections.terms import keys, terms

_I = re.IGNORECASE

_GAP = "\0"
_BROKEN_OFF = LISTS.pattern("broken_off")
_EMPTIED = regex(r"(?<!\s)\s*\0[\s\0]*")


def beside(text: str, against: str) -> str | None:
    """Text of a correction without what it says against a statement; "" if nothing is left.

    That it is a correction, and that the statement does not hold, is nothing beside it,
    nor is a question. None where the one cannot be told from the other: it says more than
    it corrects, and that cannot be taken out as it was written, or somebody else says it.
    """
    speaker, said = spoken(text[:LONGEST])
    told = [part for sentence in masked_sentences(said) for part, _ in turns(sentence)]
    readings = read_corrections(text)
    if len(readings) != 1:
        return "" if len(told) == 1 else None
    used, denied = readings[0].sentence, keys(terms(against))
    left, more, earlier, goes_on = said, False, "", False
    for alone in told:
        part = named(alone, earlier)
        earlier = part.text if part.text == alone.text else f"{part.text} {alone.text}"
        if told_in(used, alone, part) or _says_nothing_more(alone, denied):
            written, goes_on = alone.unmasked(alone.text), True
            if written not in left:
                return None
            left = left.replace(written, _GAP, 1)
        elif alone.doubt != "a question":
            if goes_on and (part.text != alone.text or back(alone.text)):
                return None
            more, goes_on = True, False
    if not more:
        return ""
    plain = speaker is None and len(text) <= LONGEST and _GAP not in text
    return _closed(left) if plain and _GAP in left else None


def _says_nothing_more(part: MaskedSentence, denied: set[str]) -> bool:
    """True if a sentence only announces something, or speaks of what is denied."""
    return not opened(part.text)[1] or keys(terms(part.unmasked(part.text))) <= denied


def _closed(text: str) -> str:
    """A text with the places closed where something was taken out of it."""
    return _EMPTIED.sub(" ", _BROKEN_OFF.sub(". ", text)).strip()

"""What a text that corrects something says beside it."""

from __future__ import annotations

import re
from itertools import pairwise

from ledger.patterns import regex
from policies.rectifying.asserting import Sentence, sentences, spoken
from policies.rectifying.correcting import read_corrections, told_in, turns
from policies.rectifying.neighbours import back, named
from policies.rectifying.openings import opened
from policies.rectifying.readings import LONGEST
from policies.rectifying.terms import keys, terms

_I = re.IGNORECASE

_GAP = "\0"
_BROKEN_OFF = regex(
    r"(?:\s*[,;:(]|\s+[-\u2013—]+|\s+and)(?:\s*(?:and|but|oh)\b)*[\s,]*\0[\s\0)]*", _I
)
_EMPTIED = regex(r"\s*\0[\s\0]*")


def beside(text: str, against: str) -> str | None:
    """What a text that corrects says beside what it says against a statement; "" if nothing.

    That it is a correction, and that the statement does not hold, is nothing beside it,
    nor is a question. None where the one cannot be told from the other: it says more than
    it corrects, and none of it can be taken out as it was written.
    """
    told = [one for sentence in sentences(spoken(text[:LONGEST])[1]) for one in turns(sentence)]
    readings = read_corrections(text)
    if len(readings) != 1 or _GAP in text:
        return "" if len(told) == 1 else None
    used, denied = readings[0].sentence, keys(terms(against))
    left, more, goes_on = text, len(text) > LONGEST, False
    for (earlier, _), (part, _) in pairwise((told[0], *told)):
        also = named(part, earlier.text)
        if told_in(used, part, also) or _says_nothing_more(part, denied):
            said, goes_on = part.unmasked(part.text), True
            if said not in left:
                return None
            left = left.replace(said, _GAP, 1)
        elif part.doubt != "a question":
            if goes_on and (also != part or back(part.text)):
                return None
            more, goes_on = True, False
    return _closed(left) if more else ""


def _says_nothing_more(part: Sentence, denied: set[str]) -> bool:
    """Whether a sentence only announces something, or speaks of what is denied."""
    return not opened(part.text)[1] or keys(terms(part.unmasked(part.text))) <= denied


def _closed(text: str) -> str:
    """A text with the places closed where something was taken out of it."""
    return _EMPTIED.sub(" ", _BROKEN_OFF.sub(". ", text)).strip()

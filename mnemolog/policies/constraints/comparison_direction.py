"""Directions of comparisons: 'above 180' is a ceiling where finance sends it back.

Words give a comparison, and the sentence says whether what fits it is asked for or
refused. 'The freezer must be kept below -70' asks, 'below 20 degrees she stays home'
refuses, and what comes of it is said in more ways than can be listed. So it is read the
other way round: in a sentence that is known to limit, a comparison with more is a
ceiling unless something obliges to it, and one with less a ceiling unless it stands
for those to whom something happens ('someone under 25 drives') or something is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Bound
from mnemolog.language.quantities.measures import Bare, quantities
from mnemolog.policies.constraints.lists import LISTS
from mnemolog.policies.constraints.recognition import COST

_OBLIGES = LISTS.pattern("obliges")
_EXEMPTS = regex(r"\b(?:unless|except|provided|as long as|only if)\b", re.IGNORECASE)
_DENIES = (
    r"no|not|never|avoid\w*|nobody|none|nothing|neither|nor|without|cannot|\w+n't|mustn't"
    r"|refus\w+|reject\w*|den(?:y|ies|ied)|prohibit\w*|forbid\w*|forbade|bann?(?:s|ed)?|bars?|barred"
    r"|block\w*|declin\w+|vetoe?\w*|sends? (?:back|home|away)|turns? (?:away|down|back)"
    r"|throws? (?:out|away)|fin(?:es|ed)|penali[sz]\w+|kick\w* (?:out|off)|walks? (?:away|out)"
    r"|illegal|unsafe|unacceptable|dangerous|hazard\w*|risk\w*|out of the question|off[- ]limits"
    r"|too (?:much|many|long|late|far|heavy|big|small|cold|hot|warm|young|old|loud)"
)
_REFUSES = regex(rf"\b(?:{_DENIES})\b", re.IGNORECASE)
_DENIED_INSIDE = LISTS.pattern("denied_inside")
# What is compared goes on as a subject: 'parts under 4 cm are', 'below 20 degrees she stays'.
_GOES_ON = LISTS.pattern("goes_on")
_LEADS = LISTS.pattern("leads")


def directed(sentence: str, bound: Bound) -> Bound:
    """A bound of a sentence that limits, turned where what fits the comparison is refused."""
    both = bound.low is not None and bound.high is not None
    compared = bound.strict or bound.text.lower().startswith("within")
    if both or not compared or _DENIED_INSIDE.search(bound.text):
        return bound
    before, behind = sentence[: bound.start], sentence[bound.end :]
    if _EXEMPTS.search(before) is not None:
        return bound
    if bound.low is not None:
        refused = _OBLIGES.search(before) is None or _REFUSES.search(before) is not None
    else:
        refused = _REFUSES.search(before) is not None and _OBLIGES.search(before) is None
        refused = refused or _is_refused(before, behind)
    if not refused:
        return bound
    return msgspec.structs.replace(bound, low=bound.high, high=bound.low, strict=not bound.strict)


def _is_refused(before: str, behind: str) -> bool:
    """True if less than the bound is refused: 'parts under 4 cm are a choking risk'."""
    if _REFUSES.match(behind.lstrip(" ,:-")) is not None:
        return True
    stands_for = _LEADS.search(before) is not None or len(before.split()) <= _SUBJECT
    return stands_for and _GOES_ON.match(behind) is not None


_NEEDS = LISTS.pattern("needs_amount")
_CEILINGS = frozenset({
    "mass", "length", "volume", "data", "count", "speed", "power", "current", "pixels",
    "temperature", "grammage", "sound level", "pressure",
})  # fmt: skip


_EXACT = frozenset({"voltage", "version", "frequency"})


def presumed_bounds(sentence: str, constraint_class: str | None) -> Iterator[Bound]:
    """Bounds that a limiting sentence without any comparison likely means by its amounts.

    A price is the most that may be paid, a size or a load the most that fits, and a
    time the least where something needs it: 'the ladder's sticker says 100 kg'. A
    voltage and a version are what there is, unless they are what is refused.
    """
    bare: Bare = "money" if constraint_class == COST else "number"
    needs = _NEEDS.search(sentence) is not None
    for one in quantities(sentence, bare):
        if one.dimension in _EXACT:
            if _REFUSES.search(sentence[: one.start]) is not None:
                continue
            yield Bound(one, one, strict=False, text=one.text, start=one.start, end=one.end)
            continue
        if constraint_class == COST:
            floor = None if one.dimension != "money" else False
        elif one.dimension == "duration":
            floor = needs
        else:
            floor = needs if one.dimension in _CEILINGS else None
        if floor is not None:
            low, high = (one, None) if floor else (None, one)
            yield Bound(low, high, strict=False, text=one.text, start=one.start, end=one.end)


def asks(text: str) -> bool:
    """True if a limiting statement asks for what it speaks of; otherwise it refuses it.

    A ban refuses, and so does whoever says what comes of a thing: 'peanuts would put Sam
    in hospital'. What obliges without refusing anything asks.
    """
    return _OBLIGES.search(text) is not None and _REFUSES.search(text) is None


_SUBJECT = 3
"""Words that a subject has in front of a comparison that is said of it, at most."""

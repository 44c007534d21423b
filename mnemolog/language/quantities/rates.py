"""Rates behind amounts: 'a month', 'per user', '/night', 'daily'."""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Quantity, quantity_at
from mnemolog.language.quantities.units import Unit, counted, period_of, rate_words

_PER = regex(
    r"(?:[ ]of[ ][a-z-]+(?=[ ]per[ ]))?[ ]?(?:/|per[ ]|an?[ ]|each[ ]"
    r"|every[ ])[ ]?(?P<half>half[ -](?:an?[ -])?)?(?P<per>[a-z]+)\b"
    r"|[ ](?P<adverb>hourly|daily|nightly|weekly|fortnightly|monthly|quarterly|yearly"
    r"|annually|each|apiece)\b",
    re.IGNORECASE,
)
# 'a' before other nouns counts nothing: 'a 20 dollar a piece of furniture'.
_SAYS_RATE = regex(r"(?: of [a-z-]+)? ?(?:/|per )", re.IGNORECASE)


def rated(text: str, span: tuple[int, int], unit: Unit, amount: Fraction) -> Quantity:
    """Quantity with the rate behind it: '20 dollars a month', '5 GB per user'."""
    plain = quantity_at(text, span, unit.dimension, unit.base, (amount,))
    plain = msgspec.structs.replace(plain, factor=unit.factor)
    match = _PER.match(text, span[1])
    if match is None:
        return plain
    noun = match["per"] or rate_words()[match["adverb"].lower()]
    noun = "person" if noun.lower() == "head" else noun
    period = period_of(noun)
    if match["per"] and not _SAYS_RATE.match(match[0]) and noun != "person" and period is None:
        return plain
    return msgspec.structs.replace(
        plain,
        end=match.end(),
        text=text[span[0] : match.end()],
        per=counted(noun) if period is None else "",
        period=None if period is None else period * (Fraction(1, 2) if match["half"] else 1),
    )

"""When in the day something is to be or not to be: 'afternoons', 'between 22:00 and 6:00'."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Bound, Quantity, quantity_at
from mnemolog.language.quantities.moments import clocks

_HOUR = 60.0
_PARTS = {
    "morning": (5 * _HOUR, 12 * _HOUR),
    "afternoon": (12 * _HOUR, 18 * _HOUR),
    "evening": (17 * _HOUR, 24 * _HOUR),
}
"""Minutes since midnight; speakers differ by an hour or two."""

_PART = regex(r"\b(?P<part>morning|afternoon|evening)s?\b")
_SPAN = regex(r"\s*(?:-|\N{EN DASH}|to|and|until|till)\s*$")


def parts_of_day(sentence: str) -> Iterator[Bound]:
    """The parts of the day that a sentence names, as stretches of clock time."""
    for match in _PART.finditer(sentence):
        low, high = (
            quantity_at(sentence, match.span(), "clock", "minute", (minutes,))
            for minutes in _PARTS[match["part"]]
        )
        yield Bound(low, high, strict=False, text=match[0], start=match.start(), end=match.end())


def through_midnight(sentence: str) -> tuple[Bound, Bound] | None:
    """A stretch that ends on the next day, as what is after its beginning and before its end."""
    read = tuple(clocks(sentence))
    for first, last in pairwise(read):
        if _SPAN.fullmatch(sentence[first.end : last.start]) and first.amount > last.amount:
            return _ending(sentence, first, last, low=first), _ending(
                sentence, first, last, high=last
            )
    return None


def _ending(
    sentence: str,
    first: Quantity,
    last: Quantity,
    low: Quantity | None = None,
    high: Quantity | None = None,
) -> Bound:
    text = sentence[first.start : last.end]
    return Bound(low, high, strict=False, text=text, start=first.start, end=last.end)


def outside(stretch: tuple[Bound, Bound]) -> Bound:
    """What is not in a stretch that goes through midnight."""
    evening, dawn = stretch
    return msgspec.structs.replace(evening, low=dawn.high, high=evening.low, strict=True)

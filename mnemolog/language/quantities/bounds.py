"""Bounds that words put on quantities: 'at most', 'not before', 'between', 'in the morning'."""

import re
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from mnemolog.language.lists import before, english, plain_letters
from mnemolog.language.quantities.amounts import Bound, Quantity, clock, clocks, compare
from mnemolog.language.quantities.measures import LONGEST, Bare, quantities

_PATTERNS = english("comparisons").patterns_by_name
_CLOCKS = english("clocks").patterns_by_name
_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24)}
"""Hours; speakers differ by an hour or two."""
_REACH = 100


def bounds(text: str, bare: Bare = "number") -> tuple[Bound, ...]:
    """Bounds that the comparisons of a text set, in order: 'at most 4 people', 'before 3 June'.

    A denied comparison bounds the other end: 'must not be over 500', 'not before 10:30'.
    """
    text = plain_letters(text[:LONGEST])
    read = quantities(text, bare)
    found: list[Bound] = []
    end = 0
    for at, one in enumerate(read):
        if found and one.start < found[-1].end and one is found[-1].high:
            continue
        bound = _range(text, read[at : at + 2]) or _bounded(text, one, end)
        end = one.end
        if bound is not None:
            found.append(bound)
    return tuple(found)


def _range(text: str, pair: tuple[Quantity, ...]) -> Bound | None:
    """'between 2 and 4 people', '$300-500', '10:30 to 12:00'."""
    if len(pair) == 1:
        return None
    low, high = pair
    joint = _PATTERNS.span_joint.fullmatch(text[low.end : high.start])
    order = None if joint is None else compare(low, high)
    if joint is None or order is None or order > 0:
        return None
    opened = before(_PATTERNS.opens_span, text, low.start)
    if opened is None and (low.dimension == "number" or joint[0].strip() == "and"):
        return None
    start = low.start if opened is None else opened.start()
    return Bound(low, high, strict=False, text=text[start : high.end], start=start, end=high.end)


def _bounded(text: str, one: Quantity, begin: int) -> Bound | None:
    """The bound that the words around one quantity make of it; they begin at `begin`."""
    begin = max(begin, one.start - _REACH)
    in_front = text[begin : one.start]
    compared = _PATTERNS.comparison.search(in_front)
    start, end = one.start if compared is None else begin + compared.start(), one.end
    for pattern, is_low in ((_PATTERNS.at_most_after, False), (_PATTERNS.at_least_after, True)):
        if (match := pattern.match(text, end, end + _REACH)) is not None:
            return _bound(text, one, (start, match.end()), is_low=is_low)
    if compared is not None:
        return _compared(text, one, compared, (start, end))
    for pattern, is_low in ((_PATTERNS.floors, True), (_PATTERNS.ceilings, False)):
        if pattern.search(in_front) is not None:
            return _bound(text, one, (start, end), is_low=is_low)
    sign = _PATTERNS.signed.search(in_front)
    return sign and _bound(text, one, (start, end), is_low=sign["sign"] in (">=", "≥"))


def _compared(
    text: str, one: Quantity, compared: re.Match[str], span: tuple[int, int]
) -> Bound | None:
    word = next(
        compared[name] for name in ("at_most", "at_least", "under", "over") if compared[name]
    ).lower()
    if (
        (compared["name"] and one.dimension not in {"version", "number"})
        or (word == "by" and one.dimension not in {"date", "clock", "weekday"})
        or (word == "from" and one.dimension == "count")
    ):
        return None
    denied, strict = compared["not"] is not None, False
    if compared["at_most"]:
        # 'Not until June', 'not by'; 'no maximum' is rare.
        low = denied and word in ("until", "till")
    elif compared["at_least"]:
        low = True
    else:
        low, strict = (compared["over"] is not None) != denied, not denied
    # What is older has been there for longer.
    aged = word in ("older than", "newer than") and one.dimension == "duration"
    return _bound(text, one, span, is_low=low != aged, strict=strict)


def _bound(
    text: str, one: Quantity, span: tuple[int, int], *, is_low: bool, strict: bool = False
) -> Bound:
    low, high = (one, None) if is_low else (None, one)
    return Bound(low, high, strict, text[slice(*span)].strip(), *span)


def parts_of_day(sentence: str) -> Iterator[Bound]:
    """The parts of the day that a sentence names, as stretches of clock time."""
    for match in _CLOCKS.part.finditer(sentence):
        low, high = (clock(match, 60 * hour) for hour in _PARTS[match["part"]])
        yield Bound(low, high, strict=False, text=match[0], start=match.start(), end=match.end())


def through_midnight(sentence: str) -> tuple[Bound, Bound] | None:
    """A stretch that ends on the next day, as what is after its beginning and before its end."""
    for first, last in pairwise(clocks(sentence)):
        joined = _CLOCKS.span.fullmatch(sentence[first.end : last.start]) is not None
        if joined and first.amount > last.amount:
            start, end = first.start, last.end
            evening = Bound(first, None, False, sentence[start:end], start, end)  # noqa: FBT003
            return evening, msgspec.structs.replace(evening, low=None, high=last)
    return None


def outside(stretch: tuple[Bound, Bound]) -> Bound:
    """Rest of the day outside a stretch that goes through midnight."""
    evening, dawn = stretch
    return msgspec.structs.replace(evening, low=dawn.high, high=evening.low, strict=True)

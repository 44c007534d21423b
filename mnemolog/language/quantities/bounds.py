"""Bounds that words put on quantities: 'at most', 'not before', 'between', 'or newer'."""

from __future__ import annotations

import re

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Bound, Quantity, compare
from mnemolog.language.quantities.measures import LONGEST, NUMBER, Bare, amount_of, quantities
from mnemolog.language.words.letters import plain_letters

_UPPER = (
    r"under|below|less than|fewer than|lower than|smaller than|shorter than|lighter than"
    r"|(?:cheap|earli|soon|young|narrow|thinn|slow|cold|cool|weak|quiet|clos|near)er than"
    r"|older than|before|short of|<"
)
_LOWER = (
    r"over|above|more than|in excess of|after|exceed(?:s|ing)?|beyond|past|>"
    r"|(?!(?:rath|oth|eith|neith|wheth)er )[a-z]{2,}er than"
)
_AT_MOST = (
    r"at (?:the )?(?:very )?most|up to|within|max(?:imum)?(?: of| is|:)?|until|till"
    r"|by|<=|≤|at the latest"
    r"|no later than|(?:cap|keep|hold|limit|stick|restrict)(?:p?ed|s)? (?:\w+ ){0,3}?(?:at|to)"
    r"(?! (?:the )?(?:very )?(?:most|least)\b)"
)
_AT_LEAST = (
    r"at (?:the )?(?:very )?least|min(?:imum)?(?: of| is|:)?|starting (?:at|from)"
    r"|from|since|>=|≥|~=|\^"
    r"|no earlier than|at the earliest"
)
_NOT = r"(?:nothing|nobody|none|no one|no|not|never|cannot|n't|n\u2019t|without)"
_FILLER = r"(?:\s+(?:the|a|an|about|around|roughly|approximately|exactly|of|is|only|total))*"
_COMPARED = regex(
    rf"(?:(?P<not>\b(?:{_NOT}|\w+n't|\w+n\u2019t))\s+(?:[\w'-]+\s+){{0,5}}?)?"
    rf"(?:\b|(?=[<>≤≥~^]))(?:(?P<most>{_AT_MOST})|(?P<least>{_AT_LEAST})|(?P<upper>{_UPPER})"
    rf"|(?P<lower>{_LOWER})){_FILLER}\s*[(:]?\s*(?P<name>[A-Za-z][\w+#.-]*\s+(?:version\s+)?)?$",
    re.IGNORECASE,
)
_LIMIT_BEFORE = regex(
    r"\b(?:budget|ceiling|cap|limit|maximum|max|deadline|latest)\b(?!\s+(?:was"
    r"|were))[^.;!?\d]{0,60}?"
    r"(?:\b(?:of|is|at|to|stays|remains)|[:=]|\b(?:budget|ceiling|cap|limit|deadline))"
    r"\s*(?:the|a|about|around|only|exactly|just|set (?:at|to))?\s*$",
    re.IGNORECASE,
)
_FLOOR_BEFORE = regex(
    r"\b(?:minimum|min|earliest)\b[^.;!?\d]{0,40}?(?:\b(?:of|is|at)|:)\s*(?:about|around)?\s*$",
    re.IGNORECASE,
)
_AFTER_MOST = regex(
    r"[\s,)-]*(?:or\s+(?:less|fewer|under|below|lower|earlier|older|before|cheaper|sooner|shorter)"
    r"|(?:at\s+(?:the\s+)?(?:very\s+)?(?:most|latest)|max(?:imum)?|tops|ceiling"
    r"|budget|limit|cap)\b)",
    re.IGNORECASE,
)
_AFTER_LEAST = regex(
    r"\+(?!\w)|[\s,)-]*(?:or\s+(?:more|newer|later|above|higher|better|longer"
    r"|greater|up|over|larger)"
    r"|at\s+(?:the\s+)?(?:least|earliest)\b|min(?:imum)?\b(?!\s+of)|and\s+(?:up"
    r"|above|newer|later)\b)",
    re.IGNORECASE,
)
_SPAN = regex(r"\s*(?:-|\N{EN DASH}|to|and|until|till)\s*$", re.IGNORECASE)
_OPENS_SPAN = regex(r"\b(?P<between>between|from)\s+(?:the\s+)?$", re.IGNORECASE)
_REACH = 100
_NEAR = 20


def bounds(text: str, bare: Bare = "number") -> tuple[Bound, ...]:
    """What the comparisons of a text allow, in order: 'at most 4 people', 'before 3 June'.

    A comparison that is denied bounds the other end ('must not be over 500',
    'not before 10:30'). Quantities without a comparison bound nothing.
    """
    text = plain_letters(text[:LONGEST])
    found: list[Bound] = []
    read = quantities(text, bare)
    skip = -1
    for index, quantity in enumerate(read):
        if index <= skip:
            continue
        span = _spanned(text, read, index)
        if span is not None:
            found.append(span)
            skip = index + 1
            continue
        one = _bounded(text, quantity, 0 if index == 0 else read[index - 1].end)
        if one is not None:
            found.append(one)
    return tuple(found)


def _spanned(text: str, read: tuple[Quantity, ...], index: int) -> Bound | None:
    """'between 2 and 4 people', '$300-500', '10:30 to 12:00'."""
    if index + 1 >= len(read):
        return None
    low, high = read[index], read[index + 1]
    joint = _SPAN.fullmatch(text[low.end : high.start])
    opened = _OPENS_SPAN.search(text, max(0, low.start - _NEAR), low.start)
    if joint is None:
        return None
    low, high = _in_one_unit(low, high)
    order = compare(low, high)
    plain = low.dimension == "number" or joint[0].strip() == "and"
    if order is None or order > 0 or (plain and opened is None):
        return None
    start = opened.start() if opened else low.start
    return Bound(low, high, strict=False, text=text[start : high.end], start=start, end=high.end)


def _in_one_unit(low: Quantity, high: Quantity) -> tuple[Quantity, Quantity]:
    """'2 and 4 people', '300 to 500 dollars', '$300-500': a bare number takes the other's unit."""
    if low.dimension == "number" and high.dimension == "date" and len(high.values) > 2:  # noqa: PLR2004 - a day is given
        day = msgspec.structs.replace(
            low, dimension="date", unit=high.unit, values=(*high.values[:2], low.amount), name=""
        )
        return day, high
    if low.dimension == "number" and high.dimension not in ("number", "date", "clock", "weekday"):
        scale = _scale(high)
        return _like(low, high, low.amount * scale), high
    if high.dimension == "number" and low.dimension == "money":
        return low, _like(high, low, high.amount)
    if high.dimension == "number" and low.dimension == "version":
        parts = tuple(float(part) for part in re.findall(r"\d+", high.text))
        return low, msgspec.structs.replace(
            high, dimension="version", unit=low.unit, values=parts, name=low.name
        )
    if low.dimension == high.dimension == "number":
        return low, msgspec.structs.replace(high, name=low.name)
    return low, high


def _like(bare: Quantity, other: Quantity, amount: float) -> Quantity:
    return msgspec.structs.replace(
        bare,
        dimension=other.dimension,
        unit=other.unit,
        values=(amount,),
        per=other.per,
        period=other.period,
        name=other.name,
    )


def _scale(quantity: Quantity) -> float:
    """How many base units one of the unit that a quantity was written in is."""
    match = re.match(rf"(?:{NUMBER})", quantity.text, re.IGNORECASE)
    written = amount_of(match["digits"], match["times"], match["words"]) if match else None
    return quantity.amount / written if written else 1.0


def _bounded(text: str, quantity: Quantity, after: int) -> Bound | None:
    """The bound that the words around one quantity make of it; they begin at `after`."""
    begin = max(after, quantity.start - _REACH)
    before, behind = text[begin : quantity.start], text[quantity.end :][:_REACH]
    compared = _COMPARED.search(before)
    start = quantity.start if compared is None else begin + compared.start()
    low, strict, end = None, False, quantity.end
    if (match := _AFTER_MOST.match(behind)) is not None:
        low, end = False, quantity.end + match.end()
    elif (match := _AFTER_LEAST.match(behind)) is not None:
        low, end = True, quantity.end + match.end()
    elif compared is not None:
        if compared["name"] and quantity.dimension not in ("version", "number"):
            return None
        low, strict = _direction(compared)
        low = low != _is_of_age(compared, quantity)
        if compared["most"] and compared["most"].lower() == "by" and not _is_moment(quantity):
            return None
        if (
            compared["least"]
            and compared["least"].lower() == "from"
            and quantity.dimension == "count"
        ):
            return None
    elif _FLOOR_BEFORE.search(before):
        low = True
    elif _LIMIT_BEFORE.search(before):
        low = False
    else:
        low = _signed(before)
    if low is None:
        return None
    return Bound(
        low=quantity if low else None,
        high=None if low else quantity,
        strict=strict,
        text=text[start:end].strip(),
        start=start,
        end=end,
    )


def _direction(compared: re.Match[str]) -> tuple[bool, bool]:
    """Whether a comparison bounds from below, and whether it leaves out the end itself."""
    denied = compared["not"] is not None
    if compared["most"]:
        # 'not until June', 'not by', but 'no maximum' is rare.
        return (
            (True, False)
            if denied and compared["most"].lower() in ("until", "till")
            else (
                False,
                False,
            )
        )
    if compared["least"]:
        return True, False
    return (compared["lower"] is not None) != denied, not denied


def _is_of_age(compared: re.Match[str], quantity: Quantity) -> bool:
    """Whether 'older' and 'newer' compare how long something has been there: older is more."""
    words = (compared["upper"] or compared["lower"] or "").lower()
    return words in ("older than", "newer than") and quantity.dimension == "duration"


def _signed(before: str) -> bool | None:
    match = re.search(r"(>=|≥|<=|≤)\s*v?$", before)
    return None if match is None else match[1] in (">=", "≥")


def _is_moment(quantity: Quantity) -> bool:
    return quantity.dimension in ("date", "clock", "weekday")

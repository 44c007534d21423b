"""Money: amounts with a sign, code or name of a currency: '$1,200.50', 'EUR 5k', '12,50 €'."""

from __future__ import annotations

import re
from functools import cache

from mnemolog.language.patterns import regex
from mnemolog.language.quantities.amounts import Quantity
from mnemolog.language.quantities.numerals import Number, with_grouping_points
from mnemolog.language.quantities.rates import rated
from mnemolog.language.quantities.units import Unit, unit_named, units


@cache
def _currencies() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns for currencies before and after an amount."""
    names = sorted((name for name, unit in units().items() if unit.dimension == "money"), key=len)
    signs = "|".join(re.escape(name) for name in reversed(names) if not name.isalpha())
    words = "|".join(name for name in reversed(names) if name.isalpha())
    codes = "|".join(name for name in names if name.isalpha() and len(name) == 3)  # noqa: PLR2004
    return (
        regex(rf"(?:(?P<sign>{signs})|\b(?P<code>{codes}))[ ]?\Z", re.IGNORECASE),
        regex(rf"[ -]?(?:(?P<word>{words})s?\b|(?P<sign>[$€£¥₹₩]))", re.IGNORECASE),
    )


_LONGEST_SIGN = 4
_MILLIONS = regex(r"(?:(?P<million>m)|b)\b", re.IGNORECASE)


def money_at(text: str, number: Number, pound: Unit) -> Quantity | None:
    """Amount of money at a number, None if it is none; `pound` is the unit of that name here."""
    in_front, behind = _currencies()
    sign = in_front.search(text, max(0, number.start - _LONGEST_SIGN), number.start)
    named = sign[0].strip() if sign is not None else ""
    if not named.startswith(("$", "£")):
        number = with_grouping_points(text, number)
    if text[number.end : number.end + 2].strip(",.")[:1].isdigit() and named:
        return None
    large = _MILLIONS.match(text, number.end)
    value, end = number.value, number.end
    if large is not None and (named or behind.match(text, large.end()) is not None):
        value, end = value * (10**6 if large["million"] else 10**9), large.end()
    code = behind.match(text, end)
    if code is not None and not (named and code["sign"]):
        end, named = code.end(), code["word"] or code["sign"]
    unit = unit_named(named) if named else None
    weighs = pound.dimension == "mass" or text.startswith(" of ", end)
    if unit is None or (weighs and named.lower() == "pound"):
        return None
    start = number.start if sign is None else sign.start()
    return rated(text, (start, end), unit, value * unit.factor)

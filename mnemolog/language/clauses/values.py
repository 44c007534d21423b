"""Comparison of two values of one attribute: different, or the same with more precision."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal

import msgspec

from mnemolog.language.clauses.frames import Frame
from mnemolog.language.clauses.places import place, within
from mnemolog.language.quantities.amounts import Quantity, compare, meets, version_parts
from mnemolog.language.quantities.bounds import bounds
from mnemolog.language.words.english import DETERMINERS, PREPOSITIONS, noun
from mnemolog.language.words.lexicon import LEXICON
from mnemolog.language.words.software import software_aliases, software_kinds

Order = Literal["finer", "coarser", "other"]
UNTOLD = DETERMINERS | PREPOSITIONS | {"named", "called", "is", "are", "team", "own"}
NUMBERED = frozenset({"number", "version"})


def value_order(new: Frame, old: Frame) -> Order | None:
    """Order of two values of one attribute; None if both may be right."""
    if len(new.quantities) == len(old.quantities) == 1 and _within_bound(new, old):
        return None
    if (new.quantities or old.quantities) and not _numbered_names(new, old):
        return "other" if _amounts_differ(new.quantities, old.quantities) else None
    one, other = value_words(new.value), value_words(old.value)
    if not one or not other or one <= other or other <= one:
        return None
    if place(new.value) == place(old.value) or _describes(new.value, old.value):
        return None
    kinds = {
        software_kinds().get(value.split(maxsplit=1)[0].lower()) for value in (new.value, old.value)
    }
    if None not in kinds and len(kinds) > 1:
        # Software of different kinds, like Kubernetes and Linux, does not conflict.
        return None
    return _places_differ(_places(new.value), _places(old.value))


def _describes(one: str, other: str) -> bool:
    """True if one of two values only describes the thing that the other names."""
    generic = _is_generic(one), _is_generic(other)
    if generic[0] == generic[1]:
        return False
    described, named = (one, other) if generic[0] else (other, one)
    return not described.startswith("the ") or re.search("[A-Z]", named) is not None


def _is_generic(value: str) -> bool:
    """True if a value only describes ('a big company'), so that another may give the name."""
    described = re.match(r"(?:an?|the) (.+?)(?: (?:in|on|at|near|of|by|with) .*)?$", value)
    return described is not None and noun(described[1].split()[-1]) in LEXICON.words("generic")


def _places_differ(new: tuple[str, ...], old: tuple[str, ...]) -> Order:
    """Order of two places, each given as all the names that its text may begin with."""
    if any(within(inner, outer) for inner in new for outer in old):
        return "finer"
    if any(within(inner, outer) for inner in old for outer in new):
        return "coarser"
    return "other"


def value_words(text: str) -> frozenset[str]:
    """Distinctive words of a value, in normalised form."""
    found = re.findall(r"[\w.+#-]*\w[+#]*", text)
    told = (noun(word) for word in found if word not in UNTOLD)
    return frozenset(software_aliases().get(word, word) for word in told)


def _places(text: str) -> tuple[str, ...]:
    """Names that a value may begin with: 'New York City' may be 'New York'."""
    found = re.sub(r"^the ", "", text).split()
    return tuple(" ".join(found[:length]) for length in range(1, min(len(found), 4) + 1))


def _within_bound(new: Frame, old: Frame) -> bool:
    """True if one value only bounds the other: 'more than 100 metres' and '120 metres'."""
    of_new, of_old = bounds(new.value), bounds(old.value)
    if bool(of_new) == bool(of_old):
        return False
    bound, exact = (*of_new, *of_old)[0], old if of_new else new
    # People speak loosely, so 'over 100' and '100' agree.
    return meets(msgspec.structs.replace(bound, strict=False), exact.quantities[0]) is True


def _amounts_differ(new: tuple[Quantity, ...], old: tuple[Quantity, ...]) -> bool:
    """True if two values differ in an amount; an amount in only one of them decides nothing."""
    if len(new) == len(old) == 1:
        return bool(_difference(new[0], old[0]))
    if _are_slots(new) and _are_slots(old):
        return False
    for dimension in {quantity.dimension for quantity in new}:
        first = [quantity for quantity in new if quantity.dimension == dimension]
        second = [quantity for quantity in old if quantity.dimension == dimension]
        if len(first) == len(second) and any(map(_difference, first, second)):
            return True
    return False


def _are_slots(amounts: tuple[Quantity, ...]) -> bool:
    """True if amounts are recurring times ('2 am on Sundays'), which may be several."""
    return len(amounts) > 1 and any(
        amount.dimension == "weekday" and amount.text.endswith("s") for amount in amounts
    )


def _difference(one: Quantity, other: Quantity) -> int | None:
    order = _year_apart(one, other)
    if order is None:
        order = compare(one, other)
    if one.period != other.period:
        # A price per month and a price per year are two offers.
        return None
    if order and one.text.lstrip("-0123456789., ") != other.text.lstrip("-0123456789., "):
        return _beyond_rounding(one, other)
    return _otherwise(one, other) if order is None else order


def _year_apart(one: Quantity, other: Quantity) -> int | None:
    """Difference of a year and a bare number, 0 or 1; None for other quantities."""
    number, date = (one, other) if one.dimension == "number" else (other, one)
    if number.dimension != "number" or date.dimension != "date" or len(date.values) > 1:
        return None
    return int(number.values[0] != date.values[0])


def _beyond_rounding(one: Quantity, other: Quantity) -> int:
    """Difference of two amounts in different units: 0 within rounding (a fortieth), else 1."""
    if len(one.values) != 1 or one.dimension in {"date", "clock", "weekday", "version"}:
        return 1
    return int(abs(one.amount - other.amount) > max(abs(one.amount), abs(other.amount)) / 40)


def _numbered_names(new: Frame, old: Frame) -> bool:
    """True if the numbers in two values belong to different names: 'iPhone 13' and 'Pixel 7'."""
    names = [
        {quantity.name for quantity in frame.quantities if quantity.dimension in NUMBERED}
        for frame in (new, old)
    ]
    named = names[0] | names[1]
    return (
        "" not in named
        and bool(named)
        and names[0].isdisjoint(names[1])
        and all(quantity.dimension in NUMBERED for quantity in (*new.quantities, *old.quantities))
        and not new.topic & named
    )


def _otherwise(one: Quantity, other: Quantity) -> int | None:
    """Difference of two single amounts without an order: other numbers or currencies."""
    bare = {"number", "version", "count"}
    if one.dimension in bare and other.dimension in bare:
        return int(_numbers(one) != _numbers(other))
    return 1 if one.dimension == other.dimension == "money" and one.unit != other.unit else None


def _numbers(one: Quantity) -> tuple[Fraction, ...]:
    """Parts of a number as written: '3.0' and version 3.0 are equal."""
    return version_parts(one.text) or one.values

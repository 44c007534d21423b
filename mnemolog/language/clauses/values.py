"""How two values of one attribute lie to each other: another one, or the same more exactly."""

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
    """How two values of one attribute differ; None where both may be right."""
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
        # Kubernetes and Linux do not take each other's place.
        return None
    return _places_differ(_places(new.value), _places(old.value))


def _describes(one: str, other: str) -> bool:
    """Whether one of two values only describes what the other names."""
    generic = _is_generic(one), _is_generic(other)
    if generic[0] == generic[1]:
        return False
    described, named = (one, other) if generic[0] else (other, one)
    return not described.startswith("the ") or re.search("[A-Z]", named) is not None


def _is_generic(value: str) -> bool:
    """Whether a value only describes ('a big company'), where another may give the name."""
    described = re.match(r"(?:an?|the) (.+?)(?: (?:in|on|at|near|of|by|with) .*)?$", value)
    return described is not None and noun(described[1].split()[-1]) in LEXICON.words("generic")


def _places_differ(new: tuple[str, ...], old: tuple[str, ...]) -> Order:
    """How two places lie to each other, each as all the names that its text may begin with."""
    if any(within(inner, outer) for inner in new for outer in old):
        return "finer"
    if any(within(inner, outer) for inner in old for outer in new):
        return "coarser"
    return "other"


def value_words(text: str) -> frozenset[str]:
    """The words of a value that tell it from another, in the form that they are compared in."""
    found = re.findall(r"[\w.+#-]*\w[+#]*", text)
    told = (noun(word) for word in found if word not in UNTOLD)
    return frozenset(software_aliases().get(word, word) for word in told)


def _places(text: str) -> tuple[str, ...]:
    """The names that a value may begin with: 'New York City' may be 'New York'."""
    found = re.sub(r"^the ", "", text).split()
    return tuple(" ".join(found[:length]) for length in range(1, min(len(found), 4) + 1))


def _within_bound(new: Frame, old: Frame) -> bool:
    """Whether one value only bounds the other: 'more than 100 metres' and '120 metres'."""
    of_new, of_old = bounds(new.value), bounds(old.value)
    if bool(of_new) == bool(of_old):
        return False
    bound, exact = (*of_new, *of_old)[0], old if of_new else new
    # 'Over 100' and '100' agree as closely as people speak.
    return meets(msgspec.structs.replace(bound, strict=False), exact.quantities[0]) is True


def _amounts_differ(new: tuple[Quantity, ...], old: tuple[Quantity, ...]) -> bool:
    """Whether two values differ in an amount; what only one of them gives decides nothing."""
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
    """Whether it is a time of a recurring day, of which there may be several: '2 am on Sundays'."""
    return len(amounts) > 1 and any(
        amount.dimension == "weekday" and amount.text.endswith("s") for amount in amounts
    )


def _difference(one: Quantity, other: Quantity) -> int | None:
    order = _year_apart(one, other)
    if order is None:
        order = compare(one, other)
    if one.period != other.period:
        # So much a month and so much a year are two offers.
        return None
    if order and one.text.lstrip("-0123456789., ") != other.text.lstrip("-0123456789., "):
        return _beyond_rounding(one, other)
    return _otherwise(one, other) if order is None else order


def _year_apart(one: Quantity, other: Quantity) -> int | None:
    """How two years differ of which one stands there as a mere number; None for all else."""
    number, date = (one, other) if one.dimension == "number" else (other, one)
    if number.dimension != "number" or date.dimension != "date" or len(date.values) > 1:
        return None
    return int(number.values[0] != date.values[0])


def _beyond_rounding(one: Quantity, other: Quantity) -> int:
    """Whether two amounts in different units differ by more than rounding does, a fortieth."""
    if len(one.values) != 1 or one.dimension in {"date", "clock", "weekday", "version"}:
        return 1
    return int(abs(one.amount - other.amount) > max(abs(one.amount), abs(other.amount)) / 40)


def _numbered_names(new: Frame, old: Frame) -> bool:
    """Whether the numbers in two values are parts of other names: 'iPhone 13' and 'Pixel 7'."""
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
    """How two single amounts differ that cannot be ordered: other numbers, other currencies."""
    bare = {"number", "version", "count"}
    if one.dimension in bare and other.dimension in bare:
        return int(_numbers(one) != _numbers(other))
    return 1 if one.dimension == other.dimension == "money" and one.unit != other.unit else None


def _numbers(one: Quantity) -> tuple[Fraction, ...]:
    """The parts of a number as it is written: '3.0' and version 3.0 are one."""
    return version_parts(one.text) or one.values

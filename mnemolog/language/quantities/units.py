"""Units with their dimension and their factor to its base unit."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import msgspec

from mnemolog.language.lists import english
from mnemolog.language.morphology import singular


class Unit(msgspec.Struct, frozen=True):
    """A unit: `amount * factor + offset` is the amount in the dimension's base unit.

    The dimension is what is measured: 'money', 'data', 'duration', 'length' and so on.
    """

    dimension: str
    base: str
    factor: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)


@cache
def units() -> dict[str, Unit]:
    """The units of the data file `units.toml`, by name, sign and abbreviation."""
    stored = english("units")
    added = dict(zip(*[iter(stored.text("offsets").split())] * 2, strict=True))
    known: dict[str, Unit] = {}
    for line in stored.text("units").strip().splitlines():
        dimension, base, factor, names = line.split(" | ")
        for name in names.split():
            known[name] = Unit(dimension, base, Fraction(factor), Fraction(added.get(name, 0)))
    return known


def unit_named(word: str) -> Unit | None:
    """The unit that a word, abbreviation or sign names; None if it is none."""
    low = word.lower().rstrip(".")
    return units().get(low) or units().get(singular(low))


def period_of(noun: str) -> Fraction | None:
    """The seconds of a time that a rate is for: of 'month', 'night'; None for other nouns."""
    unit = unit_named("day" if noun.lower() == "night" else noun)
    return unit.factor if unit is not None and unit.dimension == "duration" else None


@cache
def rate_words() -> dict[str, str]:
    """Nouns of rates by their adverbs: 'month' by 'monthly'."""
    return dict(zip(*[iter(english("units").text("rates").split())] * 2, strict=True))


def counted(noun: str) -> str:
    """Noun in singular under which things are counted; all words for people are one."""
    one = singular(noun)
    return "person" if one in english("units").words("people") else one

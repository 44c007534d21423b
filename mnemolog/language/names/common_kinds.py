"""Kinds of everyday things, which are common knowledge and need no memory.

A short list for allergies, diets, medicine, licences and computers. The kinds in the memory itself
come first and reach further. A compound that is no kind of its last word ('almond milk' is no
dairy) has an entry of its own.
"""

from __future__ import annotations

from functools import cache

from mnemolog.language.word_lists import word_rows

DIETS = {
    "vegan": ("animal product",),
    "plant-based": ("animal product",),
    "vegetarian": ("meat", "seafood"),
    "pescatarian": ("meat",),
    "halal": ("pork", "alcohol"),
    "kosher": ("pork", "shellfish"),
    "decaf": ("caffeine",),
    "decaffeinated": ("caffeine",),
    "teetotal": ("alcohol",),
    "teetotaler": ("alcohol",),
    "teetotaller": ("alcohol",),
    "coeliac": ("gluten",),
    "celiac": ("gluten",),
}
"""Diets and conditions, with the foods and drinks that they exclude."""


@cache
def common_kinds() -> dict[str, tuple[str, ...]]:
    """The kinds that each thing belongs to directly."""
    return _inverted("members")


@cache
def contrasts() -> dict[str, tuple[str, ...]]:
    """The sets that each thing is one of, of which one has at most one."""
    return _inverted("contrasts")


@cache
def known_names() -> frozenset[str]:
    """Every name in the lists, kinds included."""
    kinds = (kind for listed in common_kinds().values() for kind in listed)
    return frozenset({*common_kinds(), *kinds, *contrasts()})


def _inverted(name: str) -> dict[str, tuple[str, ...]]:
    """Each member of the rows of a list, with the names of its rows."""
    found: dict[str, list[str]] = {}
    for row, members in word_rows("everyday_kinds", name).items():
        for member in members.split(", "):
            found.setdefault(member, []).append(row)
    return {member: tuple(rows) for member, rows in found.items()}

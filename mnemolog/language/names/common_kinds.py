"""Common knowledge of everyday things: kinds, sets of alternatives, and diets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from mnemolog.language.lists import Lists

LISTS = Lists("mnemolog.language.names", "common_kinds")


@cache
def common_kinds() -> dict[str, tuple[str, ...]]:
    """Kinds that each thing belongs to directly."""
    return _by_member(LISTS.table("kinds"))


@cache
def contrasts() -> dict[str, tuple[str, ...]]:
    """Names of the sets of alternatives that each thing belongs to."""
    return _by_member(LISTS.table("contrasts"))


@cache
def diets() -> Mapping[str, tuple[str, ...]]:
    """Kinds of things that people with a diet or a condition avoid."""
    return LISTS.table("diets")


@cache
def known_names() -> frozenset[str]:
    """Names in these tables, kinds included."""
    return frozenset({*common_kinds(), *LISTS.table("kinds"), *contrasts()})


def _by_member(table: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name, members in table.items():
        for member in members:
            found.setdefault(member, []).append(name)
    return {member: tuple(names) for member, names in found.items()}

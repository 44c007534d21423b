"""Kinds of a name: from a memory, and from common knowledge of everyday things."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Protocol

import msgspec

from mnemolog.language.lists import Lists
from mnemolog.language.morphology import singular

LISTS = Lists("mnemolog.language.names", "common_kinds")
_DEEPEST = 6


class Link(msgspec.Struct, frozen=True):
    """Step from a name to one of its kinds: `satay IS_A peanut dish`.

    `evidence` is the log position that states it; None for common knowledge.
    """

    source: str
    type: str
    target: str
    evidence: int | None = None


class Known(msgspec.Struct, frozen=True):
    """Kind that a name is known to have, and the steps to it."""

    name: str
    path: tuple[Link, ...]


class Knows(Protocol):
    """Port for knowledge of words and names."""

    def stem(self, word: str) -> str:
        """Stem of a lowercase word."""
        ...

    def kinds_of(self, name: str) -> Sequence[Known]:
        """Kinds of a lowercase name, direct or through others, nearest first."""
        ...


def known_kinds(name: str, knows: Knows) -> list[Known]:
    """Kinds of a name: those that the memory knows first, then the common kinds of those."""
    found: dict[str, Known] = {}
    for one in knows.kinds_of(name):
        found.setdefault(one.name.lower(), one)
    for start in [Known(name, ()), *found.values()]:
        entry = everyday_name(start.name.lower())
        for one in everyday_kinds(entry) if entry is not None else ():
            found.setdefault(one.name, Known(one.name, (*start.path, *one.path)))
    return list(found.values())


def everyday_name(name: str) -> str | None:
    """Name of a thing in common knowledge; None if it is not there."""
    *first, last = name.split() or [""]
    forms = (name, " ".join([*first, singular(last)]))
    return next((form for form in forms if form in known_names()), None)


@cache
def everyday_kinds(entry: str) -> tuple[Known, ...]:
    """Kinds of an everyday thing, nearest first."""
    seen, ahead = {entry}, [Known(entry, ())]
    for one in ahead:
        for kind in LISTS.keys_of("kinds").get(one.name, ()):
            if kind not in seen and len(one.path) < _DEEPEST:
                seen.add(kind)
                ahead.append(Known(kind, (*one.path, Link(one.name, "IS_A", kind))))
    return tuple(ahead[1:])


def contrasts() -> Mapping[str, tuple[str, ...]]:
    """Names of the sets of alternatives that each thing belongs to."""
    return LISTS.keys_of("contrasts")


def diets() -> Mapping[str, tuple[str, ...]]:
    """Kinds of things that people with a diet or a condition avoid."""
    return LISTS.table("diets")


@cache
def known_names() -> frozenset[str]:
    """Names in common knowledge, kinds included."""
    return frozenset({*LISTS.keys_of("kinds"), *LISTS.table("kinds"), *contrasts()})

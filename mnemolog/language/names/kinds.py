"""Kinds of a name: from a memory, and from common knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol

import msgspec

from mnemolog.language.morphology import singular
from mnemolog.language.names.common_kinds import common_kinds, known_names

_DEEPEST = 6


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
    known = known_names()
    *first, last = name.split() or [""]
    for form in (name, " ".join([*first, singular(last)])):
        if form in known:
            return form
    return None


@cache
def everyday_kinds(entry: str) -> tuple[Known, ...]:
    """Kinds of an everyday thing, nearest first."""
    found: list[Known] = []
    ahead = [Known(entry, ())]
    seen = {entry}
    while ahead:
        one = ahead.pop(0)
        for kind in common_kinds().get(one.name, ()):
            if kind not in seen and len(one.path) < _DEEPEST:
                seen.add(kind)
                further = Known(kind, (*one.path, Link(one.name, "IS_A", kind)))
                found.append(further)
                ahead.append(further)
    return tuple(found)


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

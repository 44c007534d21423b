"""What a name is known to be: by a memory, and by what anybody knows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol

import msgspec

from mnemolog.language.morphology import singular
from mnemolog.language.names.common_kinds import common_kinds, known_names

_DEEPEST = 6


def known_kinds(name: str, knows: Knows) -> list[Known]:
    """What a name is: by what the memory knows first, then by what anybody knows of that."""
    found: dict[str, Known] = {}
    for one in knows.kinds_of(name):
        found.setdefault(one.name.lower(), one)
    for start in [Known(name, ()), *found.values()]:
        entry = everyday_name(start.name.lower())
        for one in everyday_kinds(entry) if entry is not None else ():
            found.setdefault(one.name, Known(one.name, (*start.path, *one.path)))
    return list(found.values())


def everyday_name(name: str) -> str | None:
    """The name under which everyday knowledge holds a thing; None if it does not."""
    known = known_names()
    *first, last = name.split() or [""]
    for form in (name, " ".join([*first, singular(last)])):
        if form in known:
            return form
    return None


@cache
def everyday_kinds(entry: str) -> tuple[Known, ...]:
    """The kinds of an everyday thing, nearest first."""
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
    """One step from a name to what it is: `satay IS_A peanut dish`.

    `evidence` is the log position that says so; None for what anybody knows.
    """

    source: str
    type: str
    target: str
    evidence: int | None = None


class Known(msgspec.Struct, frozen=True):
    """Something that a name is known to be, and the steps there."""

    name: str
    path: tuple[Link, ...]


class Knows(Protocol):
    """What is known of words and names."""

    def stem(self, word: str) -> str:
        """The term that a lowercase word comes to."""
        ...

    def kinds_of(self, name: str) -> Sequence[Known]:
        """What a lowercase name is known to be, directly or through others, nearest first."""
        ...

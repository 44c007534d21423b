"""Requirements: the things that a sentence asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from mnemolog.policies.constraints.lists import LISTS
from mnemolog.policies.constraints.things import (
    free_of,
    noun_phrases,
    without_general_head,
)


class Requirement(msgspec.Struct, frozen=True):
    """Something asked for: what it is, and the words that ask for it."""

    thing: str
    words: str


_DENIED_BEFORE = LISTS.pattern("denied_before")


@cache
def _wordings() -> tuple[re.Pattern[str], ...]:
    return LISTS.patterns("requirements")


def requirements(sentence: str) -> Iterator[Requirement]:
    """The things that a sentence asks for."""
    for pattern in _wordings():
        for match in pattern.finditer(sentence):
            if _DENIED_BEFORE.search(sentence[: match.start()]) is not None:
                continue
            asked = list(noun_phrases(match["things"]))
            for thing in asked:
                if without_general_head(thing) in asked:
                    continue
                if any(free_of(thing)):
                    continue
                if not re.search(r"\d", thing) or re.search(r"[a-z]-?\d|-", thing):
                    yield Requirement(thing, match[0].strip(" .!"))

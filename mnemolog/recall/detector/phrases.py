"""Phrases that are signs in a prompt, and the file of the detector's words and patterns."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.lists import Lists

LISTS = Lists("mnemolog.recall.detector", "detector")

Group = Literal[
    "earlier talk",
    "the asker's doings",
    "the asker's own",
    "a person",
    "what was said",
    "work at hand",
    "private life",
    "a time",
    "a task",
    "how to",
    "a service",
    "general knowledge",
    "telling",
]
"""The subject of a sign; the last five speak against recall."""


class _Facts(msgspec.Struct, frozen=True):
    group: Group
    part: Literal["whole", "asked"]
    weight: float
    needs: str = ""


class SignPhrase(msgspec.Struct, frozen=True):
    """Words that are a sign together: their group, weight and pattern.

    They are searched in the whole prompt or in what it asks, and only if one of
    the words of `needs` is in it; empty if that would not save the search.
    """

    group: Group
    part: Literal["whole", "asked"]
    weight: float
    needs: frozenset[str]
    pattern: re.Pattern[str]


@cache
def phrases() -> tuple[SignPhrase, ...]:
    """All phrases, in the order of the file."""
    return tuple(
        SignPhrase(row.group, row.part, row.weight, frozenset(row.needs.split()), pattern)
        for row, pattern in LISTS.rows("phrases", _Facts)
    )

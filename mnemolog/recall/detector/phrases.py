"""Phrases that are signs in a prompt, ready to be looked for."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.recall.detector.phrases_against import AGAINST
from mnemolog.recall.detector.phrases_for import FOR
from mnemolog.recall.detector.sign_groups import Group


class Phrase(msgspec.Struct, frozen=True):
    """Words that are a sign together: their group, weight and pattern.

    They are looked for in the whole prompt or in what it asks, and only if one of
    the words of `needs` is in it; empty if that would not save the looking.
    """

    group: Group
    part: Literal["whole", "asked"]
    weight: float
    needs: frozenset[str]
    pattern: re.Pattern[str]


@cache
def phrases() -> tuple[Phrase, ...]:
    """All phrases. Patterns are compiled when first needed: nothing else is to wait for them."""
    return tuple(
        Phrase(group, part, weight, frozenset(needs.split()), regex("|".join(alternatives)))
        for group, part, weight, needs, alternatives in (*FOR, *AGAINST)
    )

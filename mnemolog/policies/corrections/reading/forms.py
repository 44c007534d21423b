"""Forms in which English takes something back: patterns over one sentence."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

import msgspec

from mnemolog.language.patterns import regex
from mnemolog.policies.corrections.lists import LISTS

Old = Literal["statement", "thing", "value"]
Group = Literal["record", "request", "denial", "contrast", "change", "ending", "news"]

_PLAIN_WORDS = regex(r"[a-z]+(?:'[a-z]+)?")


class CorrectionForm(msgspec.Struct, frozen=True):
    """One form of correction, of a group of kin, and what kind of words `old` are."""

    name: str
    group: Group
    old: Old = "statement"


@cache
def forms() -> tuple[tuple[CorrectionForm, re.Pattern[str]], ...]:
    """The forms and their patterns, in the order in which they are tried."""
    return tuple(LISTS.rows("forms", CorrectionForm))


def may_correct(text: str) -> bool:
    """True if a text has any word with which something is taken back: cheap, before any form."""
    words = _PLAIN_WORDS.findall(text.lower().replace("\u2019", "'"))
    return not LISTS.words("signs").isdisjoint(words)

"""What a pattern of correction is, and the words that several patterns share.

Each pattern has some of the groups `old` (what no longer holds: a statement, a
thing or a value), `new` (what holds instead), `about` (what both are said of),
`agent` (who made the change), `verb` and `rest` (what follows, maybe the new).
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from mnemolog.language.patterns import regex

Old = Literal["statement", "thing", "value"]
Group = Literal["record", "request", "denial", "contrast", "change", "ending", "news"]
_I = re.IGNORECASE
GAP = r"(?:\s+|(?='))"


class Form(msgspec.Struct, frozen=True):
    """One pattern of correction, of a group of kin, and what kind of words `old` are."""

    name: str
    pattern: re.Pattern[str]
    old: Old = "statement"
    group: Group = "record"


def form(name: str, pattern: str, old: Old = "statement") -> Form:
    """A pattern, whatever the case of its letters."""
    return Form(name, regex(pattern, _I), old)

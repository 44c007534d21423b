"""Texts of corrections: how they quote what they replace, and how its words are found in others."""

import re
from collections.abc import Sequence

from mnemolog.language.lists import regex
from mnemolog.ledger.events import MemoryContent

_BEFORE = " Before: "
_QUOTATION = regex(r"\. Before: “.*”\Z", re.DOTALL)


def quoting(sentence: str, olds: Sequence[str]) -> str:
    """Correction with the texts before it, if any: the reader sees what of them still holds."""
    if not olds:
        return sentence
    return f"{sentence.rstrip(' .')}.{_BEFORE}{', '.join(map(_quoted, olds))}"


def is_rest(old: MemoryContent, new: MemoryContent) -> bool:
    """True if a memory keeps what still held of another that was corrected."""
    return new.snippet == old.text


def is_quoted(old: MemoryContent, new: MemoryContent) -> bool:
    """True if a correction quotes a text behind its sentence."""
    quotation = _QUOTATION.search(new.text)
    return quotation is not None and _quoted(old.text) in quotation[0]


def _quoted(old: str) -> str:
    # What this quotes was corrected before.
    return f"“{_QUOTATION.sub('.', old)}”"

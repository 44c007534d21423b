"""Texts of corrections: how they quote what they replace, and how the quoted is told again."""

from collections.abc import Sequence

from mnemolog.ledger.events import MemoryContent

_BEFORE = " Before: "


def quoting(sentence: str, olds: Sequence[str]) -> str:
    """Correction with the texts before it, if any: the reader sees what of them still holds."""
    if not olds:
        return sentence
    return f"{sentence.rstrip(' .')}.{_BEFORE}{', '.join(map(_quoted, olds))}"


def holds_words_of(old: MemoryContent, new: MemoryContent) -> bool:
    """True if a text that replaced another was made of its words: a quotation, or a rest of it."""
    return new.snippet == old.text or _quoted(old.text) in new.text.partition(_BEFORE)[2]


def _quoted(old: str) -> str:
    # What this quotes was corrected before.
    return f"“{old.partition(_BEFORE)[0]}”"

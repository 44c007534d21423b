"""Lists of words, written as text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text that lists them with blanks between."""
    return frozenset(text.split())

"""Given names of people."""

from __future__ import annotations

from functools import cache

from mnemolog.language.word_lists import word_file, word_set


@cache
def given_names() -> frozenset[str]:
    """Given names in small letters, of many languages."""
    return word_set(word_file("given_names")["given_names"])

"""Given names of people."""

from __future__ import annotations

from functools import cache

from mnemolog.language.lists import english


@cache
def given_names() -> frozenset[str]:
    """Given names in small letters, of many languages."""
    return english("given_names").words("given_names")

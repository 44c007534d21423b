"""What a text states: its sentences, and what each says of what."""

from __future__ import annotations

import re

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+")


def says_one_thing(text: str) -> bool:
    """Whether a text is one statement and no more, so that it may be retired whole."""
    return len([part for part in _SENTENCE_END.split(text.strip()) if part.strip()]) == 1

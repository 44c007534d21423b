"""Speakers of lines of talk: the name before the colon in "Anna: yes"."""

from __future__ import annotations

import re

from mnemolog.language.patterns import regex

LABELS = (
    r"(?:quiz|question|answer|option|idea|draft|proposal|suggestion|rumou?r|myth|todo|to-do"
    r"|example|placeholder|fiction|story|headline|title|subject(?: line)?)"
)
"""Words before a colon that name the kind of the rest, which nobody asserts."""

_SPEAKER = regex(r"^\s*([A-Z][\w.'-]*(?:[ ][A-Z][\w.'-]*){0,2}):[ ]+")
_NO_SPEAKER = regex(
    r"^(?:correction|update|edit|note|erratum|errata|fix|ps|btw|fyi|news|heads|reminder"
    rf"|amendment|{LABELS})\b",
    re.IGNORECASE,
)


def spoken(text: str) -> tuple[str | None, str]:
    """The speaker of a line of talk, None where it names none, and what is said."""
    match = _SPEAKER.match(text)
    if match is None or _NO_SPEAKER.match(match[1]):
        return None, text
    return match[1], text[match.end() :]

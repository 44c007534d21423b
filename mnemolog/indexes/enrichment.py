"""The header that a text is embedded under, so that its vector knows what it belongs to."""

from __future__ import annotations

_HEADER_WORDS = 50


def enriched(text: str, place: str | None, category: str | None) -> str:
    """A text with its place and category in front, 50 words of them at most; stored nowhere.

    What was said before a message is not put in front of it: it enters when
    memories are ranked, where it was measured to help, while in front of the
    text it dilutes the vector (docs/decisions/0006-context-at-ranking.md).
    """
    header = [*(place or "").replace("/", " ").split(), *(category or "").split()][:_HEADER_WORDS]
    return f"{' '.join(header)}\n{text}" if header else text

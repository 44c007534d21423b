"""The header that a text is embedded under, so that its vector knows what it belongs to."""

from __future__ import annotations

_HEADER_WORDS = 50


def enriched(text: str, place: str | None, category: str | None) -> str:
    """A text with its place and category in front, 50 words of them at most; stored nowhere.

    The text before a message is not part of the header: it is used when
    memories are ranked, where it was measured to help, while in front of the
    text it dilutes the vector (docs/decisions/0006-context-at-ranking.md).
    """
    header = [*(place or "").replace("/", " ").split(), *(category or "").split()][:_HEADER_WORDS]
    return f"{' '.join(header)}\n{text}" if header else text

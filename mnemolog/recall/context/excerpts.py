"""Excerpts of texts: whole sentences that fit, with an ellipsis for omitted ones."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

from mnemolog.language.sentences import sentences

ELLIPSIS = "…"
"""Mark for omitted sentences."""

Count = Callable[[str], int]


def excerpt(text: str, room: int, count: Count, wanted: Callable[[str], float]) -> str | None:
    """Excerpt of the most wanted sentences that fit into `room`, whole and in order.

    Sentences with score 0 are used only if all have it. An ellipsis marks omissions. None if
    nothing fits.
    """
    spans = sentences(text)
    scores = [wanted(text[start:end]) for start, end in spans]
    some = any(score > 0 for score in scores)
    order = sorted(
        (place for place, score in enumerate(scores) if score > 0 or not some),
        key=lambda place: (-scores[place], place),
    )
    chosen: list[int] = []
    left = room
    for place in order:
        start, end = spans[place]
        cost = count(text[start:end])
        if cost > left:
            # Stop early: trying many sentences for the last few tokens is slow.
            if chosen and left < room // 4:
                break
            continue
        chosen.append(place)
        left -= cost
    # Ellipses cost as well.
    while chosen and count(_joined(text, spans, chosen)) > room:
        chosen.pop()
    return _joined(text, spans, chosen) if chosen else None


def cut_at_sentence(text: str, fits: Callable[[str], bool]) -> str:
    """Longest beginning of a text that fits and ends with a sentence or a line.

    If a text fits, each beginning of it must fit too. If not even the first sentence fits, the
    cut is at a blank; if no word does, the result is empty.
    """
    if fits(text):
        return text
    lines = [match.start() for match in re.finditer(r"\n", text)]
    ends = sorted({*(end for _, end in sentences(text)), *lines})
    blanks = [match.start() for match in re.finditer(r"\s", text)]
    return _longest(text, ends, fits) or _longest(text, blanks, fits)


def _longest(text: str, ends: Sequence[int], fits: Callable[[str], bool]) -> str:
    """Text up to the last of the ascending `ends` at which it fits; empty if none does."""
    kept = bisect_left(ends, 1, key=lambda end: int(not fits(text[:end].rstrip())))
    return text[: ends[kept - 1]].rstrip() if kept else ""


def _joined(text: str, spans: Sequence[tuple[int, int]], chosen: Sequence[int]) -> str:
    """Chosen sentences, with an ellipsis in place of the others."""
    kept = sorted(chosen)
    pieces = [] if kept[0] == 0 else [f"{ELLIPSIS} "]
    for before, place in zip([None, *kept], kept, strict=False):
        start, end = spans[place]
        if before is not None:
            beside = before == place - 1
            pieces.append(text[spans[before][1] : start] if beside else f" {ELLIPSIS} ")
        pieces.append(text[start:end])
    if kept[-1] != len(spans) - 1:
        pieces.append(f" {ELLIPSIS}")
    return "".join(pieces)

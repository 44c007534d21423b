"""Texts made shorter at the end of a sentence, never in the middle of one."""

from __future__ import annotations

import re
from collections.abc import Callable

_END = re.compile(r"[.!?…]+[\"'\u201d\u2019)\]]*(?=\s|$)|\n")
_BLANK = re.compile(r"\s")


def cut_at_sentence(text: str, fits: Callable[[str], bool]) -> str:
    """The longest beginning of a text that fits and ends with a sentence or a line.

    `fits` must hold for every beginning of what it holds for. Where not even the
    first sentence fits, the cut is at a blank; where no word does, nothing is left.
    """
    if fits(text):
        return text
    for pattern in (_END, _BLANK):
        ends = [match.end() for match in pattern.finditer(text)]
        kept = _longest(text, ends, fits)
        if kept:
            return kept
    return ""


def _longest(text: str, ends: list[int], fits: Callable[[str], bool]) -> str:
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if fits(text[: ends[middle]].rstrip()):
            low = middle + 1
        else:
            high = middle
    return text[: ends[low - 1]].rstrip() if low else ""

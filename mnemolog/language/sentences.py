"""Where the sentences of a text begin and end, lists and code included."""

from __future__ import annotations

import re
from bisect import bisect_right

from mnemolog.language.patterns import regex

_BOUNDARY = regex(
    # Marks are read from the first of them on, and once: a run of a million is one look.
    r"(?P<end>(?<![.!?…])[.!?…]++[\"'”’)\]*_]*+)(?=\s+\S)"  # noqa: RUF001 - quotes as they are typeset
    r"|[。！？]+"  # noqa: RUF001 - that is how Chinese and Japanese sentences end
    r"|\n(?=[^\S\n]*\n)"
    r"|\n(?=[^\S\n]*(?:[-*+•>#|]|\d{1,3}[.)])[^\S\n])"
)
_FENCED = regex(r"^```.*?(?:^```|\Z)", re.MULTILINE | re.DOTALL)
_LAST_WORD = regex(r"(?:^|[\s(\[\"'“‘])([^\s(\[\"'“‘]*)$")  # noqa: RUF001 - as above
_FOLLOWING = regex(r"\s*\S")
_LOOK_BACK = 40
_LIST_NUMBER = regex(r"(?:^|\n)\s*\d{1,3}$")
# Words whose full stop ends no sentence. Where one does end it, two sentences stay together.
# fmt: off
_ABBREVIATED = frozenset({
    "a.m", "al", "approx", "apr", "aug", "cf", "co", "col", "corp", "dec", "dept", "dr", "e.g",
    "est", "etc", "feb", "fig", "fri", "gen", "i.e", "inc", "jan", "jr", "jul", "jun", "ltd",
    "mar", "max", "min", "mon", "mr", "mrs", "ms", "no", "nov", "oct", "p.m", "prof", "rev",
    "sat", "sep", "sept", "sr", "st", "sun", "thu", "tue", "u.k", "u.s", "vol", "vs", "wed",
})
# fmt: on


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text begin and end; lines of a list count, code stays whole."""
    fences = [0, *(edge for fence in _FENCED.finditer(text) for edge in fence.span())]
    ends = [
        match.end()
        for match in _BOUNDARY.finditer(text)
        # Outside: before it the text begins, and every fence that began has ended.
        if bisect_right(fences, match.start()) % 2 and _ends_sentence(text, match)
    ]
    spans: list[tuple[int, int]] = []
    start = 0
    for end in [*ends, len(text)]:
        piece = text[start:end]
        if piece.strip():
            lead = len(piece) - len(piece.lstrip())
            spans.append((start + lead, start + len(piece.rstrip())))
        start = end
    return spans


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    if match["end"] is None:
        return True
    following = _FOLLOWING.match(text, match.end())
    if following is not None and following[0][-1].islower():
        return False
    if not match["end"].startswith(".") or match["end"].startswith(".."):
        return True
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    if _LIST_NUMBER.search(before):
        return False
    last = _LAST_WORD.search(before)
    word = last[1] if last else before
    return word.lower() not in _ABBREVIATED and not (len(word) == 1 and word.isupper())

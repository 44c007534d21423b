"""Matching of a prompt with a few texts, by shared words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from mnemolog.language.analysis import STOP_WORDS, Analyzer
from mnemolog.language.patterns import regex

_ENOUGH = 0.5
"""Least share of a prompt's words that a text must hold: less is a coincidence."""
_NUMBER = regex(r"(?<![\w.])#?(\d+)(?![\w])")


class Match(NamedTuple):
    """Match: the index of a matching text; `relevance` in [0, 1]."""

    place: int
    relevance: float


class MatchableText(NamedTuple):
    """Text to match, with its title."""

    text: str
    title: str = ""


def best_matches(
    analyzer: Analyzer, prompt: str, texts: Sequence[MatchableText], limit: int
) -> list[Match]:
    """Matches: texts that hold at least half of the prompt's words, and all of its numbers.

    For sets too small to need an index. Closed-class words do not count. Ranked by matched
    words, rare ones counting more; ties by matches in the title, then the shorter text, which
    contains less else, then the first.
    """
    asked = set(analyzer.cue(prompt))
    if not asked or asks_only_in_general(analyzer, prompt):
        return []
    numbers = set(_NUMBER.findall(prompt))
    titled = [_held(analyzer, asked, text.title) for text in texts]
    held = [
        words | _held(analyzer, asked, text.text)
        if numbers <= set(_NUMBER.findall(f"{text.title}\n{text.text}"))
        else set()
        for text, words in zip(texts, titled, strict=True)
    ]
    weights = _weights(asked, held)
    whole = sum(weights.values())
    found = [
        Match(place, round(sum(weights[word] for word in words) / whole, 4))
        for place, words in enumerate(held)
        if len(words) >= _ENOUGH * len(asked)
    ]
    found.sort(
        key=lambda match: (
            -match.relevance,
            -len(titled[match.place]),
            len(texts[match.place].text),
            match.place,
        )
    )
    return found[:limit]


def _held(analyzer: Analyzer, asked: set[str], text: str) -> set[str]:
    return asked & {*analyzer.words(text), *analyzer.exact(text)}


def asks_only_in_general(analyzer: Analyzer, prompt: str) -> bool:
    """True if a prompt has no content word, as in 'where were we?'."""
    return all(word in STOP_WORDS for word in analyzer.surface(prompt))


def _weights(asked: set[str], held: Sequence[set[str]]) -> dict[str, float]:
    counts = Counter(word for words in held for word in words)
    return {word: math.log(1 + (1 + len(held)) / (1 + counts[word])) for word in asked}

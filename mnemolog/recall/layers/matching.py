"""Which of a few texts a prompt is about, by the words that they share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from mnemolog.language.analysis import STOP_WORDS, Analyzer
from mnemolog.language.patterns import regex

_ENOUGH = 0.5
"""The share of a prompt's words that a text must hold: less is a chance meeting."""
_NUMBER = regex(r"(?<![\w.])#?(\d+)(?![\w])")


class Match(NamedTuple):
    """A text that fits, by its place in what was given; `relevance` in [0, 1]."""

    place: int
    relevance: float


class MatchableText(NamedTuple):
    """A text, and what it is called."""

    text: str
    title: str = ""


def best_matches(
    analyzer: Analyzer, prompt: str, texts: Sequence[MatchableText], limit: int
) -> list[Match]:
    """The texts that hold at least half of the prompt's words, and every number of it.

    For sets so small that an index would cost more than it saves. Closed-class
    words do not count. Ranked by the words that they hold, rare ones counting
    more; of equals those with more of them in the title, then the shorter, which
    has less else to say, then the first.
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
    """Whether a prompt has no word of its own, as in 'where were we?'."""
    return all(word in STOP_WORDS for word in analyzer.surface(prompt))


def _weights(asked: set[str], held: Sequence[set[str]]) -> dict[str, float]:
    counts = Counter(word for words in held for word in words)
    return {word: math.log(1 + (1 + len(held)) / (1 + counts[word])) for word in asked}

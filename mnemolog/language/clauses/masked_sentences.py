"""Sentences with their quotations masked, and the reasons why some assert nothing.

An author does not assert quotations, suppositions, questions and reports about others.
"""

from __future__ import annotations

import re

import msgspec

from mnemolog.language.clauses.assertions import JOKED
from mnemolog.language.clauses.not_asserted import IDIOM, OTHER_WORLD, doubt_of
from mnemolog.language.patterns import regex
from mnemolog.language.sentences import main_clauses

_OPEN, _CLOSE = "⟦", "⟧"
_QUOTED = regex(
    r"“([^”]*)”|\"([^\"]*)\"|«([^»]*)»|\u2018([^\u2019]*(?:\u2019(?=\w)[^\u2019]*)*)\u2019"
    r"|(?<!\w)'(?=\S)((?:[^'\n]|(?<=\w)'(?=\w))+?)(?<=\S)'(?!\w)|`([^`\n]+)`"
)
_MASK = regex(rf"{_OPEN}(\d+){_CLOSE}")
_FENCED = regex(r"```.*?(?:```|\Z)", re.DOTALL)
# Patterns read punctuation as clause ends, so hide it inside numbers, times and paths.
_INNER = (
    (regex(r":(?=[^\s⟦])"), "\u2236"),
    (regex(r"(?<=\d),(?=\d{3}\b)"), "\u201a"),
    (regex(r"(?<=\d)\.(?=\d)|(?<=\w\w)\.(?=\w\w)"), "\u2024"),
    (
        regex(r"(?<=\b[DM]r)\.(?=\s+[A-Z])|(?<=\b(?:Mrs|Sgt))\.|(?<=\bM[sx])\.(?=\s+[A-Z])"),
        "\u2024",
    ),
)
_SHOWN = ((":", "\u2236"), (",", "\u201a"), (".", "\u2024"))


class MaskedSentence(msgspec.Struct, frozen=True):
    """Sentence of a text, with its quotations masked.

    `doubt` is the reason why it corrects nothing; None if its author asserts it.
    """

    text: str
    quotes: tuple[str, ...]
    doubt: str | None

    def unmasked(self, part: str) -> str:
        """Part of the masked sentence as written, without quotation marks."""
        shown = _MASK.sub(lambda match: self.quotes[int(match[1])], part).strip()
        for pattern, stand_in in _SHOWN:
            shown = shown.replace(stand_in, pattern)
        return shown


def masked_sentences(text: str) -> tuple[MaskedSentence, ...]:
    """Sentences of a text, each with the reason why it is not asserted, if any."""
    masked, quotes = _masked(_FENCED.sub("\n", text))
    found: list[MaskedSentence] = []
    elsewhere, prior = JOKED.search(masked) is not None, ""
    for begin, end in main_clauses(masked):
        sentence = masked[begin:end]
        if masked.endswith("\n\n", 0, begin):
            elsewhere = False
        elsewhere = elsewhere or OTHER_WORLD.search(sentence) is not None
        doubt = "hypothetical" if elsewhere else doubt_of(sentence, prior)
        prior = sentence
        plain = IDIOM.sub("", sentence).strip() or sentence
        found.append(MaskedSentence(plain, quotes, doubt))
    return tuple(found)


def stated_clauses(text: str) -> list[tuple[int, int]]:
    """Spans of the clauses of a text that are not questions."""
    return [(start, end) for start, end in main_clauses(text) if text[end - 1] != "?"]


def _masked(text: str) -> tuple[str, tuple[str, ...]]:
    """Text with each quotation replaced by a mark, and the quotations."""
    quotes: list[str] = []

    def mask(match: re.Match[str]) -> str:
        quotes.append(next(group for group in match.groups() if group is not None))
        return f"{_OPEN}{len(quotes) - 1}{_CLOSE}"

    lines = [line for line in text.split("\n") if not line.lstrip().startswith(">")]
    plain = "\n".join(lines)
    masked = _QUOTED.sub(mask, plain if "\u2018" in plain else plain.replace("\u2019", "'"))
    for pattern, stand_in in _INNER:
        masked = pattern.sub(stand_in, masked)
    return masked, tuple(quotes)

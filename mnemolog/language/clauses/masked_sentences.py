"""Sentences with their quotations masked, and the reasons why some assert nothing.

An author does not assert questions, suppositions, quotations, jokes and reports about others.
"""

from __future__ import annotations

import re

import msgspec

from mnemolog.language.clauses.assertions import LISTS as ASSERTIONS
from mnemolog.language.lists import Lists
from mnemolog.language.sentences import main_clauses

LISTS = Lists("mnemolog.language.clauses", "doubts", shared=ASSERTIONS)
_PATTERNS = LISTS.patterns_by_name
_SHOWN = str.maketrans("\u2236\u201a\u2024", ":,.")


class MaskedSentence(msgspec.Struct, frozen=True):
    """Sentence of a text, with its quotations masked.

    `doubt` is the reason why it corrects nothing; None if its author asserts it.
    """

    text: str
    quotes: tuple[str, ...]
    doubt: str | None

    def unmasked(self, part: str) -> str:
        """Part of the masked sentence as written, without quotation marks."""
        shown = _PATTERNS.mask.sub(lambda match: self.quotes[int(match[1])], part)
        return shown.strip().translate(_SHOWN)


def masked_sentences(text: str) -> tuple[MaskedSentence, ...]:
    """Sentences of a text, each with the reason why it is not asserted, if any."""
    masked, quotes = _masked(_PATTERNS.fenced.sub("\n", text))
    found: list[MaskedSentence] = []
    elsewhere, prior = ASSERTIONS.patterns_by_name.joked.search(masked) is not None, ""
    for begin, end in main_clauses(masked):
        sentence = masked[begin:end]
        if masked.endswith("\n\n", 0, begin):
            elsewhere = False
        elsewhere = elsewhere or _PATTERNS.other_world.search(sentence) is not None
        doubt = "hypothetical" if elsewhere else doubt_of(sentence, prior)
        prior = sentence
        plain = _PATTERNS.idiom.sub("", sentence).strip() or sentence
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
        return f"⟦{len(quotes) - 1}⟧"

    plain = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(">"))
    masked = _PATTERNS.quoted.sub(
        mask, plain if "\u2018" in plain else plain.replace("\u2019", "'")
    )
    # Patterns read punctuation as clause ends: it is hidden inside numbers, times and paths.
    return LISTS.rewritten("inner_marks", masked), tuple(quotes)


def doubt_of(sentence: str, prior: str) -> str | None:
    """Reason why a sentence is not asserted, given the sentence before it; None if it is."""
    said = _PATTERNS.idiom.sub("", sentence)
    if (they := _PATTERNS.they.search(said)) is not None:
        before = said[: they.start()]
        ours = _PATTERNS.they_moved.match(said) or _PATTERNS.not_many.search(before)
        if ours or _PATTERNS.many_are.search(f"{prior} {before}"):
            said = _PATTERNS.they.sub("these", said, count=1)
    if said.rstrip(" \"')").endswith("?") and not _PATTERNS.asks_to.match(said):
        return "a question"
    if _PATTERNS.noted.match(said):
        return "no assertion"
    if _PATTERNS.denied.search(said):
        return "denied"
    reports = _PATTERNS.saying_noun.sub("", _PATTERNS.own_saying.sub("", said))
    if (
        _PATTERNS.hearsay.search(said)
        or _PATTERNS.reported.search(reports)
        or (_PATTERNS.others.search(said) or _PATTERNS.others_first.search(said))
    ):
        return "told of others"
    wishes = _PATTERNS.asks_to.sub("", said).replace("I would", "")
    return "hypothetical" if _PATTERNS.supposed.search(wishes) else None


def is_future(sentence: str) -> bool:
    """True if a sentence is about the future."""
    return _PATTERNS.future.search(sentence) is not None

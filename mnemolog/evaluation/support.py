"""Support judges: the port for relevance and faithfulness, and a judge by words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from mnemolog.language.sentences import sentence_texts, sentences

_SUPPORTED = 0.75
_BEARS = 0.5
_NEGATED = re.compile(
    r"\b(not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b"
    "|n['\N{RIGHT SINGLE QUOTATION MARK}]t\\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")

Terms = Callable[[str], Iterable[str]]


class SupportJudge(Protocol):
    """Judge of an assembled context, and of an answer given from that context."""

    @property
    def name(self) -> str:
        """Name of the judge."""
        ...

    def bears(self, question: str, passage: str) -> bool:
        """True if a passage is relevant to a question."""
        ...

    def supports(self, passages: Sequence[str], statement: str) -> bool:
        """True if the passages support a statement."""
        ...


class WordJudge:
    """Judge by words alone: a lower bound, because it knows no paraphrase and no reasoning.

    A passage is relevant to a question if it holds half of the question's terms. A
    statement is supported if a passage holds three quarters of its terms and all of its
    numbers, and both are negated or neither is.
    """

    name = "words"

    def __init__(self, terms: Terms) -> None:
        """Judge that compares by `terms`: stemmed words without stop words."""
        self._terms = terms

    def bears(self, question: str, passage: str) -> bool:
        """True if a passage holds half of the question's terms."""
        return self._share(question, passage) >= _BEARS

    def supports(self, passages: Sequence[str], statement: str) -> bool:
        """True if a passage holds three quarters of a statement's terms and all of its numbers."""
        numbers = set(_NUMBER.findall(statement))
        return any(
            self._share(statement, passage) >= _SUPPORTED
            and numbers <= set(_NUMBER.findall(passage))
            and self._agrees(statement, passage)
            for passage in passages
        )

    def _share(self, wanted: str, passage: str) -> float:
        terms = frozenset(self._terms(wanted))
        return len(terms.intersection(self._terms(passage))) / len(terms) if terms else 0.0

    def _agrees(self, statement: str, passage: str) -> bool:
        """True if the passage's sentence nearest to a statement has the same negation."""
        spans = sentences(passage)
        parts = [passage[start:end] for start, end in spans]
        nearest = max(parts, key=lambda part: self._share(statement, part), default=passage)
        return bool(_NEGATED.search(statement)) == bool(_NEGATED.search(nearest))


def statements(answer: str) -> list[str]:
    """Statements of an answer: its sentences that are not questions."""
    found = sentence_texts(answer)
    return [statement for statement in found if not statement.endswith("?")]


def faithfulness(judge: SupportJudge, passages: Sequence[str], answer: str) -> float | None:
    """Share of an answer's statements that passages support; None without statements."""
    stated = statements(answer)
    if not stated:
        return None
    return sum(judge.supports(passages, statement) for statement in stated) / len(stated)

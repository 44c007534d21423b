"""What a text bears on and what it supports: the port, and a judge that goes by words."""

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
    """Judges an assembled context, and an answer by the context that it was given."""

    @property
    def name(self) -> str:
        """Which judge this is."""
        ...

    def bears(self, question: str, passage: str) -> bool:
        """Whether a passage bears on a question."""
        ...

    def supports(self, passages: Sequence[str], statement: str) -> bool:
        """Whether passages say what a statement says."""
        ...


class WordJudge:
    """Goes by words alone: it knows no paraphrase and no reasoning, so it is a lower bound.

    A passage bears on a question if it holds half of the question's terms. A
    statement is supported if some passage holds three quarters of its terms and
    every number of it, and both are negated or neither is.
    """

    name = "words"

    def __init__(self, terms: Terms) -> None:
        """Compare by these terms: stemmed words without those that every sentence has."""
        self._terms = terms

    def bears(self, question: str, passage: str) -> bool:
        """Whether a passage holds half of the question's terms."""
        return self._share(question, passage) >= _BEARS

    def supports(self, passages: Sequence[str], statement: str) -> bool:
        """Whether some passage holds nearly all of a statement."""
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
        """Whether the sentence that is nearest to a statement is negated as it is."""
        spans = sentences(passage)
        parts = [passage[start:end] for start, end in spans]
        nearest = max(parts, key=lambda part: self._share(statement, part), default=passage)
        return bool(_NEGATED.search(statement)) == bool(_NEGATED.search(nearest))


def statements(answer: str) -> list[str]:
    """The statements of an answer: its sentences that do not ask."""
    found = sentence_texts(answer)
    return [statement for statement in found if not statement.endswith("?")]


def faithfulness(judge: SupportJudge, passages: Sequence[str], answer: str) -> float | None:
    """The share of an answer's statements that passages support; None if it states nothing."""
    stated = statements(answer)
    if not stated:
        return None
    return sum(judge.supports(passages, statement) for statement in stated) / len(stated)

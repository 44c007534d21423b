"""Recognition of constraints and lasting facts in a text to store."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.embedder import Embedder
from mnemolog.indexes.enrichment import enriched
from mnemolog.ledger.errors import EmbedderUnavailable
from mnemolog.ledger.events import MemoryContent, Remembered
from mnemolog.policies.constraints.likeness import (
    FITTED_TO,
    LASTING_CATEGORIES,
    LASTING_CONSTRAINTS,
    fitted_weights,
    lasts,
    lasts_by_words,
    likely_class,
    may_last,
    may_limit,
)
from mnemolog.policies.constraints.recognition import (
    LONGEST,
    clause_texts,
    constraint_class,
    gravest,
)

_SENTENCES = 100
"""How many sentences of a long text are looked at."""


class Sentence(NamedTuple):
    """Sentence of a text, and the text that is embedded for it."""

    text: str
    embedded: str


class Recogniser:
    """Recogniser of constraints and lasting facts in one text; embeds no sentence twice."""

    def __init__(self, structure: Remembered, content: MemoryContent, embedder: Embedder) -> None:
        """Split of the text into sentences; embedding waits until a vector is needed."""
        self._structure = structure
        self._text = content.text
        self._embedder = embedder
        self._reads_vectors = embedder.name == FITTED_TO and len(content.text) <= LONGEST
        said = clause_texts(content.text)
        # A single sentence shares the vector under which the memory will be indexed.
        whole = len(said) == 1
        self._sentences = [
            Sentence(
                each,
                enriched(content.text, structure.place, structure.category) if whole else each,
            )
            for each in islice(said, _SENTENCES)
        ]
        self._vectors: dict[str, npt.NDArray[np.float32] | None] = {}

    def constraint(self) -> str | None:
        """Class of the constraint that the text states; None if it states none.

        Uses rules alone for any embedder but the built-in one, for an overlong text, or if
        the embedder is unavailable. Embeds a sentence only if its words do not decide.
        """
        if not self._reads_vectors:
            return constraint_class(self._text)
        return gravest(map(self._class_of, self._sentences))

    def lasts(self, constraint: str | None) -> bool:
        """True if the memory is a lasting fact, given the class of its constraint.

        Uses words alone for any embedder but the built-in one, if the embedder is unavailable,
        and for a text that is too long to be one statement.
        """
        return (
            self._structure.category in LASTING_CATEGORIES
            or constraint in LASTING_CONSTRAINTS
            or any(map(self._lasts, self._sentences))
        )

    def _lasts(self, sentence: Sentence) -> bool:
        if not self._reads_vectors:
            return lasts_by_words(sentence.text)
        if not may_last(sentence.text):
            return False
        vector = self._vector(sentence)
        return lasts_by_words(sentence.text) if vector is None else lasts(sentence.text, vector)

    def _class_of(self, sentence: Sentence) -> str | None:
        text, weights = sentence.text, fitted_weights()
        ruled = constraint_class(text)
        if ruled is None and (text.endswith("?") or not may_limit(text, weights)):
            return None
        vector = self._vector(sentence)
        return ruled if vector is None else likely_class(text, vector, ruled, weights)

    def _vector(self, sentence: Sentence) -> npt.NDArray[np.float32] | None:
        """Vector of a sentence; None if the embedder is unavailable."""
        if sentence.embedded not in self._vectors:
            try:
                (vector,) = self._embedder.embed([sentence.embedded])
            except EmbedderUnavailable:
                # The memory is stored all the same; the next question reports the problem.
                vector = None
            self._vectors[sentence.embedded] = vector
        return self._vectors[sentence.embedded]

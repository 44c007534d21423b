"""Recognition of what a text about to be stored is: a constraint, a lasting fact."""

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
    fitted_weights,
    likely_class,
    may_limit,
)
from mnemolog.policies.constraints.recognition import (
    LONGEST,
    clause_texts,
    constraint_class,
    gravest,
)
from mnemolog.policies.retention.lasting import (
    LASTING_CATEGORIES,
    LASTING_CONSTRAINTS,
    lasts,
    lasts_by_words,
    may_last,
)

_SENTENCES = 100
"""How many sentences of a long text are looked at."""


class Sentence(NamedTuple):
    """A sentence of a text, and what is embedded for it."""

    text: str
    embedded: str


class Recogniser:
    """What is recognised in one text; no sentence is embedded twice."""

    def __init__(self, structure: Remembered, content: MemoryContent, embedder: Embedder) -> None:
        """Read the sentences; none is embedded before its meaning is needed."""
        self._structure = structure
        self._text = content.text
        self._embedder = embedder
        self._reads_vectors = embedder.name == FITTED_TO and len(content.text) <= LONGEST
        said = clause_texts(content.text)
        # The vector of one sentence alone is the one under which the memory will be indexed.
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
        """The class of the constraint that the text states; None if it states none.

        By rules alone where the embedder is another than the built-in one, or cannot
        be had. A sentence is embedded only where its words leave it open.
        """
        if not self._reads_vectors:
            return constraint_class(self._text)
        return gravest(map(self._class_of, self._sentences))

    def lasts(self, constraint: str | None) -> bool:
        """Whether the memory is a lasting fact, given the class of its constraint.

        By words alone where the embedder is another than the built-in one, or cannot be
        had, and for a text that is too long to be one statement.
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
        """The vector of a sentence; None if the embedder cannot be had."""
        if sentence.embedded not in self._vectors:
            try:
                (vector,) = self._embedder.embed([sentence.embedded])
            except EmbedderUnavailable:
                # What is stored is kept all the same; the next question tells what is wrong.
                vector = None
            self._vectors[sentence.embedded] = vector
        return self._vectors[sentence.embedded]

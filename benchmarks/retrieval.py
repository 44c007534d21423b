"""The plain searches that recall is compared with."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import tantivy

from mnemolog.evaluation.evaluating import DEPTH
from mnemolog.evaluation.labelled import LabelledText

Vectors = npt.NDArray[np.float32]


class PlainBM25:
    """BM25 over the whole cue: k1 = 1.2, b = 0.75, stemmed English words, no stop words."""

    k1 = 1.2
    b = 0.75

    def __init__(self, texts: Sequence[LabelledText]) -> None:
        self._ids = [text.id for text in texts]
        self._analyzer = (
            tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
            .filter(tantivy.Filter.lowercase())
            .filter(tantivy.Filter.stemmer("english"))
            .build()
        )
        counts = [Counter(self._analyzer.analyze(text.text)) for text in texts]
        lengths = np.array([count.total() for count in counts], np.float64)
        self._norms = self.k1 * (1 - self.b + self.b * lengths / lengths.mean())
        self._holders: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for index, count in enumerate(counts):
            for word, often in count.items():
                self._holders[word].append((index, often))

    def ranking(self, cue: str) -> list[str]:
        """The ids of the best texts; those that share no word with the cue left out."""
        scores = np.zeros(len(self._ids))
        for word in self._analyzer.analyze(cue):
            holders = self._holders.get(word, [])
            weight = math.log1p((len(self._ids) - len(holders) + 0.5) / (len(holders) + 0.5))
            for index, often in holders:
                scores[index] += weight * often * (self.k1 + 1) / (often + self._norms[index])
        best = np.argsort(-scores, kind="stable")[:DEPTH]
        return [self._ids[index] for index in best if scores[index] > 0]


class PlainVectors:
    """The nearest texts by cosine, each text embedded as it stands."""

    def __init__(self, texts: Sequence[LabelledText], vectors: Vectors) -> None:
        self._ids = [text.id for text in texts]
        self._vectors = vectors

    def ranking(self, vector: Vectors) -> list[str]:
        """The ids of the nearest texts."""
        best = np.argsort(-(self._vectors @ vector), kind="stable")[:DEPTH]
        return [self._ids[index] for index in best]

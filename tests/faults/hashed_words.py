"""An embedder for tests whose point is not the model: fast, and the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256

import numpy as np
import numpy.typing as npt

DIMENSIONS = 64


class HashedWords:
    """A text's vector is the sum of its words', each drawn from a hash of the word."""

    name = "hashed-words"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One unit vector a text."""
        vectors = np.array([_sum(text) for text in texts], np.float32)
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def _sum(text: str) -> npt.NDArray[np.float64]:
    words = text.lower().split() or [""]
    return np.sum([_of_word(word) for word in words], axis=0)


@cache
def _of_word(word: str) -> npt.NDArray[np.float64]:
    seed = int.from_bytes(sha256(word.encode()).digest()[:8])
    return np.random.default_rng(seed).standard_normal(DIMENSIONS)

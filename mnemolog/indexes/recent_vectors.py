"""The vectors of the texts that were embedded last, so that no text is embedded twice in a row.

What is compared with other memories before it is stored is indexed right after. Until
then its vector is in this process alone: an append that fails leaves nothing behind.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from mnemolog.indexes.embedder import Embedder, Vectors
from mnemolog.indexes.vector_store import digest_of

_KEPT = 1_024


class RecentVectors:
    """An embedder that knows its last texts' vectors again, by keyed digest."""

    def __init__(self, embedder: Embedder, secret: bytes) -> None:
        self._embedder = embedder
        self._secret = secret
        self._lock = threading.Lock()
        self._known: OrderedDict[bytes, Vectors] = OrderedDict()

    @property
    def name(self) -> str:
        """The embedder's own name: the vectors are its."""
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        """The number of dimensions of a vector."""
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, float32 of shape (texts, dimensions)."""
        keys = [digest_of(self._secret, self.name, text) for text in texts]
        with self._lock:
            vectors = {key: self._known[key] for key in keys if key in self._known}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in vectors}
        if missing:
            made = self._embedder.embed(list(missing.values()))
            vectors |= dict(zip(missing, made, strict=True))
            self._keep({key: vectors[key] for key in missing})
        return np.array([vectors[key] for key in keys], np.float32).reshape(-1, self.dimensions)

    def _keep(self, vectors: dict[bytes, Vectors]) -> None:
        with self._lock:
            self._known.update(vectors)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)

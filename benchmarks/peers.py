"""Stores that load and search the same messages: Chroma, SQLite FTS5 and numpy.

Each is used as its documentation shows, and gets vectors that are made already.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol

import apsw
import numpy as np
import numpy.typing as npt

from benchmarks.talk import Vectors

BATCH = 1_000
_TOP = 10
_WORD = re.compile(r"\w+")


class Store(Protocol):
    """A store of texts with their vectors, in a folder of its own."""

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Store all, so that they are found from now on and after a restart."""

    def search(self, text: str, vector: Vectors) -> object:
        """The ten best for a cue and its vector."""

    def close(self) -> None:
        """Close the files."""


class Chroma:
    """A persistent collection of Chroma, which searches by the vector alone."""

    def __init__(self, folder: Path) -> None:
        # No dependency of the package: whoever compares installs it (pip install chromadb).
        chroma = import_module("chromadb")
        settings = import_module("chromadb.config").Settings(anonymized_telemetry=False)
        self._client = chroma.PersistentClient(str(folder), settings=settings)
        self._collection = self._client.get_or_create_collection("talk", embedding_function=None)

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Add them in batches of 1,000."""
        for rows in _runs(len(texts)):
            self._collection.add(
                ids=[str(row) for row in rows],
                embeddings=vectors[rows.start : rows.stop],
                documents=list(texts[rows.start : rows.stop]),
            )

    def search(self, text: str, vector: Vectors) -> object:  # noqa: ARG002 - as all stores
        """Documents and distances of the ten nearest."""
        return self._collection.query(query_embeddings=[vector], n_results=_TOP)

    def close(self) -> None:
        """Close the client."""
        self._client.close()


class Fts5:
    """A table of SQLite's full-text search, which searches by words alone."""

    def __init__(self, folder: Path) -> None:
        self._db = apsw.Connection(str(folder / "talk.db"))
        self._db.pragma("journal_mode", "wal")
        self._db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS talk USING fts5(text)")

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:  # noqa: ARG002 - as all stores
        """Insert them in transactions of 1,000."""
        for rows in _runs(len(texts)):
            with self._db:
                self._db.executemany("INSERT INTO talk VALUES (?)", [(texts[row],) for row in rows])

    def search(self, text: str, vector: Vectors) -> object:  # noqa: ARG002 - as all stores
        """Rows and texts of the ten best by BM25 with any word of the cue."""
        words = " OR ".join(f'"{word}"' for word in _WORD.findall(text))
        query = "SELECT rowid, text FROM talk WHERE talk MATCH ? ORDER BY bm25(talk) LIMIT ?"
        return self._db.execute(query, (words, _TOP)).fetchall() if words else []

    def close(self) -> None:
        """Close the database."""
        self._db.close()


class OneArray:
    """One numpy array of all vectors in a file, without the texts."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "vectors.npy"

    def add(self, texts: Sequence[str], vectors: Vectors) -> None:  # noqa: ARG002 - as all stores
        """Save the array and keep it in memory."""
        np.save(self._file, vectors)
        self._vectors = vectors

    def search(
        self,
        text: str,  # noqa: ARG002 - as all stores
        vector: Vectors,
    ) -> npt.NDArray[np.int64]:
        """Rows of the ten nearest, nearest first."""
        scores = self._vectors @ vector
        best = np.argpartition(-scores, min(_TOP, len(scores)) - 1)[:_TOP]
        nearest: npt.NDArray[np.int64] = best[np.argsort(-scores[best])]
        return nearest

    def close(self) -> None:
        """Nothing is open."""


PEERS: dict[str, Callable[[Path], Store]] = {
    "Chroma": Chroma,
    "SQLite FTS5": Fts5,
    "numpy": OneArray,
}
"""How to open each, by name."""


def _runs(count: int) -> Iterator[range]:
    return (range(start, min(start + BATCH, count)) for start in range(0, count, BATCH))

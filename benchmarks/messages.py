"""Messages to load and to ask for, and embedders that know their vectors beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.talk import TALK_TEXTS, Language, Vectors
from mnemolog import MiniLM
from mnemolog.indexes.embedder import Embedder

_CORPUS, _QUERIES = "corpus.jsonl", "queries.jsonl"
_FURTHER = 120
_CUES = 200
_TEXTS_FILE, _VECTORS_FILE = "texts.json", "vectors.npy"


class Messages(msgspec.Struct, frozen=True):
    """Texts to load, further ones of the same talk to remember after them, and cues."""

    loaded: list[str]
    further: list[str]
    cues: list[str]


class _Line(msgspec.Struct):
    text: str


def messages_of(paths: Sequence[Path], count: int) -> Messages:
    """The first `count` messages of the sets at these paths; made-up ones without a path.

    Of sets that hold fewer, a sixteenth is left to be remembered one by one.
    """
    texts = [text for path in paths for text in _texts(path / _CORPUS)]
    cues = [text for path in paths for text in _texts(path / _QUERIES)]
    language = Language()
    if not paths:
        talks = range((count + _FURTHER) // TALK_TEXTS + 1)
        texts = [said.text for number in talks for said in language.talk(number)]
    count = min(count, len(texts) - min(_FURTHER, len(texts) // 16))
    cues = cues[:: max(1, len(cues) // _CUES)][:_CUES] or language.cues(_CUES, seed=11)
    return Messages(texts[:count], texts[count : count + _FURTHER], cues)


def _texts(file: Path) -> list[str]:
    """The texts of a file with an object a line; none if there is no such set of queries."""
    if file.name == _QUERIES and not file.exists():
        return []
    lines = [msgspec.json.decode(line, type=_Line) for line in file.read_bytes().splitlines()]
    return [line.text for line in lines if line.text.strip()]


class Recording:
    """The built-in model, which keeps the vector of every text that it is given."""

    name = MiniLM.name
    dimensions = MiniLM.dimensions

    def __init__(self) -> None:
        self._model = MiniLM()
        self._known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, float32 of shape (texts, 384)."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(missing, self._model.embed(missing), strict=True))
        return np.array([self._known[text] for text in texts]).reshape(-1, self.dimensions)

    def save(self, folder: Path) -> None:
        """Write texts and vectors for `Precomputed`."""
        (folder / _TEXTS_FILE).write_bytes(msgspec.json.encode(list(self._known)))
        np.save(folder / _VECTORS_FILE, np.array(list(self._known.values())))


class Precomputed:
    """Vectors made beforehand under the built-in model's name, so that they count as its own.

    Others than these are made by `others`; without it an unknown text raises `KeyError`.
    """

    name = MiniLM.name
    dimensions = MiniLM.dimensions

    def __init__(self, folder: Path, others: Embedder | None = None) -> None:
        texts = msgspec.json.decode((folder / _TEXTS_FILE).read_bytes(), type=list[str])
        self._rows = {text: row for row, text in enumerate(texts)}
        self._vectors: Vectors = np.load(folder / _VECTORS_FILE)
        self._others = others

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, float32 of shape (texts, 384)."""
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for index, text in enumerate(texts):
            if self._others is None or text in self._rows:
                vectors[index] = self._vectors[self._rows[text]]
            else:
                vectors[index] = self._others.embed([text])[0]
        return vectors

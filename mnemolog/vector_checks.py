"""Check that the vectors that are kept belong to their texts, by embedding a sample again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import numpy as np

from indexes.enrichment import enriched
from indexes.vector_store import digest_of
from ledger.events import VOCABULARY, Decoded, MemoryContent, Remembered
from ledger.ids import Position
from ledger.rows import check_content
from mnemolog.home import Home
from projections.folding import Progress

_PAGE = 1000
_CHUNK = 50
_SAMPLE = 500
"""Texts embedded again at most: some seconds, where all of a large home would take minutes."""
_SAME = 0.98
"""Cosine of two vectors of one text at least: float16 and other machines cost less than that."""


class VectorCheck(msgspec.Struct, frozen=True):
    """How many vectors are kept, how many of them were compared, and the memories they fail."""

    kept: int
    compared: int
    foreign: tuple[Position, ...]


class _Kept(NamedTuple):
    position: Position
    text: str
    digest: bytes


def check_vectors(home: Home, progress: Progress | None) -> VectorCheck:
    """Compare the vectors of a random sample of memories with vectors made anew of their texts.

    All of them where there are few. A checksum tells a damaged vector, but not one that
    stands under another text's digest.
    """
    kept = list(_kept(home))
    # Which ones does not matter, and another run should look at others.
    sample = sorted(random.sample(kept, min(_SAMPLE, len(kept))))
    foreign: list[Position] = []
    for start in range(0, len(sample), _CHUNK):
        part = sample[start : start + _CHUNK]
        stored = home.parts.store.get([one.digest for one in part])
        made = home.embedder.embed([one.text for one in part])
        foreign += [
            one.position
            for one, vector in zip(part, made, strict=True)
            if one.digest in stored and not _is_same(stored[one.digest].astype(np.float32), vector)
        ]
        if progress is not None:
            progress("embedding", start + len(part), len(sample))
    return VectorCheck(len(kept), len(sample), tuple(foreign))


def _is_same(stored: np.ndarray, made: np.ndarray) -> bool:
    """Whether two vectors are of one text, by their cosine; one of another size is not."""
    if stored.shape != made.shape:
        return False
    lengths = float(np.linalg.norm(stored) * np.linalg.norm(made))
    return lengths > 0 and float(np.dot(stored, made)) >= _SAME * lengths


def _kept(home: Home) -> Iterator[_Kept]:
    """The memories of all spaces whose vectors are kept, with the texts that were embedded."""
    after = Position(0)
    while page := home.log.read(after, _PAGE, kinds=("remembered",)):
        after = page[-1].position
        found = []
        for event in page:
            check_content(event)
            decoded = VOCABULARY.decode(event)
            if not isinstance(decoded, Decoded):
                continue
            structure, content = decoded.structure, decoded.content
            if isinstance(structure, Remembered) and isinstance(content, MemoryContent):
                text = enriched(content.text, structure.place, structure.category)
                digest = digest_of(home.parts.secret, home.embedder.name, text)
                found.append(_Kept(event.position, text, digest))
        known = home.parts.store.get([one.digest for one in found])
        yield from (one for one in found if one.digest in known)

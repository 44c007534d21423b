"""Vector check: checksums, texts and owning memories of the stored vectors."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from mnemolog.application.home.home import Home
from mnemolog.indexes.enrichment import enriched
from mnemolog.indexes.vector_store import StoredVectors, digest_of
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.events import MemoryContent, Remembered
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import LogRange, events_in
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded
from mnemolog.projections.folding import Progress

_CHUNK = 50
SAMPLE = 500
"""Texts embedded again unless all are asked for: seconds, where a large home takes minutes."""
_SAME = 0.98
"""Cosine of two vectors of one text at least: float16 and other machines cost less than that."""


class VectorCheck(msgspec.Struct, frozen=True):
    """Result of a vector check: the numbers of vectors and re-embedded texts, and the misfits.

    `damaged` vectors fail their checksum. `mixed` memories hold another memory's vector.
    `foreign` vectors differ from new embeddings of their texts. `unowned` counts vectors that
    fail their checksum and belong to no known memory.
    """

    kept: int
    compared: int
    damaged: tuple[Position, ...]
    mixed: tuple[Position, ...]
    foreign: tuple[Position, ...]
    unowned: int


class _Kept(NamedTuple):
    position: Position
    text: str
    digest: bytes


def check_vectors(home: Home, progress: Progress | None, most: int | None) -> VectorCheck:
    """Verify all checksums and holders, and embed the texts of a random sample again.

    The sample has `most` memories, or all with None. A checksum binds a vector to the digest
    of its text; only a new embedding detects a vector that was computed wrongly.
    """
    # Read vectors before the log, so that vectors stored from now on are not checked.
    stored = home.parts.store.stored()
    kept = [one for one in _remembered(home) if one.digest in stored.digests]
    sound = [one for one in kept if one.digest not in stored.damaged]
    count = len(sound) if most is None else min(most, len(sound))
    # A new random sample, so that each run checks other memories.
    sample = sorted(random.sample(sound, count))
    owned = {one.digest for one in kept}
    return VectorCheck(
        kept=len(kept),
        compared=len(sample),
        damaged=tuple(one.position for one in kept if one.digest in stored.damaged),
        mixed=tuple(_mixed(kept, stored, owned)),
        foreign=tuple(_foreign(home, sample, progress)),
        unowned=len(stored.damaged - owned),
    )


def _mixed(kept: Sequence[_Kept], stored: StoredVectors, owned: set[bytes]) -> Iterator[Position]:
    """Memories that hold another memory's vector: a redaction would destroy the wrong vector."""
    for one in kept:
        held = stored.holders.get(one.position, one.digest)
        # A digest of no memory belongs to another model.
        if held != one.digest and held in owned:
            yield one.position


def _foreign(home: Home, sample: Sequence[_Kept], progress: Progress | None) -> Iterator[Position]:
    """Memories whose vectors differ from new embeddings of their texts."""
    for start in range(0, len(sample), _CHUNK):
        part = sample[start : start + _CHUNK]
        stored = home.parts.store.get([one.digest for one in part])
        made = home.embedder.embed([one.text for one in part])
        for one, vector in zip(part, made, strict=True):
            kept = stored.get(one.digest)
            if kept is not None and not _is_same(kept.astype(np.float32), vector):
                yield one.position
        if progress is not None:
            progress("embedding", start + len(part), len(sample))


def _is_same(stored: np.ndarray, made: np.ndarray) -> bool:
    """True if two vectors have equal size and a cosine of at least `_SAME`."""
    if stored.shape != made.shape:
        return False
    lengths = float(np.linalg.norm(stored) * np.linalg.norm(made))
    return lengths > 0 and float(np.dot(stored, made)) >= _SAME * lengths


def _remembered(home: Home) -> Iterator[_Kept]:
    """Memories of all spaces, with the embedded texts and their digests."""
    for event in events_in(home.log, LogRange(Position(0), kinds=("remembered",))):
        check_content(event)
        decoded = VOCABULARY.decode(event)
        if not isinstance(decoded, Decoded):
            continue
        structure, content = decoded.structure, decoded.content
        if isinstance(structure, Remembered) and isinstance(content, MemoryContent):
            text = enriched(content.text, structure.place, structure.category)
            digest = digest_of(home.parts.secret, home.embedder.name, text)
            yield _Kept(event.position, text, digest)

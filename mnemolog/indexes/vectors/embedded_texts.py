"""Vectors of memories' texts, embedded only if they are not kept yet, and kept."""

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.embedder import Embedder, enriched
from mnemolog.indexes.vectors.vector_index import Halves, VectorIndex
from mnemolog.indexes.vectors.vector_store import NOT_KEPT, VectorStore, digest_of
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.errors import StorageFailed
from mnemolog.ledger.events import Event, MemoryContent, Remembered
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log
from mnemolog.ledger.vocabulary import VOCABULARY, decoded_part

_CHUNK = 128
Positions = npt.NDArray[np.int64]
_content = msgspec.json.Decoder(MemoryContent)


class VectorParts(msgspec.Struct, frozen=True):
    """Parts by which texts become vectors."""

    log: Log
    embedder: Embedder
    secret: bytes
    store: VectorStore


class EmbeddedTexts:
    """Vectors of the texts of a log; `unkept` says why some could not be kept."""

    def __init__(self, parts: VectorParts) -> None:
        self._parts = parts
        self.unkept: StorageFailed | None = None

    def contents(self, positions: Sequence[Position]) -> dict[Position, MemoryContent]:
        """Contents of memories by position, those that are gone left out."""
        found = {}
        for event in self._parts.log.events_at(positions):
            if event.content is not None:
                check_content(event)
                found[event.position] = decoded_part(event, event.content, _content.decode)
        return found

    def embedded(self, positions: Sequence[Position], texts: Sequence[str]) -> list[Halves]:
        """Vectors of enriched texts; texts without a stored vector are embedded."""
        parts = self._parts
        digests = [digest_of(parts.secret, parts.embedder.name, text) for text in texts]
        holders = [*zip(positions, digests, strict=True)]
        vectors = parts.store.get(digests)
        missing = {
            one: text for one, text in zip(digests, texts, strict=True) if one not in vectors
        }
        if missing:
            made = parts.embedder.embed(list(missing.values())).astype(np.float16)
            vectors |= dict(zip(missing, made, strict=True))
        if missing or not parts.store.held(holders):
            self._put(vectors, holders)
        return [vectors[digest] for digest in digests]

    def _put(
        self, vectors: Mapping[bytes, Halves], holders: Sequence[tuple[Position, bytes]]
    ) -> None:
        there = partial(self._parts.log.with_content, [position for position, _ in holders])
        # All of them: others may have removed some that were known.
        self.unkept = self._parts.store.put(vectors, holders, there) or self.unkept

    def keep_again(self, positions: Positions, known: VectorIndex) -> None:
        """Keep those vectors that are not kept, as where a disk was full; positions ascend."""
        parts = self._parts
        _, rows = parts.store.rows_of(positions)
        unkept = np.flatnonzero(rows == NOT_KEPT)
        for start in range(0, len(unkept), _CHUNK):
            ordinals = unkept[start : start + _CHUNK]
            held = zip(positions[ordinals].tolist(), known.of(ordinals), strict=True)
            vectors = {position: vector.astype(np.float16) for position, vector in held}
            digests = {
                event.position: digest_of(parts.secret, parts.embedder.name, text)
                for event in parts.log.events_at(list(vectors))
                if (text := embedded_text(event)) is not None
            }
            put = {digest: vectors[position] for position, digest in digests.items()}
            self._put(put, [*digests.items()])


def embedded_text(event: Event) -> str | None:
    """Text of a memory as it is embedded; None if its content is gone."""
    structure = VOCABULARY.structure(event)
    if event.content is None or not isinstance(structure, Remembered):
        return None
    content = decoded_part(check_content(event), event.content, _content.decode)
    return enriched(content.text, structure.place, structure.category)

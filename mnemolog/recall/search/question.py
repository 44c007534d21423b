"""What is asked: a cue, what it is asked of, and how it is to be answered."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.filters import Filter
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids import Position
from mnemolog.recall.cues.cues import CueReading
from mnemolog.recall.search.candidates import DEFAULT_FUSION, Fusion
from mnemolog.recall.search.checks import Strategy
from mnemolog.recall.search.relevance import MEAN, Blend
from mnemolog.recall.search.steering import Steering

PLAIN = CueReading("hybrid", "the cue is searched for as it stands", "fact")
"""How a cue is read that nothing is read into."""


class Question(msgspec.Struct, frozen=True):
    """A cue and everything that narrows it.

    `position` fixes what was known, `instant` what is 'now', `present` the instant up to
    which time has passed for what fades, and `valid_at` when it must have been true.
    `statuses` names statuses to answer with as they stand; empty asks for a plain answer.
    `pinned` are the memories in working memory, by space. `vector` is the cue's unit vector
    if the caller has it, of shape (dimensions,), `centroid` that of what the caller
    attends to. `blend` weighs the components of relevance, `fusion` the searches
    where their ranks are fused, `reading` says what the cue asks for. What is
    less relevant than `min_relevance` is left out. `subjects` are keyed hashes of what
    the cue may be about; `steering` is what votes on earlier hits made of it.
    """

    cue: str
    position: Position
    instant: Micros
    present: Micros
    limit: int = 10
    filters: dict[str, Filter] = {}
    pinned: dict[str, frozenset[Position]] = {}
    statuses: tuple[str, ...] = ()
    valid_at: Micros | None = None
    strategy: Strategy = "hybrid"
    vector: npt.NDArray[np.float32] | None = None
    centroid: npt.NDArray[np.float32] | None = None
    blend: Blend = MEAN
    fusion: Fusion = DEFAULT_FUSION
    reading: CueReading = PLAIN
    min_relevance: float = 0.0
    subjects: frozenset[bytes] = frozenset()
    steering: Steering | None = None

    @property
    def narrowed(self) -> bool:
        """Whether only some memories are asked for."""
        filtered = any(one != Filter() for one in self.filters.values())
        return filtered or bool(self.statuses) or self.valid_at is not None


def checked_vector(vector: npt.ArrayLike | None, dimensions: int) -> npt.NDArray[np.float32] | None:
    """A cue's vector as a unit vector. Raises `InvalidField` for a wrong shape, NaN or zero."""
    if vector is None:
        return None
    try:
        array = np.asarray(vector, np.float32)
    except (TypeError, ValueError):
        raise InvalidField("vector", "is no list of numbers", "give the embedder's own") from None
    if array.shape != (dimensions,) or not np.isfinite(array).all() or not array.any():
        raise InvalidField(
            "vector",
            f"has shape {array.shape}, or holds NaN or only zeros",
            f"give {dimensions} finite numbers",
        )
    unit: npt.NDArray[np.float32] = array / np.linalg.norm(array)
    return unit

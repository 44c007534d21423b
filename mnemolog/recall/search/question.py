"""Questions: a cue, the position and filters it is asked with, and the strategy."""

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
"""Reading of a cue without interpretation."""


class Question(msgspec.Struct, frozen=True):
    """Question: a cue and everything that narrows or weights its search.

    `position` is the log position to answer as of, `instant` the present of the question,
    `present` the instant up to which memories fade, and `valid_at` the instant at which
    answers must be valid. `statuses` names the statuses to answer with, without following
    successors; if empty, successors answer. `pinned` are the memories in working memory, by
    space. `vector` is the cue's unit vector of shape (dimensions,) if the caller has it,
    `centroid` that of the caller's attention. `blend` weights the components of relevance,
    `fusion` the searches in rank fusion; `reading` is the interpretation of the cue. Hits of
    less than `min_relevance` are dropped. `subjects` are keyed hashes of the cue's possible
    subjects; `steering` is the result of votes on earlier hits.
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
        """True if filters, statuses or `valid_at` restrict the memories."""
        filtered = any(one != Filter() for one in self.filters.values())
        return filtered or bool(self.statuses) or self.valid_at is not None


def checked_vector(vector: npt.ArrayLike | None, dimensions: int) -> npt.NDArray[np.float32] | None:
    """Vector of a cue, normalised. Raises `InvalidField` for a wrong shape, NaN or zero."""
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

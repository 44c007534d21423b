"""Questions: a cue with everything that narrows its search, and the attention of a caller."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.filters import Filter
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids_and_times import Micros, Position
from mnemolog.recall.cues.cues import CueReading
from mnemolog.recall.search.checks import Strategy
from mnemolog.recall.search.match import Vector
from mnemolog.recall.search.relevance import DEFAULT_FUSION, MEAN, Blend, Fusion, Steering

# Reading of a cue without interpretation.
PLAIN = CueReading("hybrid", "the cue is searched for as it stands", "fact")
WINDOW = 8
_FADE = 0.7
_UNIT = 0.01


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
    vector: Vector | None = None
    centroid: Vector | None = None
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


def checked_vector(vector: npt.ArrayLike | None, dimensions: int) -> Vector | None:
    """Vector of a cue, normalised. Raises `InvalidField` for a wrong shape, NaN or zero."""
    if vector is None:
        return None
    try:
        array = np.asarray(vector, np.float32)
    except (TypeError, ValueError):
        raise InvalidField("vector", "is no list of numbers", "give the embedder's own") from None
    if array.shape != (dimensions,) or not np.isfinite(array).all() or not array.any():
        problem = f"has shape {array.shape}, or holds NaN or only zeros"
        raise InvalidField("vector", problem, f"give {dimensions} finite numbers")
    unit: Vector = array / np.linalg.norm(array)
    return unit


class Attention(msgspec.Struct, frozen=True):
    """Embeddings of a caller's latest inputs, newest first, as unit vectors.

    The caller keeps it; it is not part of the ledger. A recall without one uses the cue alone.
    """

    window: tuple[Vector, ...]

    def turned(self, vector: Vector) -> Attention:
        """Attention after a further input; the window keeps the latest eight."""
        return Attention((vector, *self.window)[:WINDOW])

    @property
    def centroid(self) -> Vector:
        """Mean of the window as a unit vector; each input counts 0.7 of the next newer one."""
        weights = _FADE ** np.arange(len(self.window))
        mean = np.tensordot(weights, np.stack(self.window), axes=1)
        unit: Vector = (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype(np.float32)
        return unit

    @property
    def turn(self) -> float:
        """Distance of the latest input from the one before, in [0, 1]; 1 is another topic."""
        if len(self.window) < 2:  # noqa: PLR2004 - a turn is between two
            return 0.0
        return min(1.0, max(0.0, 1.0 - float(self.window[0] @ self.window[1])))

    @property
    def inertia(self) -> float:
        """Weight of the present context, in [0, 1]: lower after a change of topic."""
        return 1.0 - self.turn


def checked_attention(attention: Attention, dimensions: int) -> Attention:
    """Attention of one to eight unit vectors of `dimensions` numbers. Raises `InvalidField`."""
    if not isinstance(attention, Attention) or not isinstance(attention.window, tuple | list):
        raise _wrong("is none")
    if not 1 <= len(attention.window) <= WINDOW:
        raise _wrong(f"holds {len(attention.window)} inputs, not 1 to {WINDOW}")
    return Attention(tuple(_checked(vector, dimensions) for vector in attention.window))


def _checked(vector: npt.ArrayLike, dimensions: int) -> Vector:
    try:
        array = np.asarray(vector)
    except (TypeError, ValueError):
        raise _wrong("holds what is no list of numbers") from None
    if array.dtype.kind not in "fiu" or array.shape != (dimensions,):
        raise _wrong(f"holds {array.dtype} of shape {array.shape}, not {dimensions} numbers")
    length = float(np.linalg.norm(array.astype(np.float64)))
    # Also rejects NaN and infinity.
    if not abs(length - 1.0) <= _UNIT:
        raise _wrong(f"holds a vector of length {length:g}, not 1")
    return array.astype(np.float32, copy=False)


def _wrong(problem: str) -> InvalidField:
    return InvalidField("attention", problem, "give what `attend` of this home returned")

"""Questions: a cue with what narrows, weights or steers its search, and a caller's attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.filters import Filter, SearchPath
from mnemolog.ledger.clock import Micros
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids import Position
from mnemolog.recall.cues import PLAIN, CueReading
from mnemolog.recall.search.checks import Strategy
from mnemolog.recall.search.match import Vector

WINDOW = 8
_FADE, _UNIT = 0.7, 0.01

COMPONENTS = ("semantic", "association", "temporal", "weight", "spread")
# Pseudo-counts by component: the match decides, the others break near-ties.
PRIOR = (16.0, 1.0, 1.0, 1.0, 1.0)
Fusion = tuple[float, float, float]  # Weights in rank fusion of meaning, words and the graph
DEFAULT_FUSION: Fusion = (0.4, 0.3, 0.3)
# Fusion weights for cues of other routes.
FUSIONS: dict[str, Fusion] = {"single_shot": (0.3, 0.5, 0.2), "graph": (0.2, 0.2, 0.6)}


class Blend(msgspec.Struct, frozen=True):
    """Weights of the components of relevance, which sum to 1; `seed` if drawn at random."""

    weights: tuple[float, ...]
    seed: int | None = None

    @property
    def by_component(self) -> dict[str, float]:
        """Weight of each component."""
        return dict(zip(COMPONENTS, self.weights, strict=True))


def blend(counts: tuple[float, ...] = PRIOR, seed: int | None = None) -> Blend:
    """Mean of a Dirichlet distribution, so that recall repeats; with a seed, a random draw."""
    if seed is None:
        return Blend(tuple(count / sum(counts) for count in counts))
    return Blend(tuple(np.random.default_rng(seed).dirichlet(counts).tolist()), seed)


MEAN = blend()  # Default weights, so that recall repeats


def counts_with(evidence: Sequence[Mapping[str, float]]) -> tuple[float, ...]:
    """Pseudo-counts of the components of relevance, updated from resolved sessions.

    A component that ranked accepted hits no better than chance adds nothing. All additions
    together are at most the sum of the prior.
    """
    added = [max(0.0, sum(one.get(name, 0.0) for one in evidence)) for name in COMPONENTS]
    share = min(1.0, sum(PRIOR) / max(sum(added), 1e-9))
    return tuple(count + share * one for count, one in zip(PRIOR, added, strict=True))


class Steering(msgspec.Struct, frozen=True):
    """Result of votes on a question's earlier hits.

    `origin` is the unit vector of the query itself, `toward` the memories voted hot or warm.
    Memories in `stays` come first, whatever their rank; those in `judged` are left out.
    """

    origin: Vector
    toward: frozenset[Position] = frozenset()
    stays: frozenset[Position] = frozenset()
    judged: frozenset[Position] = frozenset()

    @property
    def voted(self) -> bool:
        """True if there were votes: then they decide the order."""
        return bool(self.toward or self.stays or self.judged)


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
    subjects; `steering` is the result of votes on earlier hits. `vector_search` is the
    path to the nearest vectors.
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
    vector_search: SearchPath = "automatic"

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
    """Embeddings of a caller's latest inputs, newest first, as unit vectors, kept by the caller."""

    window: tuple[Vector, ...]

    def turned(self, vector: Vector) -> Attention:
        """Attention after a further input; the window keeps the latest eight."""
        return Attention((vector, *self.window)[:WINDOW])

    @property
    def centroid(self) -> Vector:
        """Mean of the window as a unit vector; each input counts 0.7 of the next newer one."""
        weights = _FADE ** np.arange(len(self.window))
        mean = np.tensordot(weights, np.stack(self.window), axes=1)
        return (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype(np.float32)

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
        raise _wrong("is not an attention")
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
    if not abs(length - 1.0) <= _UNIT:  # NaN and infinity too
        raise _wrong(f"holds a vector of length {length:g}, not 1")
    return array.astype(np.float32, copy=False)


def _wrong(problem: str) -> InvalidField:
    return InvalidField("attention", problem, "give what `attend` of this home returned")

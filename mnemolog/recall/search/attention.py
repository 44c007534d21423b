"""Attention of a caller: the present input, the one before, and their window."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.space_state import State
from mnemolog.indexes.vectors import Allowed
from mnemolog.ledger.errors import InvalidField
from mnemolog.ledger.ids import Position
from mnemolog.recall.search.match import Ordinals

Vector = npt.NDArray[np.float32]

WINDOW = 8
_FADE = 0.7
_UNIT = 0.01


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
    """Attention checked to have one to eight unit vectors of `dimensions` numbers.

    Raises `InvalidField` for anything else, such as the vectors of another embedder.
    """
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


HEAVIEST = 8
"""Most memories that spread activation by their weight."""


def heaviest(state: State, size: int, position: Position, allowed: Allowed) -> Ordinals:
    """Heaviest of the first `size` memories: those that weigh more than the default.

    At most 8, the heaviest first; the newer first if two weigh the same.
    """
    heavy = state.weights.heavy(state.columns, size, position)
    heavy = heavy[allowed.of(heavy)]
    order = np.lexsort((-heavy, -state.weights.of(heavy, state.columns, position)))
    chosen: Ordinals = heavy[order[:HEAVIEST]]
    return chosen

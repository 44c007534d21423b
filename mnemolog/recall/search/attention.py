"""What a caller attends to: the present input, the one before, and the window they lie in."""

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
    """The embeddings of a caller's latest inputs, newest first, unit vectors.

    It belongs to the caller and is no part of the ledger: a recall that is given
    none attends to its cue alone.
    """

    window: tuple[Vector, ...]

    def turned(self, vector: Vector) -> Attention:
        """The attention after a further input; the oldest of eight falls out."""
        return Attention((vector, *self.window)[:WINDOW])

    @property
    def centroid(self) -> Vector:
        """The mean of the window, each input counting 0.7 of the next one, as a unit vector."""
        weights = _FADE ** np.arange(len(self.window))
        mean = np.tensordot(weights, np.stack(self.window), axes=1)
        unit: Vector = (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype(np.float32)
        return unit

    @property
    def turn(self) -> float:
        """How far the latest input turned from the one before, in [0, 1]; 1 is another topic."""
        if len(self.window) < 2:  # noqa: PLR2004 - a turn is between two
            return 0.0
        return min(1.0, max(0.0, 1.0 - float(self.window[0] @ self.window[1])))

    @property
    def inertia(self) -> float:
        """How much what is in the context already should weigh, in [0, 1]: less after a turn."""
        return 1.0 - self.turn


def checked_attention(attention: Attention, dimensions: int) -> Attention:
    """An attention to one to eight inputs, each a unit vector of so many numbers.

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
    # Also where it is NaN or infinite.
    if not abs(length - 1.0) <= _UNIT:
        raise _wrong(f"holds a vector of length {length:g}, not 1")
    return array.astype(np.float32, copy=False)


def _wrong(problem: str) -> InvalidField:
    return InvalidField("attention", problem, "give what `attend` of this home returned")


HEAVIEST = 8
"""How many of the heaviest memories spread activation."""


def heaviest(state: State, size: int, position: Position, allowed: Allowed) -> Ordinals:
    """Of the first `size` memories those that weigh more than a plain one as of a position.

    The heaviest of them first, at most 8, of two that weigh the same the newer one.
    """
    heavy = state.weights.heavy(state.columns, size, position)
    heavy = heavy[allowed.of(heavy)]
    order = np.lexsort((-heavy, -state.weights.of(heavy, state.columns, position)))
    chosen: Ordinals = heavy[order[:HEAVIEST]]
    return chosen

"""What a caller attends to: the present input, the one before, and the window they lie in."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from ledger.errors import InvalidField

Vector = npt.NDArray[np.float32]

WINDOW = 8
_FADE = 0.7


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


def checked_attention(attention: Attention) -> Attention:
    """An attention with something in it. Raises `InvalidField` for anything else."""
    if not isinstance(attention, Attention) or not attention.window:
        raise InvalidField("attention", "is none", "give what `attend` returned")
    return attention

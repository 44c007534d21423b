"""Changes of memories in order of position, and the last change of each as of any position."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.growing import GrowingArray
from mnemolog.ledger.ids import Position

Selection = npt.NDArray[np.intp]


class LastChanges(msgspec.Struct, frozen=True):
    """The changed memories among the first `changes` changes, by ordinal, ascending.

    `rows` are the places of their last changes.
    """

    changes: int
    ordinals: Selection
    rows: Selection

    def of(self, ordinals: npt.NDArray[np.integer]) -> tuple[npt.NDArray[np.bool_], Selection]:
        """A mask of the changed ones among these memories, and the rows of their last changes."""
        if not len(self.ordinals):
            return np.zeros(len(ordinals), np.bool_), self.rows
        places = self.ordinals.searchsorted(ordinals)
        places[places == len(self.ordinals)] = 0
        changed = self.ordinals[places] == ordinals
        return changed, self.rows[places[changed]]


class ChangeLog:
    """Positions and ordinals of changes; their values lie in arrays of the same rows."""

    def __init__(self) -> None:
        self._ordinals = GrowingArray(np.int32)
        self._at = GrowingArray(np.int64)
        self._known: LastChanges | None = None

    def extend(self, ordinals: npt.ArrayLike, at: npt.ArrayLike) -> None:
        """Note the next changes, in order of position; their values must be there already."""
        self._ordinals.extend(ordinals)
        # Last: readers in other threads go by the number of positions.
        self._at.extend(at)

    def has_later(self, position: Position) -> bool:
        """True if anything changed after a position."""
        at = self._at.rows
        return bool(len(at)) and bool(at[-1] > position)

    def as_of(self, position: Position) -> LastChanges:
        """The last changes up to a position."""
        changes = int(self._at.rows.searchsorted(position, side="right"))
        known = self._known
        if known is None or known.changes != changes:
            # Reversed, so that the first place of an ordinal is its last change.
            reverse = self._ordinals.rows[:changes][::-1]
            ordinals, last = np.unique(reverse, return_index=True)
            known = LastChanges(changes, ordinals.astype(np.intp), changes - 1 - last)
            self._known = known
        return known

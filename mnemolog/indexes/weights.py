"""Depth weights of memories by ordinal, as of any position; plain ones take no room."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.change_log import ChangeLog
from mnemolog.indexes.columns import NOBODY, PLAIN_WEIGHT, Columns
from mnemolog.indexes.growing import GrowingArray
from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import WeightChange

Floats = npt.NDArray[np.float64]
Selection = npt.NDArray[np.intp]


class WeightIndex:
    """The weights of a space's memories that were ever reinforced, in order of position."""

    def __init__(self) -> None:
        self._changes = ChangeLog()
        self._values = GrowingArray(np.float64)

    def follow(self, changes: Sequence[WeightChange], columns: Columns) -> None:
        """Note later weights of memories, in the order in which they came to hold."""
        for change in changes:
            ordinal = columns.ordinal(change.memory)
            if ordinal != NOBODY:
                self._values.extend([change.alpha / (change.alpha + change.beta)])
                self._changes.extend([ordinal], [change.since])

    def of(self, ordinals: npt.NDArray[np.integer], columns: Columns, position: Position) -> Floats:
        """The centres in (0, 1) of these memories' depth weights as of a position."""
        weights = columns.first_weights(ordinals)
        changed, rows = self._changes.as_of(position).of(ordinals)
        weights[changed] = self._values.rows[rows]
        return weights

    def heavy(self, columns: Columns, size: int, position: Position) -> Selection:
        """The first `size` memories that weigh more than a plain one, ascending."""
        last = self._changes.as_of(position)
        grown = last.ordinals[self._values.rows[last.rows] > PLAIN_WEIGHT]
        heavy: Selection = np.union1d(columns.first_heavy(size), grown[grown < size])
        return heavy[self.of(heavy, columns, position) > PLAIN_WEIGHT]

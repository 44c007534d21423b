"""How much memories weigh, through time, by ordinal; only what was reinforced takes any room."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import NOBODY, PLAIN_WEIGHT, Columns
from mnemolog.indexes.growing import GrowingArray
from mnemolog.ledger.ids import Position
from mnemolog.projections.weights import WeightChange

Floats = npt.NDArray[np.float64]
Selection = npt.NDArray[np.intp]


class _Weights(msgspec.Struct, frozen=True):
    """What so many changes came to: the weights that are known, by ordinal, ascending."""

    changes: int
    ordinals: Selection
    values: Floats


class WeightIndex:
    """The weights of a space's memories that were ever reinforced, in order of position."""

    def __init__(self) -> None:
        self._ordinals = GrowingArray(np.int32)
        self._values = GrowingArray(np.float64)
        self._at = GrowingArray(np.int64)
        self._known: _Weights | None = None

    def follow(self, changes: Sequence[WeightChange], columns: Columns) -> None:
        """Note later weights of memories, in the order in which they came to hold."""
        for change in changes:
            ordinal = columns.ordinal(change.memory)
            if ordinal != NOBODY:
                self._ordinals.extend([ordinal])
                self._values.extend([change.alpha / (change.alpha + change.beta)])
                # Last: readers in other threads go by the number of positions.
                self._at.extend([change.at])

    def of(self, ordinals: npt.NDArray[np.integer], columns: Columns, position: Position) -> Floats:
        """The centres in (0, 1) of these memories' depth weights as of a position."""
        weights = columns.first_weights(ordinals)
        known = self._as_of(position)
        if len(known.ordinals):
            places = known.ordinals.searchsorted(ordinals)
            places[places == len(known.ordinals)] = 0
            inside = known.ordinals[places] == ordinals
            weights[inside] = known.values[places[inside]]
        return weights

    def heavy(self, columns: Columns, size: int, position: Position) -> Selection:
        """Those of the first `size` memories that weigh more than a plain one, ascending."""
        known = self._as_of(position)
        grown = known.ordinals[known.values > PLAIN_WEIGHT]
        heavy: Selection = np.union1d(columns.first_heavy(size), grown[grown < size])
        return heavy[self.of(heavy, columns, position) > PLAIN_WEIGHT]

    def _as_of(self, position: Position) -> _Weights:
        changes = int(self._at.rows.searchsorted(position, side="right"))
        known = self._known
        if known is None or known.changes != changes:
            # In order, so that of several changes of one memory the last one stands.
            held = self._ordinals.rows[:changes]
            ordinals, last = np.unique(held[::-1], return_index=True)
            known = self._known = _Weights(
                changes, ordinals.astype(np.intp), self._values.rows[changes - 1 - last]
            )
        return known

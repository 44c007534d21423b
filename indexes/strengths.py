"""How strong memories are, through time, by ordinal; only what is not whole takes any room."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from indexes.columns import NOBODY, Columns
from indexes.growing import GrowingArray
from ledger.ids import Position
from projections.strengths import FULL, StrengthChange

Floats = npt.NDArray[np.float64]


class _Strengths(msgspec.Struct, frozen=True):
    """What so many changes came to: the strengths that are known, by ordinal, ascending."""

    changes: int
    ordinals: npt.NDArray[np.intp]
    values: Floats


class StrengthIndex:
    """The strengths of a space's memories that ever changed, in order of position."""

    def __init__(self) -> None:
        self._at = GrowingArray(np.int64)
        self._ordinals = GrowingArray(np.int32)
        self._values = GrowingArray(np.float64)
        self._known: _Strengths | None = None

    def follow(self, changes: Sequence[StrengthChange], columns: Columns) -> None:
        """Note later strengths of memories, in the order in which they came to hold."""
        for change in changes:
            ordinal = columns.ordinal(change.memory)
            if ordinal != NOBODY:
                self._ordinals.extend([ordinal])
                self._values.extend([change.strength])
                # Last: readers in other threads go by the number of positions.
                self._at.extend([change.at])

    def of(self, ordinals: npt.NDArray[np.integer], position: Position) -> Floats:
        """The strengths of these memories as of a position, in [0, 1]."""
        strengths = np.full(len(ordinals), FULL)
        known = self._as_of(position)
        if len(known.ordinals):
            places = known.ordinals.searchsorted(ordinals)
            places[places == len(known.ordinals)] = 0
            inside = known.ordinals[places] == ordinals
            strengths[inside] = known.values[places[inside]]
        return strengths

    def _as_of(self, position: Position) -> _Strengths:
        changes = int(self._at.rows.searchsorted(position, side="right"))
        known = self._known
        if known is None or known.changes != changes:
            # In order, so that of several changes of one memory the last one stands.
            last = dict(
                zip(
                    self._ordinals.rows[:changes].tolist(),
                    self._values.rows[:changes].tolist(),
                    strict=True,
                )
            )
            ordered = sorted(last.items())
            known = self._known = _Strengths(
                changes,
                np.array([ordinal for ordinal, _ in ordered], np.intp),
                np.array([strength for _, strength in ordered], np.float64),
            )
        return known

"""Strengths and depth weights of memories by ordinal, as of any position."""

from collections.abc import Sequence
from itertools import compress, pairwise
from typing import get_args

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.arrays import AnyArray, GrowingArray, Ordinals, StoredArrays
from mnemolog.indexes.columns import (
    NOBODY,
    NOTHING_STORED,
    PLAIN_WEIGHT,
    ChangeLog,
    Columns,
    Floats,
    Instants,
    Selection,
)
from mnemolog.ledger.decay import FALL_DAYS, NEGLIGIBLE, PLATEAU_DAYS, Curve, Pace
from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import MemoryRow, StrengthChange, WeightChange

_CURVES: tuple[Curve, ...] = get_args(Curve)
_EXPONENTIAL, _LINEAR, _PLATEAU = map(_CURVES.index, ("exponential", "linear", "plateau"))
_HOUR_US = 3_600_000_000

Trace = tuple[Floats, Instants, Floats]
"""Strengths of memories, the instants that they are of, and how much slower they fade."""


class _Traces:
    """Strength, instant and slowing of memories, each in an array."""

    def __init__(self) -> None:
        self.strengths = GrowingArray(np.float64)
        self.since = GrowingArray(np.int64)
        self.slowing = GrowingArray(np.float64)

    def extend(self, strengths: npt.ArrayLike, at: npt.ArrayLike, slowing: npt.ArrayLike) -> None:
        self.strengths.extend(strengths)
        self.since.extend(at)
        self.slowing.extend(slowing)

    def of(self, places: Ordinals) -> Trace:
        return self.strengths[places], self.since[places], self.slowing[places]


class StrengthIndex:
    """The decay of a space's memories, and the changes of their strength, in order."""

    def __init__(self, base: StoredArrays = NOTHING_STORED) -> None:
        self._curves = base.growing("curves", np.int8)
        self._rates = base.growing("rates", np.float64)
        self._initial = base.growing("initial", np.float64)
        self._changes = ChangeLog()
        self._changed_to = _Traces()
        # By ordinal: most questions are asked of now.
        self._last = _Traces()
        if len(self._initial):
            self._last.extend(self._initial.rows, base["said_at"], np.ones(len(self._initial)))
        # Odd while the last traces are being changed.
        self._edition = 0
        self._pace = Pace()

    def add(self, rows: Sequence[MemoryRow]) -> None:
        """Add the next memories, by their first state."""
        initial = [row.initial for row in rows]
        self._rates.extend([row.rate for row in rows])
        self._initial.extend(initial)
        self._last.extend(initial, [row.said_at for row in rows], [1.0] * len(rows))
        self._curves.extend([_CURVES.index(row.curve) for row in rows])

    def frozen(self, size: int) -> dict[str, AnyArray]:
        """Arrays of the first `size` memories as they began, by name."""
        return {
            "curves": self._curves[:size],
            "rates": self._rates[:size],
            "initial": self._initial[:size],
        }

    def follow(self, changes: Sequence[StrengthChange], pace: Pace, columns: Columns) -> None:
        """Note later traces of memories, in the order in which they came to hold."""
        self._pace = pace
        ordinals = columns.ordinals(np.array([change.memory for change in changes], np.int64))
        there = ordinals != NOBODY
        ordinals, known = ordinals[there], [*compress(changes, there.tolist())]
        strengths = [change.strength for change in known]
        since = [change.reinforced_at for change in known]
        slowing = [change.slowing for change in known]
        self._changed_to.extend(strengths, since, slowing)
        self._edition += 1
        # numpy assigns in order, so of several changes of one memory the last one counts.
        self._last.strengths.rows[ordinals] = strengths
        self._last.since.rows[ordinals] = since
        self._last.slowing.rows[ordinals] = slowing
        self._changes.extend(ordinals, [change.since for change in known])
        self._edition += 1

    def of(self, ordinals: Ordinals, columns: Columns, position: Position, instant: int) -> Floats:
        """The strengths in [0, 1] of these memories as of a position, at an instant.

        By whole hours, so that an answer does not change from one second to the next.
        """
        traces = self._of_now(ordinals, position)
        if traces is None:
            traces = self._initial[ordinals], columns.said_at(ordinals), np.ones(len(ordinals))
            changed, rows = self._changes.as_of(position).of(ordinals)
            for values, later in zip(traces, self._changed_to.of(rows), strict=True):
                values[changed] = later
        strengths, since, slowing = traces
        spent = self._rates[ordinals] * slowing * _days(self._pace, since, instant)
        return _remaining(self._curves[ordinals], strengths, spent)

    def _of_now(self, ordinals: Ordinals, position: Position) -> Trace | None:
        """The last traces of these memories; None unless they are those of a position."""
        edition = self._edition
        if edition % 2 or self._changes.has_later(position):
            return None
        found = self._last.of(ordinals)
        # Another thread may have changed them meanwhile.
        return found if self._edition == edition else None


def _days(pace: Pace, since: Instants, instant: int) -> Floats:
    """Days of decay from each of these instants to another, as `Pace.days` counts them."""
    if not pace.speeds:
        return np.maximum(0, instant - since) // _HOUR_US / 24
    always = np.iinfo(np.int64)
    stretches = [(always.min, 1.0), *pace.speeds, (always.max, 1.0)]
    total = np.zeros(len(since))
    for (start, speed), (end, _) in pairwise(stretches):
        begun = np.maximum(since, start)
        total += speed * (np.maximum(0, min(end, instant) - begun) // _HOUR_US / 24)
    return total


def _remaining(curves: npt.NDArray[np.int8], initial: Floats, spent: Floats) -> Floats:
    """`ledger.decay.remaining` for many: what is left after so many days times the rate."""
    left = np.where(curves == _EXPONENTIAL, initial * np.exp(-spent), initial)
    left = np.where(curves == _LINEAR, initial - spent, left)
    beyond = np.maximum(0.0, spent - PLATEAU_DAYS) / FALL_DAYS
    left = np.where(curves == _PLATEAU, initial * np.exp(-beyond * beyond / 2), left)
    return np.where(left >= NEGLIGIBLE, left, 0.0)


class WeightIndex:
    """The weights of a space's memories that were ever reinforced; plain ones take no room."""

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

    def of(self, ordinals: Ordinals, columns: Columns, position: Position) -> Floats:
        """The centres in (0, 1) of these memories' depth weights as of a position."""
        weights = columns.first_weights[ordinals]
        changed, rows = self._changes.as_of(position).of(ordinals)
        weights[changed] = self._values[rows]
        return weights

    def heavy(self, columns: Columns, size: int, position: Position) -> Selection:
        """The first `size` memories that weigh more than a plain one, ascending."""
        last = self._changes.as_of(position)
        grown = last.ordinals[self._values[last.rows] > PLAIN_WEIGHT]
        heavy: Selection = np.union1d(columns.first_heavy(size), grown[grown < size])
        return heavy[self.of(heavy, columns, position) > PLAIN_WEIGHT]

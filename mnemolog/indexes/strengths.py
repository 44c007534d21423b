"""Strengths of memories by ordinal, at any instant, as of any position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.change_log import ChangeLog
from mnemolog.indexes.columns import NOBODY, Columns
from mnemolog.indexes.growing import GrowingArray
from mnemolog.ledger.decay import FALL_DAYS, NEGLIGIBLE, PLATEAU_DAYS, Curve, Pace
from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import MemoryRow, StrengthChange

Floats = npt.NDArray[np.float64]
Instants = npt.NDArray[np.int64]

_CURVES: tuple[Curve, ...] = get_args(Curve)
_EXPONENTIAL, _LINEAR, _PLATEAU = map(_CURVES.index, ("exponential", "linear", "plateau"))
_HOUR_US = 3_600_000_000


class StrengthIndex:
    """The decay of a space's memories, and the changes of their strength, in order."""

    def __init__(self) -> None:
        self._curves = GrowingArray(np.int8)
        self._rates = GrowingArray(np.float64)
        self._initial = GrowingArray(np.float64)
        self._changes = ChangeLog()
        self._strengths = GrowingArray(np.float64)
        self._since = GrowingArray(np.int64)
        self._slowing = GrowingArray(np.float64)
        # By ordinal, the last trace of each memory: most questions are asked of now.
        self._last_strengths = GrowingArray(np.float64)
        self._last_since = GrowingArray(np.int64)
        self._last_slowing = GrowingArray(np.float64)
        # Odd while they are being changed.
        self._edition = 0
        self._pace = Pace()

    def add(self, rows: Sequence[MemoryRow]) -> None:
        """Add the next memories, by their first state."""
        self._rates.extend([row.rate for row in rows])
        self._initial.extend([row.initial for row in rows])
        self._last_strengths.extend([row.initial for row in rows])
        self._last_since.extend([row.said_at for row in rows])
        self._last_slowing.extend([1.0] * len(rows))
        self._curves.extend([_CURVES.index(row.curve) for row in rows])

    def follow(self, changes: Sequence[StrengthChange], pace: Pace, columns: Columns) -> None:
        """Note later traces of memories, in the order in which they came to hold."""
        self._pace = pace
        ordinals = columns.ordinals(np.array([change.memory for change in changes], np.int64))
        there = ordinals != NOBODY
        ordinals = ordinals[there]
        strengths = np.array([change.strength for change in changes], np.float64)[there]
        since = np.array([change.reinforced_at for change in changes], np.int64)[there]
        slowing = np.array([change.slowing for change in changes], np.float64)[there]
        at = np.array([change.since for change in changes], np.int64)[there]
        self._strengths.extend(strengths)
        self._since.extend(since)
        self._slowing.extend(slowing)
        self._edition += 1
        # numpy assigns in order, so of several changes of one memory the last one counts.
        self._last_strengths.rows[ordinals] = strengths
        self._last_since.rows[ordinals] = since
        self._last_slowing.rows[ordinals] = slowing
        self._changes.extend(ordinals, at)
        self._edition += 1

    def of(
        self, ordinals: npt.NDArray[np.integer], columns: Columns, position: Position, instant: int
    ) -> Floats:
        """The strengths in [0, 1] of these memories as of a position, at an instant.

        By whole hours, so that an answer does not change from one second to the next.
        """
        initial, since, slowing = self._last(ordinals, position) or self._then(
            ordinals, columns, position
        )
        rates = self._rates.rows[ordinals] * slowing
        spent = rates * _days(self._pace, since, instant)
        return _remaining(self._curves.rows[ordinals], initial, spent)

    def _last(
        self, ordinals: npt.NDArray[np.integer], position: Position
    ) -> tuple[Floats, Instants, Floats] | None:
        """The last traces of these memories; None unless they are those of a position."""
        edition = self._edition
        if edition % 2 or self._changes.has_later(position):
            return None
        found = (
            self._last_strengths.rows[ordinals],
            self._last_since.rows[ordinals],
            self._last_slowing.rows[ordinals],
        )
        # Another thread may have changed them meanwhile.
        return found if self._edition == edition else None

    def _then(
        self, ordinals: npt.NDArray[np.integer], columns: Columns, position: Position
    ) -> tuple[Floats, Instants, Floats]:
        """The traces of these memories as of a position."""
        initial, since = self._initial.rows[ordinals], columns.said_at(ordinals)
        slowing = np.ones(len(ordinals))
        changed, rows = self._changes.as_of(position).of(ordinals)
        initial[changed] = self._strengths.rows[rows]
        since[changed], slowing[changed] = self._since.rows[rows], self._slowing.rows[rows]
        return initial, since, slowing


def _days(pace: Pace, since: Instants, instant: int) -> Floats:
    """Days of decay from each of these instants to another, as `Pace.days` counts them."""
    if not pace.speeds:
        return np.maximum(0, instant - since) // _HOUR_US / 24
    starts = [np.iinfo(np.int64).min, *(at for at, _ in pace.speeds)]
    ends = [*starts[1:], np.iinfo(np.int64).max]
    speeds = [1.0, *(speed for _, speed in pace.speeds)]
    total = np.zeros(len(since))
    for start, end, speed in zip(starts, ends, speeds, strict=True):
        begun = np.maximum(since, start)
        total += speed * (np.maximum(0, min(end, instant) - begun) // _HOUR_US / 24)
    return total


def _remaining(curves: npt.NDArray[np.int8], initial: Floats, spent: Floats) -> Floats:
    """`ledger.decay.remaining` for many: what is left after so many days times the rate."""
    left = initial
    exponential, plateau = curves == _EXPONENTIAL, curves == _PLATEAU
    left = np.where(exponential, initial * np.exp(-spent), left)
    left = np.where(curves == _LINEAR, initial - spent, left)
    beyond = np.maximum(0.0, spent - PLATEAU_DAYS) / FALL_DAYS
    left = np.where(plateau, initial * np.exp(-beyond * beyond / 2), left)
    return np.where(left >= NEGLIGIBLE, left, 0.0)

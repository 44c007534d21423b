"""Horizon of a question: the part of a space that it may see."""

from __future__ import annotations

from typing import NamedTuple

from mnemolog.ledger.ids import Position


class Horizon(NamedTuple):
    """A question's moment: the last position it knows, its instant, how many memories there were.

    `size` is `Columns.size(position)`.
    """

    position: Position
    instant: int
    size: int

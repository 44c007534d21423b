"""A clock under which days pass while a process works."""

from __future__ import annotations

import time

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import DAY_US


class Hurried:
    """The machine's clock, and ahead of it by so many days as were hurried through."""

    def __init__(self) -> None:
        self._ahead = 0

    def now(self) -> Micros:
        """The present instant."""
        return Micros(time.time_ns() // 1000 + self._ahead)

    def reach(self, instant: Micros) -> None:
        """Go on from an instant, where another process had hurried before."""
        self._ahead = max(self._ahead, instant - time.time_ns() // 1000)

    def hurry(self, days: int) -> None:
        """Let days pass."""
        self._ahead += days * DAY_US

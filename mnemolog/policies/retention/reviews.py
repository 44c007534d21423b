"""Reviews of important memories: at growing intervals, unless they are used."""

from __future__ import annotations

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import DAY_US
from mnemolog.ledger.events import Importance

REVIEW_DAYS = (1, 3, 7, 14, 30, 60, 120, 365)
"""Days from when an important memory was last of use, or stored, to its next review."""


def review_at(importance: Importance, seen_at: Micros, accesses: int) -> Micros | None:
    """Review time of a memory that was last used, or stored, at an instant.

    The interval grows with every use. None for a memory that is not important.
    """
    if importance != "high":
        return None
    days = REVIEW_DAYS[min(accesses, len(REVIEW_DAYS) - 1)]
    return Micros(seen_at + days * DAY_US)

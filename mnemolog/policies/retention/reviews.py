"""When important memories come up for review: at growing intervals, unless they are of use."""

from __future__ import annotations

from mnemolog.ledger.clock import Micros
from mnemolog.ledger.decay import DAY_US
from mnemolog.ledger.events import Importance

REVIEW_DAYS = (1, 3, 7, 14, 30, 60, 120, 365)
"""Days from when an important memory was last of use, or stored, to its next review."""


def review_at(importance: Importance, seen_at: Micros, accesses: int) -> Micros | None:
    """When a memory is to be reviewed that was last of use, or stored, at an instant.

    The interval grows with every use. None for what is not important.
    """
    if importance != "high":
        return None
    days = REVIEW_DAYS[min(accesses, len(REVIEW_DAYS) - 1)]
    return Micros(seen_at + days * DAY_US)

"""Descriptions of strength and time events, for receipts and history."""

from __future__ import annotations

from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.decay import FALLS
from mnemolog.ledger.events import (
    Degraded,
    Payload,
    Recalled,
    Relearned,
    Revived,
    Strengthened,
    Ticked,
    Unlearned,
    Weakened,
)
from mnemolog.ledger.tiers import Tier

TIER_WORDS: dict[Tier, str] = {
    "active": "active",
    "archived": "archived",
    "summarized": "summarized",
    "tombstone": "a tombstone",
    "deleted": "deleted",
}


def said_of_strength(  # noqa: PLR0911 - one per kind
    structure: Payload | None, name: str
) -> str | None:
    """Description of a strength event about the memory called `name`; None for other events."""
    if isinstance(structure, Weakened):
        return f"{name} has {structure.factor:g} times its strength"
    if isinstance(structure, Strengthened):
        return f"{name} has strength {structure.strength:g}"
    if isinstance(structure, Recalled):
        used = ", ".join(structure.memories)
        return f"of use on {_time(structure.at)}: {used}"
    if isinstance(structure, Ticked):
        return f"time has passed up to {_time(structure.until)}; falls: {structure.falls}"
    if isinstance(structure, Degraded):
        return f"{name} is {TIER_WORDS[structure.tier]}: {_why(structure)}"
    if isinstance(structure, Revived):
        return (
            f"{name} is {TIER_WORDS[structure.tier]} again, with strength {structure.strength:.2f}"
        )
    if isinstance(structure, Relearned):
        return f"{name} says what {structure.of} said, which had faded and was deleted"
    if isinstance(structure, Unlearned):
        return f"{name} does not count as what {structure.of} said any more"
    return None


def _why(fall: Degraded) -> str:
    (rule,) = (one for one in FALLS if one.tier == fall.tier)
    return (
        f"its strength has been under {rule.below:g} since {_time(fall.below_since)}, "
        f"{rule.days:g} days long by {_time(fall.due_at)}, when it was {fall.strength:.3f}"
    )


def _time(instant: int) -> str:
    return f"{to_datetime(instant):%Y-%m-%d %H:%M} UTC"

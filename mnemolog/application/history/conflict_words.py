"""Descriptions of conflict events, for receipts and history."""

from __future__ import annotations

from mnemolog.ledger.events import (
    Conflicted,
    Outcome,
    Payload,
    Reopened,
    Settled,
    Winner,
)

_OUTCOMES: dict[Outcome, str] = {
    "superseded": "the new one stands",
    "outdated": "the old one stands",
    "contested": "both stand, the new one contested",
    "pending": "the new one is pending",
    "both": "both stand",
}
_WINNERS: dict[Winner, str] = {
    "new": "the new memory stands",
    "old": "the old memory stands",
    "both": "both stand",
    "neither": "neither stands",
}


def said_of_conflict(structure: Payload | None, name: str) -> str | None:
    """Description of a conflict event about the memory called `name`; None for other events."""
    if isinstance(structure, Conflicted):
        return f"{name} contradicts {structure.other}: {_OUTCOMES[structure.outcome]}"
    if isinstance(structure, Settled):
        return f"conflict {structure.conflict} is settled: {_WINNERS[structure.winner]}"
    if isinstance(structure, Reopened):
        return f"conflict {structure.conflict} is open again"
    return None

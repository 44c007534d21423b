"""Descriptions of upkeep events, for receipts and history."""

from __future__ import annotations

from mnemolog.ledger.events import Consolidated, ConsolidationTrigger, Maintained, Payload

_CALLED: dict[ConsolidationTrigger, str] = {
    "recalled": "it was recalled three times",
    "linked": "two edges join it",
    "lasting": "its persistence lasted for a week",
    "confirmed": "it was confirmed",
    "helped": "it helped a goal",
    "repeated": "it says again what is consolidated",
}


def said_of_upkeep(structure: Payload | None, name: str) -> str | None:
    """Description of an upkeep event about the memory called `name`; None for other events.

    An empty name means that the event concerns no memory.
    """
    if isinstance(structure, Maintained):
        return f"jobs of upkeep are done: {', '.join(structure.jobs)}"
    if not isinstance(structure, Consolidated):
        return None
    if not name:
        return "the edges of the space are consolidated: what follows ends, or is drawn anew"
    called = " and ".join(_CALLED[trigger] for trigger in structure.triggers)
    said = f"{name} is consolidated: its persistence is {structure.persistence:.2f}"
    if called:
        said = f"{said}, and {called}"
    if structure.merged is not None:
        count = len(structure.parts)
        said = f"{said}; {count} that say the same become {structure.merged}"
    return said

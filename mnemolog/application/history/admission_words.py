"""Descriptions of admission and buffer events, for receipts and history."""

from __future__ import annotations

from mnemolog.ledger.events import Admitted, Buffered, Dropped, Payload, Reinforced, Scores
from mnemolog.policies.retention.forgetting import centre


def said_of_admission(structure: Payload | None, name: str) -> str | None:
    """Description of an admission event about the memory called `name`; None for other events."""
    if isinstance(structure, Admitted):
        came = _from(structure.of)
        return f"{name} was let in{came}{_why(structure.scores)}"
    if isinstance(structure, Reinforced):
        came = _from(structure.of)
        weight = centre(structure.depth_weight)
        return f"{name} weighs {weight:.3f}: it was met again{came}{_why(structure.scores)}"
    if isinstance(structure, Buffered):
        if structure.of is not None:
            return f"what {structure.of} put into the buffer waits there again"
        return f"content waits in the buffer{_why(structure.scores)}"
    if isinstance(structure, Dropped):
        return f"content was dropped{_from(structure.of)}{_why(structure.scores)}"
    return None


def _from(of: str | None) -> str:
    return "" if of is None else f", out of the buffer ({of})"


def _why(scores: Scores | None) -> str:
    return "" if scores is None else f", as {scores.relevance} in relevance and {scores.novelty}"

"""Descriptions of recall session events, for receipts and history."""

from __future__ import annotations

from mnemolog.ledger.events import Payload, Resolved, Voted

_SESSION_SHOWN = 8


def said_of_session(structure: Payload | None, name: str) -> str | None:
    """Description of a session event about the memory called `name`; None for other events."""
    if isinstance(structure, Voted):
        session = structure.session[:_SESSION_SHOWN]
        return f"{name} is voted {structure.vote} in round {structure.round} of session {session}"
    if not isinstance(structure, Resolved):
        return None
    rounds = "1 round" if structure.rounds == 1 else f"{structure.rounds} rounds"
    said = f"session {structure.session[:_SESSION_SHOWN]} is resolved after {rounds}"
    learned = [
        _counted(len(structure.accepted), "accepted"),
        _counted(sum(one.bearing > 0 for one in structure.lessons), "come up sooner"),
        _counted(sum(one.bearing < 0 for one in structure.lessons), "come up later"),
        _counted(len(structure.together), "associated"),
        _counted(len(structure.leads), "found through a spark"),
    ]
    told = ", ".join(one for one in learned if one)
    return f"{said}: {told}" if told else f"{said}: nothing was learned"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number else ""

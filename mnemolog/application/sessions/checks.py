"""Checks of votes and accepted memories, and of the references in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import get_args

from mnemolog.application.home.session_store import SessionState
from mnemolog.ledger.errors import AmbiguousId, InvalidField, NotShown
from mnemolog.ledger.events import Vote
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.memories import checked_text

VOTES: tuple[Vote, ...] = get_args(Vote)


def checked_session(session_id: str) -> str:
    """Session id without surrounding blanks. Raises `InvalidField` if it is empty."""
    if not isinstance(session_id, str) or not session_id.strip():
        raise InvalidField("session_id", "is empty", "give the one that the session began with")
    checked_text("session_id", session_id)
    return session_id.strip()


def checked_votes(votes: Mapping[str, Vote]) -> dict[str, Vote]:
    """Votes by reference, not yet resolved to memories. Raises `InvalidField`."""
    if not isinstance(votes, Mapping) or not votes:
        raise InvalidField(
            "votes", "are none", "give a vote for at least one memory that was shown"
        )
    for vote in votes.values():
        if vote not in VOTES:
            raise InvalidField("votes", f"{vote!r} is none", f"use {', '.join(VOTES)}")
    return dict(votes)


def shown(state: SessionState, field: str, reference: str) -> MemoryId:
    """Memory that a reference names among the memories that a session showed.

    Raises `InvalidField`, `NotShown` or `AmbiguousId`.
    """
    if not isinstance(reference, str) or not reference.strip():
        raise InvalidField(field, f"{reference!r} is no id", "name memories that were shown")
    wanted = reference.strip().casefold().replace("-", "")
    found = [one for one in state.shown if one.startswith(wanted)]
    # A reference of dashes alone would match every memory shown.
    if not found or not wanted:
        raise NotShown(field, reference)
    if len(found) > 1:
        raise AmbiguousId(reference, sorted(found))
    return found[0]


def votes_by_memory(
    find: Callable[[str], MemoryId], votes: Mapping[str, Vote]
) -> dict[MemoryId, Vote]:
    """Votes by memory id, sorted by id.

    Raises `InvalidField` if two references name the same memory, and the errors of `find`.
    """
    found: dict[MemoryId, Vote] = {}
    for reference, vote in votes.items():
        one = find(reference)
        if one in found:
            raise InvalidField("votes", f"name {one} twice", "give one vote a memory")
        found[one] = vote
    return dict(sorted(found.items()))

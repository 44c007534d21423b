"""Correction decisions: supersession, withdrawal and pins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from mnemolog.ledger.errors import ImmutableMemory, InvalidState, SupersessionCycle
from mnemolog.ledger.events import (
    Payload,
    Pinned,
    Reason,
    Superseded,
    Unpinned,
    Withdrawn,
)
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.memories import checked_remark

Superseders = Callable[[MemoryId], Iterable[MemoryId]]
"""What directly supersedes a memory at present."""


class Target(msgspec.Struct, frozen=True):
    """Memory as correction decisions need it."""

    memory_id: MemoryId
    status: str
    immutable: bool = False
    pinned: bool = False


class Decision(msgspec.Struct, frozen=True):
    """Decided event: its payload, and the memory that it belongs to."""

    structure: Payload
    memory_id: MemoryId | None
    content: Payload | None = None


def why(reason: str | None) -> Reason | None:
    """Reason as an event's content; None for an empty one. Raises `InvalidField`."""
    text = checked_remark("reason", reason)
    return None if text is None else Reason(text)


class Replacement(msgspec.Struct, frozen=True):
    """Memory that replaces others, and the start of its validity.

    `valid_from` is None if the start is unknown: the old memories' valid time then ends
    when the event is recorded.
    """

    memory_id: MemoryId
    valid_from: int | None = None


def decide_supersession(
    olds: Sequence[Target],
    new: Replacement,
    superseders: Superseders,
    overrides: frozenset[MemoryId],
    reason: str | None,
) -> list[Decision]:
    """One event for each memory that `new` replaces and does not supersede already.

    Raises `SupersessionCycle`, `ImmutableMemory` for an immutable memory that is not among
    `overrides`, and `InvalidState` for a redacted memory, or if `new` supersedes all of
    them already.
    """
    check_no_cycle([old.memory_id for old in olds], new.memory_id, superseders)
    # A contradiction check may have superseded some of them already.
    ahead = [old for old in olds if new.memory_id not in set(superseders(old.memory_id))]
    if olds and not ahead:
        raise InvalidState(
            olds[0].memory_id, f"superseded by {new.memory_id} already", "there is nothing to do"
        )
    decisions = []
    for old in ahead:
        _check_changeable(old, "supersede", overrides)
        structure = Superseded(new.memory_id, valid_until=new.valid_from, override=old.immutable)
        decisions.append(Decision(structure, old.memory_id, why(reason)))
    return decisions


def check_no_cycle(olds: Iterable[MemoryId], new: MemoryId, superseders: Superseders) -> None:
    """Raise `SupersessionCycle` if `new`, or a memory that supersedes it, is one of `olds`."""
    above = all_above(new, superseders)
    for old in olds:
        if old == new or old in above:
            raise SupersessionCycle(old, new)


def all_above(memory_id: MemoryId, superseders: Superseders) -> set[MemoryId]:
    """Memories that supersede a memory, directly or transitively."""
    found: set[MemoryId] = set()
    ahead = [memory_id]
    while ahead:
        for newer in superseders(ahead.pop()):
            if newer not in found:
                found.add(newer)
                ahead.append(newer)
    return found


def _check_changeable(target: Target, command: str, overrides: frozenset[MemoryId]) -> None:
    if target.status == "redacted":
        raise InvalidState(target.memory_id, "redacted", f"there is nothing left to {command}")
    if target.immutable and target.memory_id not in overrides:
        raise ImmutableMemory(target.memory_id, command)


def decide_withdrawal(
    target: Target, overrides: frozenset[MemoryId], reason: str | None
) -> Decision:
    """Event that excludes a memory from all answers.

    Raises `ImmutableMemory`, or `InvalidState` for a memory that is excluded already.
    """
    _check_changeable(target, "withdraw", overrides)
    if target.status == "withdrawn":
        raise InvalidState(target.memory_id, "withdrawn already", "undo brings it back")
    return Decision(Withdrawn(override=target.immutable), target.memory_id, why(reason))


def decide_pin(target: Target, expires_at: int | None, now: int, reason: str | None) -> Decision:
    """Event that pins a memory, or changes when its pin expires.

    Raises `InvalidState` for a memory that is excluded from all answers, or for an expiry
    in the past.
    """
    if target.status in {"withdrawn", "redacted"}:
        raise InvalidState(target.memory_id, target.status, "pin one that may be answered with")
    if expires_at is not None and expires_at <= now:
        raise InvalidState(target.memory_id, "not pinned until a past time", "give a later one")
    return Decision(Pinned(expires_at), target.memory_id, why(reason))


def decide_unpin(target: Target, reason: str | None) -> Decision:
    """Event that removes a pin from a memory. Raises `InvalidState`."""
    if not target.pinned:
        raise InvalidState(target.memory_id, "not pinned", "there is nothing to let go")
    return Decision(Unpinned(), target.memory_id, why(reason))

"""Deciding corrections: what may supersede what, and what may be taken out."""

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
    """What deciding about a memory needs to know of it."""

    memory_id: MemoryId
    status: str
    immutable: bool = False
    pinned: bool = False


class Decision(msgspec.Struct, frozen=True):
    """An event that was decided: its payload, and the memory that it concerns."""

    structure: Payload
    memory_id: MemoryId | None
    content: Payload | None = None


def why(reason: str | None) -> Reason | None:
    """A reason as an event's content; none for an empty one. Raises `InvalidField`."""
    text = checked_remark("reason", reason)
    return None if text is None else Reason(text)


class Replacement(msgspec.Struct, frozen=True):
    """The memory that takes the place of others, and from when on.

    `valid_from` is None where nothing says when it began: the old memories'
    valid time then ends when the event is recorded.
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
    """One event for each memory that `new` takes the place of and has not yet.

    Raises `SupersessionCycle`, `ImmutableMemory` for one that is not among
    `overrides`, and `InvalidState` for one that is redacted, or where `new`
    supersedes all of them already.
    """
    check_no_cycle([old.memory_id for old in olds], new.memory_id, superseders)
    # A check for contradictions may have come first with some of them.
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
    """Raise `SupersessionCycle` if `new`, or what supersedes it, is one of `olds`."""
    above = all_above(new, superseders)
    for old in olds:
        if old == new or old in above:
            raise SupersessionCycle(old, new)


def all_above(memory_id: MemoryId, superseders: Superseders) -> set[MemoryId]:
    """What supersedes a memory, at once or through others."""
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
    """The event that takes a memory out of all answers.

    Raises `ImmutableMemory`, or `InvalidState` for one that is out already.
    """
    _check_changeable(target, "withdraw", overrides)
    if target.status == "withdrawn":
        raise InvalidState(target.memory_id, "withdrawn already", "undo brings it back")
    return Decision(Withdrawn(override=target.immutable), target.memory_id, why(reason))


def decide_pin(target: Target, expires_at: int | None, now: int, reason: str | None) -> Decision:
    """The event that pins a memory, or changes how long it stays pinned.

    Raises `InvalidState` for a memory that no answer may hold, or an expiry
    that has passed.
    """
    if target.status in {"withdrawn", "redacted"}:
        raise InvalidState(target.memory_id, target.status, "pin one that may be answered with")
    if expires_at is not None and expires_at <= now:
        raise InvalidState(target.memory_id, "not pinned until a past time", "give a later one")
    return Decision(Pinned(expires_at), target.memory_id, why(reason))


def decide_unpin(target: Target, reason: str | None) -> Decision:
    """The event that lets a memory go from working memory. Raises `InvalidState`."""
    if not target.pinned:
        raise InvalidState(target.memory_id, "not pinned", "there is nothing to let go")
    return Decision(Unpinned(), target.memory_id, why(reason))

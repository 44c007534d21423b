"""Correction decisions: supersession, withdrawal, pins, and undo."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from mnemolog.ledger import events
from mnemolog.ledger.decay import TIERS
from mnemolog.ledger.errors import CannotUndo, ImmutableMemory, InvalidState, SupersessionCycle
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.tiers import Tier
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.memories import checked_remark

# Kinds that change no state, or that leave a memory as whoever undoes them wants it.
_REVERSED_BY_SAYING_SO = {
    *("undone", "failed", "ticked", "consolidated", "maintained", "admitted", "voted", "resolved")
}
_WHY_NOT = {
    "dropped": "nothing is kept of what was dropped: admit it again",
    "unlinked": "what the edge joined was redacted",
    "imported": "an import is not undone: name an earlier command by its @position, "
    "or withdraw or redact what came in",
}
Superseders = Callable[[MemoryId], Iterable[MemoryId]]  # direct successors of a memory at present


class Target(msgspec.Struct, frozen=True):
    """Memory as correction decisions need it."""

    memory_id: MemoryId
    status: str
    immutable: bool = False
    pinned: bool = False


class Decision(msgspec.Struct, frozen=True):
    """Decided event: its payload, and the memory that it belongs to."""

    structure: events.Payload
    memory_id: MemoryId | None
    content: events.Payload | None = None


def why(reason: str | None) -> events.Reason | None:
    """Reason as an event's content; None for an empty one. Raises `InvalidField`."""
    text = checked_remark("reason", reason)
    return None if text is None else events.Reason(text)


class Replacement(msgspec.Struct, frozen=True):
    """Memory that replaces others; without `valid_from`, these cease to hold at the event."""

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

    Raises `SupersessionCycle`, `ImmutableMemory` for one that is not among `overrides`, and
    `InvalidState` for a redacted memory, or if `new` supersedes all of them already.
    """
    by = new.memory_id
    check_no_cycle([old.memory_id for old in olds], by, superseders)
    # A contradiction check may have superseded some of them already.
    ahead = [old for old in olds if by not in superseders(old.memory_id)]
    if olds and not ahead:
        already = f"superseded by {by} already"
        raise InvalidState(olds[0].memory_id, already, "there is nothing to do")
    decisions = []
    for old in ahead:
        _check_changeable(old, "supersede", overrides)
        structure = events.Superseded(by, valid_until=new.valid_from, override=old.immutable)
        decisions.append(Decision(structure, old.memory_id, why(reason)))
    return decisions


def check_no_cycle(olds: Iterable[MemoryId], new: MemoryId, superseders: Superseders) -> None:
    """Raise `SupersessionCycle` if `new`, or a memory that supersedes it, is one of `olds`."""
    above = {new} | all_above(new, superseders)
    if cyclic := [old for old in olds if old in above]:
        raise SupersessionCycle(cyclic[0], new)


def all_above(memory_id: MemoryId, superseders: Superseders) -> set[MemoryId]:
    """Memories that supersede a memory, directly or transitively."""
    found: set[MemoryId] = set()
    ahead = [memory_id]
    while ahead:
        newer = set(superseders(ahead.pop())) - found
        found |= newer
        ahead += newer
    return found


def _check_changeable(target: Target, command: str, overrides: frozenset[MemoryId]) -> None:
    if target.status == "redacted":
        raise InvalidState(target.memory_id, "redacted", f"there is nothing left to {command}")
    if target.immutable and target.memory_id not in overrides:
        raise ImmutableMemory(target.memory_id, command)


def decide_withdrawal(
    target: Target, overrides: frozenset[MemoryId], reason: str | None
) -> Decision:
    """Event that withdraws a memory. Raises `ImmutableMemory` or `InvalidState`."""
    _check_changeable(target, "withdraw", overrides)
    if target.status == "withdrawn":
        raise InvalidState(target.memory_id, "withdrawn already", "undo brings it back")
    return Decision(events.Withdrawn(override=target.immutable), target.memory_id, why(reason))


def decide_pin(target: Target, expires_at: int | None, now: int, reason: str | None) -> Decision:
    """Event that pins a memory, or changes when its pin expires. Raises `InvalidState`."""
    if target.status in {"withdrawn", "redacted"}:
        raise InvalidState(target.memory_id, target.status, "pin one that may be answered with")
    if expires_at is not None and expires_at <= now:
        raise InvalidState(target.memory_id, "not pinned until a past time", "give a later one")
    return Decision(events.Pinned(expires_at), target.memory_id, why(reason))


def decide_unpin(target: Target, reason: str | None) -> Decision:
    """Event that removes a pin from a memory. Raises `InvalidState`."""
    if not target.pinned:
        raise InvalidState(target.memory_id, "not pinned", "there is nothing to let go")
    return Decision(events.Unpinned(), target.memory_id, why(reason))


class Before(Protocol):
    """State before a command, for events that record only the new state."""

    def pin(self, memory_id: MemoryId) -> tuple[bool, int | None]:
        """Pin of a memory: True if pinned, and its expiry."""

    def shelter(self, memory_id: MemoryId) -> int:
        """Time until which a memory was protected from downgrades."""

    def shelter_again(self, memory_id: MemoryId) -> int | None:
        """Protection of a restored memory; None if time would destroy the memory at once."""

    def closing(self, old: MemoryId, new: MemoryId) -> int | None:
        """End of `old`'s valid time that `new` caused."""

    def settlement(self, conflict: EventId) -> events.Settled | None:
        """Settlement of a conflict."""

    def strength(self, memory_id: MemoryId) -> events.Strengthened:
        """Event that restores a memory's strength and rate of fading."""

    def tier(self, memory_id: MemoryId, at: Position) -> Decision:
        """Event that restores the tier that a memory had before an event."""

    def weight(self, memory_id: MemoryId) -> tuple[float, float]:
        """Depth weight of a memory."""

    def is_kept(self, item: EventId) -> bool:
        """True if the content that an event put into the buffer is still there."""

    def edge(self, edge_id: EventId) -> Decision | None:
        """Event that would create an edge again; None if one of its ends was redacted."""

    def setting(self, name: str) -> events.SettingValue:
        """Value of a setting; None if it was at its default."""


def command_of(event: events.Event) -> EventId:
    """Id of the first event of the command that an event belongs to."""
    return event.causation_id or event.event_id


def decide_undo(
    command: Sequence[events.Event],
    dependents: Sequence[Position],
    before: Before,
    reason: str | None,
) -> list[Decision]:
    """`undone` event and the events that restore the state before `command`, latest first.

    Raises `CannotUndo` for a redaction, an import of events and kinds of the caller's own, and
    if later events depend on the command, which it names.
    """
    first = command[0]
    if dependents:
        raise CannotUndo(first.position, "later events depend on it: undo those first", dependents)
    decisions = [Decision(events.Undone(first.event_id), None, why(reason))]
    made = {event.memory_id for event in command if event.kind == "remembered"}
    for event in reversed(command):
        if event.kind == "redacted":
            raise CannotUndo(first.position, "what a redaction destroyed cannot be brought back")
        match VOCABULARY.structure(event):
            case events.Recalled(memories=memories):
                decisions += [Decision(before.strength(one), one) for one in memories]
            case events.Degraded() if first.kind != "ticked":
                pass  # It was due regardless of the command.
            case events.Strengthened() if event.memory_id in made:
                pass  # It accompanies what the command stored.
            case structure if (inverse := _reversal(structure, event, before)) is not None:
                decisions.append(inverse)
            case _ if event.kind not in _REVERSED_BY_SAYING_SO:
                known = f"nothing is known to reverse a {event.kind!r} event"
                raise CannotUndo(first.position, _WHY_NOT.get(event.kind, known))
    return decisions


def after_falls(
    decisions: Sequence[Decision], falls: Sequence[Decision], tiers: Mapping[MemoryId, Tier]
) -> list[Decision]:
    """Undo decisions after overdue downgrades, without lifting a memory above its new tier.

    `tiers` are those after the downgrades.
    """
    first, *rest = decisions
    kept = [first, *falls]
    for one in rest:
        structure, about = one.structure, one.memory_id
        tier = structure.tier if isinstance(structure, events.Degraded | events.Revived) else None
        if about is None or tier is None or TIERS.index(tier) > TIERS.index(tiers[about]):
            kept.append(one)
    return kept


def _reversal(
    structure: events.Payload | None, event: events.Event, before: Before
) -> Decision | None:
    about = event.memory_id
    match structure:
        case events.Linked():
            return Decision(events.Unlinked(event.event_id), about)
        case events.Unlinked(edge=edge):
            return before.edge(edge)
        case events.Degraded() | events.Revived() if about is not None:
            return before.tier(about, event.position)
        case events.Buffered(of=of):
            return Decision(events.Dropped(of=of or event.event_id), None)
        case events.Dropped(of=of):
            item = of or event.event_id
            return Decision(events.Buffered(of=item), None) if before.is_kept(item) else None
        case events.Configured(settings=settings):
            known = {name: before.setting(name) for name in settings}
            inverse: events.Payload | None = events.Configured(known)
        case _:
            inverse = None if about is None else _inverse(structure, about, event.event_id, before)
    return None if inverse is None else Decision(inverse, about)


def _inverse(  # noqa: C901, PLR0911 - one a kind
    structure: events.Payload | None, about: MemoryId, event_id: EventId, before: Before
) -> events.Payload | None:
    match structure:
        case events.Withdrawn():
            return events.Restored(before.shelter_again(about))
        case events.Superseded(by=by):
            return events.Reinstated(by, before.shelter_again(about))
        case events.Reinstated(by=by):
            return events.Superseded(by, before.closing(about, by))
        case events.Reopened(conflict=conflict):
            return before.settlement(conflict) or events.Settled(conflict, "old")
        case events.Weakened() | events.Strengthened():
            # Not the inverse factor: it would restore the strength only approximately.
            return before.strength(about)
        case events.Reinforced():
            return events.Reinforced(before.weight(about))
        case events.Pinned() | events.Unpinned():
            pinned, expires_at = before.pin(about)
            return events.Pinned(expires_at) if pinned else events.Unpinned(before.shelter(about))
        case events.Remembered() | events.Restored():
            return events.Withdrawn()
        case events.Relearned(of=of):
            return events.Unlearned(of)
        case events.Unlearned(of=of):
            return events.Relearned(of)
        case events.Conflicted():
            # The memory that caused the conflict is gone, so the other one remains.
            return events.Settled(event_id, "old")
        case events.Settled(conflict=conflict):
            return events.Reopened(conflict)
    return None

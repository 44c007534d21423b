"""Undo decisions: the events that restore the state before a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from mnemolog.ledger.decay import TIERS
from mnemolog.ledger.errors import CannotUndo
from mnemolog.ledger.events import (
    Buffered,
    Configured,
    Conflicted,
    Degraded,
    Dropped,
    Event,
    Linked,
    Payload,
    Pinned,
    Recalled,
    Reinforced,
    Reinstated,
    Relearned,
    Remembered,
    Reopened,
    Restored,
    Revived,
    SettingValue,
    Settled,
    Strengthened,
    Superseded,
    Undone,
    Unlearned,
    Unlinked,
    Unpinned,
    Weakened,
    Withdrawn,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.tiers import Tier
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.supersession import Decision, why

_REVERSED_BY_SAYING_SO = frozenset(
    {
        "undone", "failed", "ticked", "consolidated", "maintained", "admitted", "voted",
        "resolved",
    }
)  # fmt: skip
"""Kinds that change no state, or one that asks what is undone: that is all there is to it.

What was consolidated stays so: whoever undoes it wants the memory left as it is.
"""

_WHY_NOT = {
    "dropped": "nothing is kept of what was dropped: admit it again",
    "unlinked": "what the edge joined was redacted",
    "imported": "an import is not undone: name an earlier command by its @position, "
    "or withdraw or redact what came in",
}
"""Why some kinds of events are not reversed, by kind."""


class Before(Protocol):
    """State before a command, for events that record only the new state."""

    def pin(self, memory_id: MemoryId) -> tuple[bool, int | None]:
        """Pin of a memory: True if pinned, and its expiry."""
        ...

    def shelter(self, memory_id: MemoryId) -> int:
        """Time until which a memory was protected from downgrades."""
        ...

    def shelter_again(self, memory_id: MemoryId) -> int | None:
        """Protection of a restored memory; None if time would destroy the memory at once."""
        ...

    def closing(self, old: MemoryId, new: MemoryId) -> int | None:
        """End of `old`'s valid time that `new` caused."""
        ...

    def settlement(self, conflict: EventId) -> Settled | None:
        """Settlement of a conflict."""
        ...

    def strength(self, memory_id: MemoryId) -> Strengthened:
        """Event that restores a memory's strength and rate of fading."""
        ...

    def tier(self, memory_id: MemoryId, at: Position) -> Decision:
        """Event that restores the tier that a memory had before an event."""
        ...

    def weight(self, memory_id: MemoryId) -> tuple[float, float]:
        """Depth weight of a memory."""
        ...

    def is_kept(self, item: EventId) -> bool:
        """True if the content that an event put into the buffer is still there."""
        ...

    def edge(self, edge_id: EventId) -> Decision | None:
        """Event that would create an edge again; None if one of its ends was redacted."""
        ...

    def setting(self, name: str) -> SettingValue:
        """Value of a setting; None if it was at its default."""
        ...


def command_of(event: Event) -> EventId:
    """Id of the first event of the command that an event belongs to."""
    return event.causation_id or event.event_id


def decide_undo(
    command: Sequence[Event],
    dependents: Sequence[Position],
    before: Before,
    reason: str | None,
) -> list[Decision]:
    """`undone` event and the events that restore the state before `command`, latest first.

    Raises `CannotUndo` for a redaction, for an import of events, for kinds with a meaning
    defined by the caller, and if later events depend on the command; it names those events.
    """
    first = command[0]
    if dependents:
        raise CannotUndo(first.position, "later events depend on it: undo those first", dependents)
    decisions = [Decision(Undone(first.event_id), None, why(reason))]
    made = {event.memory_id for event in command if event.kind == "remembered"}
    for event in reversed(command):
        if event.kind == "redacted":
            raise CannotUndo(first.position, "what a redaction destroyed cannot be brought back")
        structure = VOCABULARY.structure(event)
        if isinstance(structure, Recalled):
            decisions += [Decision(before.strength(one), one) for one in structure.memories]
            continue
        due = isinstance(structure, Degraded) and first.kind != "ticked"
        if due or (isinstance(structure, Strengthened) and event.memory_id in made):
            # It was due regardless of the command, or it accompanies what the command stored.
            continue
        inverse = _reversal(event, before)
        if inverse is None and event.kind not in _REVERSED_BY_SAYING_SO:
            known = f"nothing is known to reverse a {event.kind!r} event"
            raise CannotUndo(first.position, _WHY_NOT.get(event.kind, known))
        if inverse is not None:
            decisions.append(inverse)
    return decisions


def after_falls(
    decisions: Sequence[Decision], falls: Sequence[Decision], tiers: Mapping[MemoryId, Tier]
) -> list[Decision]:
    """Undo decisions after overdue downgrades, without lifting a memory above its new tier.

    `tiers` are the tiers after the downgrades. The undo of an upgrade can ignore later
    downgrades: without the upgrade, its memory would have reached the same tiers.
    """
    first, *rest = decisions
    return [first, *falls, *(one for one in rest if not _lifts(one, tiers))]


def _lifts(decision: Decision, tiers: Mapping[MemoryId, Tier]) -> bool:
    """True if a decision puts a memory into a tier that is not lower."""
    structure, about = decision.structure, decision.memory_id
    if about is None or not isinstance(structure, Degraded | Revived):
        return False
    return TIERS.index(structure.tier) <= TIERS.index(tiers[about])


def _reversal(event: Event, before: Before) -> Decision | None:
    """Event that reverses another; None if there is none."""
    structure = VOCABULARY.structure(event)
    if isinstance(structure, Linked):
        return Decision(Unlinked(event.event_id), event.memory_id)
    if isinstance(structure, Unlinked):
        return before.edge(structure.edge)
    if isinstance(structure, Degraded | Revived) and event.memory_id is not None:
        return before.tier(event.memory_id, event.position)
    if isinstance(structure, Buffered):
        item = event.event_id if structure.of is None else structure.of
        return Decision(Dropped(of=item), None)
    if isinstance(structure, Dropped):
        item = structure.of or event.event_id
        return Decision(Buffered(of=item), None) if before.is_kept(item) else None
    inverse = _inverse(event, before)
    return None if inverse is None else Decision(inverse, event.memory_id)


def _opposite(event: Event) -> Payload | None:
    """Event that reverses an event about a memory, independent of the state; None for others."""
    structure = VOCABULARY.structure(event)
    if isinstance(structure, Remembered | Restored):
        return Withdrawn()
    if isinstance(structure, Relearned):
        return Unlearned(structure.of)
    if isinstance(structure, Unlearned):
        return Relearned(structure.of)
    if isinstance(structure, Conflicted):
        # The memory that caused the conflict is gone, so the other one remains.
        return Settled(event.event_id, "old")
    return Reopened(structure.conflict) if isinstance(structure, Settled) else None


def _inverse(  # noqa: PLR0911 - one a kind
    event: Event, before: Before
) -> Payload | None:
    structure = VOCABULARY.structure(event)
    if isinstance(structure, Configured):
        return Configured({name: before.setting(name) for name in structure.settings})
    if event.memory_id is None:
        return None
    if isinstance(structure, Withdrawn):
        return Restored(before.shelter_again(event.memory_id))
    if isinstance(structure, Superseded):
        return Reinstated(structure.by, before.shelter_again(event.memory_id))
    if isinstance(structure, Reinstated):
        return Superseded(structure.by, before.closing(event.memory_id, structure.by))
    if isinstance(structure, Reopened):
        return before.settlement(structure.conflict) or Settled(structure.conflict, "old")
    if isinstance(structure, Weakened | Strengthened):
        # Not the inverse factor: it would restore the strength only approximately.
        return before.strength(event.memory_id)
    if isinstance(structure, Reinforced):
        return Reinforced(before.weight(event.memory_id))
    if isinstance(structure, Pinned | Unpinned):
        pinned, expires_at = before.pin(event.memory_id)
        return Pinned(expires_at) if pinned else Unpinned(before.shelter(event.memory_id))
    return _opposite(event)

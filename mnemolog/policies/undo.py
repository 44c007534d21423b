"""Deciding undo: the events that restore what a command changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from mnemolog.ledger.errors import CannotUndo
from mnemolog.ledger.events import (
    VOCABULARY,
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
from mnemolog.ledger.falls import TIERS
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.tiers import Tier
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
    """What the state was before a command, for events that only say what came after."""

    def pin(self, memory_id: MemoryId) -> tuple[bool, int | None]:
        """Whether a memory was pinned, and until when."""
        ...

    def shelter(self, memory_id: MemoryId) -> int:
        """Until when a memory was sheltered from falling."""
        ...

    def shelter_again(self, memory_id: MemoryId) -> int | None:
        """The same for one that stands again; None if time would destroy it at once by that."""
        ...

    def closing(self, old: MemoryId, new: MemoryId) -> int | None:
        """Where `old`'s valid time ended because of `new`."""
        ...

    def settlement(self, conflict: EventId) -> Settled | None:
        """How a conflict was settled."""
        ...

    def strength(self, memory_id: MemoryId) -> Strengthened:
        """The event that gives a memory the strength that it had, fading as it did."""
        ...

    def tier(self, memory_id: MemoryId, at: Position) -> Decision:
        """The event that puts a memory into the tier in which it was before an event."""
        ...

    def weight(self, memory_id: MemoryId) -> tuple[float, float]:
        """The depth weight of a memory."""
        ...

    def is_kept(self, item: EventId) -> bool:
        """Whether the content that an event put into the buffer is still there."""
        ...

    def edge(self, edge_id: EventId) -> Decision | None:
        """The event that would make an edge again; None if what it joined was redacted."""
        ...

    def setting(self, name: str) -> SettingValue:
        """The value of a setting; None if it was at its default."""
        ...


def command_of(event: Event) -> EventId:
    """The id of the first event of the command that an event belongs to."""
    return event.causation_id or event.event_id


def decide_undo(
    command: Sequence[Event],
    dependents: Sequence[Position],
    before: Before,
    reason: str | None,
) -> list[Decision]:
    """An `undone` event and what restores the state before `command`, last change first.

    Raises `CannotUndo` for a redaction, an import of events, for kinds whose meaning is
    the caller's own, and, naming them, where later events depend on the command.
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
            # It was due, whatever was commanded with it, or goes with what the command stored.
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
    """An undo with what was overdue told first, and nothing lifted above where it stands by then.

    `tiers` are those after the falls. Whoever undoes a rise need not know of later
    falls: without the rise its memory had fallen no less.
    """
    first, *rest = decisions
    return [first, *falls, *(one for one in rest if not _lifts(one, tiers))]


def _lifts(decision: Decision, tiers: Mapping[MemoryId, Tier]) -> bool:
    """Whether a decision puts a memory into a tier, and not into a lower one."""
    structure, about = decision.structure, decision.memory_id
    if about is None or not isinstance(structure, Degraded | Revived):
        return False
    return TIERS.index(structure.tier) <= TIERS.index(tiers[about])


def _reversal(event: Event, before: Before) -> Decision | None:
    """The event that reverses another; None if there is none."""
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
    """What reverses an event about a memory whatever was before it; None for others."""
    structure = VOCABULARY.structure(event)
    if isinstance(structure, Remembered | Restored):
        return Withdrawn()
    if isinstance(structure, Relearned):
        return Unlearned(structure.of)
    if isinstance(structure, Unlearned):
        return Relearned(structure.of)
    if isinstance(structure, Conflicted):
        # What had brought the conflict is gone: the other memory stands.
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
        # Not the factor turned round: that would come back to the strength but roughly.
        return before.strength(event.memory_id)
    if isinstance(structure, Reinforced):
        return Reinforced(before.weight(event.memory_id))
    if isinstance(structure, Pinned | Unpinned):
        pinned, expires_at = before.pin(event.memory_id)
        return Pinned(expires_at) if pinned else Unpinned(before.shelter(event.memory_id))
    return _opposite(event)

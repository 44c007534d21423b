"""Command history for undo: the events of a command, and the state before it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from mnemolog.application.commands.receipts import as_event
from mnemolog.application.home.elapsed import present
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.application.questions.weighing import depth_weight_of
from mnemolog.ledger.decay import next_due, strength_at
from mnemolog.ledger.errors import CannotUndo
from mnemolog.ledger.events import (
    Degraded,
    Draft,
    Event,
    Linked,
    Revived,
    SettingValue,
    Settled,
    Strengthened,
    Undone,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Log, events_back_from
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded
from mnemolog.policies.supersession import Decision
from mnemolog.policies.undo import command_of
from mnemolog.projections.conflicts import winner_as_of
from mnemolog.projections.dues import fall_conditions
from mnemolog.projections.memory_queries import closing, rows_as_of
from mnemolog.projections.pins import pins_as_of
from mnemolog.projections.settings import settings_as_of
from mnemolog.projections.strengths import Strength, pace_as_of, strengths_as_of
from mnemolog.projections.undos import is_undone

_PAGE = 200
_COMMAND = 2_000
"""The most events that one command comes to."""
_UPKEEP = frozenset({"undone", "ticked", "recalled", "consolidated", "maintained", "voted"})
"""Kinds whose commands are undone where they are named, not for being the last."""


class BeforeCommand:
    """State of a space just before a position."""

    def __init__(self, home: Home, space: str, position: Position, cut: Cut) -> None:
        self._home = home
        self._space = space
        self._before = Position(position - 1)
        self._cut = cut

    def pin(self, memory_id: MemoryId) -> tuple[bool, int | None]:
        """Pin of a memory: True if it was pinned, and the instant at which the pin expires."""
        pins = self._home.views.read(lambda db: pins_as_of(db, self._space, self._before))
        return memory_id in pins, pins.get(memory_id)

    def shelter(self, memory_id: MemoryId) -> int:
        """Instant until which a memory was sheltered from falling."""
        return self._held(memory_id).trace.sheltered_until

    def shelter_again(self, memory_id: MemoryId) -> int | None:
        """Instant until which a reinstated memory was sheltered; None if time deletes it at once.

        Time does not delete a retired memory; one that an undo reinstates must keep its text.
        """
        views, cut = self._home.views, self._cut
        found = views.read(lambda db: fall_conditions(db, [memory_id], self._before))
        held = next((standing for *_, standing in found), None)
        if held is None:
            # Its text is gone, or the command to undo stored it.
            return None
        pace = views.read(lambda db: pace_as_of(db, self._space, cut.position))
        end = next_due(msgspec.structs.replace(held, tier="tombstone", lowest="deleted"), pace)
        gone = end is not None and end.due_at <= present(self._home, cut)
        return None if gone else held.trace.sheltered_until

    def closing(self, old: MemoryId, new: MemoryId) -> int | None:
        """End of `old`'s valid time that `new` caused."""
        return self._home.views.read(lambda db: closing(db, old, new, self._before))

    def strength(self, memory_id: MemoryId) -> Strengthened:
        """Event that restores a memory's former strength, with its former decay."""
        held = self._held(memory_id)
        return Strengthened(
            held.trace.strength,
            since=held.trace.since,
            slowing=held.trace.slowing,
            accesses=held.accesses,
            accessed_at=held.accessed_at,
        )

    def tier(self, memory_id: MemoryId, at: Position) -> Decision:
        """Event that restores the tier that a memory had before an event."""
        before = Position(at - 1)
        rows = self._home.views.read(lambda db: rows_as_of(db, [memory_id], before))
        tier = rows[memory_id].tier
        falls = [
            event
            for event in self._home.log.concerning(memory_id)
            if event.kind == "degraded" and event.position <= before
        ]
        for event in falls[-1:]:
            decoded = VOCABULARY.decode(event)
            structure = decoded.structure
            if isinstance(structure, Degraded) and structure.tier == tier:
                content = decoded.content if isinstance(decoded, Decoded) else None
                return Decision(structure, memory_id, content)
        held = self._held(memory_id)
        pace = self._home.views.read(lambda db: pace_as_of(db, self._space, self._before))
        now = present(self._home, self._cut)
        strength = strength_at(held.decay, held.trace, pace, now)
        return Decision(Revived(tier, round(strength, 6)), memory_id)

    def _held(self, memory_id: MemoryId) -> Strength:
        """Strength of a memory; its initial strength if the command itself stored it."""
        (began,) = self._home.log.positions_of([EventId(memory_id)]).values()
        position = max(self._before, began)
        known = self._home.views.read(lambda db: strengths_as_of(db, [memory_id], position))
        return known[memory_id]

    def weight(self, memory_id: MemoryId) -> tuple[float, float]:
        """Depth weight of a memory."""
        return depth_weight_of(self._home, memory_id, self._before)

    def is_kept(self, item: EventId) -> bool:
        """True if the content that an event put into the buffer still exists."""
        log = self._home.log
        events = log.events_at([*log.positions_of([item]).values()])
        return any(event.kind == "buffered" and event.content is not None for event in events)

    def settlement(self, conflict: EventId) -> Settled | None:
        """Settlement of a conflict; None if it was open."""
        winner = self._home.views.read(lambda db: winner_as_of(db, conflict, self._before))
        return None if winner is None else Settled(conflict, winner)

    def edge(self, edge_id: EventId) -> Decision | None:
        """Event that makes an edge again; None if one of its ends was redacted."""
        log = self._home.log
        for event in log.events_at(list(log.positions_of([edge_id]).values())):
            decoded = VOCABULARY.decode(event)
            structure = decoded.structure
            if isinstance(structure, Linked):
                if event.erased and (event.memory_id is None or structure.target is None):
                    return None
                content = decoded.content if isinstance(decoded, Decoded) else None
                return Decision(structure, event.memory_id, content)
        return None

    def setting(self, name: str) -> SettingValue:
        """Value of a setting; None if it was at its default."""
        settings = self._home.views.read(lambda db: settings_as_of(db, self._space, self._before))
        return settings.get(name)


def last_command(home: Home, space: str, cut: Cut) -> Event:
    """First event of the space's last command that is not undone.

    Skips undos, upkeep and use reports. Does not skip a command that cannot be undone:
    to reverse an older command instead would surprise.

    Raises `CannotUndo` if there is none.
    """
    for event in events_back_from(home.log, cut.position, space, _PAGE):
        root = root_of(home.log, event)
        if root.kind not in _UPKEEP and not is_command_undone(home, root, cut):
            return root
    raise CannotUndo(None, f"nothing is left to undo in space {space!r}")


def command_events(log: Log, event: Event) -> list[Event]:
    """Events of the command that an event belongs to, in order; their positions are contiguous."""
    root = root_of(log, event)
    events = [root]
    for following in log.read(root.position, _COMMAND):
        if following.causation_id != root.event_id:
            break
        events.append(following)
    return events


def undone_by(batch: Sequence[Draft]) -> list[EventId]:
    """First events of the commands that a batch reverses."""
    events = (VOCABULARY.structure(as_event(one, Position(0))) for one in batch)
    return [one.command for one in events if isinstance(one, Undone)]


def check_not_undone(home: Home, command: list[Event], cut: Cut) -> None:
    """Check that a command is not undone yet. Raises `CannotUndo`."""
    if is_command_undone(home, command[0], cut):
        raise CannotUndo(command[0].position, "it is undone already")


def stands(home: Home, event: Event, cut: Cut) -> bool:
    """True if an event is in force as of a moment: neither undone nor part of an undo."""
    root = root_of(home.log, event)
    return root.kind != "undone" and not is_command_undone(home, root, cut)


def is_command_undone(home: Home, root: Event, cut: Cut) -> bool:
    """True if the command that begins with an event is undone as of a moment."""
    return home.views.read(lambda db: is_undone(db, root.event_id, cut.position))


def root_of(log: Log, event: Event) -> Event:
    """First event of the command that an event belongs to."""
    root_id = command_of(event)
    if root_id == event.event_id:
        return event
    found = log.events_at(list(log.positions_of([root_id]).values()))
    # A caller may give any event as the cause, even one of another command or another log.
    # The events of one command follow its first event without a gap.
    for root in found:
        between = event.position - root.position
        run = log.read(root.position, between) if 0 < between <= _COMMAND else []
        if run and all(one.causation_id == root_id for one in run):
            return root
    return event

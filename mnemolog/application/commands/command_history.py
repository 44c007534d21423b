"""Command history for undo: a command's events, the state before it, and what builds on it."""

from collections.abc import Collection
from itertools import takewhile

from msgspec.structs import replace

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, present
from mnemolog.application.questions.strength_curve import depth_weight_of
from mnemolog.ledger.decay import next_due, strength_at
from mnemolog.ledger.errors import CannotUndo
from mnemolog.ledger.events import (
    Admitted,
    Configured,
    Conflicted,
    Degraded,
    Dropped,
    Event,
    Linked,
    Recalled,
    Reinforced,
    Reinstated,
    Revived,
    SettingValue,
    Settled,
    Strengthened,
    Superseded,
    Undone,
    Unlinked,
)
from mnemolog.ledger.ids_and_times import EventId, MemoryId, Position
from mnemolog.ledger.log import Log, LogRange, events_back_from, events_in
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded
from mnemolog.policies.supersession import Decision, command_of
from mnemolog.projections.lifecycle import fall_conditions
from mnemolog.projections.memories import winner_as_of
from mnemolog.projections.memory_queries import closing, rows_as_of
from mnemolog.projections.spaces import is_undone, settings_as_of
from mnemolog.projections.strengths import Strength, pace_as_of, pins_as_of, strengths_as_of

_PAGE = 200
_COMMAND = 2_000
"""The most events that one command comes to."""
_UPKEEP = frozenset({"undone", "ticked", "recalled", "consolidated", "maintained", "voted"})
"""Kinds whose commands are undone where they are named, not for being the last."""


class BeforeCommand:
    """State of a space just before a position."""

    def __init__(self, home: Home, space: str, position: Position, cut: Cut) -> None:
        self._home = home
        self._read = home.views.read
        self._space = space
        self._before = Position(position - 1)
        self._cut = cut

    def pin(self, memory_id: MemoryId) -> tuple[bool, int | None]:
        """Pin of a memory: True if it was pinned, and the instant at which the pin expires."""
        pins = self._read(lambda db: pins_as_of(db, self._space, self._before))
        return memory_id in pins, pins.get(memory_id)

    def shelter(self, memory_id: MemoryId) -> int:
        """Instant until which a memory was sheltered from falling."""
        return self._held(memory_id).trace.sheltered_until

    def shelter_again(self, memory_id: MemoryId) -> int | None:
        """Instant until which a reinstated memory was sheltered; None if time deletes it at once.

        Time does not delete a retired memory; one that an undo reinstates must keep its text.
        """
        found = self._read(lambda db: fall_conditions(db, [memory_id], self._before))
        held = next((standing for *_, standing in found), None)
        if held is None:
            # Its text is gone, or the command to undo stored it.
            return None
        pace = self._read(lambda db: pace_as_of(db, self._space, self._cut.position))
        end = next_due(replace(held, tier="tombstone", lowest="deleted"), pace)
        gone = end is not None and end.due_at <= present(self._home, self._cut)
        return None if gone else held.trace.sheltered_until

    def closing(self, old: MemoryId, new: MemoryId) -> int | None:
        """End of `old`'s valid time that `new` caused."""
        return self._read(lambda db: closing(db, old, new, self._before))

    def strength(self, memory_id: MemoryId) -> Strengthened:
        """Event that restores a memory's former strength, with its former decay."""
        held = self._held(memory_id)
        was = held.trace
        return Strengthened(was.strength, was.since, was.slowing, held.accesses, held.accessed_at)

    def tier(self, memory_id: MemoryId, at: Position) -> Decision:
        """Event that restores the tier that a memory had before an event."""
        before = Position(at - 1)
        tier = self._read(lambda db: rows_as_of(db, [memory_id], before))[memory_id].tier
        falls = (one for one in self._home.log.concerning(memory_id) if one.kind == "degraded")
        for event in [one for one in falls if one.position <= before][-1:]:
            match VOCABULARY.decode(event):
                case Decoded(structure=Degraded(tier=had) as fall, content=content) if had == tier:
                    return Decision(fall, memory_id, content)
        held = self._held(memory_id)
        pace = self._read(lambda db: pace_as_of(db, self._space, self._before))
        strength = strength_at(held.decay, held.trace, pace, present(self._home, self._cut))
        return Decision(Revived(tier, round(strength, 6)), memory_id)

    def _held(self, memory_id: MemoryId) -> Strength:
        """Strength of a memory; its initial strength if the command itself stored it."""
        (began,) = self._home.log.positions_of([EventId(memory_id)]).values()
        position = max(self._before, began)
        return self._read(lambda db: strengths_as_of(db, [memory_id], position))[memory_id]

    def weight(self, memory_id: MemoryId) -> tuple[float, float]:
        """Depth weight of a memory."""
        return depth_weight_of(self._home, memory_id, self._before)

    def is_kept(self, item: EventId) -> bool:
        """True if the content that an event put into the buffer still exists."""
        events = _events(self._home.log, item)
        return any(event.kind == "buffered" and event.content is not None for event in events)

    def settlement(self, conflict: EventId) -> Settled | None:
        """Settlement of a conflict; None if it was open."""
        winner = self._read(lambda db: winner_as_of(db, conflict, self._before))
        return None if winner is None else Settled(conflict, winner)

    def edge(self, edge_id: EventId) -> Decision | None:
        """Event that makes an edge again; None if one of its ends was redacted."""
        for event in _events(self._home.log, edge_id):
            match VOCABULARY.decode(event):
                case Decoded(structure=Linked() as link, content=content):
                    redacted = event.erased and None in {event.memory_id, link.target}
                    return None if redacted else Decision(link, event.memory_id, content)
        return None

    def setting(self, name: str) -> SettingValue:
        """Value of a setting; None if it was at its default."""
        settings = self._read(lambda db: settings_as_of(db, self._space, self._before))
        return settings.get(name)


def _events(log: Log, event_id: EventId) -> list[Event]:
    return log.events_at([*log.positions_of([event_id]).values()])


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
    following = log.read(root.position, _COMMAND)
    return [root, *takewhile(lambda one: one.causation_id == root.event_id, following)]


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
    # A caller may give any event as the cause, even one of another command or another log.
    # The events of one command follow its first event without a gap.
    for root in _events(log, root_id):
        between = event.position - root.position
        run = log.read(root.position, between) if 0 < between <= _COMMAND else []
        if run and all(one.causation_id == root_id for one in run):
            return root
    return event


_NAMING = ("superseded", "reinstated", "conflicted", "linked")
"""Kinds of events about one memory that name another."""
_LEAVING = ("admitted", "reinforced", "dropped")
"""Kinds of events by which content leaves the buffer."""
_EDGES = frozenset({"linked", "unlinked"})
_STRENGTHS = ("recalled", "weakened", "strengthened")
_OF_TIME = frozenset({"degraded", "revived"})
"""Kinds that come of time passing or of use: nothing but falls and rises depend on them."""
_MARKING = frozenset({"consolidated", "voted"})
"""Kinds that say what was done with a memory; what that came to is in events of its own."""


def dependents(home: Home, command: list[Event], cut: Cut) -> list[Position]:
    """Positions of later events in force about the command's memories, edges or settings."""
    last, space = command[-1].position, command[0].space
    touched = {event.memory_id for event in command if event.memory_id is not None}
    made = {event.memory_id for event in command if event.kind == "remembered"}
    # An edge depends on the existence of its memories, and on nothing else about them.
    joined = {event.memory_id for event in command if event.kind in _EDGES} - made
    other = {event.memory_id for event in command if event.kind not in _EDGES}
    apart = _MARKING | (_OF_TIME - _building_on(command))
    later = [
        event
        for memory_id in touched - (joined - other)
        for event in home.log.concerning(memory_id)
        if last < event.position <= cut.position
        and (memory_id in made or event.kind not in _EDGES)
        and event.kind not in apart
    ]

    def naming(names: set[str], kinds: tuple[str, ...], within: str | None = None) -> list[Event]:
        """Later events of these kinds that name one of these."""
        after = LogRange(last, space=within, kinds=kinds)
        events = events_in(home.log, after) if names else ()
        return [event for event in events if not names.isdisjoint(_named(event))]

    def ids(kind: str) -> set[str]:
        return {event.event_id for event in command if event.kind == kind}

    changed = {name for event in command if event.kind in _STRENGTHS for name in _named(event)}
    recalled = any(event.kind == "recalled" for event in command)
    settings = {name for event in command if event.kind == "configured" for name in _named(event)}
    ended = naming(ids("linked"), ("unlinked",))
    later += [
        *naming({*map(str, made)}, _NAMING),
        *ended,
        *naming(ids("buffered"), _LEAVING),
        *naming(settings, ("configured",), space),
        # Memories that the command stored are excluded: undo removes them with their strength.
        # Events about a single memory whose strength changed are found by its id already.
        *naming(changed - ids("remembered"), _STRENGTHS if recalled else ("recalled",), space),
    ]
    standing = {event.position for event in later if stands(home, event, cut)}
    # An undo of an edge's end made another edge in its place.
    undos = naming({root_of(home.log, event).event_id for event in ended}, ("undone",))
    standing |= {one.position for one in undos if not is_command_undone(home, one, cut)}
    return sorted(standing)


def _building_on(command: list[Event]) -> frozenset[str]:
    """Kinds of later events, caused by time or use, that build on what a command did.

    No fall builds on a rise: the fall was due anyway, and undo raises no memory above it.
    Nothing builds on overdue falls that were recorded with another command: undo does not
    reverse them.
    """
    if command[0].kind == "ticked":
        return _OF_TIME
    return frozenset({"revived"} & {event.kind for event in command})


def _named(event: Event) -> Collection[str]:
    named: Collection[str] = ()
    match VOCABULARY.structure(event):
        case _ if event.kind in _STRENGTHS and event.memory_id is not None:
            named = (event.memory_id,)
        case Superseded(by=one) | Reinstated(by=one) | Conflicted(other=one) | Linked(target=one):
            named = (one or "",)
        case Admitted(of=of) | Reinforced(of=of) | Dropped(of=of):
            named = (of or "",)
        case Unlinked(edge=name) | Undone(command=name):
            named = (name,)
        case Recalled(memories=memories):
            named = memories
        case Configured(settings=settings):
            named = settings.keys()
    return named

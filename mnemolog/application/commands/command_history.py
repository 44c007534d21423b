"""Command history for undo: a command's events, the state before it, and what builds on it."""

from collections.abc import Collection
from itertools import takewhile

from msgspec.structs import replace

from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut, present
from mnemolog.application.questions.browse import depth_weight_of
from mnemolog.ledger import events
from mnemolog.ledger.decay import next_due, strength_at
from mnemolog.ledger.errors import CannotUndo
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Log, LogRange, events_back_from, events_in
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded
from mnemolog.policies.supersession import Decision, command_of
from mnemolog.projections.lifecycle import fall_conditions
from mnemolog.projections.memories import winner_as_of
from mnemolog.projections.memory_queries import closing, rows_as_of
from mnemolog.projections.spaces import is_undone, settings_as_of
from mnemolog.projections.strengths import Strength, pace_as_of, pins_as_of, strengths_as_of

_COMMAND = 2_000  # the most events of one command
_UPKEEP = frozenset({"undone", "ticked", "recalled", "consolidated", "maintained", "voted"})
"""Kinds whose commands are undone where they are named, not for being the last."""


class BeforeCommand:
    """State of a space just before a position."""

    def __init__(self, home: Home, space: str, position: Position, cut: Cut) -> None:
        self._home, self._space, self._cut = home, space, cut
        self._read = home.views.read
        self._before = Position(position - 1)

    def pin(self, memory_id: MemoryId) -> tuple[bool, int | None]:
        """Pin of a memory: True if it was pinned, and the instant at which the pin expires."""
        pins = self._read(lambda db: pins_as_of(db, self._space, self._before))
        return memory_id in pins, pins.get(memory_id)

    def shelter(self, memory_id: MemoryId) -> int:
        """Instant until which a memory was sheltered from falling."""
        return self._held(memory_id).trace.sheltered_until

    def shelter_again(self, memory_id: MemoryId) -> int | None:
        """Instant until which a reinstated memory was sheltered; None if time would delete it."""
        # Time does not delete a retired memory; one that an undo reinstates must keep its text.
        found = self._read(lambda db: fall_conditions(db, [memory_id], self._before))
        held = next((standing for *_, standing in found), None)
        if held is None:
            return None  # Its text is gone, or the command to undo stored it.
        pace = self._read(lambda db: pace_as_of(db, self._space, self._cut.position))
        end = next_due(replace(held, tier="tombstone", lowest="deleted"), pace)
        gone = end is not None and end.due_at <= present(self._home, self._cut)
        return None if gone else held.trace.sheltered_until

    def closing(self, old: MemoryId, new: MemoryId) -> int | None:
        """End of `old`'s valid time that `new` caused."""
        return self._read(lambda db: closing(db, old, new, self._before))

    def strength(self, memory_id: MemoryId) -> events.Strengthened:
        """Event that restores a memory's former strength, with its former decay."""
        held = self._held(memory_id)
        was, uses = held.trace, (held.accesses, held.accessed_at)
        return events.Strengthened(was.strength, was.since, was.slowing, *uses)

    def tier(self, memory_id: MemoryId, at: Position) -> Decision:
        """Event that restores the tier that a memory had before an event."""
        before = Position(at - 1)
        tier = self._read(lambda db: rows_as_of(db, [memory_id], before))[memory_id].tier
        falls = (one for one in self._home.log.concerning(memory_id) if one.kind == "degraded")
        for event in [one for one in falls if one.position <= before][-1:]:
            match VOCABULARY.decode(event):
                case Decoded(events.Degraded() as fall, content) if fall.tier == tier:
                    return Decision(fall, memory_id, content)
        held = self._held(memory_id)
        pace = self._read(lambda db: pace_as_of(db, self._space, self._before))
        strength = strength_at(held.decay, held.trace, pace, present(self._home, self._cut))
        return Decision(events.Revived(tier, round(strength, 6)), memory_id)

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
        found = _events(self._home.log, item)
        return any(event.kind == "buffered" and event.content is not None for event in found)

    def settlement(self, conflict: EventId) -> events.Settled | None:
        """Settlement of a conflict; None if it was open."""
        winner = self._read(lambda db: winner_as_of(db, conflict, self._before))
        return None if winner is None else events.Settled(conflict, winner)

    def edge(self, edge_id: EventId) -> Decision | None:
        """Event that makes an edge again; None if one of its ends was redacted."""
        for event in _events(self._home.log, edge_id):
            match VOCABULARY.decode(event):
                case Decoded(events.Linked() as link, content):
                    redacted = event.erased and None in {event.memory_id, link.target}
                    return None if redacted else Decision(link, event.memory_id, content)
        return None

    def setting(self, name: str) -> events.SettingValue:
        """Value of a setting; None if it was at its default."""
        return self._read(lambda db: settings_as_of(db, self._space, self._before)).get(name)


def _events(log: Log, event_id: EventId) -> list[Event]:
    return log.events_at([*log.positions_of([event_id]).values()])


def last_command(home: Home, space: str, cut: Cut) -> Event:
    """First event of the space's last command that is not undone. Raises `CannotUndo`.

    Skips undos, upkeep and use reports, but no command that cannot be undone: to reverse an
    older command instead would surprise.
    """
    for event in events_back_from(home.log, cut.position, space, 200):
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


_NAMING = ("superseded", "reinstated", "conflicted", "linked")  # about a memory, naming another
_LEAVING = ("admitted", "reinforced", "dropped")  # by which content leaves the buffer
_EDGES = frozenset({"linked", "unlinked"})
_STRENGTHS = ("recalled", "weakened", "strengthened")
_OF_TIME = frozenset({"degraded", "revived"})  # only falls and rises depend on these
_MARKING = frozenset({"consolidated", "voted"})  # the effects have events of their own


def dependents(home: Home, command: list[Event], cut: Cut) -> list[Position]:
    """Positions of later events in force about the command's memories, edges or settings."""
    last, space = command[-1].position, command[0].space
    kinds = {event.kind for event in command}
    touched = {event.memory_id for event in command if event.memory_id is not None}
    made = {event.memory_id for event in command if event.kind == "remembered"}
    # An edge depends on the existence of its memories, and on nothing else about them.
    joined = {event.memory_id for event in command if event.kind in _EDGES} - made
    other = {event.memory_id for event in command if event.kind not in _EDGES}
    # No fall builds on a rise: the fall was due anyway, and undo raises no memory above it.
    # Nothing builds on overdue falls recorded with another command: undo does not reverse them.
    building = _OF_TIME if command[0].kind == "ticked" else {"revived"} & kinds
    apart = _MARKING | (_OF_TIME - building)
    later = [
        event
        for memory_id in touched - (joined - other)
        for event in home.log.concerning(memory_id)
        if last < event.position <= cut.position
        and (memory_id in made or event.kind not in _EDGES)
        and event.kind not in apart
    ]

    def naming(names: set[str], kinds: tuple[str, ...], within: str | None = None) -> list[Event]:
        after = LogRange(last, space=within, kinds=kinds)
        found = events_in(home.log, after) if names else ()
        return [event for event in found if not names.isdisjoint(_named(event))]

    def ids(kind: str) -> set[str]:
        return {event.event_id for event in command if event.kind == kind}

    changed = {name for event in command if event.kind in _STRENGTHS for name in _named(event)}
    using = _STRENGTHS if "recalled" in kinds else ("recalled",)
    settings = {name for event in command if event.kind == "configured" for name in _named(event)}
    ended = naming(ids("linked"), ("unlinked",))
    later += [
        *naming({*map(str, made)}, _NAMING),
        *ended,
        *naming(ids("buffered"), _LEAVING),
        *naming(settings, ("configured",), space),
        # Memories that the command stored are excluded: undo removes them with their strength.
        # Events about a single memory whose strength changed are found by its id already.
        *naming(changed - ids("remembered"), using, space),
    ]
    standing = {event.position for event in later if stands(home, event, cut)}
    # An undo of an edge's end made another edge in its place.
    undos = naming({root_of(home.log, event).event_id for event in ended}, ("undone",))
    standing |= {one.position for one in undos if not is_command_undone(home, one, cut)}
    return sorted(standing)


def _named(event: Event) -> Collection[str]:
    named: Collection[str] = ()
    match VOCABULARY.structure(event):
        case _ if event.kind in _STRENGTHS and event.memory_id is not None:
            named = (event.memory_id,)
        case events.Superseded(by=one) | events.Reinstated(by=one):
            named = (one,)
        case events.Conflicted(other=one) | events.Linked(target=one):
            named = (one or "",)
        case events.Admitted(of=of) | events.Reinforced(of=of) | events.Dropped(of=of):
            named = (of or "",)
        case events.Unlinked(edge=name) | events.Undone(command=name):
            named = (name,)
        case events.Recalled(memories=memories):
            named = memories
        case events.Configured(settings=settings):
            named = settings.keys()
    return named

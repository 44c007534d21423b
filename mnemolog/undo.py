"""What undoing a command needs to know: its events, what depends on it, what was before."""

from __future__ import annotations

from ledger.clock import Micros
from ledger.errors import CannotUndo
from ledger.events import (
    VOCABULARY,
    Admitted,
    Configured,
    Conflicted,
    Decoded,
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
from ledger.falls import strength_at
from ledger.ids import EventId, MemoryId, Position
from ledger.log import Log
from mnemolog.home import Home
from mnemolog.naming import Cut
from mnemolog.weighing import depth_weight_of
from policies.corrections import Decision
from policies.undoing import command_of
from projections.conflicts import winner_as_of
from projections.memory_queries import closing, rows_as_of
from projections.pins import pins_as_of
from projections.settings import settings_as_of
from projections.strengths import Strength, pace_as_of, strengths_as_of
from projections.undos import is_undone

_PAGE = 200
_COMMAND = 2_000
"""The most events that one command comes to."""
_NAMING = ("superseded", "reinstated", "conflicted", "linked")
"""Kinds of events about one memory that name another."""
_LEAVING = ("admitted", "reinforced", "dropped")
"""Kinds of events by which content leaves the buffer."""
_EDGES = frozenset({"linked", "unlinked"})
_STRENGTHS = frozenset({"recalled", "weakened", "strengthened"})
_OF_TIME = frozenset({"degraded", "revived", "relearned"})
"""Kinds that come of time passing or of use: nothing but a fall depends on them."""
_MARKING = frozenset({"consolidated"})
"""Kinds that say what was done with a memory; what that came to is in events of its own."""
_UPKEEP = frozenset({"undone", "ticked", "recalled", "consolidated", "maintained", "dropped"})
"""Kinds whose commands are undone where they are named, not for being the last."""


class BeforeCommand:
    """The state of a space just before a position."""

    def __init__(self, home: Home, space: str, position: Position, now: Micros) -> None:
        self._home = home
        self._space = space
        self._before = Position(position - 1)
        self._now = now

    def pin(self, memory_id: MemoryId) -> tuple[bool, int | None]:
        """Whether a memory was pinned, and until when."""
        pins = self._home.views.read(lambda db: pins_as_of(db, self._space, self._before))
        return memory_id in pins, pins.get(memory_id)

    def shelter(self, memory_id: MemoryId) -> int:
        """Until when a memory was sheltered from falling."""
        return self._held(memory_id).trace.sheltered_until

    def closing(self, old: MemoryId, new: MemoryId) -> int | None:
        """Where `old`'s valid time ended because of `new`."""
        return self._home.views.read(lambda db: closing(db, old, new, self._before))

    def strength(self, memory_id: MemoryId) -> Strengthened:
        """The event that gives a memory the strength that it had, fading as it did."""
        held = self._held(memory_id)
        return Strengthened(
            held.trace.strength,
            since=held.trace.since,
            slowing=held.trace.slowing,
            accesses=held.accesses,
            accessed_at=held.accessed_at,
        )

    def tier(self, memory_id: MemoryId, at: Position) -> Decision:
        """The event that puts a memory into the tier in which it was before an event."""
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
        strength = strength_at(held.decay, held.trace, pace, self._now)
        return Decision(Revived(tier, round(strength, 6)), memory_id)

    def _held(self, memory_id: MemoryId) -> Strength:
        known = self._home.views.read(lambda db: strengths_as_of(db, [memory_id], self._before))
        return known[memory_id]

    def weight(self, memory_id: MemoryId) -> tuple[float, float]:
        """The depth weight of a memory."""
        return depth_weight_of(self._home, memory_id, self._before)

    def is_kept(self, item: EventId) -> bool:
        """Whether the content that an event put into the buffer is still there."""
        log = self._home.log
        events = log.events_at([*log.positions_of([item]).values()])
        return any(event.kind == "buffered" and event.content is not None for event in events)

    def settlement(self, conflict: EventId) -> Settled | None:
        """How a conflict was settled."""
        winner = self._home.views.read(lambda db: winner_as_of(db, conflict, self._before))
        return None if winner is None else Settled(conflict, winner)

    def edge(self, edge_id: EventId) -> Decision | None:
        """The event that would make an edge again; None if what it joined was redacted."""
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
        """The value of a setting; None if it was at its default."""
        settings = self._home.views.read(lambda db: settings_as_of(db, self._space, self._before))
        return settings.get(name)


def last_command(home: Home, space: str, cut: Cut) -> Event:
    """The first event of the space's last command that is not undone.

    Undos themselves aside, and what was done because time passed or of use.

    Raises `CannotUndo` if there is none.
    """
    end = cut.position
    while end > 0:
        start = Position(max(0, end - _PAGE))
        for event in reversed(home.log.read(start, end - start, space)):
            if event.position > end:
                continue
            root = _root(home.log, event)
            if root.kind not in _UPKEEP and not _undone(home, root, cut):
                return root
        end = start
    raise CannotUndo(cut.position, "there is no command left to undo")


def command_events(log: Log, event: Event) -> list[Event]:
    """All events of the command that an event belongs to, in order: one run of positions."""
    root = _root(log, event)
    events = [root]
    for following in log.read(root.position, _COMMAND):
        if following.causation_id != root.event_id:
            break
        events.append(following)
    return events


def check_not_undone(home: Home, command: list[Event], cut: Cut) -> None:
    """Raise `CannotUndo` if a command is undone already."""
    if _undone(home, command[0], cut):
        raise CannotUndo(command[0].position, "it is undone already")


def dependents(home: Home, command: list[Event], cut: Cut) -> list[Position]:
    """Positions of later events about the command's memories or settings that still count."""
    last = command[-1].position
    touched = {event.memory_id for event in command if event.memory_id is not None}
    made = {event.memory_id for event in command if event.kind == "remembered"}
    edges = {event.event_id for event in command if event.kind == "linked"}
    # An edge has to do with its memories being there, and with nothing else about them.
    joined = {event.memory_id for event in command if event.kind in _EDGES} - made
    other = {event.memory_id for event in command if event.kind not in _EDGES}
    of_time = any(event.kind in _OF_TIME for event in command)
    later: dict[Position, Event] = {}
    for memory_id in touched - (joined - other):
        for event in home.log.concerning(memory_id):
            if (
                last < event.position <= cut.position
                and (memory_id in made or event.kind not in _EDGES)
                and (of_time or event.kind not in _OF_TIME)
                and event.kind not in _MARKING
            ):
                later[event.position] = event
    waiting = {event.event_id for event in command if event.kind == "buffered"}
    ended = _ending(home.log, edges, last)
    for event in [*_naming(home.log, made, last), *ended, *_leaving(home.log, waiting, last)]:
        later[event.position] = event
    for event in _reconfiguring(home.log, command, last):
        later[event.position] = event
    for event in _recalling(home.log, command, last):
        later[event.position] = event
    standing = {position for position, event in later.items() if stands(home, event, cut)}
    return sorted(standing.union(_taken_back(home, ended, cut)))


def _naming(log: Log, made: set[MemoryId | None], after: Position) -> list[Event]:
    """Later events that name one of these memories: in another's place, against one, or linked."""
    found = []
    while made:
        page = log.read(after, 1000, kinds=_NAMING)
        if not page:
            break
        after = page[-1].position
        for event in page:
            structure = VOCABULARY.structure(event)
            other: MemoryId | None
            if isinstance(structure, Superseded | Reinstated):
                other = structure.by
            elif isinstance(structure, Conflicted):
                other = structure.other
            else:
                other = structure.target if isinstance(structure, Linked) else None
            if other is not None and other in made:
                found.append(event)
    return found


def _ending(log: Log, edges: set[EventId], after: Position) -> list[Event]:
    """Later events that ended one of these edges."""
    found = []
    while edges and (page := log.read(after, 1000, kinds=("unlinked",))):
        after = page[-1].position
        for event in page:
            structure = VOCABULARY.structure(event)
            if isinstance(structure, Unlinked) and structure.edge in edges:
                found.append(event)
    return found


def _leaving(log: Log, waiting: set[EventId], after: Position) -> list[Event]:
    """Later events by which content of these left the buffer."""
    found = []
    while waiting and (page := log.read(after, 1000, kinds=_LEAVING)):
        after = page[-1].position
        for event in page:
            structure = VOCABULARY.structure(event)
            if isinstance(structure, Admitted | Reinforced | Dropped) and structure.of in waiting:
                found.append(event)
    return found


def _taken_back(home: Home, ended: list[Event], cut: Cut) -> list[Position]:
    """Where the end of an edge was undone: that made another edge in its place."""
    roots = {_root(home.log, event).event_id for event in ended}
    after, found = min((event.position for event in ended), default=Position(0)), []
    while roots and (page := home.log.read(after, 1000, kinds=("undone",))):
        after = page[-1].position
        for event in page:
            structure = VOCABULARY.structure(event)
            if isinstance(structure, Undone) and structure.command in roots:
                found += [] if _undone(home, event, cut) else [event.position]
    return found


def _reconfiguring(log: Log, command: list[Event], after: Position) -> list[Event]:
    """Later events that changed one of the settings that a command changed."""
    names = {name for event in command for name in _settings_of(event)}
    space = command[0].space
    found = []
    while names and (page := log.read(after, 1000, space, ("configured",))):
        after = page[-1].position
        found += [event for event in page if not names.isdisjoint(_settings_of(event))]
    return found


def _recalling(log: Log, command: list[Event], after: Position) -> list[Event]:
    """What came later of the strengths that a command changed: it built on them.

    Of a change of one memory alone the events about that one are known as it is.
    Not of what it stored: what was done with that goes with it.
    """
    changed: set[MemoryId] = set()
    for event in command:
        if event.kind in _STRENGTHS:
            changed |= _recalled_by(event) if event.memory_id is None else {event.memory_id}
    changed -= {MemoryId(event.event_id) for event in command if event.kind == "remembered"}
    found = []
    recalled = any(event.kind == "recalled" for event in command)
    kinds = ("recalled", "weakened", "strengthened") if recalled else ("recalled",)
    while changed and (page := log.read(after, 1000, command[0].space, kinds)):
        after = page[-1].position
        for event in page:
            named = _recalled_by(event) if event.memory_id is None else {event.memory_id}
            found += [] if changed.isdisjoint(named) else [event]
    return found


def _recalled_by(event: Event) -> set[MemoryId]:
    structure = VOCABULARY.structure(event)
    return set(structure.memories) if isinstance(structure, Recalled) else set()


def _settings_of(event: Event) -> set[str]:
    structure = VOCABULARY.structure(event) if event.kind == "configured" else None
    return set(structure.settings) if isinstance(structure, Configured) else set()


def stands(home: Home, event: Event, cut: Cut) -> bool:
    """Whether an event stands as of a moment: not undone, and not itself part of an undo."""
    root = _root(home.log, event)
    return root.kind != "undone" and not _undone(home, root, cut)


def _undone(home: Home, root: Event, cut: Cut) -> bool:
    return home.views.read(lambda db: is_undone(db, root.event_id, cut.position))


def _root(log: Log, event: Event) -> Event:
    root_id = command_of(event)
    if root_id == event.event_id:
        return event
    found = log.events_at(list(log.positions_of([root_id]).values()))
    # A caller may name as cause any event, one of another command or of no log here: what
    # belongs to a command follows its first event without a gap.
    for root in found:
        between = event.position - root.position
        run = log.read(root.position, between) if 0 < between <= _COMMAND else []
        if run and all(one.causation_id == root_id for one in run):
            return root
    return event

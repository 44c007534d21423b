"""What depends on a command: later events that build on what it did, and still count."""

from __future__ import annotations

from mnemolog.application.commands.command_history import is_command_undone, root_of, stands
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.ledger.events import (
    VOCABULARY,
    Admitted,
    Configured,
    Conflicted,
    Dropped,
    Event,
    Linked,
    Recalled,
    Reinforced,
    Reinstated,
    Superseded,
    Undone,
    Unlinked,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Log

_NAMING = ("superseded", "reinstated", "conflicted", "linked")
"""Kinds of events about one memory that name another."""
_LEAVING = ("admitted", "reinforced", "dropped")
"""Kinds of events by which content leaves the buffer."""
_EDGES = frozenset({"linked", "unlinked"})
_STRENGTHS = frozenset({"recalled", "weakened", "strengthened"})
_OF_TIME = frozenset({"degraded", "revived"})
"""Kinds that come of time passing or of use: nothing but falls and rises depend on them."""
_MARKING = frozenset({"consolidated", "voted"})
"""Kinds that say what was done with a memory; what that came to is in events of its own."""


def dependents(home: Home, command: list[Event], cut: Cut) -> list[Position]:
    """Positions of later events about the command's memories or settings that still count."""
    last = command[-1].position
    touched = {event.memory_id for event in command if event.memory_id is not None}
    made = {event.memory_id for event in command if event.kind == "remembered"}
    edges = {event.event_id for event in command if event.kind == "linked"}
    # An edge has to do with its memories being there, and with nothing else about them.
    joined = {event.memory_id for event in command if event.kind in _EDGES} - made
    other = {event.memory_id for event in command if event.kind not in _EDGES}
    apart = _MARKING | (_OF_TIME - _building_on(command))
    later: dict[Position, Event] = {}
    for memory_id in touched - (joined - other):
        for event in home.log.concerning(memory_id):
            if (
                last < event.position <= cut.position
                and (memory_id in made or event.kind not in _EDGES)
                and event.kind not in apart
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


def _building_on(command: list[Event]) -> frozenset[str]:
    """The kinds that come of time or of use and build on what a command did, if they come later.

    On a rise no fall does: it was due, told by then or not, and undoing lifts nothing
    above it. Nor does anything build on falls that were overdue and came with another command:
    they are not reversed with it.
    """
    if command[0].kind == "ticked":
        return _OF_TIME
    return frozenset({"revived"} & {event.kind for event in command})


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
    roots = {root_of(home.log, event).event_id for event in ended}
    after, found = min((event.position for event in ended), default=Position(0)), []
    while roots and (page := home.log.read(after, 1000, kinds=("undone",))):
        after = page[-1].position
        for event in page:
            structure = VOCABULARY.structure(event)
            if isinstance(structure, Undone) and structure.command in roots:
                found += [] if is_command_undone(home, event, cut) else [event.position]
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

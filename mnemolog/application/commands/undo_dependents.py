"""Dependents of a command: later events in force that build on its effects."""

from __future__ import annotations

from mnemolog.application.commands.command_history import is_command_undone, root_of, stands
from mnemolog.application.home.home import Home
from mnemolog.application.home.space import Cut
from mnemolog.ledger.events import (
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
from mnemolog.ledger.log import Log, LogRange, events_in
from mnemolog.ledger.vocabulary import VOCABULARY

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
    """Positions of later events in force about the command's memories, edges or settings."""
    last = command[-1].position
    touched = {event.memory_id for event in command if event.memory_id is not None}
    made = {event.memory_id for event in command if event.kind == "remembered"}
    edges = {event.event_id for event in command if event.kind == "linked"}
    # An edge depends on the existence of its memories, and on nothing else about them.
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
    """Kinds of later events, caused by time or use, that build on what a command did.

    No fall builds on a rise: the fall was due anyway, and undo raises no memory above it.
    Nothing builds on overdue falls that were recorded with another command: undo does not
    reverse them.
    """
    if command[0].kind == "ticked":
        return _OF_TIME
    return frozenset({"revived"} & {event.kind for event in command})


def _naming(log: Log, made: set[MemoryId | None], after: Position) -> list[Event]:
    """Later events that refer to one of these memories: supersessions, conflicts and edges."""
    if not made:
        return []
    return [
        event
        for event in events_in(log, LogRange(after, kinds=_NAMING))
        if (other := _named_by(event)) is not None and other in made
    ]


def _named_by(event: Event) -> MemoryId | None:
    structure = VOCABULARY.structure(event)
    if isinstance(structure, Superseded | Reinstated):
        return structure.by
    if isinstance(structure, Conflicted):
        return structure.other
    return structure.target if isinstance(structure, Linked) else None


def _ending(log: Log, edges: set[EventId], after: Position) -> list[Event]:
    """Later events that ended one of these edges."""
    if not edges:
        return []
    return [
        event
        for event in events_in(log, LogRange(after, kinds=("unlinked",)))
        if isinstance(structure := VOCABULARY.structure(event), Unlinked)
        and structure.edge in edges
    ]


def _leaving(log: Log, waiting: set[EventId], after: Position) -> list[Event]:
    """Later events that took these contents out of the buffer."""
    if not waiting:
        return []
    return [
        event
        for event in events_in(log, LogRange(after, kinds=_LEAVING))
        if isinstance(structure := VOCABULARY.structure(event), Admitted | Reinforced | Dropped)
        and structure.of in waiting
    ]


def _taken_back(home: Home, ended: list[Event], cut: Cut) -> list[Position]:
    """Positions of undos of an edge's end: each made another edge in its place."""
    roots = {root_of(home.log, event).event_id for event in ended}
    if not roots:
        return []
    undos = LogRange(min(event.position for event in ended), kinds=("undone",))
    return [
        event.position
        for event in events_in(home.log, undos)
        if isinstance(structure := VOCABULARY.structure(event), Undone)
        and structure.command in roots
        and not is_command_undone(home, event, cut)
    ]


def _reconfiguring(log: Log, command: list[Event], after: Position) -> list[Event]:
    """Later events that changed one of the settings that a command changed."""
    names = {name for event in command for name in _settings_of(event)}
    if not names:
        return []
    configured = LogRange(after, space=command[0].space, kinds=("configured",))
    return [
        event for event in events_in(log, configured) if not names.isdisjoint(_settings_of(event))
    ]


def _recalling(log: Log, command: list[Event], after: Position) -> list[Event]:
    """Later changes of the strengths that a command changed, which build on them.

    Events about a single memory whose strength changed are found by its id already.
    Memories that the command stored are excluded: undo removes them with their strength.
    """
    changed: set[MemoryId] = set()
    for event in command:
        if event.kind in _STRENGTHS:
            changed |= _recalled_by(event) if event.memory_id is None else {event.memory_id}
    changed -= {MemoryId(event.event_id) for event in command if event.kind == "remembered"}
    if not changed:
        return []
    recalled = any(event.kind == "recalled" for event in command)
    kinds = ("recalled", "weakened", "strengthened") if recalled else ("recalled",)
    return [
        event
        for event in events_in(log, LogRange(after, space=command[0].space, kinds=kinds))
        if not changed.isdisjoint(
            _recalled_by(event) if event.memory_id is None else {event.memory_id}
        )
    ]


def _recalled_by(event: Event) -> set[MemoryId]:
    structure = VOCABULARY.structure(event)
    return set(structure.memories) if isinstance(structure, Recalled) else set()


def _settings_of(event: Event) -> set[str]:
    structure = VOCABULARY.structure(event) if event.kind == "configured" else None
    return set(structure.settings) if isinstance(structure, Configured) else set()

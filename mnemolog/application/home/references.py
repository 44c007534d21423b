"""References to memories and events: an id, a prefix of one, or `@position`."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from mnemolog.application.home.space import Cut, Space
from mnemolog.ledger.errors import AmbiguousId, InvalidField, UnknownEvent, UnknownMemory
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import MemoryId, Position, parse_prefix

_PREFIX_MATCHES = 64


def memory_named(space: Space, reference: str, cut: Cut) -> MemoryId:
    """Id of the memory that a reference names at a cut.

    Raises `UnknownMemory`, or `AmbiguousId` for a prefix of several ids.
    """
    candidates = {
        event.memory_id
        for event in events_named(space, reference, kinds=("remembered",))
        if event.memory_id is not None
        and event.space == space.name
        and event.position <= cut.position
    }
    if not candidates:
        raise UnknownMemory(reference, space.name)
    if len(candidates) > 1:
        raise AmbiguousId(reference, sorted(candidates))
    return candidates.pop()


def event_named(space: Space, reference: str, preferred: str = "remembered") -> Event:
    """Event of this space that a reference names, by default the `remembered` event of a memory.

    A prefix prefers events of the preferred kind. Events of one command share a prefix, and
    listings show the prefixes of memories. Raises `UnknownEvent` or `AmbiguousId`.
    """
    events = events_named(space, reference, kinds=(preferred,)) or events_named(space, reference)
    found = [event for event in events if event.space == space.name]
    if not found:
        raise UnknownEvent(reference)
    if len(found) > 1:
        raise AmbiguousId(reference, [event.event_id for event in found])
    return found[0]


def events_named(space: Space, reference: str, kinds: Sequence[str] = ()) -> builtins.list[Event]:
    """Events that a reference may name; `kinds` restricts the events that an id prefix matches."""
    if not isinstance(reference, str):
        raise InvalidField("id", f"is a {type(reference).__name__}", "give an id or @position")
    if reference.startswith("@"):
        digits = reference[1:]
        if not digits.isascii() or not digits.isdigit():
            raise InvalidField("id", f"{reference!r} is no position", "write it like @12")
        return space.home.log.events_at([Position(int(digits[:18]))])
    prefix = parse_prefix("id", reference)
    return space.home.log.events_with_prefix(prefix, _PREFIX_MATCHES, space.name, kinds)

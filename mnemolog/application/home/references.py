"""References to memories and events: an id, a prefix of one, `@position`, or a mention."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from mnemolog.application.home.space import Cut, Space
from mnemolog.ledger.errors import AmbiguousId, InvalidField, UnknownEvent, UnknownMemory
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import ID_DIGITS, EventId, MemoryId, Position, parse_prefix

_PREFIX_MATCHES = 64
_ID = re.compile(rb"(?<![0-9a-f])[0-9a-f]{%d}(?![0-9a-f])" % ID_DIGITS)


def memory_named(space: Space, reference: str, cut: Cut) -> MemoryId:
    """Id of the memory that a reference names at a cut.

    Raises `UnknownMemory`, or `AmbiguousId` for a prefix of several ids.
    """
    found = {
        one.memory_id
        for one in events_named(space, reference, kinds=("remembered",))
        if one.memory_id is not None and one.space == space.name and one.position <= cut.position
    }
    if not found:
        raise UnknownMemory(reference, space.name)
    if len(found) > 1:
        raise AmbiguousId(reference, sorted(found))
    return found.pop()


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


def events_named(space: Space, reference: str, kinds: Sequence[str] = ()) -> list[Event]:
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


def naming(ids: Iterable[EventId | MemoryId]) -> Callable[[Event], bool]:
    """Conflict check: predicate for events that concern or name one of these memories or events.

    The memory id alone is not enough: a redaction of several memories has none, and a conflict
    has the id of the newer memory only. The structure of both names all memories.
    """
    wanted = frozenset(one.encode() for one in ids)
    # Other writers wait for this: the cost depends on the event's length, not on len(ids).
    return lambda event: not wanted.isdisjoint(ids_in(event))


def ids_in(event: Event) -> list[bytes]:
    """Ids of the memories and events that an event concerns or names."""
    return [(event.memory_id or "").encode(), *_ID.findall(event.structure)]

"""Conflict check of a newly appended event with the memories that a command has read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import ID_DIGITS, EventId, MemoryId

_ID = re.compile(rb"(?<![0-9a-f])[0-9a-f]{%d}(?![0-9a-f])" % ID_DIGITS)


def naming(ids: Iterable[EventId | MemoryId]) -> Callable[[Event], bool]:
    """Predicate that is true for events that concern or name one of these memories or events.

    The memory id alone is not enough: a redaction of several memories has none, and a conflict
    has the id of the newer memory only. The structure of both names all memories.
    """
    wanted = frozenset(one.encode() for one in ids)

    def names(event: Event) -> bool:
        # Other writers wait for this: the cost depends on the event's length, not on len(ids).
        return not wanted.isdisjoint(ids_in(event))

    return names


def ids_in(event: Event) -> list[bytes]:
    """Ids of the memories and events that an event concerns or names."""
    return [(event.memory_id or "").encode(), *_ID.findall(event.structure)]

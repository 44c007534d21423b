"""What others appended while something was decided: whether it matters for that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import ID_DIGITS, EventId, MemoryId

_ID = re.compile(rb"(?<![0-9a-f])[0-9a-f]{%d}(?![0-9a-f])" % ID_DIGITS)


def naming(ids: Iterable[EventId | MemoryId]) -> Callable[[Event], bool]:
    """Tells of an event whether it is about one of these memories or events, or names one.

    A redaction of several memories concerns no single one, and a conflict the newer one
    alone; both name all.
    """
    wanted = frozenset(one.encode() for one in ids)

    def names(event: Event) -> bool:
        # Others wait meanwhile: at a cost of the event's length, however many are asked about.
        return not wanted.isdisjoint(ids_in(event))

    return names


def ids_in(event: Event) -> list[bytes]:
    """The ids of the memories and events that an event is about or names."""
    return [(event.memory_id or "").encode(), *_ID.findall(event.structure)]

"""What others appended while something was decided: whether it matters for that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ledger.events import Event
from ledger.ids import ID_DIGITS, EventId, MemoryId

_ID = re.compile(rb"(?<![0-9a-f])[0-9a-f]{%d}(?![0-9a-f])" % ID_DIGITS)


def naming(ids: Iterable[EventId | MemoryId]) -> Callable[[Event], bool]:
    """Tells of an event whether it is about one of these memories or events, or names one.

    A redaction of several memories concerns no single one, and a conflict the newer one
    alone; both name all.
    """
    wanted = frozenset(one.encode() for one in ids)

    def names(event: Event) -> bool:
        # Others wait meanwhile: at a cost of the event's length, however many are asked about.
        about = (event.memory_id or "").encode()
        return about in wanted or not wanted.isdisjoint(_ID.findall(event.structure))

    return names

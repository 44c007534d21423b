"""What others appended while something was decided: whether it matters for that."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ledger.events import Event
from ledger.ids import EventId, MemoryId


def naming(ids: Iterable[EventId | MemoryId]) -> Callable[[Event], bool]:
    """Tells of an event whether it is about one of these memories or events, or names one.

    A redaction of several memories concerns no single one, and a conflict the newer one
    alone; both name all.
    """
    wanted = [one.encode() for one in dict.fromkeys(ids)]

    def names(event: Event) -> bool:
        about = (event.memory_id or "").encode()
        return any(one == about or one in event.structure for one in wanted)

    return names

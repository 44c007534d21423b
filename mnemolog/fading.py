"""What time has done to the memories of a space that no tick has told yet."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ledger.decay import Pace
from ledger.ids import MemoryId, Position
from ledger.locks import FileLock
from mnemolog.home import Home
from mnemolog.naming import Cut
from policies.corrections import Decision
from policies.forgetting import Fading, decide_fall, overdue
from projections.dues import standings
from projections.strengths import pace_as_of


def fading_of(
    home: Home, space: str, memory_ids: Sequence[MemoryId], position: Position
) -> tuple[builtins.list[Fading], Pace]:
    """What decides when these memories of a space fall, in their order, and how time passes there.

    Those that are redacted are left out.
    """
    found = home.views.read(lambda db: standings(db, memory_ids, position))
    pace = home.views.read(lambda db: pace_as_of(db, space, position))
    return [Fading(one, held) for _, one, _, held in found if held is not None], pace


@contextmanager
def strengths_locked(home: Home) -> Iterator[None]:
    """Hold what ticks and uses take turns by, in all processes of a home.

    The one decides by strengths that the other changes, of memories that its events
    do not name one by one.
    """
    lock = FileLock(home.path / "strengths.lock")
    try:
        with lock.held():
            yield
    finally:
        lock.close()


def overdue_falls(
    home: Home, space: str, memory_ids: Sequence[MemoryId], cut: Cut
) -> builtins.list[Decision]:
    """The events of what these memories should have fallen to before, short of deletion."""
    fading, pace = fading_of(home, space, memory_ids, cut.position)
    return [
        decide_fall(one, due, pace) for one in fading for due in overdue(one, pace, cut.instant)
    ]

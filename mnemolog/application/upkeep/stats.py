"""Statistics of a home: events, memories, vectors and the bytes of each file."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from mnemolog.application.home.space import Space
from mnemolog.application.questions.browse import Count, count_memories
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.ids import Position
from mnemolog.results import Value


class Stats(Value, frozen=True):
    """Statistics of a home: events, memories by space, kind and status, vectors, bytes by file."""

    position: Position
    recorded_at: datetime
    memories: int
    counts: tuple[Count, ...]
    vectors: int
    bytes: dict[str, int]


def stats(space: Space) -> Stats:
    """Statistics of a home at present."""
    home = space.home
    counted = count_memories(space)
    head = home.log.head()
    return Stats(
        position=head.position,
        recorded_at=to_datetime(head.recorded_at),
        memories=sum(count.memories for count in counted),
        counts=counted,
        vectors=home.parts.store.count(),
        bytes=_sizes(home.path),
    )


def _sizes(directory: Path) -> dict[str, int]:
    """Bytes of every file below a directory, by relative path.

    Files that another process removes during the count are left out.
    """
    sizes = {}
    for where, _, names in os.walk(directory):
        for path in [Path(where, name) for name in names]:
            with suppress(FileNotFoundError):
                sizes[str(path.relative_to(directory))] = path.stat().st_size
    return dict(sorted(sizes.items()))

"""Scope of a question in a space: filters of memories, statuses and horizon; without NumPy."""

from typing import Literal, NamedTuple, get_args

import msgspec

from mnemolog.ledger.events import MemoryKind
from mnemolog.ledger.ids import Position
from mnemolog.projections.memory_queries import Status

KINDS: tuple[str, ...] = get_args(MemoryKind)
STATUSES: tuple[Status, ...] = get_args(Status)
"""Every status there is, in the order of their codes here."""


SearchPath = Literal["automatic", "exact", "codes", "graph"]
"""Path to the nearest vectors; `automatic` takes the fastest exact one."""


Indexing = Literal["foreground", "background"]
"""Whether a question waits until all memories are embedded, or a thread embeds them meanwhile."""


class Horizon(NamedTuple):
    """A question's moment: the last position it knows, its instant, `Columns.size(position)`."""

    position: Position
    instant: int
    size: int


class Filter(msgspec.Struct, frozen=True):
    """Filter of the memories that a question is about; empty fields ask for nothing.

    `source` is a whole source or its beginning up to a mark of its own (`file:`, `file:notes.md`
    for `file:notes.md#setup`), `place` a place or one around it, `tagged` the memories so tagged.
    """

    kinds: tuple[str, ...] = ()
    source: str | None = None
    place: str | None = None
    tagged: tuple[Position, ...] | None = None


def begins(name: str, wanted: str) -> bool:
    """True if a source or place is the one wanted, or lies within it."""
    if not name.startswith(wanted):
        return False
    return len(name) == len(wanted) or wanted[-1] in ":/#@" or name[len(wanted)] in ":/#@?"

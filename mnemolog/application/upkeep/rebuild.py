"""Rebuild of views and indexes from the log, and indexing of new memories."""

from __future__ import annotations

from mnemolog.application.home.space import Space
from mnemolog.ledger.ids import Position
from mnemolog.projections.folding import Progress
from mnemolog.projections.memory_queries import spaces_as_of
from mnemolog.results import Value


class Rebuilt(Value, frozen=True):
    """Result of a rebuild: the position reached, and the numbers of memories and spaces."""

    position: Position
    memories: int
    spaces: int


def rebuild(space: Space, progress: Progress | None = None) -> Rebuilt:
    """Build views and the indexes of all spaces from the log alone, then switch to them.

    Raises `StorageFailed` if they cannot be written.
    """
    home = space.home
    head = home.views.rebuild(progress).position
    memories = len(home.index(space.name).rebuild(head, progress).columns)
    spaces = home.views.read(lambda db: spaces_as_of(db, head))
    for name in spaces:
        if name != space.name:
            memories += home.rebuild_index(name, head, progress)
    return Rebuilt(head, memories, len(spaces))


def index(space: Space, progress: Progress | None = None) -> int:
    """Embed and index new memories before the next question; return the number indexed in all.

    Raises `StorageFailed` if the index cannot be written: this process then answers from
    memory, and other processes must index again.
    """
    head = space.home.head()
    space.home.views.check_kept()
    return len(space.home.index(space.name).keep(head, progress).columns)


def catch_up(space: Space, progress: Progress | None = None) -> int:
    """Index the memories that the next question would index first; return the number in all.

    Like `index`, but without the graph of a very large space, and in memory if the index
    cannot be written.
    """
    return len(space.home.index(space.name).at(space.home.head(), progress).columns)

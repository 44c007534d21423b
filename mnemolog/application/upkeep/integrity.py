"""Integrity of a home: verification of the log, and rebuild of what is derived from it."""

from mnemolog.application.home.space import Space
from mnemolog.ledger.ids_and_times import Position
from mnemolog.ledger.sqlite.verification import Checkpoint, Verified, checkpoint_of, verify
from mnemolog.projections.folding import Progress
from mnemolog.projections.memory_queries import spaces_as_of
from mnemolog.results import Value


class Rebuilt(Value, frozen=True):
    """Result of a rebuild: the position reached, and the numbers of memories and spaces."""

    position: Position
    memories: int
    spaces: int


def checkpoint(space: Space) -> Checkpoint:
    """Checkpoint of the present head, to be kept elsewhere as evidence."""
    return checkpoint_of(space.home.log)


def verify_log(
    space: Space, checkpoint: Checkpoint | None = None, progress: Progress | None = None
) -> Verified:
    """Verify every hash of the log, and compare the log with a checkpoint.

    Raises `CorruptLog` with the last good position, `LogShortened` if the log once held more or
    other events, `LogReplaced` if it belongs to another home, or `CheckpointMismatch`.
    """
    space.home.views.check_losses()
    return verify(space.home.log, checkpoint, progress)


def accept_loss(space: Space) -> None:
    """Accept the loss of events: delete the evidence that the log was once longer."""
    space.home.views.accept_losses()


def rebuild(space: Space, progress: Progress | None = None) -> Rebuilt:
    """Build views and indexes from the log alone, and switch to them. Raises `StorageFailed`."""
    home = space.home
    head = home.views.rebuild(progress).position
    memories = len(home.index(space.name).keep(head, progress, anew=True).columns)
    spaces = home.views.read(lambda db: spaces_as_of(db, head))
    others = [name for name in spaces if name != space.name]
    memories += sum(home.rebuild_index(name, head, progress) for name in others)
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

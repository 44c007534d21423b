"""Verification of the log, and checkpoints to keep elsewhere."""

from __future__ import annotations

from mnemolog.application.home.space import Space
from mnemolog.ledger.sqlite.verification import Checkpoint, Verified, checkpoint_of, verify
from mnemolog.projections.folding import Progress


def checkpoint(space: Space) -> Checkpoint:
    """Checkpoint of the present head, to be kept elsewhere as evidence."""
    return checkpoint_of(space.home.log)


def verify_log(
    space: Space, checkpoint: Checkpoint | None = None, progress: Progress | None = None
) -> Verified:
    """Verify every hash of the log, and compare the log with a checkpoint.

    Raises `CorruptLog` with the last good position, `LogShortened` if the log is known to
    have held more or other events, `LogReplaced` if it belongs to another home, or
    `CheckpointMismatch`.
    """
    space.home.views.check_losses()
    return verify(space.home.log, checkpoint, progress)


def accept_loss(space: Space) -> None:
    """Accept the loss of events: delete the evidence that the log was once longer."""
    space.home.views.accept_losses()

"""Losses: evidence in the manifest that the log once held other events, or more of them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from mnemolog.ledger.errors import LogReplaced, LogShortened, StorageFailed
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log
from mnemolog.projections.folding import ShortenedLog
from mnemolog.projections.manifest import Loss, Manifest, ManifestFile


class Losses:
    """The losses of a home, kept until someone accepts them."""

    def __init__(self, home: Path, log: Log, manifest: ManifestFile) -> None:
        self._indexes = home / "indexes"
        self._log = log
        self._manifest = manifest
        self._unwritten: tuple[Loss, ...] = ()

    def holds(self, position: Position, digest: str) -> bool:
        """True if the log has the event of this digest (hexadecimal) at a position."""
        return any(event.digest.hex() == digest for event in self._log.events_at([position]))

    def record(self, shortened: ShortenedLog) -> None:
        """Keep the evidence that the log was once longer."""
        known = shortened.known
        loss = Loss(known.position, known.digest.hex(), shortened.head, shortened.replaced)

        def added(manifest: Manifest) -> Manifest:
            if loss in manifest.losses:
                return manifest
            missed = tuple(
                one
                for one in manifest.losses
                if not self.holds(one.known_position, one.known_digest)
            )
            # A missed event is back: files made of the other log meanwhile prove nothing.
            losses = missed if len(missed) < len(manifest.losses) else (*missed, loss)
            return msgspec.structs.replace(manifest, losses=losses)

        try:
            self._manifest.update(added)
        except StorageFailed:
            self._unwritten = (loss,)

    def check(self, head: Position) -> None:
        """Raise `LogReplaced` or `LogShortened` if the log is known to have held other events."""
        manifest = self._manifest.read()
        for loss in (*self._unwritten, *manifest.losses):
            error = LogReplaced if loss.replaced else LogShortened
            raise error(loss.known_position, loss.head)
        for base in manifest.bases.values():
            # A base without files was listed before a restore that removed them.
            there = any(self._indexes.glob(f"*/{base.generation}"))
            if there and not self.holds(base.position, base.digest):
                raise LogShortened(base.position, head)

    def accept(self) -> None:
        """Forget that the log is known to have held other events."""

        def accepted(manifest: Manifest) -> Manifest:
            fitting = {
                space: base
                for space, base in manifest.bases.items()
                if self.holds(base.position, base.digest)
            }
            return msgspec.structs.replace(manifest, losses=(), bases=fitting)

        self._manifest.update(accepted)
        self._unwritten = ()

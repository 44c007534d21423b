"""Checkpoints: a position, its digest and its time, to be kept outside the home."""

from __future__ import annotations

import msgspec

from mnemolog.ledger.clock import parse_time, to_iso
from mnemolog.ledger.errors import CheckpointMismatch, ForeignFormat
from mnemolog.ledger.ids import Position
from mnemolog.ledger.json_text import decode_json
from mnemolog.ledger.log import Log, event_at
from mnemolog.results import Value

FORMAT = "mnemolog-checkpoint/1"


class Checkpoint(Value, frozen=True):
    """The state of a log at one moment; `recorded_at` is ISO 8601, `digest` hexadecimal."""

    position: Position
    digest: str
    recorded_at: str
    format: str = FORMAT

    def check_against(self, log: Log) -> None:
        """Raise `CheckpointMismatch` unless the log holds this very moment.

        Together with a verified chain this proves that the log extends the
        checkpoint: a digest covers everything before it.
        """
        head = log.head()
        if self.position == 0:
            return
        if self.position > head.position:
            raise CheckpointMismatch(self.position, f"the log ends at position {head.position}")
        event = event_at(log, self.position)
        if event is None:
            raise CheckpointMismatch(self.position, "the event is missing")
        if event.digest.hex() != self.digest:
            raise CheckpointMismatch(self.position, f"its digest there is {event.digest.hex()}")
        if to_iso(event.recorded_at) != self.recorded_at:
            raise CheckpointMismatch(
                self.position, f"its time there is {to_iso(event.recorded_at)}"
            )


_checkpoint = msgspec.json.Decoder(Checkpoint).decode


def checkpoint_of(log: Log) -> Checkpoint:
    """The log's present head as a checkpoint."""
    head = log.head()
    return Checkpoint(head.position, head.digest.hex(), to_iso(head.recorded_at))


def parse_checkpoint(data: bytes, name: str) -> Checkpoint:
    """A checkpoint as exported.

    Raises `ForeignFormat` if the bytes are none; `name` says where they came from.
    """
    try:
        checkpoint = decode_json(_checkpoint, data)
        bytes.fromhex(checkpoint.digest)
        parse_time("recorded_at", checkpoint.recorded_at)
    except (msgspec.DecodeError, ValueError) as error:
        raise ForeignFormat(name, f"no checkpoint ({error})", FORMAT) from None
    if checkpoint.format != FORMAT:
        raise ForeignFormat(name, checkpoint.format, FORMAT)
    return checkpoint

"""Proof that the log is what was appended: every hash computed again.

The chain is checked in ranges, one process a core, because each link needs only
the digest stored before it. A range is a command of its own
(`python -m mnemolog.ledger.verification FILE FIRST LAST`), so that a caller's main module
is not imported again, as multiprocessing would.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import msgspec

from mnemolog.ledger.clock import parse_time, to_iso
from mnemolog.ledger.digests import HashedRow, Head, chain
from mnemolog.ledger.errors import CheckpointMismatch, CorruptLog, ForeignFormat
from mnemolog.ledger.events import Redacted
from mnemolog.ledger.ids import EventId, Position
from mnemolog.ledger.json_text import decode_json
from mnemolog.ledger.log import Log, LogRange, event_at, events_in, head_at
from mnemolog.ledger.sealing import first_broken
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.results import Value

_PARALLEL_FROM = 100_000
_LOWEST = Position(-(1 << 63))
_MISSING = "the event is missing"
_MISTYPED = "its values are not of their types and sizes"


class Verified(Value, frozen=True):
    """Result of a verification: the number of events, the head, the number of erased events."""

    events: int
    head_position: Position
    head_digest: str
    erased: int
    checkpoint: Checkpoint | None = None


class RangeResult(msgspec.Struct, frozen=True):
    """Result of one range: the positions without content, or the first that does not fit."""

    erased: list[int]
    bad_position: int | None = None
    problem: str | None = None


def check_rows(chunks: Iterable[list[HashedRow]], first: int, last: int, head: Head) -> RangeResult:
    """Check the rows of positions `first` to `last`, which follow `head`."""
    erased: list[int] = []
    position, digest, time = first - 1, head.digest, int(head.recorded_at)
    for rows in chunks:
        good = first_broken(rows, position, digest, time)
        if good > 0:
            position, time, *_, digest = rows[good - 1]
        if good < len(rows):
            return _bad(position + 1, _problem(rows[good], position, digest, time))
        erased += [row[0] for row in rows if row[3] is None and row[4] is not None]
    if position < last:
        return _bad(position + 1, _MISSING)
    return RangeResult(erased)


def _problem(row: HashedRow, position: int, digest: bytes, time: int) -> str:
    """Why a row does not continue the chain after a position, its digest and its time."""
    following, recorded_at, leaf, salted, hashed, stored = row
    try:
        if following != position + 1:
            return _MISSING
        if leaf is None:
            return _MISTYPED
        if chain(digest, leaf) != stored:
            return "its digest does not follow from its bytes and the digest before it"
        if recorded_at < time:
            return "its time is before that of the event before it"
        if salted is not None and sha256(salted).digest() != hashed:
            return "its content was changed"
    except TypeError:
        pass
    return _MISTYPED


def _bad(position: int, problem: str) -> RangeResult:
    return RangeResult([], position, problem)


def verify(
    log: SqliteLog,
    checkpoint: Checkpoint | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Verified:
    """Check every event up to the present head, and that a checkpoint lies on the chain.

    Raises `CorruptLog` with the last good position, or `CheckpointMismatch`.
    """
    head = log.head()
    if checkpoint is not None:
        checkpoint.check_against(log)
    cores = min(os.cpu_count() or 1, 8) if head.position >= _PARALLEL_FROM else 1
    results = (
        [check_range(log, 1, head.position)]
        if cores == 1
        else _in_processes(log, head.position, cores)
    )
    if progress is not None:
        progress("verifying", head.position, head.position)
    for result in results:
        if result.bad_position is not None:
            raise CorruptLog(
                f"event {result.bad_position}: {result.problem}", result.bad_position - 1
            )
    # From the lowest number there is: an event put in before the first has no link to break.
    for event in log.read(_LOWEST, 1):
        if event.position != 1:
            raise CorruptLog(f"it begins at position {event.position}", 0)
    erased = [position for result in results for position in result.erased]
    _check_explained(log, erased)
    return Verified(
        events=head.position,
        head_position=head.position,
        head_digest=head.digest.hex(),
        erased=len(erased),
        checkpoint=checkpoint,
    )


def _check_explained(log: SqliteLog, erased: Sequence[int]) -> None:
    """Raise `CorruptLog` for content that is gone without an event that says so.

    The chain alone cannot tell: a redaction leaves it as it is, on purpose.
    """
    explained = {event_id for _, event_id in redacted_ids(log, Position(0))} if erased else set()
    for event in log.events_at([Position(position) for position in erased]):
        if event.event_id not in explained:
            raise CorruptLog(
                f"the content of event {event.position} is gone, and no event redacted it",
                event.position - 1,
            )


def redacted_ids(log: Log, after: Position) -> Iterator[tuple[Position, EventId]]:
    """The event ids named by redactions after a position, each with the redaction's position."""
    for event in events_in(log, LogRange(after, kinds=("redacted",))):
        structure = VOCABULARY.structure(event)
        if isinstance(structure, Redacted):
            yield from ((event.position, event_id) for event_id in structure.events)


def check_range(log: SqliteLog, first: int, last: int) -> RangeResult:
    """Check one range against the digest stored before it."""
    before = head_at(log, Position(first - 1))
    if before is None:
        return _bad(first - 1, _MISSING)
    try:
        return check_rows(log.hashed_between(first, last), first, last, before)
    except CorruptLog as error:
        return _bad(error.last_good + 1, error.problem)


def _in_processes(log: SqliteLog, last: int, cores: int) -> list[RangeResult]:
    bounds = [1 + last * core // cores for core in range(cores + 1)]
    ranges = list(pairwise(bounds))
    workers = [
        subprocess.Popen(  # noqa: S603 - our own module, with numbers and a path as arguments
            [
                sys.executable,
                "-m",
                __name__,
                str(log.path),
                str(low),
                str(high - 1),
            ],
            stdout=subprocess.PIPE,
        )
        for low, high in ranges[1:]
    ]
    # One of the ranges is for this process, which would only wait.
    results = [check_range(log, ranges[0][0], ranges[0][1] - 1)]
    for worker in workers:
        output, _ = worker.communicate()
        if worker.returncode != 0:
            raise CorruptLog(f"a verifying process ended with {worker.returncode}", 0)
        results.append(msgspec.msgpack.decode(output, type=RangeResult))
    return results


def main(arguments: Sequence[str]) -> None:
    """Check one range of a file and write its `RangeResult` as MessagePack."""
    path, first, last = arguments
    # Nothing here makes cycles; looking for them took a tenth of the time.
    gc.disable()
    log = SqliteLog(Path(path))
    try:
        result = check_range(log, int(first), int(last))
    finally:
        log.close()
    sys.stdout.buffer.write(msgspec.msgpack.encode(result))


if __name__ == "__main__":
    main(sys.argv[1:])


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

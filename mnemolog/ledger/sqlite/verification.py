"""Proof that the log is what was appended: every hash computed again, and checkpoints."""

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import msgspec

from mnemolog.ledger.clock import parse_time, to_iso
from mnemolog.ledger.digests import Head, chain
from mnemolog.ledger.errors import CheckpointMismatch, CorruptLog, ForeignFormat
from mnemolog.ledger.events import HashedRow, Redacted
from mnemolog.ledger.ids import EventId, Position
from mnemolog.ledger.log import Log, LogRange, event_at, events_in, head_at
from mnemolog.ledger.sealing import first_broken
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.vocabulary import VOCABULARY, decode_json
from mnemolog.results import Value

FORMAT = "mnemolog-checkpoint/1"
_PARALLEL_FROM = 100_000
_MOST_EVENTS, _MOST_BYTES = 500, 1 << 20  # limits of a tail check: it takes 0.5 ms
# Events that each later tail check covers once more, about a page of the file: other processes
# write to it as well.
_AGAIN = 8
_MISSING = "the event is missing"
_MISTYPED = "its values are not of their types and sizes"


class Checkpoint(Value, frozen=True):
    """State of a log at a moment, to keep outside the home; time in ISO 8601, digest in hex."""

    position: Position
    digest: str
    recorded_at: str
    format: str = FORMAT

    def check_against(self, log: Log) -> None:
        """Raise `CheckpointMismatch` unless the log holds this moment, and so all before it."""
        head = log.head()
        if self.position == 0:
            return
        if self.position > head.position:
            problem = f"the log ends at position {head.position}"
        elif (event := event_at(log, self.position)) is None:
            problem = _MISSING
        elif event.digest.hex() != self.digest:
            problem = f"its digest there is {event.digest.hex()}"
        elif to_iso(event.recorded_at) != self.recorded_at:
            problem = f"its time there is {to_iso(event.recorded_at)}"
        else:
            return
        raise CheckpointMismatch(self.position, problem)


def checkpoint_of(log: Log) -> Checkpoint:
    """The log's present head as a checkpoint."""
    head = log.head()
    return Checkpoint(head.position, head.digest.hex(), to_iso(head.recorded_at))


def parse_checkpoint(data: bytes, name: str) -> Checkpoint:
    """A checkpoint as exported; `ForeignFormat` if the bytes, from `name`, are none."""
    try:
        checkpoint = decode_json(msgspec.json.Decoder(Checkpoint).decode, data)
        bytes.fromhex(checkpoint.digest)
        parse_time("recorded_at", checkpoint.recorded_at)
    except (msgspec.DecodeError, ValueError) as error:
        raise ForeignFormat(name, f"no checkpoint ({error})", FORMAT) from None
    if checkpoint.format != FORMAT:
        raise ForeignFormat(name, checkpoint.format, FORMAT)
    return checkpoint


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


def verify(
    log: SqliteLog,
    checkpoint: Checkpoint | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Verified:
    """Check every event and a checkpoint; raises `CorruptLog` or `CheckpointMismatch`."""
    head = log.head()
    if checkpoint is not None:
        checkpoint.check_against(log)
    cores = min(os.cpu_count() or 1, 8) if head.position >= _PARALLEL_FROM else 1
    results = _in_processes(log, head.position, cores)
    if progress is not None:
        progress("verifying", head.position, head.position)
    for result in results:
        if (bad := result.bad_position) is not None:
            raise CorruptLog(f"event {bad}: {result.problem}", bad - 1)
    # From the lowest number there is: an event put in before the first has no link to break.
    for event in log.read(Position(-(1 << 63)), 1):
        if event.position != 1:
            raise CorruptLog(f"it begins at position {event.position}", 0)
    erased = [Position(position) for result in results for position in result.erased]
    # The chain alone cannot tell erased content: a redaction leaves it as it is, on purpose.
    explained = {event_id for _, event_id in redacted_ids(log, Position(0))} if erased else set()
    for event in log.events_at(erased):
        if event.event_id not in explained:
            problem = f"the content of event {event.position} is gone, and no event redacted it"
            raise CorruptLog(problem, event.position - 1)
    return Verified(head.position, head.position, head.digest.hex(), len(erased), checkpoint)


def redacted_ids(log: Log, after: Position) -> Iterator[tuple[Position, EventId]]:
    """The event ids named by redactions after a position, each with the redaction's position."""
    for event in events_in(log, LogRange(after, kinds=("redacted",))):
        structure = VOCABULARY.structure(event)
        if isinstance(structure, Redacted):
            yield from ((event.position, event_id) for event_id in structure.events)


def check_range(log: SqliteLog, first: int, last: int) -> RangeResult:
    """Check one range against the digest stored before it."""
    before = head_at(log, Position(first - 1))
    return _checked(first, last, before, log.hashed_between(first, last))


class TailCheck:
    """Check of the end of a log after each append: of 500 events at first, of new ones then."""

    def __init__(self, log: SqliteLog) -> None:
        self._log = log
        self._checked: Position | None = None

    def damage(self, head: Position) -> CorruptLog | None:
        """First event after the last check, up to `head`, that does not verify; None if all do."""
        news = _MOST_EVENTS if self._checked is None else max(head - self._checked, _AGAIN)
        first, before, rows = self._log.tail(head, min(news, _MOST_EVENTS), _MOST_BYTES)
        result = _checked(first, head, before, rows)
        if result.bad_position is None:
            self._checked = head
            return None
        # The next check starts at the bad event and stops there.
        self._checked = Position(result.bad_position - 1)
        return CorruptLog(f"event {result.bad_position}: {result.problem}", self._checked)


def _checked(
    first: int, last: int, before: Head | None, chunks: Iterator[list[HashedRow]]
) -> RangeResult:
    if before is None:
        return RangeResult([], first - 1, _MISSING)
    erased: list[int] = []
    position, digest, time = first - 1, before.digest, int(before.recorded_at)
    try:
        for rows in chunks:
            good = first_broken(rows, position, digest, time)
            if good > 0:
                position, time, *_, digest = rows[good - 1]
            if good < len(rows):
                return RangeResult([], position + 1, _problem(rows[good], position, digest, time))
            erased += [row[0] for row in rows if row[3] is None and row[4] is not None]
    except CorruptLog as error:
        return RangeResult([], error.last_good + 1, error.problem)
    return RangeResult([], position + 1, _MISSING) if position < last else RangeResult(erased)


def _problem(row: HashedRow, position: int, digest: bytes, time: int) -> str:
    """Why a row does not continue the chain after a position, its digest and its time."""
    following, recorded_at, leaf, salted, hashed, stored = row
    with suppress(TypeError):
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
    return _MISTYPED


def _in_processes(log: SqliteLog, last: int, cores: int) -> list[RangeResult]:
    import subprocess  # noqa: PLC0415 - 3 ms that only a long log needs

    bounds = [1 + last * core // cores for core in range(cores + 1)]
    (first, end), *others = pairwise(bounds)
    command = [sys.executable, "-m", __name__, str(log.path)]
    commands = [[*command, str(low), str(high - 1)] for low, high in others]
    # A command each: multiprocessing would import the caller's main module again.
    workers = [subprocess.Popen(one, stdout=subprocess.PIPE) for one in commands]  # noqa: S603
    # One of the ranges is for this process, which would only wait.
    results = [check_range(log, first, end - 1)]
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
    with closing(SqliteLog(Path(path))) as log:
        result = check_range(log, int(first), int(last))
    sys.stdout.buffer.write(msgspec.msgpack.encode(result))


if __name__ == "__main__":
    main(sys.argv[1:])

"""Events out to JSON Lines and in again.

The first line is a header, `{"format": "mnemolog-events/2"}`. Every other line is
one event: the columns of the log, ids, salt and hashes in hexadecimal, structure
and content as the JSON texts that were hashed.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from ledger.clock import Micros
from ledger.errors import CorruptLog, ForeignFormat
from ledger.events import VOCABULARY, Event, Redacted
from ledger.ids import EventId, MemoryId, Position
from ledger.log import EMPTY, Head
from ledger.rows import adopted, as_draft
from ledger.sqlite_log import SqliteLog
from projections.folding import Progress

FORMAT = "mnemolog-events/2"
_BATCH = 1000


class Header(msgspec.Struct, frozen=True):
    """The first line of an export."""

    format: str


class Line(msgspec.Struct, frozen=True):
    """An event as a line of an export."""

    position: int
    event_id: str
    space: str
    kind: str
    version: int
    recorded_at: int
    actor: str
    memory_id: str | None
    correlation_id: str | None
    causation_id: str | None
    structure: str
    content: str | None
    salt: str | None
    content_hash: str | None
    digest: str


class Imported(msgspec.Struct, frozen=True):
    """How many events an import appended, and how many it passed over.

    Those were there already, or had been redacted where they came from.
    `erased` are positions whose content was here and is destroyed now, because
    a redaction was among the events.
    """

    events: int
    skipped: int
    erased: tuple[Position, ...] = ()


_line = msgspec.json.Decoder(Line)


def export_log(log: SqliteLog, target: Path | IO[bytes], progress: Progress | None) -> int:
    """Write every event up to the present head; how many there were."""
    head = log.head().position
    written = Position(0)
    with _opened(target, "wb") as file:
        file.write(msgspec.json.encode(Header(FORMAT)) + b"\n")
        while written < head:
            events = [e for e in log.read(written, _BATCH) if e.position <= head]
            if not events:
                raise CorruptLog(f"event {written + 1} is missing", written)
            file.write(b"".join(msgspec.json.encode(_as_line(event)) + b"\n" for event in events))
            written = events[-1].position
            if progress is not None:
                progress("exporting", written, head)
    return written


def import_log(log: SqliteLog, source: Path | IO[bytes], progress: Progress | None) -> Imported:
    """Append the events of an export: as they were if the log is empty, else anew.

    Raises `ForeignFormat` for a file that is no export, `CorruptLog` for one
    whose events do not chain; the whole of it is read before anything is appended.
    """
    with _opened(source, "rb") as given, _seekable(given) as file:
        name = str(getattr(given, "name", "the export"))
        _check_header(file.readline(), name)
        begin = file.tell()
        _check_chain(_batches(file, name))
        file.seek(begin)
        lossless = log.head().position == 0
        before, known, count = log.head().position, 0, 0
        erased: list[Position] = []
        for batch in _batches(file, name):
            if lossless:
                log.adopt(batch)
            else:
                gone = _redacted_here(log, batch)
                erased += gone
                whole = [as_draft(event) for event in batch if not event.erased]
                appended = log.append(whole, erase=gone)
                known += sum(position <= before for position in appended.positions)
                known += sum(event.erased for event in batch)
            count += len(batch)
            if progress is not None:
                progress("importing", count, count)
    return Imported(count - known, known, tuple(erased))


def _check_chain(batches: Iterable[list[Event]]) -> None:
    head = EMPTY
    for batch in batches:
        adopted(batch, head)
        last = batch[-1]
        head = Head(last.position, last.recorded_at, last.digest)


@contextmanager
def _seekable(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """The file, or a copy of what can be read but once."""
    if file.seekable():
        yield file
    else:
        with tempfile.TemporaryFile() as copy:
            shutil.copyfileobj(file, copy)
            copy.seek(0)
            yield copy


def _redacted_here(log: SqliteLog, batch: list[Event]) -> list[Position]:
    """Where content stands in this log that redactions of another log have destroyed there."""
    named = [
        event_id
        for event in batch
        if isinstance(structure := VOCABULARY.structure(event), Redacted)
        for event_id in structure.events
    ]
    found = log.events_at(list(log.positions_of(named).values()))
    return [event.position for event in found if event.content is not None]


def _check_header(line: bytes, name: str) -> None:
    try:
        header = msgspec.json.decode(line, type=Header)
    except msgspec.DecodeError:
        raise ForeignFormat(name, "no export of events", FORMAT) from None
    if header.format != FORMAT:
        raise ForeignFormat(name, header.format, FORMAT)


def _batches(file: IO[bytes], name: str) -> Iterator[list[Event]]:
    batch: list[Event] = []
    for number, text in enumerate(file, 2):
        if not text.strip():
            continue
        try:
            batch.append(_as_event(_line.decode(text)))
        except (msgspec.DecodeError, ValueError) as error:
            raise ForeignFormat(f"{name}, line {number}", f"no event ({error})", FORMAT) from None
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _as_line(event: Event) -> Line:
    return Line(
        position=event.position,
        event_id=event.event_id,
        space=event.space,
        kind=event.kind,
        version=event.version,
        recorded_at=event.recorded_at,
        actor=event.actor,
        memory_id=event.memory_id,
        correlation_id=event.correlation_id,
        causation_id=event.causation_id,
        structure=event.structure.decode(),
        content=None if event.content is None else event.content.decode(),
        salt=None if event.salt is None else event.salt.hex(),
        content_hash=None if event.content_hash is None else event.content_hash.hex(),
        digest=event.digest.hex(),
    )


def _as_event(line: Line) -> Event:
    return Event(
        Position(line.position),
        EventId(bytes.fromhex(line.event_id).hex()),
        line.space,
        line.kind,
        line.version,
        Micros(line.recorded_at),
        line.actor,
        None if line.memory_id is None else MemoryId(bytes.fromhex(line.memory_id).hex()),
        line.correlation_id,
        None if line.causation_id is None else EventId(bytes.fromhex(line.causation_id).hex()),
        line.structure.encode(),
        None if line.content is None else line.content.encode(),
        None if line.salt is None else bytes.fromhex(line.salt),
        None if line.content_hash is None else bytes.fromhex(line.content_hash),
        bytes.fromhex(line.digest),
    )


@contextmanager
def _opened(file: Path | IO[bytes], mode: str) -> Iterator[IO[bytes]]:
    """The file, closed afterwards if it was opened here."""
    if isinstance(file, Path):
        with file.open(mode) as opened:
            yield opened
    else:
        yield file

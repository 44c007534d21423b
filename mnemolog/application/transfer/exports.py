"""Export format: events as JSON Lines, with its writer and reader.

The first line is a header, `{"format": "mnemolog-events/3"}`. The lines between the first
and the last hold one event each: the columns of the log, with ids, salt and hashes in
hexadecimal, and structure and content as the JSON texts that were hashed. The last line
holds the number of events and the head, so that a truncated file is detected.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import IO, Annotated

import msgspec
from msgspec import Meta

from mnemolog.application.home.space import Space
from mnemolog.application.transfer.verified_events import VerifiedEvents
from mnemolog.ledger.clock import NEVER, Micros
from mnemolog.ledger.errors import ExportedInPart, ForeignFormat, InvalidState
from mnemolog.ledger.events import Event
from mnemolog.ledger.files import (
    MOST_LINE_BYTES,
    bounded_lines,
    check_outside,
    open_regular,
    written_whole,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Log
from mnemolog.ledger.scratch import sweep_beside
from mnemolog.ledger.vocabulary import decode_json
from mnemolog.projections.folding import Progress

FORMAT = "mnemolog-events/3"
_FORMATS = "mnemolog-events/"
AS_EVENTS = "import the file with `mnemolog import FILE --format events`, or `import_events`"
"""What to do with an export that was taken for something else."""
_BATCH = 1000
_BATCH_BYTES = 16 << 20
_HEADER_BYTES = 4096


class Header(msgspec.Struct, frozen=True):
    """First line of an export."""

    format: str


class Line(msgspec.Struct, frozen=True):
    """Event as a line of an export."""

    position: Annotated[int, Meta(ge=1, le=1 << 53)]
    event_id: str
    space: str
    kind: str
    version: Annotated[int, Meta(ge=1, le=1 << 31)]
    recorded_at: Annotated[int, Meta(ge=0, lt=NEVER)]
    actor: str
    memory_id: str | None
    correlation_id: str | None
    causation_id: str | None
    structure: str
    content: str | None
    salt: str | None
    content_hash: str | None
    digest: str


class End(msgspec.Struct, frozen=True, omit_defaults=True):
    """Number of events in an export, and its head; its presence shows that the export is whole.

    `erased` are events without content whose redaction is after the head, because the log is
    damaged there or they were redacted during the export.
    """

    events: int
    position: Position
    digest: str
    erased: tuple[EventId, ...] = ()


class LastLine(msgspec.Struct, frozen=True):
    """Last line of an export."""

    end: End


class Batch(msgspec.Struct, frozen=True):
    """Consecutive events of an export, and a hash of their lines."""

    events: list[Event]
    seal: bytes


_header = msgspec.json.Decoder(Header).decode
_line = msgspec.json.Decoder(Line).decode
_last_line = msgspec.json.Decoder(LastLine).decode


def export_events(space: Space, target: Path | IO[bytes], progress: Progress | None = None) -> int:
    """Write every event of the home as JSON Lines; return the number of events.

    Raises `ExportedInPart` if the log is damaged, after writing the events that verify.
    """
    if isinstance(target, Path):
        check_outside("target", target, space.home.path)
    return export_log(space.home.log, target, progress)


def export_log(log: Log, target: Path | IO[bytes], progress: Progress | None) -> int:
    """Write every event up to the present head, each verified first; return their number.

    A target file appears under its name only when complete, readable by its owner only.
    Raises `ExportedInPart` if the log is damaged: the export then ends with the last event
    that verifies, and can be imported. Raises `InvalidState`, before it writes the line, for
    an event that is too large for any import.
    """
    events = VerifiedEvents(log)
    if isinstance(target, Path):
        sweep_beside(target)
        with written_whole(target) as file:
            _write(events, file, progress)
    else:
        _write(events, target, progress)
    if events.damage is not None:
        raise ExportedInPart(events.damage.problem, events.head.position)
    return events.head.position


def _write(events: VerifiedEvents, file: IO[bytes], progress: Progress | None) -> None:
    file.write(msgspec.json.encode(Header(FORMAT)) + b"\n")
    for batch in events.batches():
        file.writelines(_written(event) for event in batch)
        if progress is not None:
            progress("exporting", events.head.position, events.last)
    head = events.head
    last = LastLine(End(head.position, head.position, head.digest.hex(), events.erased()))
    file.write(msgspec.json.encode(last) + b"\n")


def _written(event: Event) -> bytes:
    """Line of an event. Raises `InvalidState` if it is longer than an import reads."""
    line = msgspec.json.encode(_as_line(event)) + b"\n"
    if len(line) > MOST_LINE_BYTES:
        state = f"too large for an export: its line takes {len(line):,} bytes, of "
        state += f"{MOST_LINE_BYTES:,} that an import reads"
        fix = "redact it, or use `backup`"
        raise InvalidState(event.event_id, state, fix, f"the {event.kind!r} event")
    return line


def is_export(path: Path) -> bool:
    """True if a path is a file of events, in this or another version of the format."""
    if not path.is_file():
        return False
    with open_regular(path) as file:
        try:
            header = decode_json(_header, file.readline(_HEADER_BYTES))
        except msgspec.DecodeError:
            return False
    return header.format.startswith(_FORMATS)


def read_export(file: IO[bytes], name: Path) -> Iterator[Batch | End]:
    """Batches of events of an export, followed by its end.

    Only the form is checked. Raises `ForeignFormat` for a file that is not an export or is
    truncated, `MalformedFile` for a line over the size limit.
    """
    lines = bounded_lines(file, name)
    _check_header(next(lines, b""), name)
    events: list[Event] = []
    seal, size = sha256(), 0
    end: End | None = None
    for number, text in enumerate(lines, 2):
        if not text.strip():
            continue
        if end is not None:
            raise ForeignFormat(f"{name}, line {number}", "behind the last line", FORMAT)
        parsed = _parsed(text, name, number)
        if isinstance(parsed, End):
            end = parsed
            continue
        events.append(parsed)
        seal.update(text)
        size += len(text)
        if len(events) == _BATCH or size > _BATCH_BYTES:
            yield Batch(events, seal.digest())
            events, seal, size = [], sha256(), 0
    if end is None:
        found = "cut off: its last line, which says where it ends, is missing"
        raise ForeignFormat(str(name), found, "whole exports")
    if events:
        yield Batch(events, seal.digest())
    yield end


def _check_header(line: bytes, name: Path) -> None:
    try:
        header = decode_json(_header, line)
    except msgspec.DecodeError:
        other = f"{FORMAT}; for a file of another format leave out `--format events`"
        raise ForeignFormat(str(name), "no export of events", other) from None
    if header.format != FORMAT:
        raise ForeignFormat(str(name), f"{header.format!r:.60}", FORMAT)


def _parsed(text: bytes, name: Path, number: int) -> Event | End:
    try:
        return _as_event(decode_json(_line, text))
    except (msgspec.DecodeError, ValueError) as error:
        try:
            return decode_json(_last_line, text).end
        except msgspec.DecodeError:
            where = f"{name}, line {number}"
            raise ForeignFormat(where, f"no event ({error})", FORMAT) from None


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

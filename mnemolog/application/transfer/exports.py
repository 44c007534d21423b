"""Export format: events as JSON Lines, with its writer and reader.

The first line is a header, `{"format": "mnemolog-events/3"}`. The lines between the first
and the last hold one event each: the columns of the log, with ids, salt and hashes in
hexadecimal, and structure and content as the JSON texts that were hashed. The last line
holds the number of events and the head, so that a truncated file is detected.
"""

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Annotated

import msgspec
from msgspec import Meta

from mnemolog.application.home.space import Space
from mnemolog.ledger import files
from mnemolog.ledger.clock import NEVER
from mnemolog.ledger.digests import EMPTY, Head, check_follows
from mnemolog.ledger.errors import CorruptLog, ExportedInPart, ForeignFormat, InvalidState
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import EventId, Position
from mnemolog.ledger.log import Log, LogRange, pages_in
from mnemolog.ledger.scratch import sweep_beside
from mnemolog.ledger.sqlite.verification import redacted_ids
from mnemolog.ledger.vocabulary import decode_json
from mnemolog.projections.folding import Progress

FORMAT = "mnemolog-events/3"
_FORMATS = "mnemolog-events/"
AS_EVENTS = "import the file with `mnemolog import FILE --format events`, or `import_events`"
"""Advice on an export that was taken for something else."""
_PAGE = 100  # events verified at once: at most 100 MiB, at the default limit of a content
_BATCH, _BATCH_BYTES = 1000, 16 << 20  # limits of the events that are read from an export at once
_HEADER_BYTES = 4096
_TEXTS, _BYTES = ("structure", "content"), ("salt", "content_hash", "digest")
_IDS = ("event_id", "memory_id", "causation_id")
"""Columns that a line holds as text, and as hexadecimal digits of bytes and ids."""


class _Header(msgspec.Struct, frozen=True):
    format: str


class _Line(msgspec.Struct, frozen=True):
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
    """End of a whole export: its size and head; content of `erased` was redacted after the head."""

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


_header = msgspec.json.Decoder(_Header).decode
_line = msgspec.json.Decoder(_Line).decode
_last_line = msgspec.json.Decoder(LastLine).decode


class _VerifiedEvents:
    """Events of a log up to `head`, the last that verifies; `damage` is what follows it, if any."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._behind: CorruptLog | None = None
        try:
            self.last = log.head().position
        except CorruptLog as error:
            # The last row is not a valid event; rows before it may be.
            self.last, self._behind = Position(error.last_good), error
        self.head: Head = EMPTY
        self.damage: CorruptLog | None = None
        self._redacted: dict[EventId, Position] = {}
        self._seen, self._erased = Position(0), set[EventId]()

    def batches(self) -> Iterator[list[Event]]:
        pages = pages_in(self._log, LogRange(EMPTY.position, self.last), _PAGE)
        while self.damage is None and self.head.position < self.last:
            good: list[Event] = []
            try:
                for event in next(pages):
                    check_follows(event, self.head)
                    if event.erased:
                        self._explain(event)
                    self.head = Head(event.position, event.recorded_at, event.digest)
                    good.append(event)
            except CorruptLog as error:
                self.damage = CorruptLog(error.problem, max(self.head.position, error.last_good))
            if good:
                yield good
        self.damage = self.damage or self._behind

    def erased(self) -> tuple[EventId, ...]:
        """Events without content whose redaction comes after the last returned event."""
        by = {one: self._redacted.get(one, self.last + 1) for one in self._erased}
        return tuple(sorted(one for one in by if by[one] > self.head.position))

    def _explain(self, event: Event) -> None:
        """Raise `CorruptLog` if content is gone and no event that can be read redacted it."""
        readable = True
        if event.event_id not in self._redacted:
            try:
                for position, event_id in redacted_ids(self._log, self._seen):
                    self._redacted.setdefault(event_id, position)
                    self._seen = position
            except CorruptLog:
                # The redaction may be in the unreadable part.
                readable = False
        if readable and event.event_id not in self._redacted:
            problem = f"the content of event {event.position} is gone, and no event redacted it"
            raise CorruptLog(problem, self.head.position)
        self._erased.add(event.event_id)


def export_events(
    space: Space, target: Path | str | IO[bytes], progress: Progress | None = None
) -> int:
    """Number of events, up to the present head, that were verified and written as JSON Lines.

    A target file appears under its name only when complete, readable by its owner only. Raises
    `ExportedInPart` if the log is damaged: the export then ends with the last event that verifies,
    and can be imported. Raises `InvalidState` before an event that is too large for any import.
    """
    if isinstance(target, str):
        target = Path(target)
    if isinstance(target, Path):
        files.check_outside("target", target, space.home.path)
    events = _VerifiedEvents(space.home.log)
    if isinstance(target, Path):
        sweep_beside(target)
    with files.written_whole(target) if isinstance(target, Path) else nullcontext(target) as file:
        file.write(msgspec.json.encode(_Header(FORMAT)) + b"\n")
        for batch in events.batches():
            file.writelines(map(_written, batch))
            if progress is not None:
                progress("exporting", events.head.position, events.last)
        head = events.head
        last = LastLine(End(head.position, head.position, head.digest.hex(), events.erased()))
        file.write(msgspec.json.encode(last) + b"\n")
    if events.damage is not None:
        raise ExportedInPart(events.damage.problem, head.position)
    return head.position


def _written(event: Event) -> bytes:
    """Line of an event. Raises `InvalidState` if it is longer than an import reads."""
    columns = msgspec.structs.asdict(event)
    for name in (*_TEXTS, *_BYTES):
        if (value := columns[name]) is not None:
            columns[name] = value.decode() if name in _TEXTS else value.hex()
    line = msgspec.json.encode(columns) + b"\n"
    if len(line) > files.MOST_LINE_BYTES:
        size = (
            f"its line takes {len(line):,} bytes, of {files.MOST_LINE_BYTES:,} that an import reads"
        )
        state, fix = f"too large for an export: {size}", "redact it, or use `backup`"
        raise InvalidState(event.event_id, state, fix, f"the {event.kind!r} event")
    return line


def is_export(path: Path) -> bool:
    """True if a path is a file of events, in this or another version of the format."""
    if path.is_file():
        with files.open_regular(path) as file, suppress(msgspec.DecodeError):
            return decode_json(_header, file.readline(_HEADER_BYTES)).format.startswith(_FORMATS)
    return False


def read_export(file: IO[bytes], name: Path) -> Iterator[Batch | End]:
    """Batches of events of an export, followed by its end.

    Only the form is checked. Raises `ForeignFormat` for a file that is not an export or is
    truncated, `MalformedFile` for a line over the size limit.
    """
    lines = files.bounded_lines(file, name)
    try:
        header = decode_json(_header, next(lines, b""))
    except msgspec.DecodeError:
        other = f"{FORMAT}; for a file of another format leave out `--format events`"
        raise ForeignFormat(str(name), "no export of events", other) from None
    if header.format != FORMAT:
        raise ForeignFormat(str(name), f"{header.format!r:.60}", FORMAT)
    events: list[Event] = []
    seal, size, end = sha256(), 0, None
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


def _parsed(text: bytes, name: Path, number: int) -> Event | End:
    try:
        columns = msgspec.structs.asdict(decode_json(_line, text))
        for field in (*_TEXTS, *_BYTES, *_IDS):
            if (value := columns[field]) is not None:
                read = value.encode() if field in _TEXTS else bytes.fromhex(value)
                columns[field] = read.hex() if field in _IDS else read
        return Event(**columns)
    except (msgspec.DecodeError, ValueError) as error:
        try:
            return decode_json(_last_line, text).end
        except msgspec.DecodeError:
            problem = f"no event ({error})"
            raise ForeignFormat(f"{name}, line {number}", problem, FORMAT) from None

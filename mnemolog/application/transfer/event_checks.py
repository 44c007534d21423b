"""Check of an export before any event is appended: every hash, payload and fold."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path

import apsw
import msgspec

from mnemolog.application.transfer.exports import Batch, End
from mnemolog.ledger import events
from mnemolog.ledger.digests import EMPTY, check_follows
from mnemolog.ledger.errors import CorruptLog, EventIdTaken, InvalidField, MalformedFile
from mnemolog.ledger.events import Event
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Log
from mnemolog.ledger.sqlite.connections import refusal
from mnemolog.ledger.vocabulary import VOCABULARY, Opaque, check_nesting
from mnemolog.policies.memories import checked_actor, checked_run, checked_space
from mnemolog.projections.folding import GARBLED
from mnemolog.projections.sql import Projection

_SAME = ("space", "kind", "version", "memory_id", "structure")  # of two events of one id
_MOST_SETTINGS, _KIND_LIMIT = 100_000, 100
SpaceSettings = dict[tuple[str, str], events.SettingValue]  # by space and name


class ExportCheck:
    """Check of an export, batch by batch; raises at the first event that cannot be imported.

    `extends` is true if the export begins with all events of the log here. `settings` are the
    export's final values; `later` are those changed after the head of the log here. `erase` are
    positions here whose content the export holds as redacted, `memories` those of them that hold a
    memory's text. `lost` are events by space that the export holds without content and redaction.
    """

    def __init__(self, name: Path, log: Log, projections: Sequence[Projection]) -> None:
        self._name, self._log, self._projections = name, log, projections
        self.here = log.head()
        self.head = EMPTY
        self.extends = self.here.position == 0
        self.seals, self.has_imports = list[bytes](), False
        self.settings: SpaceSettings = {}
        self.later: SpaceSettings = {}
        self.erase, self.memories = set[Position](), set[Position]()
        self.lost, self._erased = dict[str, list[EventId]](), set[EventId]()
        self._unexplained: dict[EventId, tuple[Position, str]] = {}
        # A temporary database, on disk if it is large; SQLite deletes it on close.
        self._scratch = apsw.Connection("")
        with ExitStack() as undone, self._refusals():
            undone.callback(self.close)
            self._scratch.pragma("journal_mode", "off")
            self._scratch.execute("CREATE TABLE ids (id BLOB PRIMARY KEY) WITHOUT ROWID")
            for projection in projections:
                self._scratch.execute(projection.schema).fetchall()
            undone.pop_all()

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except (apsw.FullError, apsw.IOError, apsw.CantOpenError) as error:
            refused = refusal(error, _temporary() / "import", self._scratch)
            if refused is None:
                raise
            raise refused from error

    def close(self) -> None:
        """Close and discard the scratch tables."""
        self._scratch.close()

    def add(self, batch: Batch) -> None:
        """Check the next batch. Raises `MalformedFile`, or `EventIdTaken` if an id is taken."""
        try:
            # Check digests first, so that no other field of a forged line is read.
            head = self.head
            for event in batch.events:
                head = check_follows(event, head)
            named = [event_id for event in batch.events for event_id in self._check(event)]
            self._fold(batch.events)
        except CorruptLog as error:
            raise self._malformed(f"behind event {error.last_good}: {error.problem}") from None
        held = [event for event in self._held(named) if event.content is not None]
        self.erase.update(event.position for event in held)
        self.memories.update(event.position for event in held if event.kind == "remembered")
        self._check_known(batch.events)
        self.head = head
        self.seals.append(batch.seal)

    def finish(self, end: End) -> None:
        """Compare the last line with the events read. Raises `MalformedFile` if they differ."""
        last = self.head.position
        if (end.events, end.position, end.digest) != (last, last, self.head.digest.hex()):
            found = f"{end.events:,} events with another head than the {last:,} read"
            raise self._malformed(f"its last line names {found}")
        for event_id in end.erased:
            position, space = self._unexplained.pop(event_id, (Position(0), ""))
            if position > self.here.position:
                self.lost.setdefault(space, []).append(event_id)
        if self._unexplained:
            gone = min(self._unexplained)
            raise self._malformed(f"the content of event {gone} is gone, and no event redacted it")

    def _malformed(self, problem: str) -> MalformedFile:
        return MalformedFile(self._name, None, problem, "export the events anew")

    def _check(self, event: Event) -> Sequence[EventId]:
        """Check one event; return the events without content that it says were redacted."""
        before = max(0, event.position - 1)
        try:
            _check_envelope(event.space, event.actor, event.correlation_id, event.kind)
            decoded = VOCABULARY.decode(event)
            if isinstance(decoded, Opaque):
                check_nesting(decoded.structure)
                check_nesting(decoded.content)
        except (InvalidField, msgspec.DecodeError) as error:
            raise CorruptLog(f"event {event.position}: {error}", before) from None
        if event.kind == "remembered" and event.memory_id != MemoryId(event.event_id):
            raise CorruptLog(f"event {event.position}: a memory has the id of its event", before)
        if event.erased:
            self._erased.add(event.event_id)
            self._unexplained[event.event_id] = event.position, event.space
        if event.position == self.here.position and event.digest == self.here.digest:
            self.extends = True
        structure = decoded.structure
        if isinstance(structure, events.Redacted):
            for event_id in structure.events:
                self._unexplained.pop(event_id, None)
            # Only events that the file holds itself: a bare id must not destroy content.
            return [event_id for event_id in structure.events if event_id in self._erased]
        if isinstance(structure, events.Configured):
            self._configure(event, structure)
        elif isinstance(structure, events.Imported):
            self.has_imports |= event.position > self.here.position
        return ()

    def _configure(self, event: Event, configured: events.Configured) -> None:
        values = {(event.space, name): value for name, value in configured.settings.items()}
        self.settings |= values
        if event.position > self.here.position:
            self.later |= values
        if len(self.settings) > _MOST_SETTINGS:
            raise CorruptLog(f"more than {_MOST_SETTINGS:,} settings", event.position - 1)

    def _fold(self, batch: Sequence[Event]) -> None:
        ids = [(bytes.fromhex(event.event_id),) for event in batch]
        try:
            with self._refusals():
                self._scratch.executemany("INSERT INTO ids VALUES (?)", ids)
                for projection in self._projections:
                    concerned = [event for event in batch if event.kind in projection.kinds]
                    if concerned:
                        projection.apply(self._scratch, concerned)
        except (*GARBLED, apsw.ConstraintError, RecursionError) as error:
            span = f"one of events {batch[0].position} to {batch[-1].position}"
            raise CorruptLog(f"{span} cannot be folded: {error}", self.head.position) from None

    def _held(self, ids: Sequence[EventId]) -> list[Event]:
        return self._log.events_at(list(self._log.positions_of(ids).values()))

    def _check_known(self, batch: Sequence[Event]) -> None:
        ids = [event.event_id for event in batch] if self.here.position else []
        here = {event.event_id: event for event in self._held(ids)}
        for event in batch:
            mine = here.get(event.event_id, event)
            if any(getattr(mine, name) != getattr(event, name) for name in _SAME):
                raise EventIdTaken(event.event_id, mine.position)


def _temporary() -> Path:
    """Directory of SQLite's temporary files, which differs from Python's."""
    named = (os.environ.get(name) for name in ("SQLITE_TMPDIR", "TMPDIR"))
    for place in (*named, "/var/tmp", "/usr/tmp", "/tmp"):  # noqa: S108 - SQLite's own list
        if place and Path(place).is_dir() and os.access(place, os.W_OK | os.X_OK):
            return Path(place)
    return Path()


@lru_cache(maxsize=1024)
def _check_envelope(space: str, actor: str, run: str | None, kind: str) -> None:
    checked_space(space)
    checked_actor(actor)
    if run is not None:
        checked_run(run)
    if not kind or kind != kind.strip() or not kind.isprintable() or len(kind) > _KIND_LIMIT:
        raise InvalidField(
            "kind", f"{kind!r:.60} is not an event kind", "give a short name, past tense"
        )

"""Import of events from an export: checked as a whole, then adopted unchanged or appended anew."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import msgspec

from mnemolog.application.commands.drafts import check_size
from mnemolog.application.home.home import Home
from mnemolog.application.home.settings import checked_names, checked_settings
from mnemolog.application.home.space import Author, WritableSpace
from mnemolog.application.redaction.foreign_files import traces_of
from mnemolog.application.redaction.redact import erase
from mnemolog.application.transfer.adoption_drafts import (
    SpaceSettings,
    by_space,
    redacted_behind,
    taken_out,
)
from mnemolog.application.transfer.event_checks import ExportCheck
from mnemolog.application.transfer.exports import End, read_export
from mnemolog.ledger.digests import as_draft
from mnemolog.ledger.errors import (
    ImportNotConfirmed,
    LogBusy,
    MalformedFile,
    OutcomeUnknown,
    StaleExpectation,
    StorageFailed,
)
from mnemolog.ledger.events import (
    Configured,
    Draft,
    Event,
    Imported,
    MemoryContent,
    Reason,
    Redacted,
)
from mnemolog.ledger.files import FileLock, open_regular
from mnemolog.ledger.ids import EventId, Position, new_event_ids
from mnemolog.ledger.log import Log
from mnemolog.ledger.sqlite.volatile_log import VolatileLog
from mnemolog.ledger.vocabulary import VOCABULARY, encode_payload
from mnemolog.projections.folding import Progress
from mnemolog.projections.settings import all_settings_as_of
from mnemolog.projections.views import all_projections
from mnemolog.results import Value

_LOCK = "import.lock"
_SHOWN = 3
_OF_THAT_HOME = frozenset({"configured", "imported", "maintained", "ticked"})
"""Kinds that say what held, or how far time and upkeep had come, in the home they are from."""
_TAKEN = "asked for by name with an import of events"


class EventsImported(Value, frozen=True):
    """Result of an import of events.

    `events` counts imported events. `skipped` counts events that were already here, had been
    redacted in their home, or apply to that home only. `erased` are positions whose content
    was here and is now destroyed, because the file holds them redacted. `settings_ignored` are
    names of settings that the file changes and that were not requested: they have no effect.
    `left` are the places where destroyed content remains for now, with reasons.
    """

    events: int
    skipped: int
    erased: tuple[Position, ...] = ()
    settings_ignored: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def import_events(
    space: WritableSpace,
    source: Path | IO[bytes],
    progress: Progress | None = None,
    *,
    settings: Sequence[str] = (),
    confirmed: bool = False,
) -> EventsImported:
    """Import events written by `export_events`; all are checked before the first is stored.

    If the log here is empty or a prefix of the file's log, the other events are adopted bit
    for bit, atomically. Otherwise events are appended batch by batch with their own ids:
    events that are already here are skipped, and events redacted in the file are redacted
    here. Repeating an interrupted import gives the same result. Settings in the file take
    effect only if `settings` names them.

    Raises `ForeignFormat`, `MalformedFile` or `EventIdTaken` for an invalid file, before
    anything is appended. Raises `ImportNotConfirmed`, unless `confirmed`, for a file that
    would destroy content of this home.
    """
    home = space.home
    asked = checked_names(settings)
    lock = FileLock(home.path / _LOCK)
    try:
        with lock.held(), _opened(source) as (file, name):
            imported = _Import(home, space.author, file, name, asked, progress).run(
                confirmed=confirmed
            )
    finally:
        lock.close()
    if imported.erased:
        left = erase(home, imported.erased, timeout_s=10.0)
        imported = msgspec.structs.replace(imported, left=left)
    for warning in home.follow():
        home.notify(warning)
    return imported


def check_export(source: Path, settings: Sequence[str]) -> None:
    """Raise the errors that `import_events` would raise for a file in an empty home.

    For callers that would create a home only for this import.
    """
    asked = checked_names(settings)
    with open_regular(source) as file:
        check = _checked(file, source, VolatileLog(), b"", None)
    _wanted(check, asked)


class _Import:
    """Import of one seekable file."""

    def __init__(  # noqa: PLR0913, PLR0917 - what `import_events` was given
        self,
        home: Home,
        author: Author,
        file: IO[bytes],
        name: Path,
        asked: frozenset[str],
        progress: Progress | None,
    ) -> None:
        self._home = home
        self._author = author
        self._file = file
        self._begin = file.tell()
        self._name = name
        self._asked = asked
        self._progress = progress
        self._added = 0

    def run(self, *, confirmed: bool) -> EventsImported:
        """Check the whole file, then import it."""
        while True:
            self._file.seek(self._begin)
            log = self._home.log
            check = _checked(self._file, self._name, log, log.secret, self._progress)
            if check.erase and not confirmed:
                raise self._unconfirmed(check)
            wanted = _wanted(check, self._asked)
            if not check.extends:
                return self._append(check, wanted)
            try:
                return self._adopt(check)
            except StaleExpectation:
                # Another process has appended: the log here may no longer be a prefix of the file.
                continue

    def _unconfirmed(self, check: ExportCheck) -> ImportNotConfirmed:
        shown = sorted(check.memories)[:_SHOWN]
        examples = [
            (event.event_id, content.text)
            for event in self._home.log.events_at(shown)
            if isinstance(content := VOCABULARY.decode(event).content, MemoryContent)
        ]
        return ImportNotConfirmed(self._name, len(check.memories), len(check.erase), examples)

    def _batches(self, check: ExportCheck) -> Iterator[list[Event]]:
        """Batches of events, read again; raises `MalformedFile` if the file has changed."""
        self._file.seek(self._begin)
        seals = iter(check.seals)
        for part in read_export(self._file, self._name):
            seal = next(seals, None)
            if isinstance(part, End):
                if seal is not None or part.position != check.head.position:
                    raise _changed(self._name)
                return
            if part.seal != seal:
                raise _changed(self._name)
            self._tell("importing", part.events[-1].position, check.head.position)
            yield part.events

    # -- as they are -------------------------------------------------------------------

    def _adopt(self, check: ExportCheck) -> EventsImported:
        here = check.here.position
        if check.head.position <= here:
            return EventsImported(0, check.head.position)
        before = self._settings_at(here)
        ignored = {key for key in check.later if key[1] not in self._asked}
        back = {key: before.get(key) for key in ignored}
        if check.has_imports:
            # Imports among those events may have reset settings that are in force here.
            taken = {key: value for key, value in check.later.items() if key not in ignored}
            back = before | taken | back
        behind = [*taken_out(check, back, self._asked), *redacted_behind(check)]
        fresh = (
            event for batch in self._batches(check) for event in batch if event.position > here
        )
        erase = sorted(check.erase)
        traces = traces_of(self._home.log, erase)
        self._home.log.adopt(fresh, onto=check.here, then=behind, erase=erase, traces=traces)
        return EventsImported(check.head.position - here, here, tuple(erase), _names_of(ignored))

    # -- anew --------------------------------------------------------------------------

    def _append(self, check: ExportCheck, wanted: SpaceSettings) -> EventsImported:
        try:
            return self._appended(check, wanted)
        except OutcomeUnknown:
            # The advice of `OutcomeUnknown` takes precedence.
            raise
        except (StorageFailed, LogBusy) as error:
            if self._added == 0:
                raise
            raise stopped(error, f"{self._added:,} events") from error

    def _appended(self, check: ExportCheck, wanted: SpaceSettings) -> EventsImported:
        log = self._home.log
        for batch in self._batches(check):
            known = log.positions_of([event.event_id for event in batch])
            fresh = [e for e in batch if e.event_id not in known and _is_taken(e)]
            if fresh:
                said = Imported(
                    check.head.digest.hex(),
                    check.head.position,
                    positions=tuple(event.position for event in fresh),
                    recorded_at=tuple(event.recorded_at for event in fresh),
                )
                erase = self._redacted_by(fresh, check)
                traces = traces_of(self._home.log, erase)
                log.append([*map(as_draft, fresh), self._said(said)], erase=erase, traces=traces)
                self._added += len(fresh)
        now = self._settings_at(self._home.head())
        differing = {key: value for key, value in wanted.items() if now.get(key) != value}
        if differing:
            log.append(self._configured(differing))
        ignored = {key for key in check.settings if key[1] not in self._asked}
        return EventsImported(
            self._added,
            check.head.position - self._added,
            tuple(sorted(check.erase)),
            _names_of(ignored),
        )

    def _redacted_by(self, events: Sequence[Event], check: ExportCheck) -> list[Position]:
        """Positions of content here that redactions among the events destroy."""
        structures = VOCABULARY.structures(event for event in events if event.kind == "redacted")
        named = [one for each in structures if isinstance(each, Redacted) for one in each.events]
        return sorted(check.erase.intersection(self._home.log.positions_of(named).values()))

    # -- events of this home -----------------------------------------------------------

    def _settings_at(self, position: Position) -> SpaceSettings:
        self._home.head()
        return self._home.views.read(lambda db: all_settings_as_of(db, position))

    def _said(self, imported: Imported) -> Draft:
        return self._draft("imported", encode_payload(imported), None, self._author.space)

    def _configured(self, settings: SpaceSettings) -> list[Draft]:
        """One `configured` draft per space with settings; the first causes the others."""
        reason = encode_payload(Reason(_TAKEN))
        drafts: list[Draft] = []
        for space, values in by_space(settings).items():
            cause = drafts[0].event_id if drafts else None
            structure = encode_payload(Configured(values))
            drafts.append(self._draft("configured", structure, reason, space, cause))
        return drafts

    def _draft(
        self,
        kind: str,
        structure: bytes,
        content: bytes | None,
        space: str,
        cause: EventId | None = None,
    ) -> Draft:
        check_size(kind, structure, content)
        (event_id,) = new_event_ids(1, self._home.clock.now())
        return Draft(
            event_id=EventId(event_id),
            space=space,
            kind=kind,
            actor=self._author.actor,
            structure=structure,
            content=content,
            correlation_id=self._author.run,
            causation_id=cause,
        )

    def _tell(self, doing: str, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(doing, done, total)


def _checked(
    file: IO[bytes], name: Path, log: Log, secret: bytes, progress: Progress | None
) -> ExportCheck:
    """Check of a whole export before its import into a log."""
    check = ExportCheck(name, log, all_projections(secret))
    try:
        for part in read_export(file, name):
            if isinstance(part, End):
                check.finish(part)
                continue
            check.add(part)
            if progress is not None:
                progress("checking", check.head.position, 0)
    finally:
        check.close()
    return check


def _wanted(check: ExportCheck, asked: frozenset[str]) -> SpaceSettings:
    """Settings of a file that were requested. Raises `InvalidField` for an invalid value."""
    wanted = {key: value for key, value in check.settings.items() if key[1] in asked}
    for (_, name), value in wanted.items():
        checked_settings({name: value})
    return wanted


def _is_taken(event: Event) -> bool:
    """True if an event of another home is appended to this one."""
    if event.kind in _OF_THAT_HOME:
        return False
    kind = VOCABULARY.kinds.get(event.kind)
    # An event that lost only its reason is still valid.
    return not event.erased or (kind is not None and kind.content is Reason)


def _names_of(settings: set[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(sorted({name for _, name in settings}))


def _changed(name: Path) -> MalformedFile:
    fix = "import it again when nothing writes to it"
    return MalformedFile(name, None, "was changed while it was read", fix)


@contextmanager
def _opened(source: Path | IO[bytes]) -> Iterator[tuple[IO[bytes], Path]]:
    """Source as a seekable file, copied if necessary, and its name."""
    with ExitStack() as stack:
        if isinstance(source, Path):
            yield stack.enter_context(open_regular(source)), source
            return
        name = Path(str(getattr(source, "name", "the export")))
        if source.seekable():
            yield source, name
            return
        copy = stack.enter_context(tempfile.TemporaryFile())
        shutil.copyfileobj(source, copy)
        copy.seek(0)
        yield copy, name


def stopped(error: StorageFailed | LogBusy, stored: str) -> StorageFailed:
    """Error for an import that the system stopped after a part was stored."""
    cause = "others keep it locked" if isinstance(error, LogBusy) else error.problem
    return StorageFailed(
        error.path,
        f"{cause}; {stored} are stored",
        "remove the cause and import it again: it goes on from there",
    )

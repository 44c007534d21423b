"""Import of events from an export: checked as a whole, then adopted unchanged or appended anew."""

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import IO

import msgspec

from mnemolog.application.commands.receipts import draft
from mnemolog.application.home.home import Home
from mnemolog.application.home.settings import checked_names, checked_settings
from mnemolog.application.home.space import Author, WritableSpace
from mnemolog.application.redaction.redact import erase, traces_of
from mnemolog.application.transfer.event_checks import ExportCheck, SpaceSettings
from mnemolog.application.transfer.exports import End, read_export
from mnemolog.ledger import errors, events
from mnemolog.ledger.digests import Head, as_draft
from mnemolog.ledger.events import Draft, Event, MemoryContent
from mnemolog.ledger.files import FileLock, open_regular
from mnemolog.ledger.ids import EventId, Position, event_id_from_source, new_event_ids
from mnemolog.ledger.log import Log
from mnemolog.ledger.sqlite.sqlite_log import VolatileLog
from mnemolog.ledger.vocabulary import VOCABULARY, encode_payload
from mnemolog.policies.supersession import Decision
from mnemolog.projections.folding import Progress
from mnemolog.projections.spaces import all_settings_as_of
from mnemolog.projections.views import all_projections
from mnemolog.results import Value

_LOCK, _SHOWN = "import.lock", 3
_OF_THAT_HOME = frozenset({"configured", "imported", "maintained", "ticked"})  # not of this one
_IMPORTER = "system:import"  # actor of the events behind adopted ones, which the file implies
_TAKEN = events.Reason("asked for by name with an import of events")


class EventsImported(Value, frozen=True):
    """Result of an import of events.

    `events` counts imported events, `skipped` those that were already here, had been redacted in
    their home, or apply to that home only. `erased` are positions whose content the file holds
    redacted, destroyed here now; `left` are places where it remains for now. `settings_ignored` are
    names of settings that the file changes and that were not requested.
    """

    events: int
    skipped: int
    erased: tuple[Position, ...] = ()
    settings_ignored: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def import_events(
    space: WritableSpace,
    source: Path | str | IO[bytes],
    progress: Progress | None = None,
    *,
    settings: Sequence[str] = (),
    confirmed: bool = False,
) -> EventsImported:
    """Import events written by `export_events`; all are checked before the first is stored.

    If the log here is empty or a prefix of the file's log, the other events are adopted bit for
    bit, atomically. Otherwise events are appended batch by batch with their own ids: those already
    here are skipped, and those redacted in the file are redacted here. Repeating an interrupted
    import gives the same result. Only the named `settings` of the file take effect.

    Raises `ForeignFormat`, `MalformedFile` or `EventIdTaken` for an invalid file, before anything
    is appended, and `ImportNotConfirmed`, unless `confirmed`, if content here would be destroyed.
    """
    home, asked = space.home, checked_names(settings)
    with closing(FileLock(home.path / _LOCK)) as lock, lock.held(), _opened(source) as (file, name):
        importing = _Import(home, space.author, file, name, asked, progress, file.tell())
        imported = importing.run(confirmed=confirmed)
    if imported.erased:
        left = erase(home, imported.erased, timeout_s=10.0)
        imported = msgspec.structs.replace(imported, left=left)
    for warning in home.follow():
        home.notify(warning)
    return imported


def check_export(source: Path, settings: Sequence[str]) -> None:
    """Raise the errors that `import_events` would raise for a file in an empty home."""
    asked = checked_names(settings)
    with open_regular(source) as file:
        check = _checked(file, source, VolatileLog(), b"", None)
    _wanted(check, asked)


class _Import(msgspec.Struct):
    """Import of one seekable file, which begins at `begin`; `added` counts appended events."""

    home: Home
    author: Author
    file: IO[bytes]
    name: Path
    asked: frozenset[str]
    progress: Progress | None
    begin: int
    added: int = 0

    def run(self, *, confirmed: bool) -> EventsImported:
        while True:
            self.file.seek(self.begin)
            log = self.home.log
            check = _checked(self.file, self.name, log, log.secret, self.progress)
            if check.erase and not confirmed:
                counts = len(check.memories), len(check.erase)
                examples = [
                    (event.event_id, content.text)
                    for event in log.events_at(sorted(check.memories)[:_SHOWN])
                    if isinstance(content := VOCABULARY.decode(event).content, MemoryContent)
                ]
                raise errors.ImportNotConfirmed(self.name, *counts, examples)
            wanted = _wanted(check, self.asked)
            try:
                return self._adopted(check) if check.extends else self._appended(check, wanted)
            except errors.StaleExpectation:
                # Another process has appended: the log here may no longer be a prefix of the file.
                if not check.extends:
                    raise
            except errors.OutcomeUnknown:
                # Its own advice takes precedence.
                raise
            except (errors.StorageFailed, errors.LogBusy) as error:
                if self.added == 0:
                    raise
                raise stopped(error, f"{self.added:,} events") from error

    def _batches(self, check: ExportCheck) -> Iterator[list[Event]]:
        """Batches of events, read again; raises `MalformedFile` if the file has changed."""
        self.file.seek(self.begin)
        seals, end = iter(check.seals), check.head.position
        for part in read_export(self.file, self.name):
            seal = next(seals, None)
            is_whole = isinstance(part, End) and seal is None and part.position == end
            if not is_whole and (isinstance(part, End) or part.seal != seal):
                fix = "import it again when nothing writes to it"
                raise errors.MalformedFile(self.name, None, "was changed while it was read", fix)
            if isinstance(part, End):
                return
            if self.progress is not None:
                self.progress("importing", part.events[-1].position, end)
            yield part.events

    def _adopted(self, check: ExportCheck) -> EventsImported:
        here = check.here.position
        if check.head.position <= here:
            return EventsImported(0, check.head.position)
        before = self._settings_at(here)
        ignored = {key for key in check.later if key[1] not in self.asked}
        back = {key: before.get(key) for key in ignored}
        if check.has_imports:
            # Imports among those events may have reset settings that are in force here.
            back = before | check.later | back
        behind = [*_behind(check, back, self.asked)]
        fresh = (one for batch in self._batches(check) for one in batch if one.position > here)
        erase = sorted(check.erase)
        traces = traces_of(self.home.log, erase)
        self.home.log.adopt(fresh, onto=check.here, then=behind, erase=erase, traces=traces)
        names = tuple(sorted({name for _, name in ignored}))
        return EventsImported(check.head.position - here, here, tuple(erase), names)

    def _appended(self, check: ExportCheck, wanted: SpaceSettings) -> EventsImported:
        log, head = self.home.log, check.head
        for batch in self._batches(check):
            known = log.positions_of([event.event_id for event in batch])
            fresh = [e for e in batch if e.event_id not in known and _is_taken(e)]
            if fresh:
                said = events.Imported(
                    head.digest.hex(),
                    head.position,
                    positions=tuple(event.position for event in fresh),
                    recorded_at=tuple(event.recorded_at for event in fresh),
                )
                redactions = VOCABULARY.structures(one for one in fresh if one.kind == "redacted")
                named = chain.from_iterable(
                    one.events for one in redactions if isinstance(one, events.Redacted)
                )
                erase = sorted(check.erase.intersection(log.positions_of([*named]).values()))
                own = self._draft(Decision(said, None), self.author.space)
                traces = traces_of(log, erase)
                log.append([*map(as_draft, fresh), own], erase=erase, traces=traces)
                self.added += len(fresh)
        now = self._settings_at(self.home.head())
        differing = {key: value for key, value in wanted.items() if now.get(key) != value}
        configured: list[Draft] = []
        for space, values in _by_space(differing).items():
            cause = configured[0].event_id if configured else None
            decision = Decision(events.Configured(values), None, _TAKEN)
            configured.append(self._draft(decision, space, cause))
        if configured:
            log.append(configured)
        ignored = tuple(sorted({name for _, name in check.settings} - self.asked))
        skipped = head.position - self.added
        return EventsImported(self.added, skipped, tuple(sorted(check.erase)), ignored)

    def _settings_at(self, position: Position) -> SpaceSettings:
        self.home.head()
        return self.home.views.read(lambda db: all_settings_as_of(db, position))

    def _draft(self, decision: Decision, space: str, cause: EventId | None = None) -> Draft:
        (own_id,) = new_event_ids(1, self.home.clock.now())
        return draft(decision, msgspec.structs.replace(self.author, space=space), own_id, cause)


def _checked(
    file: IO[bytes], name: Path, log: Log, secret: bytes, progress: Progress | None
) -> ExportCheck:
    with closing(ExportCheck(name, log, all_projections(secret))) as check:
        for part in read_export(file, name):
            if isinstance(part, End):
                check.finish(part)
                continue
            check.add(part)
            if progress is not None:
                progress("checking", check.head.position, 0)
    return check


def _wanted(check: ExportCheck, asked: frozenset[str]) -> SpaceSettings:
    wanted = {key: value for key, value in check.settings.items() if key[1] in asked}
    for (_, name), value in wanted.items():
        checked_settings({name: value})
    return wanted


def _is_taken(event: Event) -> bool:
    if event.kind in _OF_THAT_HOME:
        return False
    kind = VOCABULARY.kinds.get(event.kind)
    # An event that lost only its reason is still valid.
    return not event.erased or (kind is not None and kind.content is events.Reason)


@contextmanager
def _opened(source: Path | str | IO[bytes]) -> Iterator[tuple[IO[bytes], Path]]:
    if isinstance(source, str | Path):
        with open_regular(path := Path(source)) as file:
            yield file, path
        return
    name = Path(str(getattr(source, "name", "the export")))
    if source.seekable():
        yield source, name
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(source, copy)
        copy.seek(0)
        yield copy, name


def stopped(error: errors.StorageFailed | errors.LogBusy, stored: str) -> errors.StorageFailed:
    """Error for an import that the system stopped after a part was stored."""
    cause = "others keep it locked" if isinstance(error, errors.LogBusy) else error.problem
    fix = "remove the cause and import it again: it goes on from there"
    return errors.StorageFailed(error.path, f"{cause}; {stored} are stored", fix)


def _behind(check: ExportCheck, back: SpaceSettings, asked: frozenset[str]) -> Iterator[Draft]:
    """Drafts of events behind adopted ones: resets of settings, and redactions that are missing."""
    head, spaces = check.head, _by_space(back)
    if spaces:
        lasting = head.position, check.here.position, head.position, tuple(sorted(asked))
        first = _derived(head, events.Imported(head.digest.hex(), *lasting), next(iter(spaces)))
        yield first
        for space, values in spaces.items():
            yield _derived(head, events.Configured(values), space, first.event_id)
    for space, gone in sorted(check.lost.items()):
        yield _derived(head, events.Redacted(tuple(gone)), space)


def _by_space(settings: SpaceSettings) -> dict[str, dict[str, events.SettingValue]]:
    spaces: dict[str, dict[str, events.SettingValue]] = defaultdict(dict)
    for space, name in sorted(settings):
        spaces[space][name] = settings[space, name]
    return spaces


def _derived(head: Head, said: events.Payload, space: str, cause: EventId | None = None) -> Draft:
    """Draft of an event after adopted ones, without random parts: the same in every import."""
    kind, structure = type(said).__name__.lower(), encode_payload(said).decode()
    key = msgspec.json.encode((head.digest.hex(), kind, space, structure)).decode()
    own_id = event_id_from_source(key, head.recorded_at)
    return draft(Decision(said, None), Author(space, _IMPORTER, None), own_id, cause)

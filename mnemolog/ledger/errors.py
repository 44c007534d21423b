"""Errors that mnemolog raises on purpose, with facts as attributes: long, for it lists them all."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemolog.ledger.tiers import Tier

_RESTORE = "restore a backup, or export what is readable"
_SHOWN = 5
_SESSION_SHOWN = 8  # Digits of an id in messages: the whole of it opens the session.


class LedgerError(Exception):
    """Root of all errors raised by mnemolog."""


class InvalidField(LedgerError, ValueError):
    """A given value cannot be used: which field, what is wrong, what would be right."""

    def __init__(self, field: str, problem: str, fix: str) -> None:
        super().__init__(f"{field}: {problem}; {fix}")
        self.field, self.problem, self.fix = field, problem, fix


class EmptyContent(InvalidField):
    """A memory or a correction was given without any text."""

    def __init__(self, field: str = "content", fix: str = "give the text to remember") -> None:
        super().__init__(field, "is empty", fix)


class ContentTooLarge(InvalidField):
    """The content is over the limit in force."""

    def __init__(self, size_bytes: int, limit_bytes: int) -> None:
        problem = f"takes {size_bytes:,} bytes of {limit_bytes:,} allowed"
        super().__init__("content", problem, "split it, or raise the setting content_limit_bytes")
        self.size_bytes, self.limit_bytes = size_bytes, limit_bytes


class InvalidTime(InvalidField):
    """A time is not ISO 8601, has no zone, or lies outside what can be stored."""


class InvalidNumber(InvalidField):
    """A number is not finite or outside its range."""


class MalformedFile(InvalidField):
    """A file cannot be taken as it is: which one, which line (from 1), and what would be right."""

    def __init__(self, file: Path, line: int | None, problem: str, fix: str) -> None:
        super().__init__(str(file) if line is None else f"{file}, line {line}", problem, fix)
        self.file, self.line = file, line


class NothingRead(InvalidField):
    """Nothing at all of what was to be imported could be read: what is wrong, where."""

    def __init__(self, source: Path, problems: Sequence[str], fix: str) -> None:
        more = " (the first of several problems)" if len(problems) > 1 else ""
        super().__init__(str(source), f"nothing in it could be read: {problems[0]}{more}", fix)
        self.source, self.problems = source, tuple(problems)


class MalformedSet(MalformedFile):
    """A labelled set cannot be read."""


class MalformedConfig(MalformedFile):
    """A program's settings cannot be changed by an entry."""


class NotShown(InvalidField):
    """A recall session was told of a memory that it has not shown."""

    def __init__(self, field: str, reference: str) -> None:
        problem = f"{reference!r} was not shown in this session"
        super().__init__(field, problem, "name memories that it showed")
        self.reference = reference


class CatchUpNotConfirmed(LedgerError, ValueError):
    """A tick would let so much fall, or after so long a time, that it has to be confirmed."""

    def __init__(
        self,
        space: str,
        falls: Mapping[Tier, int],  # Memories by the tier in which they would end.
        examples: Sequence[tuple[str, str, str | None]],  # Some: their id, that tier, and text.
        step_days: float | None,  # For so long nothing was recorded, if that is implausible.
        doubt: str | None,  # Why the clock may be wrong, then.
    ) -> None:
        counts = ", ".join(f"{count:,} to {tier}" for tier, count in falls.items())
        total = sum(falls.values())
        memories = "1 memory" if total == 1 else f"{total:,} memories"
        why = "" if doubt is None else f"{doubt}: the clock may be wrong; "
        super().__init__(
            f"the tick of space {space!r} has to be confirmed: {why}{memories} would fall "
            f"({counts}); no memory fell; confirm it with `--yes`, or with `tick(confirmed=True)`"
        )
        self.space, self.falls, self.examples = space, dict(falls), tuple(examples)
        self.step_days, self.doubt = step_days, doubt


class ImportNotConfirmed(LedgerError, ValueError):
    """A file redacts `memories` of this home and, notes and reasons included, `contents` in all."""

    def __init__(
        self, file: Path, memories: int, contents: int, examples: Sequence[tuple[str, str]]
    ) -> None:
        super().__init__(
            f"the import of {file} has to be confirmed, for it redacts what this home holds: "
            f"memories that would lose their text: {memories:,}, contents in all: {contents:,}; "
            "nothing was imported; confirm it with `--yes`, or with `import_events(confirmed=True)`"
        )
        self.file, self.memories, self.contents = file, memories, contents
        self.examples = tuple(examples)


class UnconfirmedUndo(LedgerError, ValueError):
    """The last command was to be undone, and there are reasons to look at it first."""

    def __init__(  # noqa: PLR0913 - the facts of the command, all of them needed to decide
        self,
        *,
        position: int,
        kind: str,
        content: str | None,
        recorded_at: datetime,
        actor: str,
        events: int,
        reasons: Sequence[str],
    ) -> None:
        super().__init__(
            f"the last command, {kind!r} at position {position} "
            f"({recorded_at:%Y-%m-%d %H:%M:%SZ}, {actor}), is not undone without confirmation: "
            f"{', and '.join(reasons)}; name it to confirm, as '@{position}'"
        )
        self.position, self.kind, self.content = position, kind, content
        self.recorded_at, self.actor, self.events = recorded_at, actor, events
        self.reasons = tuple(reasons)


class UnknownMemory(LedgerError, LookupError):
    """No memory of this space has that id."""

    def __init__(self, reference: str, space: str) -> None:
        super().__init__(f"no memory {reference!r} in space {space!r}; `list` shows the ids")
        self.reference, self.space = reference, space


class UnknownEvent(LedgerError, LookupError):
    """No event has that id or position."""

    def __init__(self, reference: str) -> None:
        super().__init__(f"no event {reference!r} in this log; `log` shows the events")
        self.reference = reference


class UnknownConflict(LedgerError, LookupError):
    """No open conflict has the id."""

    def __init__(self, reference: str, space: str) -> None:
        fix = "`mnemolog conflicts` lists those that are open"
        super().__init__(f"no open conflict is named by {reference!r} in space {space!r}; {fix}")
        self.reference, self.space = reference, space


class UnknownEdge(LedgerError, LookupError):
    """No edge is there that could be ended."""

    def __init__(self, reference: str) -> None:
        super().__init__(f"no edge {reference} is there; `links` shows what is linked")
        self.reference = reference


class UnknownSession(LedgerError, LookupError):
    """No recall session of this space has that id."""

    def __init__(self, session_id: str, space: str) -> None:
        named = f"no recall session {session_id[:_SESSION_SHOWN]}… in space {space!r}"
        super().__init__(f"{named}: it was begun elsewhere, or is long over; start another one")
        self.space = space


class SessionOver(LedgerError, ValueError):
    """A recall session takes no votes any more: why, and what to do."""

    def __init__(self, session_id: str, problem: str, fix: str) -> None:
        super().__init__(f"recall session {session_id[:_SESSION_SHOWN]}… {problem}; {fix}")
        self.problem, self.fix = problem, fix


class UnknownPosition(LedgerError, LookupError):
    """A moment was asked for that the log does not hold."""

    def __init__(self, position: int, head: int) -> None:
        super().__init__(f"position {position} is outside the log; give one from 0 to {head}")
        self.position, self.head = position, head


class AmbiguousId(LedgerError, LookupError):
    """A prefix fits more than one id."""

    def __init__(self, prefix: str, matches: Sequence[str]) -> None:
        shown = ", ".join([*matches[:_SHOWN], "…"] if len(matches) > _SHOWN else matches)
        super().__init__(f"id {prefix!r} fits {shown}; give more characters")
        self.prefix, self.matches = prefix, tuple(matches)


class SupersessionCycle(LedgerError, ValueError):
    """A memory would, through others or at once, supersede itself."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__(f"{new} cannot supersede {old}: {old} already (or also) supersedes {new}")
        self.old, self.new = old, new


class ImmutableMemory(LedgerError, PermissionError):
    """An immutable memory was to be changed without an explicit override."""

    def __init__(self, memory_id: str, command: str) -> None:
        fix = f"{command} it with override=True (--override) if you must"
        super().__init__(f"memory {memory_id} is immutable; {fix}: the ledger records that you did")
        self.memory_id, self.command = memory_id, command


class RedactionNotAllowed(LedgerError, PermissionError):
    """An agent was to destroy what a space does not let agents destroy."""

    def __init__(self, space: str) -> None:
        super().__init__(
            f"agents may not redact in space {space!r}; tell the user, who can allow it with "
            f"`mnemolog config agents_may_redact true --space {space}`, or redact it themselves"
        )
        self.space = space


class InvalidState(LedgerError, ValueError):
    """A command does not apply to a memory, or another `subject`, as it stands."""

    def __init__(self, memory_id: str, state: str, fix: str, subject: str = "memory") -> None:
        super().__init__(f"{subject} {memory_id} is {state}; {fix}")
        self.memory_id, self.state, self.fix = memory_id, state, fix


class CannotUndo(LedgerError, ValueError):
    """A command, at `position` if there is one, cannot be undone: why, and what depends on it."""

    def __init__(self, position: int | None, reason: str, dependents: Sequence[int] = ()) -> None:
        named = f" (positions {', '.join(map(str, dependents))})" if dependents else ""
        which = "" if position is None else f"the command at position {position} cannot be undone: "
        super().__init__(f"{which}{reason}{named}")
        self.position, self.reason, self.dependents = position, reason, tuple(dependents)


class EdgeExists(LedgerError, ValueError):
    """The same edge is there already."""

    def __init__(self, edge_id: str) -> None:
        fix = "`unlink` it first to say it otherwise"
        super().__init__(f"edge {edge_id} says the same already; {fix}")
        self.edge_id = edge_id


class StaleExpectation(LedgerError):
    """The log moved on after the state that an append was decided on."""

    def __init__(self, subject: str, expected: int, actual: int) -> None:
        stale = f"{subject} is at position {actual}, not {expected}"
        super().__init__(f"{stale}; read it again and decide again")
        self.subject, self.expected, self.actual = subject, expected, actual


class EventIdTaken(LedgerError, ValueError):
    """An event id is in the log already, with another payload."""

    def __init__(self, event_id: str, position: int) -> None:
        taken = f"event id {event_id} stands at position {position} with other content"
        super().__init__(f"{taken}; retry with the same bytes or use a new id")
        self.event_id, self.position = event_id, position


class EntryTaken(LedgerError, ValueError):
    """A program's file has an entry of the name already, which says something else."""

    def __init__(self, file: Path, name: str, entry: str) -> None:
        fix = "replace it with `--replace`, or give another `--name`"
        super().__init__(f"{file} has another entry {name!r}: {entry}; {fix}")
        self.file, self.name, self.entry = file, name, entry


class ConfigChanged(LedgerError):
    """A program changed its file after it was read; nothing was written."""

    def __init__(self, file: Path) -> None:
        fix = "close the program that it belongs to and try again"
        super().__init__(f"{file} was changed meanwhile; {fix}")
        self.file = file


class LogBusy(LedgerError, TimeoutError):
    """Another process held the log for longer than the limit."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        super().__init__(f"{path} stayed locked for {timeout_s:g} s; try again")
        self.path, self.timeout_s = path, timeout_s


class StorageFailed(LedgerError, OSError):
    """A file or its disk refused, which is no damage: the path, what was said, what would help."""

    def __init__(
        self, path: Path, problem: str, fix: str = "remove the cause and try again"
    ) -> None:
        super().__init__(f"{path}: {problem}; {fix}")
        self.path, self.problem, self.fix = path, problem, fix

    @classmethod
    def from_os(cls, error: OSError, path: Path) -> StorageFailed:
        """The same error, with the file that the system names, or else `path`."""
        if isinstance(error, StorageFailed):
            return error
        # Of two files, such as those of a copy, the second is the one that is written.
        name = error.filename if error.filename2 is None else error.filename2
        named = path if name is None else type(path)(os.fsdecode(name))
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            return DiskFull(named)
        if error.errno == errno.EPERM and error.filename2 is not None:
            # Of a link or a rename, it may be either that may not be touched.
            first = type(path)(os.fsdecode(error.filename))
            return cls(first, f"{error.strerror}, on the way to {named}")
        return cls(named, error.strerror or str(error) or type(error).__name__)


class DiskFull(StorageFailed):
    """There is no space left for a write."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "no space is left on the disk", "make room and try again")


class OutcomeUnknown(StorageFailed):
    """An append whose outcome cannot be known until the disk works again."""

    def __init__(self, path: Path, problem: str) -> None:
        unknown = f"{problem}: what was to be written may be in the log all the same"
        fix = "once the disk works again look with `log`, or retry under the same id"
        super().__init__(path, unknown, fix)


class CorruptLog(LedgerError):
    """The log's bytes are not what was appended; everything up to `last_good` is readable."""

    def __init__(
        self, problem: str, last_good: int, *, subject: str = "the log", advice: str = _RESTORE
    ) -> None:
        super().__init__(f"{subject} is damaged after position {last_good}: {problem}; {advice}")
        self.problem, self.last_good = problem, last_good


class ExportedInPart(CorruptLog):
    """The log is damaged: an export holds its events up to `last_good`, and no later ones."""

    def __init__(self, problem: str, last_good: int) -> None:
        advice = (
            f"the export holds the events up to position {last_good}, complete in themselves, and "
            "none behind it; restore a backup, or import the export into an empty home"
        )
        super().__init__(problem, last_good, advice=advice)


class CorruptBackup(CorruptLog):
    """A backup's bytes are not what was written; the home that it was for is unchanged."""

    def __init__(self, source: Path, problem: str, last_good: int) -> None:
        advice = "nothing was changed; restore another backup"
        super().__init__(problem, last_good, subject=f"the backup {source}", advice=advice)
        self.source = source


class LogShortened(LedgerError):
    """The log does not hold a position as it once did: events were lost, or other ones written."""

    def __init__(self, known: int, head: int) -> None:
        why = f"the log ends at position {head}, but had reached position {known}: events were lost"
        if head >= known:
            differs = f"position {known} of the log holds another event than it once did"
            why = f"{differs}: events were lost or changed"
        super().__init__(f"{why}; restore a backup, or accept with `doctor --accept-loss`")
        self.known, self.head = known, head


class LogReplaced(LedgerError):
    """Another home's log stands in the place of the one that this home's files were made from."""

    def __init__(self, known: int, head: int) -> None:
        differs = f"position {known} holds another event"
        if head < known:
            differs = f"it ends at position {head}, where the other had reached position {known}"
        super().__init__(
            f"this home's log was replaced by another one: {differs}; put the log back, restore a "
            "backup, or accept the other one with `doctor --accept-loss`"
        )
        self.known, self.head = known, head


class MissingLog(LedgerError, FileNotFoundError):
    """A home holds `left`, files that belong to a log, but no ledger.db."""

    def __init__(self, path: Path, left: str = "files derived from it are") -> None:
        why = "for its last events may be in its write-ahead log, or restore a backup"
        super().__init__(f"{path} is gone, but {left} there; put it back beside them, {why}")
        self.path, self.left = path, left


class MissingHome(LedgerError, FileNotFoundError):
    """A home that was only to be read is not there; nothing was created."""

    def __init__(self, path: Path) -> None:
        fix = "check --home and $MNEMOLOG_HOME, or create one with `mnemolog remember`"
        super().__init__(f"there is no memory at {path}, and none was created; {fix}")
        self.path = path


class HomeNotEmpty(LedgerError, FileExistsError):
    """A lossless import or a restore was aimed at a home that already holds events."""

    def __init__(self, path: Path, events: int) -> None:
        super().__init__(f"{path} holds {events:,} events; name an empty home")
        self.path, self.events = path, events


class ForeignFormat(LedgerError):
    """A file was not written by mnemolog, or by a version that this one does not know."""

    def __init__(self, path: str, found: str, supported: str) -> None:
        super().__init__(f"{path} is {found}; this version reads {supported}")
        self.path, self.found, self.supported = path, found, supported


class CheckpointMismatch(LedgerError):
    """Today's log does not extend an exported checkpoint."""

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(f"the checkpoint at position {position} does not fit the log: {problem}")
        self.position, self.problem = position, problem


class ClosedHandle(LedgerError, ValueError):
    """A handle was used after it was closed."""

    def __init__(self, what: str) -> None:
        super().__init__(f"this {what} is closed; open it again")


class EmbedderUnavailable(LedgerError):
    """The embedding model cannot be used as it is installed."""


class SummarizerFailed(LedgerError):
    """A memory was to fall to its summary, and the summarizer gave none."""

    def __init__(self, memory_id: str, summarizer: str, problem: str) -> None:
        failed = f"memory {memory_id} has no summary: {summarizer} failed: {problem}"
        super().__init__(f"{failed}; it stays as it is until the summarizer works")
        self.memory_id, self.summarizer, self.problem = memory_id, summarizer, problem


class ModelFailed(LedgerError, OSError):
    """A model that a setting names gave no answer that can be used."""

    def __init__(self, model: str, problem: str, fix: str) -> None:
        super().__init__(f"{model} {problem}; {fix}")
        self.model, self.problem, self.fix = model, problem, fix


class ArtifactsUnavailable(LedgerError, OSError):
    """A source of artifacts could not be asked: which, what happened, what would help."""

    def __init__(self, source: str, problem: str, fix: str) -> None:
        super().__init__(f"{source} {problem}; {fix}")
        self.source, self.problem, self.fix = source, problem, fix


class ArtifactsDenied(ArtifactsUnavailable):
    """A source of artifacts does not let us read it."""

    def __init__(self, source: str, token_variable: str) -> None:
        super().__init__(
            source, "refused access", f"put a token that may read it into {token_variable}"
        )
        self.token_variable = token_variable


class ArtifactsRateLimited(ArtifactsUnavailable):
    """A source of artifacts takes no more requests until a time, if it said which."""

    def __init__(self, source: str, until: datetime | None) -> None:
        when = "later" if until is None else f"after {until:%Y-%m-%d %H:%M:%SZ}"
        super().__init__(source, "takes no more requests for now", f"try again {when}")
        self.until = until


class UnsafeLibrary(LedgerError, ImportError):
    """A library is too old to be trusted with a live log."""

    def __init__(self, name: str, found: str, needed: str) -> None:
        super().__init__(f"{name} {found} is too old; install {needed} or newer")
        self.name, self.found, self.needed = name, found, needed

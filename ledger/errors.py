"""Every error mnemolog raises on purpose, one class a cause, under one root.

Each carries its facts as attributes, so that a command line or a server can
map classes to exit codes and messages without parsing text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path


_SHOWN = 5
_SESSION_SHOWN = 8
"""Digits of a session's id that may stand in messages: the whole of it opens the session."""


class LedgerError(Exception):
    """Root of all errors raised by mnemolog."""


class InvalidField(LedgerError, ValueError):
    """A given value cannot be used: which field, what is wrong, what would be right."""

    def __init__(self, field: str, problem: str, fix: str) -> None:
        super().__init__(f"{field}: {problem}; {fix}")
        self.field = field
        self.problem = problem
        self.fix = fix


class EmptyContent(InvalidField):
    """A memory was given without any text."""

    def __init__(self, field: str = "content") -> None:
        super().__init__(field, "is empty", "give the text to remember")


class ContentTooLarge(InvalidField):
    """The content is over the limit in force."""

    def __init__(self, size_bytes: int, limit_bytes: int) -> None:
        super().__init__(
            "content",
            f"takes {size_bytes:,} bytes of {limit_bytes:,} allowed",
            "split it, or raise the setting content_limit_bytes",
        )
        self.size_bytes = size_bytes
        self.limit_bytes = limit_bytes


class InvalidTime(InvalidField):
    """A time is not ISO 8601, has no zone, or lies outside what can be stored."""


class InvalidNumber(InvalidField):
    """A number is not finite or outside its range."""


class MalformedFile(InvalidField):
    """A file cannot be taken as it is: which one, which line (from 1), and what would be right."""

    def __init__(self, file: Path, line: int | None, problem: str, fix: str) -> None:
        where = str(file) if line is None else f"{file}, line {line}"
        super().__init__(where, problem, fix)
        self.file = file
        self.line = line


class MalformedSet(MalformedFile):
    """A labelled set cannot be read."""


class MalformedConfig(MalformedFile):
    """A program's settings cannot be changed by an entry."""


class UnknownMemory(LedgerError, LookupError):
    """No memory of this space has that id."""

    def __init__(self, reference: str, space: str) -> None:
        super().__init__(f"no memory {reference!r} in space {space!r}; `list` shows the ids")
        self.reference = reference
        self.space = space


class UnknownEvent(LedgerError, LookupError):
    """No event has that id or position."""

    def __init__(self, reference: str) -> None:
        super().__init__(f"no event {reference!r} in this log; `log` shows the events")
        self.reference = reference


class UnknownConflict(LedgerError, LookupError):
    """No open conflict has the id."""

    def __init__(self, reference: str, space: str) -> None:
        super().__init__(
            f"no open conflict is named by {reference!r} in space {space!r}; "
            "`mnemolog conflicts` lists those that are open"
        )
        self.reference = reference
        self.space = space


class UnknownEdge(LedgerError, LookupError):
    """No edge is there that could be ended."""

    def __init__(self, reference: str) -> None:
        super().__init__(f"no edge {reference} is there; `links` shows what is linked")
        self.reference = reference


class UnknownSession(LedgerError, LookupError):
    """No recall session of this space has that id."""

    def __init__(self, session_id: str, space: str) -> None:
        super().__init__(
            f"no recall session {session_id[:_SESSION_SHOWN]}… in space {space!r}: it was begun "
            "elsewhere, or is long over; start another one"
        )
        self.space = space


class SessionOver(LedgerError, ValueError):
    """A recall session takes no votes any more: why, and what to do."""

    def __init__(self, session_id: str, problem: str, fix: str) -> None:
        super().__init__(f"recall session {session_id[:_SESSION_SHOWN]}… {problem}; {fix}")
        self.problem = problem
        self.fix = fix


class NotShown(InvalidField):
    """A recall session was told of a memory that it has not shown."""

    def __init__(self, field: str, reference: str) -> None:
        super().__init__(
            field, f"{reference!r} was not shown in this session", "name memories that it showed"
        )
        self.reference = reference


class UnknownPosition(LedgerError, LookupError):
    """A moment was asked for that the log does not hold."""

    def __init__(self, position: int, head: int) -> None:
        super().__init__(f"position {position} is outside the log; give one from 0 to {head}")
        self.position = position
        self.head = head


class AmbiguousId(LedgerError, LookupError):
    """A prefix fits more than one id."""

    def __init__(self, prefix: str, matches: Sequence[str]) -> None:
        shown = ", ".join(matches[:_SHOWN]) + (", …" if len(matches) > _SHOWN else "")
        super().__init__(f"id {prefix!r} fits {shown}; give more characters")
        self.prefix = prefix
        self.matches = tuple(matches)


class SupersessionCycle(LedgerError, ValueError):
    """A memory would, through others or at once, supersede itself."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__(f"{new} cannot supersede {old}: {old} already (or also) supersedes {new}")
        self.old = old
        self.new = new


class ImmutableMemory(LedgerError, PermissionError):
    """An immutable memory was to be changed without an explicit override."""

    def __init__(self, memory_id: str, command: str) -> None:
        super().__init__(
            f"memory {memory_id} is immutable; {command} it with override=True (--override) "
            "if you must: the ledger records that you did"
        )
        self.memory_id = memory_id
        self.command = command


class RedactionNotAllowed(LedgerError, PermissionError):
    """An agent was to destroy what a space does not let agents destroy."""

    def __init__(self, space: str) -> None:
        super().__init__(
            f"agents may not redact in space {space!r}; tell the user, who can allow it with "
            f"`mnemolog config agents_may_redact true --space {space}`, or redact it themselves"
        )
        self.space = space


class InvalidState(LedgerError, ValueError):
    """A command does not apply to a memory as it stands."""

    def __init__(self, memory_id: str, state: str, fix: str) -> None:
        super().__init__(f"memory {memory_id} is {state}; {fix}")
        self.memory_id = memory_id
        self.state = state
        self.fix = fix


class CannotUndo(LedgerError, ValueError):
    """A command cannot be reversed: why, and the positions that depend on it."""

    def __init__(self, position: int, reason: str, dependents: Sequence[int] = ()) -> None:
        named = f" (positions {', '.join(map(str, dependents))})" if dependents else ""
        super().__init__(f"the command at position {position} cannot be undone: {reason}{named}")
        self.position = position
        self.reason = reason
        self.dependents = tuple(dependents)


class EdgeExists(LedgerError, ValueError):
    """The same edge is there already."""

    def __init__(self, edge_id: str) -> None:
        super().__init__(
            f"edge {edge_id} says the same already; `unlink` it first to say it otherwise"
        )
        self.edge_id = edge_id


class StaleExpectation(LedgerError):
    """The log moved on after the state that an append was decided on."""

    def __init__(self, subject: str, expected: int, actual: int) -> None:
        super().__init__(
            f"{subject} is at position {actual}, not {expected}; read it again and decide again"
        )
        self.subject = subject
        self.expected = expected
        self.actual = actual


class EventIdTaken(LedgerError, ValueError):
    """An event id is in the log already, with another payload."""

    def __init__(self, event_id: str, position: int) -> None:
        super().__init__(
            f"event id {event_id} stands at position {position} with other content; "
            "retry with the same bytes or use a new id"
        )
        self.event_id = event_id
        self.position = position


class EntryTaken(LedgerError, ValueError):
    """A program's file has an entry of the name already, which says something else."""

    def __init__(self, file: Path, name: str, entry: str) -> None:
        super().__init__(
            f"{file} has another entry {name!r}: {entry}; replace it with `--replace`, "
            "or give another `--name`"
        )
        self.file = file
        self.name = name
        self.entry = entry


class ConfigChanged(LedgerError):
    """A program changed its file after it was read; nothing was written."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            f"{file} was changed meanwhile; close the program that it belongs to and try again"
        )
        self.file = file


class LogBusy(LedgerError, TimeoutError):
    """Another process held the log for longer than the limit."""

    def __init__(self, path: Path, timeout_s: float) -> None:
        super().__init__(f"{path} stayed locked for {timeout_s:g} s; try again")
        self.path = path
        self.timeout_s = timeout_s


class DiskFull(LedgerError, OSError):
    """There is no room left for an append; nothing of it was written."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"no space is left for {path}; make room and try again")
        self.path = path


class CorruptLog(LedgerError):
    """The log's bytes are not what was appended; everything up to `last_good` is readable."""

    def __init__(self, problem: str, last_good: int) -> None:
        super().__init__(
            f"the log is damaged after position {last_good}: {problem}; "
            "nothing was changed; restore a backup, or export what is readable"
        )
        self.problem = problem
        self.last_good = last_good


class LogShortened(LedgerError):
    """The log ends before a position that it is known to have held."""

    def __init__(self, known: int, head: int) -> None:
        super().__init__(
            f"the log ends at position {head} or differs there, but had reached position {known}: "
            "events were lost; restore a backup, or accept with `doctor --accept-loss`"
        )
        self.known = known
        self.head = head


class MissingLog(LedgerError, FileNotFoundError):
    """A home holds derived files but no ledger.db."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is gone, but files derived from it are there; put it back, restore a "
            "backup, or delete the other files of the home to start a new log"
        )
        self.path = path


class ForeignFormat(LedgerError):
    """A file was not written by mnemolog, or by a version that this one does not know."""

    def __init__(self, path: str, found: str, supported: str) -> None:
        super().__init__(f"{path} is {found}; this version reads {supported}")
        self.path = path
        self.found = found
        self.supported = supported


class CheckpointMismatch(LedgerError):
    """Today's log does not extend an exported checkpoint."""

    def __init__(self, position: int, problem: str) -> None:
        super().__init__(f"the checkpoint at position {position} does not fit the log: {problem}")
        self.position = position
        self.problem = problem


class HomeNotEmpty(LedgerError, FileExistsError):
    """A lossless import or a restore was aimed at a home that already holds events."""

    def __init__(self, path: Path, events: int) -> None:
        super().__init__(f"{path} holds {events:,} events; name an empty home")
        self.path = path
        self.events = events


class EmbedderUnavailable(LedgerError):
    """The embedding model cannot be used as it is installed."""


class SummarizerFailed(LedgerError):
    """A memory was to fall to its summary, and the summarizer gave none."""

    def __init__(self, memory_id: str, summarizer: str, problem: str) -> None:
        super().__init__(
            f"memory {memory_id} has no summary: {summarizer} failed: {problem}; "
            "it stays as it is until the summarizer works"
        )
        self.memory_id = memory_id
        self.summarizer = summarizer
        self.problem = problem


class ArtifactsUnavailable(LedgerError, OSError):
    """A source of artifacts could not be asked: which, what happened, what would help."""

    def __init__(self, source: str, problem: str, fix: str) -> None:
        super().__init__(f"{source} {problem}; {fix}")
        self.source = source
        self.problem = problem
        self.fix = fix


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
        self.name = name
        self.found = found
        self.needed = needed


class ClosedHandle(LedgerError, ValueError):
    """A handle was used after it was closed."""

    def __init__(self, what: str) -> None:
        super().__init__(f"this {what} is closed; open it again")

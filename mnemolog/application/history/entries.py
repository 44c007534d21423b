"""History entries: events for readers, each with a summary."""

from __future__ import annotations

from datetime import datetime

import msgspec

from mnemolog.application.history.admission_words import said_of_admission
from mnemolog.application.history.conflict_words import said_of_conflict
from mnemolog.application.history.session_words import said_of_session
from mnemolog.application.history.strength_words import said_of_strength
from mnemolog.application.history.upkeep_words import said_of_upkeep
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.events import (
    Configured,
    ConflictContent,
    EdgeContent,
    Event,
    Failed,
    FailureContent,
    Imported,
    Linked,
    MemoryContent,
    Note,
    Payload,
    Pinned,
    Reason,
    RecalledContent,
    Redacted,
    Reinstated,
    Summary,
    Superseded,
    Undone,
    Unlinked,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded, Opaque, Raw
from mnemolog.projections.origins import OriginRow
from mnemolog.results import Value

_SHOWN = 80


class Origin(Value, frozen=True):
    """Origin of an imported event: its position and time of recording in the source log."""

    position: Position
    recorded_at: datetime


class Entry(Value, frozen=True):
    """History entry of one event: who, when and what; `summary` describes it in a sentence.

    `erased` is True if its content was destroyed, `opaque` if this version of mnemolog does
    not know its kind or the version of that kind. `origin` is its position and its time of
    recording in the log that it was imported from.
    """

    position: Position
    event_id: EventId
    recorded_at: datetime
    space: str
    actor: str
    kind: str
    version: int
    memory_id: MemoryId | None
    correlation_id: str | None
    causation_id: EventId | None
    structure: Raw
    content: Raw | None
    erased: bool
    opaque: bool
    summary: str
    origin: Origin | None = None


def entry(event: Event, origin: OriginRow | None = None) -> Entry:
    """History entry of an event. Raises `CorruptLog` if its content does not match its hash."""
    check_content(event)
    decoded = VOCABULARY.decode(event)
    opaque = isinstance(decoded, Opaque)
    return Entry(
        position=event.position,
        event_id=event.event_id,
        recorded_at=to_datetime(event.recorded_at),
        space=event.space,
        actor=event.actor,
        kind=event.kind,
        version=event.version,
        memory_id=event.memory_id,
        correlation_id=event.correlation_id,
        causation_id=event.causation_id,
        structure=_raw(decoded.structure),
        content=None if decoded.content is None else _raw(decoded.content),
        erased=event.erased,
        opaque=opaque,
        summary=_summary(event, decoded) + ("" if origin is None else _said_of(origin)),
        origin=(
            None if origin is None else Origin(origin.position, to_datetime(origin.recorded_at))
        ),
    )


def _said_of(origin: OriginRow) -> str:
    at = to_datetime(origin.recorded_at).isoformat(timespec="seconds")
    return f" (imported: recorded as @{origin.position} at {at})"


def _raw(part: object) -> Raw:
    raw: Raw = msgspec.to_builtins(part)
    return raw


def _summary(event: Event, decoded: Decoded | Opaque) -> str:
    said = _what(event, decoded)
    content = decoded.content if isinstance(decoded, Decoded) else None
    if isinstance(content, EdgeContent) and content.condition is not None:
        said = f"{said} where {content.condition}"
    if event.kind == "buffered" and isinstance(content, MemoryContent):
        said = f"{said}: “{_short(content.text)}”"
    if isinstance(content, Summary):
        said = f"{said}. What stands for it: “{_short(content.summary)}”"
    if isinstance(content, RecalledContent):
        said = f"{said}, for “{_short(content.cue)}”"
    if isinstance(content, ConflictContent):
        said = f"{said}. {content.reason}"
    if isinstance(content, Note):
        said = f"{said}. “{_short(content.note)}”"
    if isinstance(content, Reason | EdgeContent) and content.reason is not None:
        said = f"{said}, because {content.reason}"
    return said


def _what(event: Event, decoded: Decoded | Opaque) -> str:  # noqa: C901, PLR0911 - one per kind
    if isinstance(decoded, Opaque):
        return f"recorded {event.kind!r}, version {event.version}"
    structure, content = decoded.structure, decoded.content
    if event.kind == "remembered":
        if not isinstance(content, MemoryContent):
            return "remembered something that was redacted since"
        return f"remembered “{_short(content.text)}”"
    if isinstance(structure, Superseded):
        return f"superseded it by {structure.by}"
    if isinstance(structure, Reinstated):
        return f"took back that {structure.by} superseded it"
    if isinstance(structure, Pinned):
        until = structure.expires_at
        return "pinned it" if until is None else f"pinned it until {to_datetime(until).isoformat()}"
    if isinstance(structure, Redacted):
        return f"redacted the content of {', '.join(structure.events)}"
    if isinstance(structure, Undone):
        return f"undid the command that began with event {structure.command}"
    if isinstance(structure, Configured):
        values = (f"{name} = {value}" for name, value in structure.settings.items())
        return f"set {', '.join(values)}"
    if isinstance(structure, Imported):
        return f"took in events of a log of {structure.position:,}"
    if isinstance(structure, Failed):
        return _failure(structure, content)
    said = _of_edge(event, decoded) or said_of_conflict(structure, "it")
    said = said or said_of_strength(structure, "it")
    said = said or said_of_admission(structure, "it") or said_of_session(structure, "it")
    return (said or said_of_upkeep(structure, "it" if event.memory_id else "")) or {
        "withdrawn": "withdrew it from all answers",
        "restored": "let it answer again",
        "unpinned": "unpinned it",
    }.get(event.kind, event.kind)


def _of_edge(event: Event, decoded: Decoded) -> str | None:
    structure = decoded.structure
    if isinstance(structure, Unlinked):
        return f"ended the edge {structure.edge}"
    if not isinstance(structure, Linked):
        return None
    names = decoded.content if isinstance(decoded.content, EdgeContent) else EdgeContent()
    source = "it" if event.memory_id is not None else _thing(names.source)
    return f"linked {source} to {structure.target or _thing(names.target)} as {structure.type}"


def _thing(name: str | None) -> str:
    return "something that was redacted since" if name is None else f"“{name}”"


def _failure(failed: Failed, content: Payload | None) -> str:
    cue = f"“{_short(content.cue)}”" if isinstance(content, FailureContent) else "a redacted cue"
    mitigation = "with" if failed.mitigated else "without"
    return f"reported a failure, {failed.failure}, {mitigation} mitigation in place, on {cue}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"

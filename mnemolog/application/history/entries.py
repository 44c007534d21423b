"""History entries: events for readers, each with a summary."""

from __future__ import annotations

from datetime import datetime

import msgspec

from mnemolog.application.history.descriptions import describe
from mnemolog.ledger import events
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.events import VOCABULARY, Event, Raw
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.rows import check_content
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
    summary, came = _summary(event, decoded), None
    if origin is not None:
        came = Origin(origin.position, to_datetime(origin.recorded_at))
        at = came.recorded_at.isoformat(timespec="seconds")
        summary += f" (imported: recorded as @{came.position} at {at})"
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
        opaque=isinstance(decoded, events.Opaque),
        summary=summary,
        origin=came,
    )


def _raw(part: object) -> Raw:
    raw: Raw = msgspec.to_builtins(part)
    return raw


def _summary(event: Event, decoded: events.Decoded | events.Opaque) -> str:
    said = _what(event, decoded)
    match decoded.content if isinstance(decoded, events.Decoded) else None:
        case events.EdgeContent(condition=condition, reason=reason):
            said += "" if condition is None else f" where {condition}"
            said += "" if reason is None else f", because {reason}"
        case events.MemoryContent(text=text) if event.kind == "buffered":
            said += f": “{_short(text)}”"
        case events.Summary(summary=summary):
            said += f". What stands for it: “{_short(summary)}”"
        case events.RecalledContent(cue=cue):
            said += f", for “{_short(cue)}”"
        case events.ConflictContent(reason=reason):
            said += f". {reason}"
        case events.Note(note=note):
            said += f". “{_short(note)}”"
        case events.Reason(reason=reason) if reason is not None:
            said += f", because {reason}"
    return said


def _what(event: Event, decoded: events.Decoded | events.Opaque) -> str:  # noqa: C901, PLR0911 - one per kind
    if isinstance(decoded, events.Opaque):
        return f"recorded {event.kind!r}, version {event.version}"
    structure, content = decoded.structure, decoded.content
    match structure:
        case events.Superseded():
            return f"superseded it by {structure.by}"
        case events.Reinstated():
            return f"took back that {structure.by} superseded it"
        case events.Pinned(expires_at=until) if until is not None:
            return f"pinned it until {to_datetime(until).isoformat()}"
        case events.Redacted():
            return f"redacted the content of {', '.join(structure.events)}"
        case events.Undone():
            return f"undid the command that began with event {structure.command}"
        case events.Configured():
            values = (f"{name} = {value}" for name, value in structure.settings.items())
            return f"set {', '.join(values)}"
        case events.Imported():
            return f"took in events of a log of {structure.position:,}"
        case events.Failed():
            cue = "a redacted cue"
            if isinstance(content, events.FailureContent):
                cue = f"“{_short(content.cue)}”"
            kept = f"{'with' if structure.mitigated else 'without'} mitigation in place"
            return f"reported a failure, {structure.failure}, {kept}, on {cue}"
        case events.Unlinked():
            return f"ended the edge {structure.edge}"
        case events.Linked():
            names = content if isinstance(content, events.EdgeContent) else events.EdgeContent()
            source = "it" if event.memory_id is not None else _thing(names.source)
            target = structure.target or _thing(names.target)
            return f"linked {source} to {target} as {structure.type}"
    whole = isinstance(structure, events.Consolidated) and event.memory_id is None
    return describe(structure, "" if whole else "it") or _said_of_kind(event.kind, content)


def _said_of_kind(kind: str, content: events.Payload | None) -> str:
    text = f"“{_short(content.text)}”" if isinstance(content, events.MemoryContent) else None
    return {
        "remembered": f"remembered {text or 'something that was redacted since'}",
        "withdrawn": "withdrew it from all answers",
        "restored": "let it answer again",
        "pinned": "pinned it",
        "unpinned": "unpinned it",
    }.get(kind, kind)


def _thing(name: str | None) -> str:
    return "something that was redacted since" if name is None else f"“{name}”"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"

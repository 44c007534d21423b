"""Receipts of commands: the appended events and what they changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from mnemolog.application.history.admission_words import said_of_admission
from mnemolog.application.history.conflict_words import said_of_conflict
from mnemolog.application.history.session_words import said_of_session
from mnemolog.application.history.strength_words import said_of_strength
from mnemolog.application.history.upkeep_words import said_of_upkeep
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.digests import EMPTY
from mnemolog.ledger.errors import LedgerError
from mnemolog.ledger.events import (
    ConflictContent,
    Conflicted,
    ConflictType,
    Draft,
    EdgeContent,
    Event,
    Failed,
    Linked,
    MemoryContent,
    Outcome,
    Pinned,
    Reinstated,
    Remembered,
    Resolution,
    Severity,
    Superseded,
    Unlinked,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.log import Appended, Log
from mnemolog.ledger.vocabulary import VOCABULARY, Decoded
from mnemolog.results import Results, Value

_SAYS_FUTURE_US = 1_000_000


class ReceiptEvent(Value, frozen=True):
    """Event that a command appended."""

    position: Position
    event_id: EventId
    kind: str
    memory_id: MemoryId | None


class FoundConflict(Value, frozen=True):
    """Contradiction with another memory, found when a memory was stored.

    `outcome` is the result: the new memory superseded the other one, it was stored as
    `outdated`, it is `contested` or `pending` until someone settles the conflict, or
    `both` stay in force.
    """

    conflict_id: EventId
    memory_id: MemoryId
    content: str | None
    type: ConflictType
    severity: Severity
    resolution: Resolution
    outcome: Outcome
    attribute: str | None
    reason: str


class Receipt(Results[ReceiptEvent], frozen=True):
    """Receipt of a command; `changed` describes its effects in words.

    `memory_id` is the stored memory, or else the only memory concerned, if there is
    exactly one. `position` is that of the stored memory's event, or of the first event.
    `conflicts` are the contradictions that were found.
    """

    _over = "events"

    memory_id: MemoryId | None
    position: Position
    recorded_at: datetime
    events: tuple[ReceiptEvent, ...]
    changed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    conflicts: tuple[FoundConflict, ...] = ()


class Redaction(Results[ReceiptEvent], frozen=True):
    """Receipt of a redaction.

    `erased` are the positions whose content was erased from the log. `complete` is False if
    some content may remain in the home for now: `left` lists where, and why. The next opening
    of the home continues the redaction.
    """

    _over = "events"

    memory_id: MemoryId | None
    position: Position
    recorded_at: datetime
    events: tuple[ReceiptEvent, ...]
    erased: tuple[Position, ...]
    complete: bool
    changed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def receipt(drafts: Sequence[Draft], appended: Appended, warnings: Sequence[str] = ()) -> Receipt:
    """Receipt of drafts that were appended as one command, with warnings."""
    events = tuple(
        ReceiptEvent(position, draft.event_id, draft.kind, draft.memory_id)
        for draft, position in zip(drafts, appended.positions, strict=True)
    )
    stored = next((event for event in events if event.kind == "remembered"), None)
    concerned = {event.memory_id for event in events if event.memory_id is not None}
    only = next(iter(concerned)) if len(concerned) == 1 else None
    return Receipt(
        memory_id=only if stored is None else stored.memory_id,
        position=min(appended.positions, default=Position(0))
        if stored is None
        else stored.position,
        recorded_at=to_datetime(appended.recorded_at),
        events=events,
        changed=tuple(
            said
            for draft, position in zip(drafts, appended.positions, strict=True)
            if (said := _said(draft, position))
        ),
        warnings=(*_warnings(appended), *warnings),
    )


def with_findings(
    told: Receipt, batch: Sequence[Draft], warnings: Mapping[MemoryId, Sequence[str]], log: Log
) -> Receipt:
    """Receipt of a stored memory, with the conflicts among its events and its warnings."""
    added = () if told.memory_id is None else tuple(warnings.get(told.memory_id, ()))
    if not added and all(event.kind != "conflicted" for event in told.events):
        return told
    own = {event.event_id for event in told.events if event.kind == "conflicted"}
    texts = {draft.memory_id: draft for draft in batch if draft.kind == "remembered"}
    try:
        found = [_found(draft, texts, log) for draft in batch if draft.event_id in own]
    except LedgerError as error:
        found = []
        added += (f"it is stored, but what it contradicts cannot be shown: {error}",)
    return msgspec.structs.replace(
        told,
        conflicts=tuple(one for one in found if one is not None),
        warnings=(*told.warnings, *added),
    )


def _found(draft: Draft, batch: Mapping[MemoryId | None, Draft], log: Log) -> FoundConflict | None:
    decoded = VOCABULARY.decode(as_event(draft, Position(0)))
    structure, content = decoded.structure, decoded.content
    if not isinstance(structure, Conflicted):
        return None
    if structure.other in batch:
        other = [as_event(batch[structure.other], Position(0))]
    else:
        known = log.positions_of([EventId(structure.other)])
        other = log.events_at([*known.values()])
    text = VOCABULARY.decode(other[0]).content if other else None
    said = content if isinstance(content, ConflictContent) else ConflictContent("")
    return FoundConflict(
        conflict_id=draft.event_id,
        memory_id=structure.other,
        content=text.text if isinstance(text, MemoryContent) else None,
        type=structure.type,
        severity=structure.severity,
        resolution=structure.resolution,
        outcome=structure.outcome,
        attribute=said.attribute,
        reason=said.reason,
    )


def _warnings(appended: Appended) -> tuple[str, ...]:
    if appended.future < _SAYS_FUTURE_US:
        return ()
    warning = (
        f"the log's last event is dated {appended.future / 1e6:,.0f} s ahead of this machine's "
        "clock; new events carry its time until the clock has caught up"
    )
    return (warning,)


def _said(draft: Draft, position: Position) -> str:  # noqa: PLR0911 - one per kind
    # The full id: ids of one millisecond, or of one import, share their beginning.
    name = draft.memory_id or ""
    structure = VOCABULARY.structure(as_event(draft, position))
    if isinstance(structure, Superseded):
        return f"{name} is superseded by {structure.by}"
    if isinstance(structure, Reinstated):
        return f"{name} is no longer superseded by {structure.by}"
    if isinstance(structure, Pinned) and structure.expires_at is not None:
        return f"{name} is pinned until {to_datetime(structure.expires_at).isoformat()}"
    if isinstance(structure, Remembered) and structure.constraint is not None:
        kept = f"as a {structure.constraint} constraint"
        return f"{name} is remembered at position {position}, {kept}"
    if isinstance(structure, Linked):
        return _linked(draft, structure, position)
    if isinstance(structure, Unlinked):
        return f"edge {structure.edge} is there no longer"
    if isinstance(structure, Failed):
        return f"a failure is reported: {structure.failure}"
    words = {
        "remembered": f"{name} is remembered at position {position}",
        "withdrawn": f"{name} is withdrawn from all answers",
        "restored": f"{name} may answer again",
        "pinned": f"{name} is pinned",
        "unpinned": f"{name} is no longer pinned",
        "configured": "settings are changed",
    }
    said = (
        said_of_conflict(structure, name)
        or said_of_strength(structure, name)
        or said_of_admission(structure, name)
    )
    said = said or said_of_upkeep(structure, name) or said_of_session(structure, name)
    said = said or words.get(draft.kind)
    return said or f"a {draft.kind!r} event is recorded at position {position}"


def _linked(draft: Draft, structure: Linked, position: Position) -> str:
    decoded = VOCABULARY.decode(as_event(draft, position))
    content = decoded.content if isinstance(decoded, Decoded) else None
    names = content if isinstance(content, EdgeContent) else EdgeContent()
    source = f"“{names.source}”" if draft.memory_id is None else draft.memory_id
    target = f"“{names.target}”" if structure.target is None else structure.target
    return f"{source} is linked to {target} as {structure.type}"


def as_event(draft: Draft, position: Position) -> Event:
    """Event that a draft becomes at a position, for reading its payload."""
    return Event(
        position,
        draft.event_id,
        draft.space,
        draft.kind,
        draft.version,
        EMPTY.recorded_at,
        draft.actor,
        draft.memory_id,
        draft.correlation_id,
        draft.causation_id,
        draft.structure,
        draft.content,
        None,
        None,
        EMPTY.digest,
    )

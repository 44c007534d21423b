"""Drafts of decisions, and receipts of commands: the appended events and what they changed."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec
from msgspec.structs import replace

from mnemolog.application.history import describe
from mnemolog.application.home.space import Author
from mnemolog.ledger import events
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.digests import EMPTY
from mnemolog.ledger.errors import InvalidField, LedgerError
from mnemolog.ledger.events import Draft, Event, MemoryContent
from mnemolog.ledger.ids import EventId, MemoryId, Position, new_event_ids
from mnemolog.ledger.log import Appended, Log
from mnemolog.ledger.vocabulary import VOCABULARY, encode_payload
from mnemolog.policies.supersession import Decision
from mnemolog.results import Results, Value

_SAYS_FUTURE_US = 1_000_000
_WORDS = {
    "withdrawn": "{name} is withdrawn from all answers",
    "restored": "{name} may answer again",
    "pinned": "{name} is pinned",
    "unpinned": "{name} is no longer pinned",
    "configured": "settings are changed",
}
_WORDS_OF_STRUCTURE = {
    "superseded": "{name} is superseded by {by}",
    "reinstated": "{name} is no longer superseded by {by}",
    "unlinked": "edge {edge} is there no longer",
    "failed": "a failure is reported: {failure}",
}


class ReceiptEvent(Value, frozen=True):
    """Event that a command appended."""

    position: Position
    event_id: EventId
    kind: str
    memory_id: MemoryId | None


class FoundConflict(Value, frozen=True):
    """Contradiction with another memory, found when a memory was stored.

    `outcome` is the result: the new memory superseded the other one, it was stored as `outdated`,
    it is `contested` or `pending` until someone settles the conflict, `both` stay in force, or a
    settlement is `offered`.
    """

    conflict_id: EventId
    memory_id: MemoryId
    content: str | None
    type: events.ConflictType
    severity: events.Severity
    resolution: events.Resolution
    outcome: events.Outcome
    attribute: str | None
    reason: str


class Receipt(Results[ReceiptEvent], frozen=True):
    """Receipt of a command; `changed` describes its effects in words.

    `memory_id` is the stored memory, or else the only memory concerned, if there is
    exactly one. `position` is that of the stored memory's event, or of the first event.
    `conflicts` are the contradictions that were found. `may_replace` are the memories that the
    stored one may replace; all of them stay in force until their conflicts are settled.
    """

    _over = "events"

    memory_id: MemoryId | None
    position: Position
    recorded_at: datetime
    events: tuple[ReceiptEvent, ...]
    changed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    conflicts: tuple[FoundConflict, ...] = ()
    may_replace: tuple[FoundConflict, ...] = ()


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
    placed = [*zip(drafts, appended.positions, strict=True)]
    made = tuple(ReceiptEvent(at, one.event_id, one.kind, one.memory_id) for one, at in placed)
    concerned = {event.memory_id for event in made if event.memory_id is not None}
    memory_id = concerned.pop() if len(concerned) == 1 else None
    first = min(appended.positions, default=Position(0))
    stored = next((event for event in made if event.kind == "remembered"), None)
    if stored is not None:
        memory_id, first = stored.memory_id, stored.position
    if appended.future >= _SAYS_FUTURE_US:
        ahead = f"{appended.future / 1e6:,.0f} s ahead of this machine's clock"
        until = "new events carry its time until the clock has caught up"
        warnings = (f"the log's last event is dated {ahead}; {until}", *warnings)
    return Receipt(
        memory_id=memory_id,
        position=first,
        recorded_at=to_datetime(appended.recorded_at),
        events=made,
        changed=tuple(_said(draft, position, appended.recorded_at) for draft, position in placed),
        warnings=tuple(warnings),
    )


def with_findings(
    told: Receipt, batch: Sequence[Draft], warnings: Mapping[MemoryId, Sequence[str]], log: Log
) -> Receipt:
    """Receipt of a stored memory, with the conflicts among its events and its warnings."""
    added = tuple(warnings.get(told.memory_id or MemoryId(""), ()))
    own = {event.event_id for event in told.events if event.kind == "conflicted"}
    if not added and not own:
        return told
    texts = {draft.memory_id: draft for draft in batch if draft.kind == "remembered"}
    try:
        found = [_found(draft, texts, log) for draft in batch if draft.event_id in own]
    except LedgerError as error:
        found = []
        added += (f"it is stored, but what it contradicts cannot be shown: {error}",)
    known = [one for one in found if one is not None]
    conflicts = tuple(one for one in known if one.outcome != "offered")
    offers = tuple(one for one in known if one.outcome == "offered")
    warnings_of = (*told.warnings, *added)
    return replace(told, conflicts=conflicts, may_replace=offers, warnings=warnings_of)


def _found(draft: Draft, batch: Mapping[MemoryId | None, Draft], log: Log) -> FoundConflict | None:
    decoded = VOCABULARY.decode(as_event(draft, Position(0)))
    structure, content = decoded.structure, decoded.content
    if not isinstance(structure, events.Conflicted):
        return None
    if structure.other in batch:
        other = [as_event(batch[structure.other], Position(0))]
    else:
        other = log.events_at([*log.positions_of([EventId(structure.other)]).values()])
    text = VOCABULARY.decode(other[0]).content if other else None
    said = content if isinstance(content, events.ConflictContent) else events.ConflictContent("")
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


def _said(draft: Draft, position: Position, now: int) -> str:
    # The full id: ids of one millisecond, or of one import, share their beginning.
    name = draft.memory_id or ""
    structure = VOCABULARY.structure(event := as_event(draft, position))
    match structure:
        case events.Pinned(expires_at=int() as expires):
            return f"{name} is pinned until {to_datetime(expires).isoformat()}"
        case events.Remembered(constraint=constraint, valid_from=begins):
            known_as = "" if constraint is None else f", as a {constraint} constraint"
            told = f"{name} is remembered at position {position}{known_as}"
            if begins is not None and begins > now:
                told += f"; answers show it from {to_datetime(begins).isoformat()} on"
            return told
        case events.Linked(target=target, type=relation):
            names = VOCABULARY.decode(event).content
            names = names if isinstance(names, events.EdgeContent) else events.EdgeContent()
            source = f"“{names.source}”" if draft.memory_id is None else name
            end = f"“{names.target}”" if target is None else target
            return f"{source} is linked to {end} as {relation}"
    facts: dict[str, object] = {"name": name, "position": position, "kind": draft.kind}
    words = _WORDS.get(draft.kind, "a {kind!r} event is recorded at position {position}")
    if structure is not None:
        facts = msgspec.structs.asdict(structure) | facts
        words = _WORDS_OF_STRUCTURE.get(draft.kind, words)
    return describe(structure, name) or words.format(**facts)


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
        salt=None,
        content_hash=None,
        digest=EMPTY.digest,
    )


def draft(decision: Decision, author: Author, event_id: EventId, cause: EventId | None) -> Draft:
    """Draft of a decision. Raises `InvalidField` if the payload is too large."""
    kind = type(decision.structure).__name__.lower()
    structure = encode_payload(decision.structure)
    content = None if decision.content is None else encode_payload(decision.content)
    check_size(kind, structure, content)
    return Draft(
        event_id=event_id,
        space=author.space,
        kind=kind,
        actor=author.actor,
        structure=structure,
        content=content,
        memory_id=decision.memory_id,
        correlation_id=author.run,
        causation_id=cause,
    )


def check_size(kind: str, structure: bytes, content: bytes | None) -> None:
    """Size check of a new event's payload, not of an imported one. Raises `InvalidField`."""
    size, most = len(structure) + len(content or b""), events.MOST_PAYLOAD_BYTES
    if size > most:
        problem = f"takes {size:,} bytes as JSON, of {most:,} that an event may"
        raise InvalidField(f"the payload of {kind!r}", problem, "split it")


def drafts(decisions: Sequence[Decision], author: Author, now: int) -> list[Draft]:
    """Drafts of one command's decisions; the first is the cause of the others."""
    ids = new_event_ids(len(decisions), now)
    return [
        draft(decision, author, event_id, ids[0] if index else None)
        for index, (decision, event_id) in enumerate(zip(decisions, ids, strict=True))
    ]

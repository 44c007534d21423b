"""Events of a caller's own: kinds of the vocabulary or custom kinds, checked and appended."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from mnemolog.application.commands.command import open_edge, superseders_of
from mnemolog.application.commands.receipts import Receipt, as_event, check_size, receipt
from mnemolog.application.home.settings import checked_settings
from mnemolog.application.home.space import (
    Author,
    Cut,
    Space,
    WritableSpace,
    events_named,
    memory_named,
)
from mnemolog.application.questions.browse import settings_of
from mnemolog.ledger import errors, events
from mnemolog.ledger.clock import in_calendar
from mnemolog.ledger.events import Draft, MemoryContent
from mnemolog.ledger.ids import EventId, MemoryId, new_event_ids, parse_id
from mnemolog.ledger.log import Expected
from mnemolog.ledger.vocabulary import VOCABULARY, encode_payload
from mnemolog.policies.learning import checked_failure
from mnemolog.policies.linking import Thing, check_different, check_edge, checked_end
from mnemolog.policies.supersession import check_no_cycle

_encode = msgspec.json.Encoder().encode
_KIND_LIMIT = 100


class NewEvent(msgspec.Struct, frozen=True):
    """Event to append, of the vocabulary or of a caller's own kind.

    `structure` is kept for good, `content` can be redacted; each is a payload
    of the vocabulary or a mapping that JSON can hold.
    """

    kind: str
    structure: events.Payload | Mapping[str, object] = {}
    content: events.Payload | Mapping[str, object] | None = None
    memory_id: str | None = None
    event_id: str | None = None
    version: int = 1
    causation_id: str | None = None


def own_draft(event: NewEvent, author: Author, now: int) -> Draft:
    """Draft of a caller's event. Raises `InvalidField` for a payload that does not fit."""
    kind = event.kind.strip() if isinstance(event.kind, str) else ""
    if not kind or len(kind) > _KIND_LIMIT or not kind.isprintable():
        problem = f"{event.kind!r} is not an event kind"
        raise errors.InvalidField("kind", problem, "give a short name, past tense")
    (fresh,) = new_event_ids(1, now)
    event_id = EventId(_optional_id("event_id", event.event_id) or fresh)
    structure = _part("structure", event.structure)
    content = None if event.content is None else _part("content", event.content)
    check_size(kind, structure, content)
    _check_known(kind, event.version, structure, content)
    memory_id = event_id if kind == "remembered" else _optional_id("memory_id", event.memory_id)
    if kind in VOCABULARY.kinds and kind not in _WITHOUT_MEMORY and memory_id is None:
        raise errors.InvalidField("memory_id", "is missing", f"say which memory is {kind}")
    if kind == "linked" and event.version == 1:
        _check_ends(memory_id, structure, content)
    causation = _optional_id("causation_id", event.causation_id)
    return Draft(
        event_id=event_id,
        space=author.space,
        kind=kind,
        version=event.version,
        actor=author.actor,
        structure=structure,
        content=content,
        memory_id=None if memory_id is None else MemoryId(memory_id),
        correlation_id=author.run,
        causation_id=None if causation is None else EventId(causation),
    )


# msgspec's wording of a number beyond the bounds of its field.
_OUT_OF_RANGE = re.compile(
    r"Expected `(?:int|float)` (?P<sign>[<>]=?) (?P<limit>\S+) - at `\$\.(?P<field>\w+).*`"
)
_WITHOUT_MEMORY = frozenset({"configured", "failed", "linked", "unlinked"})
_COMMANDS = {
    "admit": "admitted reinforced buffered dropped",
    "consolidate": "consolidated",
    "maintain": "maintained",
    "recall_resolve": "resolved",
    "recall_vote": "voted",
    "redact": "redacted",
    "remember": "relearned",
    "tick": "ticked degraded",
    "undo": "undone unlearned",
    "use": "revived recalled",
}
# Kinds that say that something was done which an event alone does not do.
_BY_COMMAND_ONLY = {kind: name for name, kinds in _COMMANDS.items() for kind in kinds.split()}

# Fields of the structures that a caller may append.
_IDS = ("by", "target", "evidence", "other", "conflict", "edge")
_INSTANTS = ("valid_from", "valid_until", "said_at", "expires_at", "since", "accessed_at")
_LEAST = {"similarity": -1.0, "factor": 0.0, "strength": 0.0, "slowing": 0.0}


def _optional_id(field: str, value: str | None) -> str | None:
    return None if value is None else parse_id(field, value)


def _part(field: str, part: events.Payload | Mapping[str, object]) -> bytes:
    try:
        encoded = encode_payload(part) if isinstance(part, events.Payload) else _encode(part)
    except (TypeError, ValueError, RecursionError) as error:
        raise errors.InvalidField(field, str(error), "give what JSON can hold") from None
    _check_finite(field, msgspec.to_builtins(part))
    if not encoded.startswith(b"{"):
        raise errors.InvalidField(field, "is no object", "give a mapping")
    return encoded


def _check_finite(field: str, value: object) -> None:
    # JSON would hold NaN and infinities as null.
    if isinstance(value, float) and not math.isfinite(value):
        raise errors.InvalidNumber(field, f"holds {value}", "give finite numbers")
    parts = value.values() if isinstance(value, Mapping) else value
    for part in parts if not isinstance(parts, str) and isinstance(parts, Iterable) else ():
        _check_finite(field, part)


def _check_meaning(structure: events.Payload) -> None:
    # Values that fit their types but are no valid id, setting or instant would break the folds.
    _check_fields(msgspec.structs.asdict(structure))
    match structure:
        case events.Configured(settings=settings):
            checked_settings(settings)
        case events.Linked():
            check_edge(structure)
        case events.Failed(failure=failure) if checked_failure(failure) != failure:
            problem = f"{failure!r} has blanks or capitals"
            raise errors.InvalidField("failure", problem, "write it like lost_focus")


def _check_fields(fields: Mapping[str, object]) -> None:
    for field in _IDS:
        value = fields.get(field)
        for one in value if isinstance(value, tuple) else (value,):
            if one is not None and parse_id(field, one) != one:
                problem = f"{one!r} has dashes or capitals"
                raise errors.InvalidField(field, problem, "give its bare digits")
    for field, least in _LEAST.items():
        value = fields.get(field)
        if isinstance(value, float) and not least <= value <= 1:
            raise errors.InvalidNumber(field, f"{value} is out of range", f"give {least:g} to 1")
    for field in _INSTANTS:
        value = fields.get(field)
        if isinstance(value, int) and not in_calendar(value):
            raise errors.InvalidTime(field, f"{value} is no instant", "count µs since 1970")


def _check_ends(memory_id: str | None, structure: bytes, content: bytes | None) -> None:
    target = msgspec.json.decode(structure, type=events.Linked).target
    names = msgspec.json.decode(content or b"{}", type=events.EdgeContent)
    ends = {
        "source": Thing(names.source or "") if memory_id is None else MemoryId(memory_id),
        "target": Thing(names.target or "") if target is None else target,
    }
    for field, end in ends.items():
        if isinstance(end, Thing):
            checked_end(field, end)
    check_different(ends["source"], ends["target"])


def _check_known(kind: str, version: int, structure: bytes, content: bytes | None) -> None:
    known = VOCABULARY.kinds.get(kind)
    if kind in _BY_COMMAND_ONLY:
        problem = f"{kind!r} events come from a command"
        raise errors.InvalidField("kind", problem, f"call {_BY_COMMAND_ONLY[kind]}")
    if isinstance(version, bool) or not isinstance(version, int) or not 1 <= version < 1 << 31:
        raise errors.InvalidField(
            "version", f"{version!r} is not a version", "count versions from 1"
        )
    if known is None or version > known.version:
        return
    try:
        _check_meaning(msgspec.json.decode(structure, type=known.structure))
        text = None
        if content is not None and known.content is not None:
            text = msgspec.json.decode(content, type=known.content)
    except msgspec.ValidationError as error:
        bound = _OUT_OF_RANGE.fullmatch(str(error))
        if bound is None:
            raise errors.InvalidField(kind, "does not fit the vocabulary", str(error)) from None
        side = "at least" if bound["sign"].startswith(">") else "at most"
        fix = f"give {side} {float(bound['limit']):g}"
        raise errors.InvalidNumber(bound["field"], "is out of range", fix) from None
    if kind == "remembered" and not (isinstance(text, MemoryContent) and text.text.strip()):
        raise errors.EmptyContent
    if kind == "failed" and not (isinstance(text, events.FailureContent) and text.cue.strip()):
        raise errors.InvalidField("cue", "is empty", "say on what the memory failed")


def append_event(
    space: WritableSpace, events: Sequence[NewEvent], expected: Expected | None = None
) -> Receipt:
    """Receipt of a caller's events, of the vocabulary or of custom kinds, appended all or nothing.

    `expected` is the state that the caller decided on. Raises `StaleExpectation`, `EventIdTaken`,
    `InvalidField`, and `UnknownMemory` for an event of the vocabulary about no memory.
    """
    if not isinstance(events, Sequence) or not all(isinstance(e, NewEvent) for e in events):
        raise errors.InvalidField("events", "are no sequence of `NewEvent`", "give a list of them")
    if expected is not None and not isinstance(expected, Expected):
        raise errors.InvalidField("expected", "is no `Expected`", "give one, or leave it out")
    cut = space.cut()
    batch = [own_draft(event, space.author, cut.instant) for event in events]
    if not batch:
        raise errors.InvalidField("events", "are none", "give at least one")
    _check_concerned(space, batch, cut)
    appended = space.home.log.append(batch, expected)
    return receipt(batch, appended, space.home.follow())


def _check_concerned(space: Space, batch: Sequence[Draft], cut: Cut) -> None:
    made = {None, *(item.memory_id for item in batch if item.kind == "remembered")}
    conflicts = {item.event_id for item in batch if item.kind == "conflicted"}
    above: dict[MemoryId, list[MemoryId]] = {}

    def superseded_by(one: MemoryId) -> list[MemoryId]:
        return [*superseders_of(space, one, cut), *above.get(one, ())]

    for item in batch:
        if item.memory_id not in made:
            memory_named(space, item.memory_id or "", cut)
        decoded = VOCABULARY.decode(as_event(item, cut.position))
        structure = decoded.structure
        _check_joined(space, structure, made, conflicts, cut)
        if isinstance(structure, events.Superseded) and item.memory_id is not None:
            above.setdefault(item.memory_id, []).append(structure.by)
            check_no_cycle([item.memory_id], structure.by, superseded_by)
        if isinstance(decoded.content, MemoryContent):
            size = len(decoded.content.text.encode())
            limit = settings_of(space, cut).content_limit_bytes
            if size > limit:
                raise errors.ContentTooLarge(size, limit)


def _check_joined(
    space: Space, structure: object, made: set[MemoryId | None], conflicts: set[EventId], cut: Cut
) -> None:
    match structure:
        case events.Superseded(by=one) | events.Reinstated(by=one) if one not in made:
            memory_named(space, one, cut)
        case events.Conflicted(other=one) | events.Linked(target=one) if one not in made:
            memory_named(space, one or "", cut)
        case events.Unlinked(edge=edge):
            open_edge(space, edge, cut)
        case events.Settled(conflict=one) | events.Reopened(conflict=one) if one not in conflicts:
            found = {(event.kind, event.space) for event in events_named(space, one)}
            if ("conflicted", space.name) not in found:
                raise errors.UnknownConflict(one, space.name)

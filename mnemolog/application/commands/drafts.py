"""Drafts of decisions: encoded payloads, new ids, and one cause for the events of a command."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import msgspec

from mnemolog.application.home.settings import checked_settings
from mnemolog.application.home.space import Author
from mnemolog.ledger.clock import in_calendar
from mnemolog.ledger.errors import EmptyContent, InvalidField, InvalidNumber, InvalidTime
from mnemolog.ledger.events import (
    MOST_PAYLOAD_BYTES,
    Configured,
    Conflicted,
    Draft,
    EdgeContent,
    Failed,
    FailureContent,
    Linked,
    MemoryContent,
    Payload,
    Pinned,
    Reinstated,
    Remembered,
    Reopened,
    Settled,
    Strengthened,
    Superseded,
    Unlinked,
    Weakened,
)
from mnemolog.ledger.ids import EventId, MemoryId, new_event_ids, parse_id
from mnemolog.ledger.vocabulary import VOCABULARY, encode_payload
from mnemolog.policies.linking import Thing, check_different, check_edge, checked_end
from mnemolog.policies.operator_gate import checked_failure
from mnemolog.policies.supersession import Decision

_encode = msgspec.json.Encoder().encode
_KIND_LIMIT = 100


class NewEvent(msgspec.Struct, frozen=True):
    """Event to append, of the vocabulary or of a caller's own kind.

    `structure` is kept for good, `content` can be redacted; each is a payload
    of the vocabulary or a mapping that JSON can hold.
    """

    kind: str
    structure: Payload | Mapping[str, object] = {}
    content: Payload | Mapping[str, object] | None = None
    memory_id: str | None = None
    event_id: str | None = None
    version: int = 1
    causation_id: str | None = None


def draft(
    decision: Decision, author: Author, event_id: EventId, causation: EventId | None
) -> Draft:
    """Draft of a decision; its kind is the lowercase name of the structure's class.

    Raises `InvalidField` if the payload is too large.
    """
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
        causation_id=causation,
    )


def check_size(kind: str, structure: bytes, content: bytes | None) -> None:
    """Size check of a payload. Raises `InvalidField` if it is too large for a new event.

    An import accepts any event that fits a line of an export.
    """
    size = len(structure) + len(content or b"")
    if size > MOST_PAYLOAD_BYTES:
        problem = f"takes {size:,} bytes as JSON, of {MOST_PAYLOAD_BYTES:,} that an event may"
        raise InvalidField(f"the payload of {kind!r}", problem, "split it")


def drafts(decisions: Sequence[Decision], author: Author, now: int) -> list[Draft]:
    """Drafts of one command's decisions; the first is the cause of the others."""
    ids = new_event_ids(len(decisions), now)
    return [
        draft(decision, author, event_id, ids[0] if index else None)
        for index, (decision, event_id) in enumerate(zip(decisions, ids, strict=True))
    ]


def own_draft(event: NewEvent, author: Author, now: int) -> Draft:
    """Draft of a caller's event.

    Raises `InvalidField` for a payload that does not fit its kind in the
    vocabulary, that JSON cannot hold, or that is too large.
    """
    kind = event.kind.strip() if isinstance(event.kind, str) else ""
    if not kind or len(kind) > _KIND_LIMIT or not kind.isprintable():
        raise InvalidField("kind", f"{event.kind!r} is none", "give a short name, past tense")
    (fresh,) = new_event_ids(1, now)
    event_id = fresh if event.event_id is None else EventId(parse_id("event_id", event.event_id))
    structure, content = _part("structure", event.structure), None
    if event.content is not None:
        content = _part("content", event.content)
    check_size(kind, structure, content)
    _check_known(kind, event.version, structure, content)
    memory_id = event_id if kind == "remembered" else _optional_id("memory_id", event.memory_id)
    if kind in VOCABULARY.kinds and kind not in _WITHOUT_MEMORY and memory_id is None:
        raise InvalidField("memory_id", "is missing", f"say which memory is {kind}")
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


_OUT_OF_RANGE = re.compile(
    r"Expected `(?:int|float)` (?P<sign>[<>]=?) (?P<limit>\S+) - at `\$\.(?P<field>\w+).*`"
)
"""How msgspec words a number beyond the bounds of its field."""
_WITHOUT_MEMORY = frozenset({"configured", "failed", "linked", "unlinked"})
_BY_COMMAND_ONLY = {
    "redacted": "redact",
    "undone": "undo",
    "ticked": "tick",
    "degraded": "tick",
    "revived": "use",
    "recalled": "use",
    "relearned": "remember",
    "unlearned": "undo",
    "consolidated": "consolidate",
    "maintained": "maintain",
    "admitted": "admit",
    "reinforced": "admit",
    "buffered": "admit",
    "dropped": "admit",
    "voted": "recall_vote",
    "resolved": "recall_resolve",
}
"""Kinds that say that something was done which an event alone does not do."""


def _optional_id(field: str, value: str | None) -> str | None:
    return None if value is None else parse_id(field, value)


def _part(field: str, part: Payload | Mapping[str, object]) -> bytes:
    try:
        encoded = encode_payload(part) if isinstance(part, Payload) else _encode(part)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidField(field, str(error), "give what JSON can hold") from None
    _check_finite(field, msgspec.to_builtins(part))
    if not encoded.startswith(b"{"):
        raise InvalidField(field, "is no object", "give a mapping")
    return encoded


def _check_finite(field: str, value: object) -> None:
    """Check that all numbers are finite: JSON would hold NaN and infinities as null.

    Raises `InvalidNumber`.
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidNumber(field, f"holds {value}", "give finite numbers")
    if isinstance(value, Mapping):
        for part in value.values():
            _check_finite(field, part)
    elif isinstance(value, list | tuple):
        for part in value:
            _check_finite(field, part)


def _check_meaning(structure: Payload) -> None:
    """Check of values that fit their types but refer to no valid id, setting or instant.

    Once appended, such values would prevent the views from being folded.
    """
    if isinstance(structure, Superseded | Reinstated):
        _check_ids("by", [structure.by])
    if isinstance(structure, Remembered):
        _check_ids("evidence", structure.evidence)
        _check_instants(
            valid_from=structure.valid_from,
            valid_until=structure.valid_until,
            said_at=structure.said_at,
        )
    if isinstance(structure, Superseded):
        _check_instants(valid_until=structure.valid_until)
    if isinstance(structure, Pinned):
        _check_instants(expires_at=structure.expires_at)
    _check_conflict(structure)
    _check_strength(structure)
    if isinstance(structure, Configured):
        checked_settings(structure.settings)
    if isinstance(structure, Linked):
        _check_ids("target", [] if structure.target is None else [structure.target])
        _check_ids("evidence", structure.evidence)
        _check_instants(valid_from=structure.valid_from, valid_until=structure.valid_until)
        check_edge(structure)
    if isinstance(structure, Unlinked):
        _check_ids("edge", [structure.edge])
    if isinstance(structure, Failed) and checked_failure(structure.failure) != structure.failure:
        raise InvalidField(
            "failure", f"{structure.failure!r} has blanks or capitals", "write it like lost_focus"
        )


def _check_conflict(structure: Payload) -> None:
    if isinstance(structure, Conflicted):
        _check_ids("other", [structure.other])
        _check_between("similarity", -1.0, structure.similarity)
    if isinstance(structure, Settled | Reopened):
        _check_ids("conflict", [structure.conflict])


def _check_strength(structure: Payload) -> None:
    if isinstance(structure, Weakened):
        _check_between("factor", 0.0, structure.factor)
    if isinstance(structure, Strengthened):
        _check_between("strength", 0.0, structure.strength)
        _check_between("slowing", 0.0, structure.slowing)
        _check_instants(since=structure.since, accessed_at=structure.accessed_at)


def _check_ends(memory_id: str | None, structure: bytes, content: bytes | None) -> None:
    """Check that an edge has both ends and that they differ."""
    target = msgspec.json.decode(structure, type=Linked).target
    names = msgspec.json.decode(content, type=EdgeContent) if content else EdgeContent()
    ends = {
        "source": Thing(names.source or "") if memory_id is None else MemoryId(memory_id),
        "target": Thing(names.target or "") if target is None else target,
    }
    for field, end in ends.items():
        if isinstance(end, Thing):
            checked_end(field, end)
    check_different(ends["source"], ends["target"])


def _check_ids(field: str, ids: Sequence[str]) -> None:
    for one in ids:
        if parse_id(field, one) != one:
            raise InvalidField(field, f"{one!r} has dashes or capitals", "give its bare digits")


def _check_between(field: str, least: float, value: float | None) -> None:
    if value is not None and not least <= value <= 1:
        raise InvalidNumber(field, f"{value} is out of range", f"give {least:g} to 1")


def _check_instants(**instants: int | None) -> None:
    for field, value in instants.items():
        if not in_calendar(value or 0):
            raise InvalidTime(field, f"{value} is no instant", "count µs since 1970")


def _refusal(kind: str, problem: str) -> InvalidField:
    """Error for a payload that does not fit its kind; names the field of a number out of range."""
    bound = _OUT_OF_RANGE.fullmatch(problem)
    if bound is None:
        return InvalidField(kind, "does not fit the vocabulary", problem)
    side = "at least" if bound["sign"].startswith(">") else "at most"
    fix = f"give {side} {float(bound['limit']):g}"
    return InvalidNumber(bound["field"], "is out of range", fix)


def _check_known(kind: str, version: int, structure: bytes, content: bytes | None) -> None:
    known = VOCABULARY.kinds.get(kind)
    if kind in _BY_COMMAND_ONLY:
        raise InvalidField(
            "kind", f"{kind!r} events come from a command", f"call {_BY_COMMAND_ONLY[kind]}"
        )
    if isinstance(version, bool) or not isinstance(version, int) or not 1 <= version < 1 << 31:
        raise InvalidField("version", f"{version!r} is none", "count versions from 1")
    if known is None or version > known.version:
        return
    try:
        _check_meaning(msgspec.json.decode(structure, type=known.structure))
        text = None
        if content is not None and known.content is not None:
            text = msgspec.json.decode(content, type=known.content)
    except msgspec.ValidationError as error:
        raise _refusal(kind, str(error)) from None
    if kind == "remembered" and not (isinstance(text, MemoryContent) and text.text.strip()):
        raise EmptyContent
    if kind == "failed" and not (isinstance(text, FailureContent) and text.cue.strip()):
        raise InvalidField("cue", "is empty", "say on what the memory failed")

"""Edge decisions: what can be linked to what, and with which type."""

import math
from collections.abc import Sequence
from typing import get_args

import msgspec

from mnemolog.language.lists import regex
from mnemolog.ledger import errors
from mnemolog.ledger.errors import InvalidField, InvalidNumber, InvalidState
from mnemolog.ledger.events import EdgeContent, EdgeOrigin, Linked, Unlinked
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.memories import checked_text
from mnemolog.policies.supersession import Decision, Target, why

TYPES = (
    *("IS_A", "PART_OF", "CONTAINS", "INSTANCE_OF"),
    *("PRECEDED_BY", "FOLLOWED_BY", "DURING"),
    *("CAUSED_BY", "ENABLES", "PREVENTS", "DEPENDS_ON"),
    *("RELATED_TO", "SIMILAR_TO", "ASSOCIATED_WITH", "ALIAS_OF"),
    *("SUPPORTS", "CONTRADICTS", "REFINES", "QUALIFIES"),
    *("LEARNED_FROM", "APPLIED_IN", "TASK_REQUIRES", "GOAL_SUPPORTS"),
)
"""Known types of edges, from hierarchical to learning; other words in capitals are a user's own."""

THING_PREFIX = "thing:"  # begins the name of a thing where a memory could be named as well
_TYPE = regex(r"[A-Z][A-Z_]*")
_TYPE_LIMIT, _NAME_LIMIT = 60, 200


class Thing(msgspec.Struct, frozen=True):
    """Named thing that is not a memory, such as `almonds`; an end of an edge."""

    name: str


class NewEdge(msgspec.Struct, frozen=True):
    """Edge to create between memories' ids or things; memories of `evidence` state it."""

    source: MemoryId | Thing
    type: str
    target: MemoryId | Thing
    confidence: float = 1.0
    origin: EdgeOrigin = "verified"
    valid_from: int | None = None
    valid_until: int | None = None
    condition: str | None = None
    reason: str | None = None
    evidence: tuple[MemoryId, ...] = ()


class KnownEdge(msgspec.Struct, frozen=True):
    """Existing edge, as far as edge decisions need it."""

    edge_id: EventId
    memory_id: MemoryId | None
    valid_from: int | None = None
    valid_until: int | None = None


def checked_end(field: str, value: str | Thing) -> str | Thing:
    """End of an edge: a thing, also as `thing:NAME`, or a memory. Raises `InvalidField`."""
    if isinstance(value, Thing):
        name = checked_text(field, value.name) or ""
    elif (text := checked_text(field, value)) is None:
        raise InvalidField(field, "is missing", "give a memory or thing:NAME")
    elif not text.startswith(THING_PREFIX):
        return text
    else:
        name = text.removeprefix(THING_PREFIX)
    name = " ".join(name.split())
    if not name or len(name) > _NAME_LIMIT or not name.isprintable():
        problem = "has a name that is empty, too long or not printable"
        raise InvalidField(field, problem, f"give 1 to {_NAME_LIMIT} printable characters")
    return Thing(name)


def check_edge(edge: Linked) -> None:
    """Raise `InvalidField` or a subclass for an edge's structure that no command produces."""
    text = checked_text("type", edge.type) or ""
    if len(text) > _TYPE_LIMIT or not _TYPE.fullmatch(text):
        fix = "write capitals and _, such as IS_A or a word of your own"
        raise InvalidField("type", f"{edge.type!r} is not a type of edge", fix)
    confidence = edge.confidence
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        raise InvalidNumber("confidence", "is no number", "give one from 0 to 1")
    if not math.isfinite(confidence) or not 0 <= confidence <= 1:
        raise InvalidNumber("confidence", f"{confidence} is out of range", "give one from 0 to 1")
    if edge.origin not in get_args(EdgeOrigin):
        fix = f"use one of {', '.join(get_args(EdgeOrigin))}"
        raise InvalidField("origin", f"{edge.origin!r} is unknown", fix)
    started, ended = edge.valid_from, edge.valid_until
    if started is not None and ended is not None and ended <= started:
        raise errors.InvalidTime("valid_until", "is not after valid_from", "give a later time")


def same_end(one: MemoryId | Thing, other: MemoryId | Thing) -> bool:
    """True if two ends are identical; names of things are compared ignoring case."""
    if isinstance(one, Thing) and isinstance(other, Thing):
        return one.name.casefold() == other.name.casefold()
    return one == other


def check_different(source: MemoryId | Thing, target: MemoryId | Thing) -> None:
    """Raise `InvalidField` if both ends of an edge are the same."""
    if same_end(source, target):
        raise InvalidField("target", "is the source itself", "link two different ends")


def decide_link(edge: NewEdge, ends: Sequence[Target], alike: Sequence[KnownEdge]) -> Decision:
    """Event that creates an edge.

    `ends` are the ends that are memories; `alike` are the existing edges of this type
    between these ends. Raises `InvalidField` and its subclasses, also for an edge from
    something to itself, `InvalidState` for a memory that is excluded from all answers, and
    `EdgeExists` if one of `alike` holds at the same times.
    """
    (owner, source), (target_id, target) = (
        (None, end.name) if isinstance(end, Thing) else (end, None)
        for end in (edge.source, edge.target)
    )
    times = edge.valid_from, edge.valid_until
    structure = Linked(
        edge.type, target_id, edge.confidence, edge.origin, *times, evidence=edge.evidence
    )
    check_edge(structure)
    check_different(edge.source, edge.target)
    for end in ends:
        if end.status in {"withdrawn", "redacted"}:
            raise InvalidState(end.memory_id, end.status, "link one that may be answered with")
    for other in alike:
        if (other.valid_from, other.valid_until) == times:
            raise errors.EdgeExists(other.edge_id)
    structure = msgspec.structs.replace(structure, confidence=float(edge.confidence))
    given, condition = why(edge.reason), checked_text("condition", edge.condition)
    condition = condition if condition and condition.strip() else None
    content = EdgeContent(source, target, condition, None if given is None else given.reason)
    return Decision(structure, owner, None if content == EdgeContent() else content)


def decide_unlink(edge: KnownEdge, reason: str | None) -> Decision:
    """Event that ends an edge; it belongs to the memory at the edge's source."""
    return Decision(Unlinked(edge.edge_id), edge.memory_id, why(reason))

"""Deciding consolidation: what is worth keeping, and which edges are drawn and dropped."""

from __future__ import annotations

import msgspec

from mnemolog.ledger.events import (
    ConsolidationTrigger,
    EdgeOrigin,
)
from mnemolog.ledger.ids import EventId, MemoryId
from mnemolog.policies.linking import NewEdge, Thing
from mnemolog.policies.retention.merging import MergePart
from mnemolog.policies.retention.persistence import Persistence, Signs

WORTH = 0.4
"""The persistence over which a memory is consolidated."""

MEANINGFUL = 0.5
"""The confidence from which on an edge counts as one that means something."""

FAINT = 0.1
"""The confidence under which an edge that nobody verified is dropped."""

ASSOCIATIVE = frozenset({"RELATED_TO", "SIMILAR_TO", "ASSOCIATED_WITH"})
GOAL_EDGES = frozenset({"GOAL_SUPPORTS", "APPLIED_IN"})

_RECALLS = 3
_EDGES = 2
LASTING_DAYS = 7.0
_LASTING = 0.3


class Standing(msgspec.Struct, frozen=True):
    """How a memory stands as of one instant, as far as consolidation goes by it.

    `edges` are those that mean something, `helped` says that it has to do with a goal
    and was used, or that an edge says so. `lasted` is the persistence that it had at
    least over the last seven days; None for one that is younger, or not worth it anyway.
    `repeats` says that it says again what is consolidated.
    """

    signs: Signs
    persistence: Persistence
    edges: int = 0
    helped: bool = False
    lasted: float | None = None
    repeats: bool = False


def triggers(standing: Standing) -> tuple[ConsolidationTrigger, ...]:
    """What calls for a memory to be consolidated; nothing is done without one of these."""
    called: tuple[tuple[ConsolidationTrigger, bool], ...] = (
        ("recalled", standing.signs.accesses >= _RECALLS),
        ("linked", standing.edges >= _EDGES),
        ("lasting", standing.lasted is not None and standing.lasted > _LASTING),
        ("confirmed", standing.signs.confirmed),
        ("helped", standing.helped),
        ("repeated", standing.repeats),
    )
    return tuple(name for name, holds in called if holds)


def is_worth_it(standing: Standing) -> bool:
    """Whether a memory is consolidated for its own sake, or to join what is.

    For its own, where something calls for it and it is over the line.
    """
    return standing.repeats or deserves_it(standing)


def deserves_it(standing: Standing) -> bool:
    """Whether something calls for a memory to be consolidated, and it is over the line."""
    return standing.persistence.value > WORTH and bool(triggers(standing))


# -- edges -----------------------------------------------------------------------------


def stated_edge(
    stated: tuple[str, str, str], by: MergePart, evidence: tuple[MemoryId, ...]
) -> NewEdge:
    """The edge between two things that a memory states: source, type, target.

    It is as sure as the memory is, and holds while that holds.
    """
    source, relation, target = stated
    structure = by.structure
    return NewEdge(
        Thing(source),
        relation,
        Thing(target),
        confidence=structure.source_confidence * structure.extraction_confidence,
        origin="inferred",
        valid_from=structure.valid_from,
        valid_until=structure.valid_until,
        evidence=evidence,
    )


class WeighedEdge(msgspec.Struct, frozen=True):
    """What deciding to drop an edge needs to know of it.

    `unfounded` says that none of the memories that stated it stands any more.
    """

    edge_id: EventId
    memory_id: MemoryId | None
    type: str
    confidence: float
    origin: EdgeOrigin
    unfounded: bool = False


def reason_to_drop(edge: WeighedEdge) -> str | None:
    """Why an edge is dropped, in words; None for one that stays.

    Only what nobody verified is dropped, or what does but associate.
    """
    if edge.origin == "verified" and edge.type not in ASSOCIATIVE:
        return None
    if edge.confidence < FAINT:
        return f"its confidence, {edge.confidence:.2f}, is under {FAINT:g}"
    if edge.unfounded and edge.origin == "inferred":
        return "what stated it does not stand any more"
    return None

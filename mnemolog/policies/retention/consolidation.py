"""Consolidation decisions: which memories to keep, and which edges to add and drop."""

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
    """State of a memory at one instant, as consolidation needs it.

    - `edges` counts the edges that carry meaning.
    - `helped` is True if the memory relates to a goal and was used, or if an edge says so.
    - `lasted` is the minimum persistence over the last seven days; None for a younger
      memory, or for one that is not worth consolidating anyway.
    - `repeats` is True if the memory restates a consolidated one.
    """

    signs: Signs
    persistence: Persistence
    edges: int = 0
    helped: bool = False
    lasted: float | None = None
    repeats: bool = False


def triggers(standing: Standing) -> tuple[ConsolidationTrigger, ...]:
    """Triggers for consolidating a memory; without one it is not consolidated."""
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
    """True if a memory is consolidated for its own sake, or to join a consolidated one.

    For its own sake: if it has a trigger and its persistence is above the threshold.
    """
    return standing.repeats or deserves_it(standing)


def deserves_it(standing: Standing) -> bool:
    """True if a memory has a trigger and its persistence is above the threshold."""
    return standing.persistence.value > WORTH and bool(triggers(standing))


# -- edges -----------------------------------------------------------------------------


def stated_edge(
    stated: tuple[str, str, str], by: MergePart, evidence: tuple[MemoryId, ...]
) -> NewEdge:
    """Edge between two things that a memory states: source, type, target.

    It has the memory's confidence and valid time.
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
    """Edge as the decision to drop it needs it.

    `unfounded` is True if none of the memories that stated the edge is valid any more.
    """

    edge_id: EventId
    memory_id: MemoryId | None
    type: str
    confidence: float
    origin: EdgeOrigin
    unfounded: bool = False


def reason_to_drop(edge: WeighedEdge) -> str | None:
    """Reason to drop an edge, in words; None to keep it.

    Only unverified edges and plain associations are dropped.
    """
    if edge.origin == "verified" and edge.type not in ASSOCIATIVE:
        return None
    if edge.confidence < FAINT:
        return f"its confidence, {edge.confidence:.2f}, is under {FAINT:g}"
    if edge.unfounded and edge.origin == "inferred":
        return "what stated it does not stand any more"
    return None

"""Admission results of the commands admit and flush."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from mnemolog.application.commands.receipts import FoundConflict, Receipt, ReceiptEvent, as_event
from mnemolog.application.home.space import Cut
from mnemolog.ledger import events
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.events import VOCABULARY, Draft
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.policies.admission.activation import Activation
from mnemolog.policies.admission.placement import Placement
from mnemolog.results import Results, Value


class Decided(Value, frozen=True):
    """Admission decision on one content, and its scores.

    `placement` is persist, reinforce, buffer or drop. `memory_id` is the memory stored or
    reinforced, None otherwise. `event_id` and `position` are those of the decision's event.
    `activation` is the sum of its four parts. Of these, `spreading`, the cosine to the nearest
    of attention, identity and heaviest memories, determines the relevance. `similarity` is the
    cosine to the `nearest` memory and determines the novelty. `says` is the decision as a
    sentence.
    """

    placement: Placement
    memory_id: MemoryId | None
    event_id: EventId
    position: Position
    content: str
    relevance: events.Relevance
    novelty: events.Novelty
    activation: float
    base_level: float
    spreading: float | None
    partial_match: float
    noise: float
    nearest: MemoryId | None
    similarity: float | None
    says: str


class Admission(Results[Decided], frozen=True):
    """Result of `admit` and `flush`; the first fields are those of a `Receipt`.

    `decisions` are in the order of submission. `complete` is False if readers kept pages with
    content that left the buffer in use until the timeout; the rest is destroyed when the home
    is next opened.
    """

    _over = "decisions"

    memory_id: MemoryId | None
    position: Position
    recorded_at: datetime
    events: tuple[ReceiptEvent, ...]
    changed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    conflicts: tuple[FoundConflict, ...] = ()
    decisions: tuple[Decided, ...] = ()
    complete: bool = True


_Placing = events.Admitted | events.Reinforced | events.Buffered | events.Dropped
_PLACEMENTS: dict[type[events.Payload], tuple[Placement, str]] = {
    events.Admitted: ("persist", "persisted"),
    events.Reinforced: ("reinforce", "the memory that says it is reinforced"),
    events.Buffered: ("buffer", "it waits in the buffer"),
    events.Dropped: ("drop", "dropped"),
}


def decided(content: str, batch: Sequence[Draft], positions: Sequence[Position]) -> Decided | None:
    """Decision that the events record for a content; None if they record none."""
    for draft, position in zip(batch, positions, strict=True):
        structure = VOCABULARY.structure(as_event(draft, position))
        if not isinstance(structure, _Placing):
            continue
        scores, (placement, done) = structure.scores, _PLACEMENTS[type(structure)]
        if scores is None:
            continue
        parts = (scores.base_level, scores.spreading, scores.partial_match, scores.noise)
        total = round(Activation(*parts).total, 6)
        near, spread = "no memory is near", "nothing to compare with"
        if scores.spreading is not None:
            spread = f"{scores.spreading:.2f}"
        if scores.similarity is not None:
            near = f"{scores.similarity:.2f}"
        says = f"of {scores.relevance} relevance ({spread}) and {scores.novelty} ({near}), "
        return Decided(
            placement,
            draft.memory_id,
            draft.event_id,
            position,
            content,
            scores.relevance,
            scores.novelty,
            total,
            *parts,
            scores.nearest,
            scores.similarity,
            f"{says}with activation {total:.2f}: {done}",
        )
    return None


class AdmissionResult(NamedTuple):
    """Admission result of one content: its receipt and its decision."""

    receipt: Receipt
    decided: Decided | None


def admission(told: Sequence[AdmissionResult], cut: Cut) -> Admission:
    """Admission that combines several results; an empty one has the position and time of `cut`."""
    decisions = tuple(one.decided for one in told if one.decided is not None)
    receipts = [one.receipt for one in told]
    events = tuple(event for one in receipts for event in one.events)
    return Admission(
        memory_id=decisions[0].memory_id if len(decisions) == 1 else None,
        position=min((event.position for event in events), default=cut.position),
        recorded_at=receipts[0].recorded_at if receipts else to_datetime(cut.instant),
        events=events,
        changed=tuple(said for one in receipts for said in one.changed),
        warnings=tuple(dict.fromkeys(said for one in receipts for said in one.warnings)),
        conflicts=tuple(found for one in receipts for found in one.conflicts),
        decisions=decisions,
    )

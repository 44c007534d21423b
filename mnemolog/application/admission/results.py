"""Admission results of the commands admit and flush."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from mnemolog.application.commands.receipts import FoundConflict, Receipt, ReceiptEvent, as_event
from mnemolog.application.home.space import Cut
from mnemolog.ledger.clock import to_datetime
from mnemolog.ledger.events import (
    Admitted,
    Buffered,
    Draft,
    Dropped,
    Novelty,
    Reinforced,
    Relevance,
    Scores,
)
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY
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
    relevance: Relevance
    novelty: Novelty
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


def decided(content: str, batch: Sequence[Draft], positions: Sequence[Position]) -> Decided | None:
    """Decision that the events record for a content; None if they record none."""
    for draft, position in zip(batch, positions, strict=True):
        structure = VOCABULARY.structure(as_event(draft, position))
        placement: Placement
        if isinstance(structure, Admitted):
            placement = "persist"
        elif isinstance(structure, Reinforced):
            placement = "reinforce"
        elif isinstance(structure, Buffered):
            placement = "buffer"
        elif isinstance(structure, Dropped):
            placement = "drop"
        else:
            continue
        scores = structure.scores
        if scores is not None:
            return _decided(placement, draft, position, content, scores)
    return None


def _decided(
    placement: Placement, draft: Draft, position: Position, content: str, scores: Scores
) -> Decided:
    parts = (scores.base_level, scores.spreading, scores.partial_match, scores.noise)
    total = round(Activation(*parts).total, 6)
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
        _says(placement, scores, total),
    )


_DONE: dict[Placement, str] = {
    "persist": "persisted",
    "reinforce": "the memory that says it is reinforced",
    "buffer": "it waits in the buffer",
    "drop": "dropped",
}


def _says(placement: Placement, scores: Scores, total: float) -> str:
    spread = "nothing to compare with" if scores.spreading is None else f"{scores.spreading:.2f}"
    near = "no memory is near" if scores.similarity is None else f"{scores.similarity:.2f}"
    return (
        f"of {scores.relevance} relevance ({spread}) and {scores.novelty} ({near}), "
        f"with activation {total:.2f}: {_DONE[placement]}"
    )


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

"""Depth weight of a memory as of a moment, as a distribution."""

from __future__ import annotations

from mnemolog.application.home.home import Home
from mnemolog.ledger.events import Remembered
from mnemolog.ledger.ids import EventId, MemoryId, Position
from mnemolog.ledger.vocabulary import VOCABULARY
from mnemolog.policies.retention.weights import Weight
from mnemolog.projections.weights import weights_as_of


def depth_weight_of(home: Home, memory_id: MemoryId, position: Position) -> Weight:
    """Depth weight of a memory as of a position: its initial or its reinforced weight."""
    known = home.views.read(lambda db: weights_as_of(db, [memory_id], position))
    if memory_id in known:
        return known[memory_id]
    (event,) = home.log.events_at([*home.log.positions_of([EventId(memory_id)]).values()])
    structure = VOCABULARY.structure(event)
    return (structure if isinstance(structure, Remembered) else Remembered()).depth_weight

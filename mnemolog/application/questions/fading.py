"""Fading of memories: their strengths, and the pace of time in their space."""

from __future__ import annotations

from collections.abc import Sequence

from mnemolog.application.home.home import Home
from mnemolog.ledger.decay import Pace
from mnemolog.ledger.ids import MemoryId, Position
from mnemolog.policies.retention.forgetting import Fading
from mnemolog.projections.lifecycle import fall_conditions
from mnemolog.projections.strengths import pace_as_of


def fading_of(
    home: Home, space: str, memory_ids: Sequence[MemoryId], position: Position
) -> tuple[list[Fading], Pace]:
    """Strengths of memories of a space, in the given order, and the pace of time there.

    Redacted memories are left out.
    """
    found = home.views.read(lambda db: fall_conditions(db, memory_ids, position))
    pace = home.views.read(lambda db: pace_as_of(db, space, position))
    return [Fading(one, held) for _, one, _, held in found if held is not None], pace

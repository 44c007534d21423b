"""Where activation spreads from, beside what is attended to: the heaviest memories.

Recall scores by it, and what asks to enter the memory is placed by it; the two share
nothing else.
"""

from __future__ import annotations

import numpy as np

from mnemolog.indexes.space_state import State
from mnemolog.indexes.vectors import Allowed
from mnemolog.ledger.ids import Position
from mnemolog.recall.search.match import Ordinals

HEAVIEST = 8
"""How many of the heaviest memories spread activation."""


def heaviest(state: State, size: int, position: Position, allowed: Allowed) -> Ordinals:
    """Of the first `size` memories those that weigh more than a plain one as of a position.

    The heaviest of them first, at most 8, of two that weigh the same the newer one.
    """
    heavy = state.weights.heavy(state.columns, size, position)
    heavy = heavy[allowed.of(heavy)]
    order = np.lexsort((-heavy, -state.weights.of(heavy, state.columns, position)))
    chosen: Ordinals = heavy[order[:HEAVIEST]]
    return chosen

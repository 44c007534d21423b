"""Centrality of memories in the graph of their space: their edges, and PageRank.

What is joined are memories and things, each with a number of its own. Edges are walked both
ways, as recall walks them, each as likely as it is sure. Nothing is sampled and every sum
has its order, so that the same edges give the same numbers to the last bit.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

Ends = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_GOES_ON = 0.85
_CLOSE = 1e-9
_MOST_STEPS = 100


class Centralities(msgspec.Struct, frozen=True):
    """Centrality of each node, by its number.

    `degrees` is how many edges it has and `ranks` the share that PageRank gives it, each
    relative to the largest there is, in [0, 1].
    """

    degrees: Floats
    ranks: Floats


def centralities(sources: Ends, targets: Ends, weights: Floats) -> Centralities:
    """The centrality of the nodes 0, 1, 2 …, each of which some edge joins.

    Edge i goes from `sources[i]` to `targets[i]` and is walked with `weights[i]`, which is
    positive. PageRank is that of Brin and Page (1998) with damping 0.85, by power
    iteration until less than 1e-9 of it moves.
    """
    if not len(sources):
        return Centralities(np.zeros(0), np.zeros(0))
    # Both ways; in the order of where a step ends, so that sums run in one order.
    begins, arrives = np.concatenate([sources, targets]), np.concatenate([targets, sources])
    order = np.lexsort((begins, arrives))
    begins, arrives = begins[order], arrives[order]
    along = np.concatenate([weights, weights])[order]
    degrees = np.bincount(arrives).astype(np.float64)
    count = len(degrees)
    shares = along / np.bincount(begins, along, count)[begins]
    rank: Floats = np.full(count, 1.0 / count)
    for _ in range(_MOST_STEPS):
        before = rank
        moved = np.bincount(arrives, shares * before[begins], count)
        rank = (1.0 - _GOES_ON) / count + _GOES_ON * moved.astype(np.float64)
        if float(np.abs(rank - before).sum()) < _CLOSE:
            break
    return Centralities(degrees / degrees.max(), rank / rank.max())

"""How central memories are in the graph of their space: their edges, and PageRank over them.

What is joined are memories, by position, and things, by any number of their own. Edges
are walked both ways, as recall walks them, each as likely as it is sure. Nothing is
sampled and every sum has its order, so that the same edges give the same numbers to the
last bit.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import numpy as np
import numpy.typing as npt

Ends = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_GOES_ON = 0.85
_CLOSE = 1e-9
_MOST_STEPS = 100


class Central(msgspec.Struct, frozen=True):
    """How central one node is.

    `degree` is how many edges it has and `rank` the share that PageRank gives it, each
    relative to the largest there is, in [0, 1].
    """

    degree: float
    rank: float


def centralities(sources: Ends, targets: Ends, weights: Floats) -> Mapping[int, Central]:
    """How central every node is that an edge joins; others have no centrality at all.

    Edge i goes from `sources[i]` to `targets[i]` and is walked with `weights[i]`, which is
    positive. PageRank is that of Brin and Page (1998) with damping 0.85, by power
    iteration until less than 1e-9 of it moves.
    """
    if not len(sources):
        return {}
    nodes, places = np.unique(np.concatenate([sources, targets]), return_inverse=True)
    count = len(nodes)
    starts, ends = places[: len(sources)], places[len(sources) :]
    # Both ways; in the order of where a step ends, so that sums run in one order.
    begins, arrives = np.concatenate([starts, ends]), np.concatenate([ends, starts])
    order = np.lexsort((begins, arrives))
    begins, arrives = begins[order], arrives[order]
    along = np.concatenate([weights, weights])[order]
    out = np.bincount(begins, along, count)
    shares = along / out[begins]
    rank: Floats = np.full(count, 1.0 / count)
    for _ in range(_MOST_STEPS):
        before = rank
        moved = np.bincount(arrives, shares * before[begins], count)
        rank = (1.0 - _GOES_ON) / count + _GOES_ON * moved.astype(np.float64)
        if float(np.abs(rank - before).sum()) < _CLOSE:
            break
    degrees = np.bincount(arrives, minlength=count)
    relative = degrees / degrees.max(), rank / rank.max()
    return {
        node: Central(degree, share)
        for node, degree, share in zip(
            nodes.tolist(), relative[0].tolist(), relative[1].tolist(), strict=True
        )
    }

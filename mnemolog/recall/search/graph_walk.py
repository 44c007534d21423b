"""Walk in the graph of a space, from what a cue has found.

Memories are joined through the names that they mention, by edges, and to what was said
just before and after them. Supersession is not walked: recall shows a chain by its newest.

A walk is a personalised PageRank by local pushes: it begins at the seeds; at each step it
ends with probability `_STOP` or goes on. The push method (Andersen, Chung and Lang 2006) looks
only at where much of the walk is: it costs the same in a large space as in a small one.
"""

from typing import NamedTuple

import numpy as np

from mnemolog.indexes.arrays import Ordinals
from mnemolog.indexes.columns import NOBODY, Columns, Floats, Instants, Selection
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.graph import EdgeIndex, Node
from mnemolog.indexes.postings import Mentions
from mnemolog.indexes.space_state import State

_STOP, _ROUNDS, _PUSHED = 0.4, 2, 64
_HOLDERS = 32  # Newest memories reached through one name; the rest of its share is lost
# A name that a larger share of the memories mention, and more than a few, joins nothing.
_COMMON, _FEW = 0.2, 5
_EDGE_WEIGHT, _TALK_WEIGHT = 2.0, 0.5
_OUT_OF_ANSWERS = frozenset({"withdrawn", "redacted"})

# Shares of a walk on their way to memories, in the order in which they set out.
Flow = list[tuple[Ordinals, Floats]]


class _Ground(NamedTuple):
    columns: Columns
    mentions: Mentions
    edges: EdgeIndex
    horizon: Horizon
    size: int

    def across(self, node: Node) -> list[tuple[Node, float]]:
        return [
            (edge.target if edge.source == node else edge.source, _EDGE_WEIGHT * edge.confidence)
            for edge in self.edges.at(node, self.horizon)
            if edge.confidence > 0
        ]


def walk(
    state: State, seeds: Selection, weights: Floats, horizon: Horizon
) -> tuple[Selection, Floats]:
    """Memories near some seeds in the graph, ascending, and the share of a walk that each gets.

    `weights`, of which only the proportions count, say how often the walk begins at each seed.
    Shares are positive and sum to at most 1; seeds are among the answer.
    """
    # Once: the numbers of names change when a base is written meanwhile.
    ground = _Ground(state.columns, state.mentions, state.edges, horizon, horizon.size)
    gone = state.columns.changed_to(horizon.position, _OUT_OF_ANSWERS)
    # In one order whatever the caller's, so that sums come out the same to the last bit.
    ordinals, waiting = _summed([(seeds, weights)], gone)
    total = waiting.sum()
    if total <= 0:
        return np.zeros(0, np.intp), np.zeros(0)
    waiting = waiting / total
    reached: Flow = []
    for _ in range(_ROUNDS):
        chosen = _most(waiting, _PUSHED)
        pushed, share = ordinals[chosen], waiting[chosen]
        reached.append((pushed, _STOP * share))
        rest = np.ones(len(ordinals), np.bool_)
        rest[chosen] = False
        flow: Flow = [(ordinals[rest], waiting[rest])]
        _push(ground, pushed, (1 - _STOP) * share, flow)
        ordinals, waiting = _summed(flow, gone)
    # Shares under way count where they are, as if each walk ended there now.
    found, scores = _summed([*reached, (ordinals, _STOP * waiting)], gone)
    return found[scores > 0], scores[scores > 0]


def _most(shares: Floats, count: int) -> Selection:
    # Ascending; of equal shares the later.
    if len(shares) <= count:
        return np.arange(len(shares))
    least = np.partition(shares, len(shares) - count)[len(shares) - count]
    above = np.flatnonzero(shares > least)
    equal = np.flatnonzero(shares == least)
    return np.sort(np.concatenate([above, equal[len(equal) - (count - len(above)) :]]))


def _summed(flow: Flow, gone: Selection) -> tuple[Selection, Floats]:
    """Each memory once, ascending, with the sum of its shares, but for those that are gone."""
    every, share = (np.concatenate(parts) for parts in zip(*flow, strict=True))
    order = np.argsort(every, kind="stable")
    ordered = every[order]
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    sums = _sums(np.cumsum(first) - 1, share[order], 0)
    found = ordered[first].astype(np.intp)
    if len(gone):
        there = ~np.isin(found, gone)
        return found[there], sums[there]
    return found, sums


def _sums(places: Ordinals, shares: Floats, size: int) -> Floats:
    # Added in the order given; zeros for no shares.
    sums: Floats = np.bincount(places, shares, size).astype(np.float64, copy=False)
    return sums


def _push(ground: _Ground, memories: Selection, shares: Floats, flow: Flow) -> None:
    """Send the shares of some memories on to their neighbours, by the weight of what joins them."""
    whose, codes = ground.mentions.of(memories)
    # Names in the order of first use: their numbers depend on what the index was made of.
    distinct, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    names, place = distinct[order], np.argsort(order)[inverse]
    by_name = _rarity(ground, names)[place]
    beside = ground.columns.previous(memories), ground.columns.following(memories, ground.size)
    near = [one.astype(np.int64) for one in beside]
    edges = [
        (index, node, weight)
        for index, memory in enumerate(memories.tolist() if len(ground.edges) else ())
        for node, weight in ground.across(memory)
    ]
    out = _sums(whose, by_name, len(memories))
    for one in near:
        out += np.where(one == NOBODY, 0.0, _TALK_WEIGHT)
    for index, _, weight in edges:
        out[index] += weight
    unit = np.divide(shares, out, out=np.zeros(len(shares)), where=out > 0)
    flow += [(one[one != NOBODY], _TALK_WEIGHT * unit[one != NOBODY]) for one in near]
    things = _Things(ground, flow, names, _sums(place, by_name * unit[whose], len(names)))
    for index, node, weight in edges:
        things.send(node, float(weight * unit[index]))
    things.spread()


class _Things:
    # Names that memories mention are numbers; names that edges lead to are strings.

    def __init__(self, ground: _Ground, flow: Flow, codes: Instants, shares: Floats) -> None:
        self._ground, self._flow = ground, flow
        self._codes, self._carried = codes[shares > 0], shares[shares > 0]
        self._named: dict[str, float] = {}

    def send(self, node: Node, share: float) -> None:
        """Send a share to an end of an edge."""
        if isinstance(node, str):
            self._named[node] = self._named.get(node, 0.0) + share
        elif node < self._ground.size:
            self._flow.append((np.array([node]), np.array([share])))

    def spread(self) -> None:
        """Send all shares on: along the edges of names first, then to memories with these names."""
        if len(self._ground.edges):
            self._follow_edges()
        mentions = self._ground.mentions
        held, rows, holders = mentions.holders(self._codes, self._ground.size, _HOLDERS)
        self._flow.append((holders, (self._carried / np.maximum(held, 1))[rows]))

    def _follow_edges(self) -> None:
        mentions = self._ground.mentions
        for place, code in enumerate(self._codes.tolist()):
            self._carried[place] = self._left(mentions.name(code), float(self._carried[place]))
        # Once more, for the things that these led to; what goes on from there ends there.
        ahead, self._named = self._named, {}
        left = {name: self._left(name, share) for name, share in ahead.items()}
        for name, share in self._named.items():
            left[name] = left.get(name, 0.0) + share
        codes = {name: mentions.code(name) for name, share in left.items() if share > 0}
        known = {code: left[name] for name, code in codes.items() if code is not None}
        self._codes = np.concatenate([self._codes, np.array([*known], np.int64)])
        self._carried = np.concatenate([self._carried, np.array([*known.values()], np.float64)])

    def _left(self, name: str, share: float) -> float:
        # What the name keeps for memories that mention it, after its edges took their shares.
        joined = self._ground.across(name)
        whole = 1.0 + sum(weight for _, weight in joined)
        for node, weight in joined:
            self.send(node, share * weight / whole)
        return share / whole


def _rarity(ground: _Ground, names: Instants) -> Floats:
    """The rarity of each name: ln(1 + N / holders); 0 for one that joins nothing or everything."""
    held = ground.mentions.counts(names, ground.size)
    joins = held > 1
    if len(ground.edges):
        for place in np.flatnonzero(held == 1).tolist():
            name = ground.mentions.name(int(names[place]))
            joins[place] = any(True for _ in ground.edges.at(name, ground.horizon))
    tells = joins & (held <= max(_FEW, _COMMON * ground.size))
    rarity: Floats = np.where(tells, np.log1p(ground.size / np.maximum(held, 1)), 0.0)
    return rarity

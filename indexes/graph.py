"""The graph of a space, walked from what a cue has found: personalised PageRank by local pushes.

Memories are joined through the names that they mention, by edges, and to what
was said just before and after them. A walk begins at the seeds; at each step it
ends with probability `_STOP` or goes on. The push method (Andersen, Chung and
Lang 2006) looks only at where much of the walk is, so that it costs the same in
a large space as in a small one.

Supersession is not walked: recall shows a chain by its newest anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from indexes.columns import NOBODY
from indexes.edge_index import Node
from indexes.horizon import Horizon

if TYPE_CHECKING:
    from indexes.space_index import State

Ordinals = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

_STOP = 0.4
_ROUNDS = 3
_PUSHED = 64
_HOLDERS = 64
"""So many memories, the newest, are reached through one name; the rest of its share is lost."""
_COMMON = 0.2
"""A name that a larger share of the memories mention joins nothing."""
_EDGE_WEIGHT = 2.0
_TALK_WEIGHT = 0.5
_OUT_OF_ANSWERS = frozenset({"withdrawn", "redacted"})


class _Flow:
    """Shares of a walk on their way to memories, in the order in which they set out."""

    def __init__(self) -> None:
        self.to: list[npt.NDArray[np.integer]] = []
        self.share: list[Floats] = []

    def send(self, to: npt.NDArray[np.integer], share: Floats) -> None:
        """Let these memories get these shares."""
        self.to.append(to)
        self.share.append(share)


def walk(
    state: State, seeds: Ordinals, weights: Floats, horizon: Horizon
) -> tuple[Ordinals, Floats]:
    """Memories near some seeds in the graph, ascending, and the share of a walk that each gets.

    `weights` says how often the walk begins at each seed; only their proportions
    count. Scores are positive and sum to at most 1; seeds are among the answer.
    """
    total = weights.sum()
    if not len(seeds) or total <= 0:
        return np.zeros(0, np.intp), np.zeros(0)
    # In one order whatever the caller's, so that sums come out the same to the last bit.
    ordinals, waiting = _summed([seeds], [weights / total])
    reached, gained = [ordinals[:0]], [waiting[:0]]
    for _ in range(_ROUNDS):
        chosen = _most(waiting, _PUSHED)
        pushed, share = ordinals[chosen], waiting[chosen]
        reached.append(pushed)
        gained.append(_STOP * share)
        rest = np.ones(len(ordinals), np.bool_)
        rest[chosen] = False
        flow = _Flow()
        flow.send(ordinals[rest], waiting[rest])
        _pushed(state, pushed, (1 - _STOP) * share, horizon, flow)
        ordinals, waiting = _summed(flow.to, flow.share)
    # What is still under way counts where it is, as if each walk ended there now.
    found, scores = _summed([*reached, ordinals], [*gained, _STOP * waiting])
    gone = state.columns.changed_to(horizon.position, _OUT_OF_ANSWERS)
    kept = (scores > 0) & ~np.isin(found, gone)
    return found[kept], scores[kept]


def _most(shares: Floats, count: int) -> Ordinals:
    """The places of the `count` largest shares, ascending; of equal ones the later."""
    if len(shares) <= count:
        return np.arange(len(shares))
    least = np.partition(shares, len(shares) - count)[len(shares) - count]
    above = np.flatnonzero(shares > least)
    equal = np.flatnonzero(shares == least)
    return np.sort(np.concatenate([above, equal[len(equal) - (count - len(above)) :]]))


def _summed(to: list[npt.NDArray[np.integer]], shares: list[Floats]) -> tuple[Ordinals, Floats]:
    """Each memory once, ascending, with the sum of its shares, added in the order given."""
    every, share = np.concatenate(to), np.concatenate(shares)
    order = np.argsort(every, kind="stable")
    ordered = every[order]
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    sums: Floats = np.bincount(np.cumsum(first) - 1, share[order]).astype(np.float64)
    return ordered[first].astype(np.intp), sums


def _pushed(
    state: State, memories: Ordinals, shares: Floats, horizon: Horizon, flow: _Flow
) -> None:
    """Send the shares of some memories on to their neighbours, by the weight of what joins them."""
    whose, codes = state.mentions.of(memories)
    names, place = _distinct(codes)
    by_name = _rarity(state, names, horizon.size)[place]
    near = [
        state.columns.previous(memories).astype(np.int64),
        state.columns.following(memories, horizon.size).astype(np.int64),
    ]
    edges = [
        (index, node, weight)
        for index, memory in enumerate(memories.tolist() if len(state.edges) else ())
        for node, weight in _across(state, memory, horizon)
    ]
    out = np.bincount(whose, by_name, len(memories))
    for beside in near:
        out += np.where(beside == NOBODY, 0.0, _TALK_WEIGHT)
    for index, _, weight in edges:
        out[index] += weight
    unit = np.divide(shares, out, out=np.zeros(len(shares)), where=out > 0)
    for beside in near:
        there = beside != NOBODY
        flow.send(beside[there], _TALK_WEIGHT * unit[there])
    things = _Things(state, horizon)
    carried = np.bincount(place, by_name * unit[whose], len(names)).astype(np.float64)
    things.reach(names, carried)
    for index, node, weight in edges:
        things.send(flow, node, float(weight * unit[index]))
    things.spread(flow)


def _across(state: State, node: Node, horizon: Horizon) -> list[tuple[Node, float]]:
    """What edges join to a memory or thing, either way, and how strongly."""
    return [
        (edge.target if edge.source == node else edge.source, _EDGE_WEIGHT * edge.confidence)
        for edge in state.edges.at(node, horizon)
        if edge.confidence > 0
    ]


class _Things:
    """Shares on their way through names, to be spread over who mentions them."""

    def __init__(self, state: State, horizon: Horizon) -> None:
        self._state = state
        self._horizon = horizon
        self._codes = np.zeros(0, np.int64)
        self._carried = np.zeros(0)
        self._unmentioned: dict[str, float] = {}

    def reach(self, codes: npt.NDArray[np.int64], shares: Floats) -> None:
        """Let names have shares."""
        kept = shares > 0
        self._codes = np.concatenate([self._codes, codes[kept]])
        self._carried = np.concatenate([self._carried, shares[kept]])

    def send(self, flow: _Flow, node: Node, share: float) -> None:
        """Let an end of an edge have a share."""
        if isinstance(node, int):
            if node < self._horizon.size:
                flow.send(np.array([node]), np.array([share]))
        elif (code := self._state.mentions.code(node)) is not None:
            self.reach(np.array([code]), np.array([share]))
        else:
            self._unmentioned[node] = self._unmentioned.get(node, 0.0) + share

    def spread(self, flow: _Flow) -> None:
        """Send everything on: along edges between things first, then to who mentions them."""
        state, size = self._state, self._horizon.size
        if len(state.edges):
            self._across_edges(flow)
        held = state.mentions.counts(self._codes, size)
        rows, holders = state.mentions.holders(self._codes, size, _HOLDERS)
        flow.send(holders, (self._carried / np.maximum(held, 1))[rows])

    def _across_edges(self, flow: _Flow) -> None:
        mentions = self._state.mentions
        codes, carried, self._carried = self._codes, self._carried, self._carried.copy()
        named = [(mentions.name(code), place) for place, code in enumerate(codes.tolist())]
        for name, place in named:
            joined = _across(self._state, name, self._horizon)
            whole = 1.0 + sum(weight for _, weight in joined)
            self._carried[place] = carried[place] / whole
            for node, weight in joined:
                self.send(flow, node, float(carried[place]) * weight / whole)
        for name, share in tuple(self._unmentioned.items()):
            joined = _across(self._state, name, self._horizon)
            whole = sum(weight for _, weight in joined)
            for node, weight in joined:
                self.send(flow, node, share * weight / whole)


def _distinct(codes: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], Ordinals]:
    """Each number once, in the order of first use, and which of them stands at each place.

    By first use, since the numbers of names depend on what the index was made of.
    """
    distinct, first, place = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return distinct[order], rank[place]


def _rarity(state: State, names: npt.NDArray[np.int64], size: int) -> Floats:
    """How much each name tells: ln(1 + N / holders); 0 for one that joins nothing or everything."""
    held = state.mentions.counts(names, size)
    joins = held > 1
    if len(state.edges):
        joins |= np.array(
            [state.mentions.name(code) in state.edges for code in names.tolist()], bool
        )
    tells = joins & (held <= max(2.0, _COMMON * size))
    rarity: Floats = np.where(tells, np.log1p(size / np.maximum(held, 1)), 0.0)
    return rarity

"""The graph of a space, walked from what a cue has found: personalised PageRank by local pushes.

Memories are joined through the names that they mention, by edges, and to what
was said just before and after them. A walk begins at the seeds; at each step it
ends with probability `_STOP` or goes on. The push method (Andersen, Chung and
Lang 2006) looks only at where much of the walk is, so that it costs the same in
a large space as in a small one.

Supersession is not walked: recall shows a chain by its newest anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from mnemolog.indexes.columns import NOBODY, Columns
from mnemolog.indexes.edge_index import EdgeIndex, Node
from mnemolog.indexes.horizon import Horizon
from mnemolog.indexes.mentions import Mentions

if TYPE_CHECKING:
    from mnemolog.indexes.space_state import State

Ordinals = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

_STOP = 0.4
_ROUNDS = 2
_PUSHED = 64
_HOLDERS = 32
"""So many memories, the newest, are reached through one name; the rest of its share is lost."""
_COMMON, _FEW = 0.2, 5
"""A name that a larger share of the memories mention, and more than a few, joins nothing."""
_EDGE_WEIGHT = 2.0
_TALK_WEIGHT = 0.5
_OUT_OF_ANSWERS = frozenset({"withdrawn", "redacted"})


class _Ground(NamedTuple):
    """Graph and horizon of a walk."""

    columns: Columns
    mentions: Mentions
    edges: EdgeIndex
    horizon: Horizon


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
    # Once: the numbers of names change when a base is written meanwhile.
    ground = _Ground(state.columns, state.mentions, state.edges, horizon)
    gone = state.columns.changed_to(horizon.position, _OUT_OF_ANSWERS)
    # In one order whatever the caller's, so that sums come out the same to the last bit.
    ordinals, waiting = _summed([seeds], [weights], gone)
    total = waiting.sum()
    if total <= 0:
        return np.zeros(0, np.intp), np.zeros(0)
    waiting = waiting / total
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
        _pushed(ground, pushed, (1 - _STOP) * share, flow)
        ordinals, waiting = _summed(flow.to, flow.share, gone)
    # Shares under way count where they are, as if each walk ended there now.
    found, scores = _summed([*reached, ordinals], [*gained, _STOP * waiting], gone)
    return found[scores > 0], scores[scores > 0]


def _most(shares: Floats, count: int) -> Ordinals:
    """The places of the `count` largest shares, ascending; of equal ones the later."""
    if len(shares) <= count:
        return np.arange(len(shares))
    least = np.partition(shares, len(shares) - count)[len(shares) - count]
    above = np.flatnonzero(shares > least)
    equal = np.flatnonzero(shares == least)
    return np.sort(np.concatenate([above, equal[len(equal) - (count - len(above)) :]]))


def _summed(
    to: list[npt.NDArray[np.integer]], shares: list[Floats], gone: Ordinals
) -> tuple[Ordinals, Floats]:
    """Each memory once, ascending, with the sum of its shares, added in the order given.

    Without those that are gone: through what is out of all answers nothing is reached.
    """
    every, share = np.concatenate(to), np.concatenate(shares)
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


def _sums(places: npt.NDArray[np.integer], shares: Floats, size: int) -> Floats:
    """The sum of the shares at each place, added in the order given; zeros for no shares."""
    sums: Floats = np.bincount(places, shares, size).astype(np.float64, copy=False)
    return sums


def _pushed(ground: _Ground, memories: Ordinals, shares: Floats, flow: _Flow) -> None:
    """Send the shares of some memories on to their neighbours, by the weight of what joins them."""
    whose, codes = ground.mentions.of(memories)
    names, place = _distinct(codes)
    by_name = _rarity(ground, names)[place]
    near = [
        ground.columns.previous(memories).astype(np.int64),
        ground.columns.following(memories, ground.horizon.size).astype(np.int64),
    ]
    edges = [
        (index, node, weight)
        for index, memory in enumerate(memories.tolist() if len(ground.edges) else ())
        for node, weight in _across(ground, memory)
    ]
    out = _sums(whose, by_name, len(memories))
    for beside in near:
        out += np.where(beside == NOBODY, 0.0, _TALK_WEIGHT)
    for index, _, weight in edges:
        out[index] += weight
    unit = np.divide(shares, out, out=np.zeros(len(shares)), where=out > 0)
    for beside in near:
        there = beside != NOBODY
        flow.send(beside[there], _TALK_WEIGHT * unit[there])
    things = _Things(ground)
    things.reach(names, _sums(place, by_name * unit[whose], len(names)))
    for index, node, weight in edges:
        things.send(flow, node, float(weight * unit[index]))
    things.spread(flow)


def _across(ground: _Ground, node: Node) -> list[tuple[Node, float]]:
    """The neighbours of a memory or thing by edges, either way, and their weights."""
    return [
        (edge.target if edge.source == node else edge.source, _EDGE_WEIGHT * edge.confidence)
        for edge in ground.edges.at(node, ground.horizon)
        if edge.confidence > 0
    ]


class _Things:
    """Shares on their way through names, to be spread over who mentions them.

    Names that memories mention are numbers; names that edges lead to are strings.
    """

    def __init__(self, ground: _Ground) -> None:
        self._ground = ground
        self._codes = np.zeros(0, np.int64)
        self._carried = np.zeros(0)
        self._named: dict[str, float] = {}

    def reach(self, codes: npt.NDArray[np.int64], shares: Floats) -> None:
        """Let names have shares."""
        kept = shares > 0
        self._codes = np.concatenate([self._codes, codes[kept]])
        self._carried = np.concatenate([self._carried, shares[kept]])

    def send(self, flow: _Flow, node: Node, share: float) -> None:
        """Let an end of an edge have a share."""
        if isinstance(node, str):
            self._named[node] = self._named.get(node, 0.0) + share
        elif node < self._ground.horizon.size:
            flow.send(np.array([node]), np.array([share]))

    def spread(self, flow: _Flow) -> None:
        """Send all shares on: along the edges of names first, then to memories with these names."""
        if len(self._ground.edges):
            self._follow_edges(flow)
        held, rows, holders = self._ground.mentions.holders(
            self._codes, self._ground.horizon.size, _HOLDERS
        )
        flow.send(holders, (self._carried / np.maximum(held, 1))[rows])

    def _follow_edges(self, flow: _Flow) -> None:
        mentions = self._ground.mentions
        for place, code in enumerate(self._codes.tolist()):
            self._carried[place] = self._left(
                flow, mentions.name(code), float(self._carried[place])
            )
        # Once more, for the things that these led to; what goes on from there ends there.
        ahead, self._named = self._named, {}
        left = {name: self._left(flow, name, share) for name, share in ahead.items()}
        for name, share in self._named.items():
            left[name] = left.get(name, 0.0) + share
        codes = {name: mentions.code(name) for name in left}
        mentioned = [name for name, code in codes.items() if code is not None]
        self.reach(
            np.array([codes[name] for name in mentioned], np.int64),
            np.array([left[name] for name in mentioned], np.float64),
        )

    def _left(self, flow: _Flow, name: str, share: float) -> float:
        """The share that a name keeps for memories that mention it, after its edges took theirs."""
        joined = _across(self._ground, name)
        whole = 1.0 + sum(weight for _, weight in joined)
        for node, weight in joined:
            self.send(flow, node, share * weight / whole)
        return share / whole


def _distinct(codes: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], Ordinals]:
    """Each number once, in the order of first use, and the index of the number at each place.

    By first use, since the numbers of names depend on what the index was made of.
    """
    distinct, first, place = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return distinct[order], rank[place]


def _rarity(ground: _Ground, names: npt.NDArray[np.int64]) -> Floats:
    """The rarity of each name: ln(1 + N / holders); 0 for one that joins nothing or everything."""
    held = ground.mentions.counts(names, ground.horizon.size)
    joins = held > 1
    if len(ground.edges):
        for place in np.flatnonzero(held == 1).tolist():
            name = ground.mentions.name(int(names[place]))
            joins[place] = any(True for _ in ground.edges.at(name, ground.horizon))
    tells = joins & (held <= max(_FEW, _COMMON * ground.horizon.size))
    rarity: Floats = np.where(tells, np.log1p(ground.horizon.size / np.maximum(held, 1)), 0.0)
    return rarity

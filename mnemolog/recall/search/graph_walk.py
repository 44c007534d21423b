"""Walk in the graph of a space, from what a cue has found.

Memories are joined through the names that they mention, by edges, and to what was said
just before and after them. A walk is a personalised PageRank by local pushes: it begins at
the seeds; at each step it ends with probability `_STOP` or goes on. The push method
(Andersen, Chung and Lang 2006) looks only at where much of the walk is, so that it costs
the same in a large space as in a small one.

Supersession is not walked: recall shows a chain by its newest anyway.
"""

from typing import NamedTuple

import numpy as np

from mnemolog.indexes.columns import NOBODY, Columns, Floats, Instants, Ordinals, Selection
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.graph import EdgeIndex, Node
from mnemolog.indexes.postings import Mentions
from mnemolog.indexes.space_state import State

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

Flow = list[tuple[Ordinals, Floats]]
"""Shares of a walk on their way to memories, in the order in which they set out."""


class _Ground(NamedTuple):
    """Graph and horizon of a walk."""

    columns: Columns
    mentions: Mentions
    edges: EdgeIndex
    horizon: Horizon

    def across(self, node: Node) -> list[tuple[Node, float]]:
        """The neighbours of a memory or thing by edges, either way, and their weights."""
        return [
            (edge.target if edge.source == node else edge.source, _EDGE_WEIGHT * edge.confidence)
            for edge in self.edges.at(node, self.horizon)
            if edge.confidence > 0
        ]


def walk(
    state: State, seeds: Selection, weights: Floats, horizon: Horizon
) -> tuple[Selection, Floats]:
    """Memories near some seeds in the graph, ascending, and the share of a walk that each gets.

    `weights` says how often the walk begins at each seed; only their proportions
    count. Scores are positive and sum to at most 1; seeds are among the answer.
    """
    # Once: the numbers of names change when a base is written meanwhile.
    ground = _Ground(state.columns, state.mentions, state.edges, horizon)
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
    """The places of the `count` largest shares, ascending; of equal ones the later."""
    if len(shares) <= count:
        return np.arange(len(shares))
    least = np.partition(shares, len(shares) - count)[len(shares) - count]
    above = np.flatnonzero(shares > least)
    equal = np.flatnonzero(shares == least)
    return np.sort(np.concatenate([above, equal[len(equal) - (count - len(above)) :]]))


def _summed(flow: Flow, gone: Selection) -> tuple[Selection, Floats]:
    """Each memory once, ascending, with the sum of its shares, added in the order given.

    Without those that are gone: through what is out of all answers nothing is reached.
    """
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
    """The sum of the shares at each place, added in the order given; zeros for no shares."""
    sums: Floats = np.bincount(places, shares, size).astype(np.float64, copy=False)
    return sums


def _push(ground: _Ground, memories: Selection, shares: Floats, flow: Flow) -> None:
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
        for node, weight in ground.across(memory)
    ]
    out = _sums(whose, by_name, len(memories))
    for beside in near:
        out += np.where(beside == NOBODY, 0.0, _TALK_WEIGHT)
    for index, _, weight in edges:
        out[index] += weight
    unit = np.divide(shares, out, out=np.zeros(len(shares)), where=out > 0)
    for beside in near:
        there = beside != NOBODY
        flow.append((beside[there], _TALK_WEIGHT * unit[there]))
    things = _Things(ground, flow)
    things.reach(names, _sums(place, by_name * unit[whose], len(names)))
    for index, node, weight in edges:
        things.send(node, float(weight * unit[index]))
    things.spread()


class _Things:
    """Shares on their way through names, to be spread over who mentions them.

    Names that memories mention are numbers; names that edges lead to are strings.
    """

    def __init__(self, ground: _Ground, flow: Flow) -> None:
        self._ground = ground
        self._flow = flow
        self._codes = np.zeros(0, np.int64)
        self._carried = np.zeros(0)
        self._named: dict[str, float] = {}

    def reach(self, codes: Instants, shares: Floats) -> None:
        """Let names have shares."""
        kept = shares > 0
        self._codes = np.concatenate([self._codes, codes[kept]])
        self._carried = np.concatenate([self._carried, shares[kept]])

    def send(self, node: Node, share: float) -> None:
        """Let an end of an edge have a share."""
        if isinstance(node, str):
            self._named[node] = self._named.get(node, 0.0) + share
        elif node < self._ground.horizon.size:
            self._flow.append((np.array([node]), np.array([share])))

    def spread(self) -> None:
        """Send all shares on: along the edges of names first, then to memories with these names."""
        mentions, size = self._ground.mentions, self._ground.horizon.size
        if len(self._ground.edges):
            self._follow_edges()
        held, rows, holders = mentions.holders(self._codes, size, _HOLDERS)
        self._flow.append((holders, (self._carried / np.maximum(held, 1))[rows]))

    def _follow_edges(self) -> None:
        mentions = self._ground.mentions
        for place, code in enumerate(self._codes.tolist()):
            share = float(self._carried[place])
            self._carried[place] = self._left(mentions.name(code), share)
        # Once more, for the things that these led to; what goes on from there ends there.
        ahead, self._named = self._named, {}
        left = {name: self._left(name, share) for name, share in ahead.items()}
        for name, share in self._named.items():
            left[name] = left.get(name, 0.0) + share
        codes = {name: mentions.code(name) for name in left}
        known = [(code, left[name]) for name, code in codes.items() if code is not None]
        self.reach(
            np.array([code for code, _ in known], np.int64),
            np.array([share for _, share in known], np.float64),
        )

    def _left(self, name: str, share: float) -> float:
        """The share that a name keeps for memories that mention it, after its edges took theirs."""
        joined = self._ground.across(name)
        whole = 1.0 + sum(weight for _, weight in joined)
        for node, weight in joined:
            self.send(node, share * weight / whole)
        return share / whole


def _distinct(codes: Instants) -> tuple[Instants, Selection]:
    """Each number once, in the order of first use, and the index of the number at each place.

    By first use, since the numbers of names depend on what the index was made of.
    """
    distinct, first, place = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    return distinct[order], rank[place]


def _rarity(ground: _Ground, names: Instants) -> Floats:
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

"""The graph of a space: its edges, walks from what a cue has found, and centrality.

Memories are joined through the names that they mention, by edges, and to what was said
just before and after them. A walk is a personalised PageRank by local pushes: it begins at
the seeds; at each step it ends with probability `_STOP` or goes on. The push method
(Andersen, Chung and Lang 2006) looks only at where much of the walk is, so that it costs
the same in a large space as in a small one.

Supersession is not walked: recall shows a chain by its newest anyway.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from mnemolog.indexes.columns import NOBODY, Columns, Floats, Instants, Ordinals, Selection
from mnemolog.indexes.filters import Horizon
from mnemolog.indexes.names import Mentions
from mnemolog.language.names.entities import thing_name
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.events import EdgeContent, EdgeOrigin, Event
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log
from mnemolog.ledger.vocabulary import decoded_part
from mnemolog.projections.memory_queries import EdgeChange

if TYPE_CHECKING:
    from mnemolog.indexes.space_state import State

# -- edges -----------------------------------------------------------------------------
Node = int | str
"""An end of an edge: the ordinal of a memory, or the name of a thing."""

_content = msgspec.json.Decoder(EdgeContent)


class IndexedEdge(msgspec.Struct, frozen=True):
    """One edge, with the positions [since, until) at which it was there."""

    since: Position
    until: Position | None
    source: Node
    type: str
    target: Node
    confidence: float
    origin: EdgeOrigin
    valid_from: int | None
    valid_until: int | None

    def holds(self, horizon: Horizon) -> bool:
        """True if the edge is there at a position and true at an instant."""
        return (
            self.since <= horizon.position
            and (self.until is None or self.until > horizon.position)
            and (self.valid_from is None or self.valid_from <= horizon.instant)
            and (self.valid_until is None or self.valid_until > horizon.instant)
        )


class EdgeIndex:
    """The edges of a space whose two ends are known, in order of position."""

    def __init__(self) -> None:
        self._edges: dict[Position, IndexedEdge] = {}
        self._at: dict[Node, list[Position]] = {}

    def __len__(self) -> int:
        return len(self._edges)

    def follow(self, changes: Sequence[EdgeChange], columns: Columns, log: Log) -> None:
        """Note edges that began or ended, with the names of things as the log has them.

        An edge is left out if nothing is left of what one of its ends is. Raises `CorruptLog`.
        """
        unnamed = [one.since for one in changes if one.source is None or one.target is None]
        names = {event.position: _names_of(event) for event in log.events_at(unnamed)}
        for change in changes:
            things = names.get(change.since, EdgeContent())
            source = _node(columns, change.source, things.source)
            target = _node(columns, change.target, things.target)
            if source is None or target is None:
                continue
            ends = {"source": source, "target": target}
            known = change.since in self._edges
            self._edges[change.since] = IndexedEdge(**msgspec.structs.asdict(change) | ends)
            if not known:
                for end in dict.fromkeys((source, target)):
                    self._at.setdefault(end, []).append(change.since)

    def at(self, node: Node, horizon: Horizon) -> Iterator[IndexedEdge]:
        """The edges that hold, from and to a memory or thing, oldest first."""
        for since in tuple(self._at.get(node, ())):
            edge = self._edges[since]
            if edge.holds(horizon):
                yield edge


def _node(columns: Columns, memory: Position | None, name: str | None) -> Node | None:
    if memory is None:
        return None if name is None else thing_name(name)
    ordinal = columns.ordinal(memory)
    return None if ordinal == NOBODY else ordinal


def _names_of(event: Event) -> EdgeContent:
    if event.content is None:
        return EdgeContent()
    check_content(event)
    return decoded_part(event, event.content, _content.decode)


# -- walks -----------------------------------------------------------------------------
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


# -- centrality ------------------------------------------------------------------------
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


def centralities(sources: Instants, targets: Instants, weights: Floats) -> Centralities:
    """The centrality of the nodes 0, 1, 2 …, each of which some edge joins.

    Edge i joins `sources[i]` and `targets[i]` and is walked both ways with `weights[i]`,
    which is positive. PageRank is that of Brin and Page (1998) with damping 0.85, by power
    iteration until less than 1e-9 of it moves. Nothing is sampled and every sum has its
    order, so that the same edges give the same numbers to the last bit.
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

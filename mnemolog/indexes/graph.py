"""The graph of a space: its edges, and the centrality of its memories."""

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from mnemolog.indexes.columns import NOBODY, Columns, Floats, Instants
from mnemolog.indexes.filters import Horizon
from mnemolog.language.entities import thing_name
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.events import EdgeContent, Event
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log
from mnemolog.ledger.vocabulary import decoded_part
from mnemolog.projections.edges import EdgeState
from mnemolog.projections.memory_queries import EdgeChange

# -- edges -----------------------------------------------------------------------------
Node = int | str  # an end of an edge: the ordinal of a memory, or the name of a thing
_content = msgspec.json.Decoder(EdgeContent)


class IndexedEdge(EdgeState[Node], frozen=True):
    """One edge of the graph."""

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
        """Note edges that began or ended, but for those with a lost end. Raises `CorruptLog`."""
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
        edges = (self._edges[since] for since in tuple(self._at.get(node, ())))
        return (edge for edge in edges if edge.holds(horizon))


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


# -- centrality ------------------------------------------------------------------------
_GOES_ON = 0.85
_CLOSE = 1e-9
_MOST_STEPS = 100


class Centralities(msgspec.Struct, frozen=True):
    """Number of edges of each node, and its share by PageRank, in [0, 1] of the largest."""

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

"""The edges of a space as questions walk them: by their ends, as of any position and instant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from mnemolog.indexes.columns import NOBODY, Columns
from mnemolog.indexes.horizon import Horizon
from mnemolog.language.names.things import thing_name
from mnemolog.ledger.digests import check_content
from mnemolog.ledger.events import EdgeContent, EdgeOrigin, Event
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Log
from mnemolog.ledger.vocabulary import decoded_part
from mnemolog.projections.edges import EdgeChange

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

    def put(self, change: EdgeChange, source: Node, target: Node) -> None:
        """Note an edge that began, or that ended."""
        edge = IndexedEdge(
            change.since,
            change.until,
            source if isinstance(source, int) else thing_name(source),
            change.type,
            target if isinstance(target, int) else thing_name(target),
            change.confidence,
            change.origin,
            change.valid_from,
            change.valid_until,
        )
        known = change.since in self._edges
        self._edges[change.since] = edge
        if not known:
            for end in dict.fromkeys((edge.source, edge.target)):
                self._at.setdefault(end, []).append(change.since)

    def at(self, node: Node, horizon: Horizon) -> Iterator[IndexedEdge]:
        """The edges that hold, from and to a memory or thing, oldest first."""
        for since in tuple(self._at.get(node, ())):
            edge = self._edges[since]
            if edge.holds(horizon):
                yield edge


def follow(edges: EdgeIndex, changes: Sequence[EdgeChange], columns: Columns, log: Log) -> None:
    """Note edges that began or ended, with the names of things as the log has them.

    An edge is left out if nothing is left of what one of its ends is. Raises
    `CorruptLog`.
    """
    unnamed = [one.since for one in changes if one.source is None or one.target is None]
    names = {event.position: _names_of(event) for event in log.events_at(unnamed)}
    for change in changes:
        things = names.get(change.since, EdgeContent())
        source = _node(columns, change.source, things.source)
        target = _node(columns, change.target, things.target)
        if source is not None and target is not None:
            edges.put(change, source, target)


def _node(columns: Columns, memory: Position | None, name: str | None) -> Node | None:
    if memory is None:
        return name
    ordinal = columns.ordinal(memory)
    return None if ordinal == NOBODY else ordinal


def _names_of(event: Event) -> EdgeContent:
    if event.content is None:
        return EdgeContent()
    check_content(event)
    return decoded_part(event, event.content, _content.decode)

"""Edge commands: link and unlink."""

from __future__ import annotations

import builtins

from mnemolog.application.commands.command import command, open_edge, row_of
from mnemolog.application.commands.drafts import drafts
from mnemolog.application.commands.receipts import Receipt
from mnemolog.application.home.space import Cut, WritableSpace, event_named
from mnemolog.application.questions.edges import edge_end, edges_touching, shown_edges
from mnemolog.ledger.errors import InvalidField, UnknownEdge
from mnemolog.ledger.events import Draft, EdgeOrigin
from mnemolog.ledger.ids import MemoryId
from mnemolog.policies.linking import (
    KnownEdge,
    NewEdge,
    Thing,
    decide_link,
    decide_unlink,
    same_end,
)
from mnemolog.policies.memories import Time, instant
from mnemolog.policies.supersession import Target
from mnemolog.projections.edges import EdgeRow


def link(  # noqa: PLR0913 - what an edge says, all but its ends and type by name
    space: WritableSpace,
    source: str | Thing,
    relation: str,
    target: str | Thing,
    *,
    confidence: float = 1.0,
    origin: EdgeOrigin = "verified",
    valid_from: Time | None = None,
    valid_until: Time | None = None,
    condition: str | None = None,
    reason: str | None = None,
) -> Receipt:
    """Receipt of a new edge: `source` has a `relation` such as `IS_A` to `target`.

    Each end is a reference to a memory, a `Thing`, or `thing:` and its name.
    The edge's id is that of its event. Raises `UnknownMemory`,
    `InvalidField` and its subclasses, `InvalidState`, and `EdgeExists`.
    """
    starts, ends = instant("valid_from", valid_from), instant("valid_until", valid_until)

    def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        edge = NewEdge(
            edge_end(space, "source", source, cut),
            relation,
            edge_end(space, "target", target, cut),
            confidence,
            origin,
            starts,
            ends,
            condition,
            reason,
        )
        named = [end for end in (edge.source, edge.target) if not isinstance(end, Thing)]
        rows = [row_of(space, memory_id, cut) for memory_id in dict.fromkeys(named)]
        targets = [Target(row.memory_id, row.status) for row in rows]
        alike = _edges_between(space, edge.source, relation, edge.target, cut)
        decision = decide_link(edge, targets, [_known(row) for row in alike])
        return drafts([decision], space.author, cut.instant), named

    return command(space, decide)[1]


def unlink(
    space: WritableSpace,
    source: str | Thing,
    relation: str | None = None,
    target: str | Thing | None = None,
    *,
    reason: str | None = None,
) -> Receipt:
    """Receipt of ended edges: all of a relation between two ends, or one edge by its reference.

    To end one edge, give its reference alone. Raises `UnknownEdge` if there is no such edge,
    `InvalidField`, `UnknownMemory`.
    """
    if (relation is None) != (target is None):
        raise InvalidField(
            "target", "and a relation go together", "give both, or an edge's id alone"
        )

    def decide(cut: Cut) -> tuple[builtins.list[Draft], builtins.list[MemoryId]]:
        if relation is None or target is None:
            rows = [_edge_named(space, source, cut)]
        else:
            ends = edge_end(space, "source", source, cut), edge_end(space, "target", target, cut)
            rows = _edges_between(space, ends[0], relation, ends[1], cut)
            if not rows:
                raise UnknownEdge(f"{_shown(source)} {relation} {_shown(target)}")
        decisions = [decide_unlink(_known(row), reason) for row in rows]
        named = [end for row in rows for end in (row.source, row.target) if end is not None]
        return drafts(decisions, space.author, cut.instant), named

    return command(space, decide)[1]


def _edge_named(space: WritableSpace, reference: str | Thing, cut: Cut) -> EdgeRow:
    if isinstance(reference, Thing):
        raise InvalidField("target", "is missing", "say what the thing is linked to, and as what")
    return open_edge(space, event_named(space, reference, "linked").event_id, cut)


def _edges_between(
    space: WritableSpace,
    source: MemoryId | Thing,
    relation: str,
    target: MemoryId | Thing,
    cut: Cut,
) -> builtins.list[EdgeRow]:
    """Edges of one type from one end to another."""
    outgoing = edges_touching(space, source, cut)
    incoming = {row.since for row in edges_touching(space, target, cut)}
    alike = [row for row in outgoing if row.since in incoming and row.type == relation]
    return [
        row
        for row, edge in zip(alike, shown_edges(space, alike), strict=True)
        if _is(edge.source, source) and _is(edge.target, target)
    ]


def _is(end: MemoryId | Thing | None, wanted: MemoryId | Thing) -> bool:
    return end is not None and same_end(end, wanted)


def _known(row: EdgeRow) -> KnownEdge:
    return KnownEdge(row.edge_id, row.source, row.valid_from, row.valid_until)


def _shown(end: str | Thing) -> str:
    return end.name if isinstance(end, Thing) else end

"""Commands about edges: link, unlink, links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemolog.cli.exit_codes import refuse
from mnemolog.cli.options import READING, WRITING, choice, reason, shared, time_option
from mnemolog.cli.output.printing import at, short_ids, write_table
from mnemolog.cli.output.receipts import carry_out
from mnemolog.cli.times import when

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from mnemolog import Edge, Thing
    from mnemolog.cli.call import CommandCall
    from mnemolog.ledger.events import EdgeOrigin

ORIGINS = ("verified", "inferred", "speculative")


@click.command()
@click.argument("source", metavar="SOURCE")
@click.argument("relation", metavar="TYPE")
@click.argument("target", metavar="TARGET")
@click.option(
    "--confidence",
    type=float,
    default=1.0,
    metavar="SHARE",
    help="How certain it is, 0 to 1; default: 1.",
)
@choice("--origin", of=ORIGINS, default="verified", help="How it is known; default: verified.")
@time_option("--valid-from", "When it began to be true.")
@time_option("--valid-until", "When it ends being true.")
@click.option("--condition", metavar="TEXT", help="The condition under which it holds, in words.")
@reason
@shared(*WRITING)
def link(
    call: CommandCall,
    source: str,
    relation: str,
    target: str,
    *,
    confidence: float,
    origin: EdgeOrigin,
    valid_from: str | None,
    valid_until: str | None,
    condition: str | None,
    reason: str | None,
) -> None:
    """Link memories or things by an edge.

    SOURCE and TARGET are each a memory (an id, the beginning of one, or
    @position) or a thing, written thing:NAME. TYPE is the relation of SOURCE to
    TARGET: IS_A, PART_OF, CAUSED_BY, DEPENDS_ON, SUPPORTS … or a word of your own
    in capitals.
    """
    carry_out(
        call,
        lambda memory: memory.graph.link(
            source,
            relation,
            target,
            confidence=confidence,
            origin=origin,
            valid_from=valid_from,
            valid_until=valid_until,
            condition=condition,
            reason=reason,
        ),
        "create",
    )


@click.command()
@click.argument("source", metavar="SOURCE")
@click.argument("relation", metavar="[TYPE]", required=False)
@click.argument("target", metavar="[TARGET]", required=False)
@reason
@shared(*WRITING)
def unlink(
    call: CommandCall, source: str, relation: str | None, target: str | None, *, reason: str | None
) -> None:
    """End an edge.

    Give SOURCE, TYPE and TARGET as you gave them to `mnemolog link`, or SOURCE
    alone: the edge's own id, the beginning of one, or @position.
    """
    if relation is not None and target is None:
        refuse("give SOURCE, TYPE and TARGET, or the edge's id alone")
    carry_out(call, lambda memory: memory.graph.unlink(source, relation, target, reason=reason))


@click.command()
@click.argument("end", metavar="[END]", required=False)
@shared(*READING)
def links(call: CommandCall, end: str | None) -> None:
    """List edges, oldest first.

    END is a memory or thing:NAME; then only its edges are shown, in either
    direction.
    """
    call.show(lambda reader: reader.graph.links(end), _write_edges, "edges")


def _write_edges(edges: Collection[Edge]) -> None:
    ends = [end for edge in edges for end in (edge.source, edge.target) if isinstance(end, str)]
    ids = short_ids([*ends, *(edge.edge_id for edge in edges)])
    columns: dict[str, Callable[[Edge], str]] = {
        "at": lambda edge: at(edge.position),
        "id": lambda edge: ids[edge.edge_id],
        "confidence": lambda edge: f"{edge.confidence:.2f}",
        "origin": lambda edge: edge.origin,
        "edge": lambda edge: f"{_end(edge.source, ids)} {edge.type} {_end(edge.target, ids)}",
    }
    write_table("edges", edges, columns, _facts)


def _end(end: str | Thing | None, ids: dict[str, str]) -> str:
    if end is None:
        return "(redacted)"
    return ids[end] if isinstance(end, str) else f"thing:{end.name}"


def _facts(edge: Edge) -> list[str]:
    facts = (
        ("where", edge.condition),
        ("because", edge.reason),
        ("since", None if edge.valid_from is None else when(edge.valid_from)),
        ("until", None if edge.valid_until is None else when(edge.valid_until)),
    )
    return [f"{name} {value}" for name, value in facts if value is not None]

"""Commands about edges: link, unlink, links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemolog.cli.exits import refuse
from mnemolog.cli.options import READING, TIME_HELP, WRITING, acts, reason
from mnemolog.cli.output import Row, at, short_ids, write_line, write_table
from mnemolog.cli.receipts import write_receipt

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from mnemolog import Edge, Thing
    from mnemolog.cli.call import Call
    from mnemolog.ledger.events import EdgeOrigin

ORIGINS = ("verified", "inferred", "speculative")


@click.command()
@click.argument("source", metavar="SOURCE")
@click.argument("relation", metavar="TYPE")
@click.argument("target", metavar="TARGET")
@click.option(
    "--confidence", type=float, default=1.0, metavar="SHARE", help="How sure it is, 0 to 1; else 1."
)
@click.option(
    "--origin",
    type=click.Choice(ORIGINS),
    default="verified",
    help="How it is known; else verified.",
)
@click.option("--valid-from", metavar="TIME", help=f"Since when it is true: {TIME_HELP}")
@click.option("--valid-until", metavar="TIME", help=f"Until when it is true: {TIME_HELP}")
@click.option("--condition", metavar="TEXT", help="When it holds, in words.")
@reason
@acts(*WRITING)
def link(  # noqa: PLR0913 - one parameter for each thing that the command line can say
    call: Call,
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
    """Make an edge between memories or things.

    SOURCE and TARGET are each a memory (an id, the beginning of one, or
    @position) or a thing, written thing:NAME. TYPE says what SOURCE is to TARGET:
    IS_A, PART_OF, CAUSED_BY, DEPENDS_ON, SUPPORTS … or a word of your own in
    capitals.
    """
    with call.memory("create") as memory:
        receipt = memory.graph.link(
            source,
            relation,
            target,
            confidence=confidence,
            origin=origin,
            valid_from=valid_from,
            valid_until=valid_until,
            condition=condition,
            reason=reason,
        )
        call.answer(receipt, write_receipt)


@click.command()
@click.argument("source", metavar="SOURCE")
@click.argument("relation", metavar="[TYPE]", required=False)
@click.argument("target", metavar="[TARGET]", required=False)
@reason
@acts(*WRITING)
def unlink(
    call: Call, source: str, relation: str | None, target: str | None, *, reason: str | None
) -> None:
    """End an edge.

    Either SOURCE, TYPE and TARGET as they were given to `link`, or SOURCE alone:
    the edge's own id, the beginning of it, or @position.
    """
    if relation is not None and target is None:
        refuse("give SOURCE, TYPE and TARGET, or the edge's id alone")
    with call.memory() as memory:
        call.answer(memory.graph.unlink(source, relation, target, reason=reason), write_receipt)


@click.command()
@click.argument("end", metavar="[END]", required=False)
@acts(*READING)
def links(call: Call, end: str | None) -> None:
    """List edges, the oldest first.

    END is a memory or thing:NAME; then only its edges are shown, in either
    direction.
    """
    with call.reading() as reader:
        edges = reader.graph.links(end)
    call.answer({"edges": edges}, lambda _: _write_edges(edges))


def _write_edges(edges: Collection[Edge]) -> None:
    if not edges:
        write_line("nothing is linked")
        return
    ends = [end for edge in edges for end in (edge.source, edge.target) if isinstance(end, str)]
    ids = short_ids([*ends, *(edge.edge_id for edge in edges)])
    write_table(
        ("at", "id", "confidence", "origin", "edge"),
        [
            Row(
                (
                    at(edge.position),
                    ids[edge.edge_id],
                    f"{edge.confidence:.2f}",
                    edge.origin,
                    f"{_end(edge.source, ids)} {edge.type} {_end(edge.target, ids)}",
                ),
                tuple(_below(edge)),
            )
            for edge in edges
        ],
    )


def _end(end: str | Thing | None, ids: dict[str, str]) -> str:
    if end is None:
        return "(redacted)"
    return ids[end] if isinstance(end, str) else f"thing:{end.name}"


def _below(edge: Edge) -> list[str]:
    facts = (
        ("where", edge.condition),
        ("because", edge.reason),
        ("since", _instant(edge.valid_from)),
        ("until", _instant(edge.valid_until)),
    )
    return [f"{name} {value}" for name, value in facts if value is not None]


def _instant(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()

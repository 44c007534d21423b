"""Commands that store and change memories and edges, from remember and edit to link and unlink."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from mnemolog.cli.calls import options as opt
from mnemolog.cli.calls.exit_codes import refuse
from mnemolog.cli.calls.inputs import text_of
from mnemolog.cli.output import printing as out
from mnemolog.cli.output.memories import write_receipt
from mnemolog.cli.output.printing import at

if TYPE_CHECKING:
    from collections.abc import Callable

    from mnemolog import Edge, Receipt, Thing
    from mnemolog.cli.calls.call import CommandCall

EDITED_FIELDS = (
    "kind", "category", "tags", "aliases", "source", "source_note", "source_type",
    "source_confidence", "place", "constraint", "evidence", "valid_from", "valid_until",
    "importance", "volatility", "marks", "lasting", "immutable",
)  # fmt: skip
"""Fields of a memory that its edited text keeps."""
ORIGINS = ("verified", "inferred", "speculative")


@opt.command(opt.contradictions, *opt.WRITING)
@opt.text
@opt.memory_fields
@opt.repeated("--supersedes REFERENCE: A memory that this one replaces.")
@opt.flag("--pin pinned: Keep it in working memory too.")
def remember(call: CommandCall, words: tuple[str, ...], *, pinned: bool, **fields: object) -> None:
    """Store a memory.

    TEXT is what to remember: words need no quotes, and a single - reads it from standard input.
    """
    with call.memory("create") as memory:
        store: Callable[..., Receipt] = memory.remember
        receipt = store(text_of(words), **opt.given(fields, memory))
        if pinned and receipt.memory_id is not None:
            receipt = _joined(receipt, memory.pin(receipt.memory_id))
        if not call.answered(receipt):
            write_receipt(memory, receipt)


def _joined(first: Receipt, second: Receipt) -> Receipt:
    """One receipt for two commands, as of the second and about the first one's memory."""
    return msgspec.structs.replace(
        second,
        memory_id=first.memory_id,
        position=first.position,
        events=(*first.events, *second.events),
        changed=(*first.changed, *second.changed),
        conflicts=first.conflicts,
        warnings=(*first.warnings, *second.warnings),
    )


@opt.command(opt.memory_fields, opt.reason, opt.override, *opt.WRITING)
@opt.arguments("OLD")
@opt.text
@opt.option("--by REFERENCE: The stored memory that replaces it.")
@opt.repeated("--also REFERENCE: Another old memory that is replaced.")
def supersede(
    call: CommandCall, old: str, words: tuple[str, ...], *, also: tuple[str, ...], **given: object
) -> None:
    """Replace a memory by a newer one.

    OLD is the memory that is no longer true. TEXT is the memory that replaces it (a single - reads
    it from standard input); --by names a stored memory instead.
    """
    if (given["by"] is None) == (not words):
        refuse("give either the new TEXT or --by REFERENCE")
    with call.memory() as memory:
        replace: Callable[..., Receipt] = memory.supersede
        content = text_of(words) if words else None
        receipt = replace((old, *also), content, **opt.given(given, memory))
        if not call.answered(receipt):
            write_receipt(memory, receipt)


@opt.command(opt.reference, opt.reason, opt.override, *opt.WRITING)
def edit(call: CommandCall, reference: str, **options: object) -> None:
    """Edit a memory's text in $EDITOR.

    REFERENCE is an id, the beginning of one, or @position. What you save supersedes the memory,
    with the same fields. If the text is unchanged or empty, nothing changes.
    """
    with call.memory() as memory:
        replace: Callable[..., Receipt] = memory.supersede
        item = memory.get(reference)
        if item.content is None:
            refuse("the text was redacted: there is nothing to edit")
        edited = (click.edit(item.content) or "").strip()
        if edited in ("", item.content.strip()):
            call.say({"changed": ()}, "No changes found.")
            return
        kept = {name: getattr(item, name) for name in EDITED_FIELDS}
        receipt = replace(item.memory_id, edited, **options, **kept)
        if not call.answered(receipt):
            write_receipt(memory, receipt)


@opt.command(opt.reference, opt.reason, opt.override, *opt.WRITING)
def withdraw(call: CommandCall, **options: object) -> None:
    """Remove a memory from all answers.

    REFERENCE is an id, the beginning of one, or @position. The memory stays in the ledger for
    audit; `mnemolog undo` brings it back.
    """
    call.carry_out(lambda memory: memory.withdraw, options)


@opt.command(
    opt.reference, opt.time_option("--until: When to release it."), opt.reason, *opt.WRITING
)
def pin(call: CommandCall, **options: object) -> None:
    """Keep a memory in working memory.

    REFERENCE is an id, the beginning of one, or @position.
    """
    call.carry_out(lambda memory: memory.pin, options)


@opt.command(opt.reference, opt.reason, *opt.WRITING)
def unpin(call: CommandCall, **options: object) -> None:
    """Release a memory from working memory.

    REFERENCE is an id, the beginning of one, or @position.
    """
    call.carry_out(lambda memory: memory.unpin, options)


@opt.command(opt.reason, *opt.WRITING)
@opt.arguments("SOURCE", "TYPE relation", "TARGET")
@opt.option("--confidence SHARE: How certain it is, 0 to 1; default: 1.", default=1.0)
@opt.option("--origin: How it is known; default: verified.", ORIGINS, default="verified")
@opt.time_option("--valid-from: When it began to be true.")
@opt.time_option("--valid-until: When it ends being true.")
@opt.option("--condition TEXT: The condition under which it holds, in words.")
def link(call: CommandCall, **edge: object) -> None:
    """Link memories or things by an edge.

    SOURCE and TARGET are each a memory (an id, the beginning of one, or @position) or a thing,
    written thing:NAME. TYPE is the relation of SOURCE to TARGET: IS_A, PART_OF, CAUSED_BY,
    DEPENDS_ON, SUPPORTS … or a word of your own in capitals.
    """
    call.carry_out(lambda memory: memory.graph.link, edge, "create")


@opt.command(opt.arguments("SOURCE", "[TYPE] relation", "[TARGET]"), opt.reason, *opt.WRITING)
def unlink(call: CommandCall, **options: object) -> None:
    """End an edge.

    Give SOURCE, TYPE and TARGET as you gave them to `mnemolog link`, or SOURCE alone: the edge's
    own id, the beginning of one, or @position.
    """
    if options["relation"] is not None and options["target"] is None:
        refuse("give SOURCE, TYPE and TARGET, or the edge's id alone")
    call.carry_out(lambda memory: memory.graph.unlink, options)


@opt.command(opt.arguments("[END]"), *opt.READING)
def links(call: CommandCall, **options: object) -> None:
    """List edges, oldest first.

    END is a memory or thing:NAME; then only its edges are shown, in either direction.
    """
    edges = call.ask(lambda reader: reader.graph.links, options)
    if call.answered({"edges": edges}):
        return
    ends = [end for edge in edges for end in (edge.source, edge.target) if isinstance(end, str)]
    ids = out.short_ids([*ends, *(edge.edge_id for edge in edges)])

    def shown(end: str | Thing | None) -> str:
        if end is None:
            return "(redacted)"
        return ids[end] if isinstance(end, str) else f"thing:{end.name}"

    rows = []
    for edge in edges:
        line = f"{shown(edge.source)} {edge.type} {shown(edge.target)}"
        certainty = (f"{edge.confidence:.2f}", edge.origin)
        rows.append((at(edge.position), ids[edge.edge_id], *certainty, line))
    out.write_table("edges", "at, id, confidence, origin, edge", rows, map(_facts, edges))


def _facts(edge: Edge) -> list[str]:
    facts = (
        ("where", edge.condition),
        ("because", edge.reason),
        ("since", edge.valid_from and out.when(edge.valid_from)),
        ("until", edge.valid_until and out.when(edge.valid_until)),
    )
    return [f"{name} {value}" for name, value in facts if value is not None]

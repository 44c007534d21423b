"""Commands that store and change memories: remember, supersede, edit, withdraw, pin, unpin."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, cast

import click

from mnemolog.cli.exit_codes import refuse
from mnemolog.cli.memory_options import fields_given, memory_fields, text, text_of
from mnemolog.cli.options import (
    WRITING,
    contradictions,
    override,
    reason,
    repeated,
    shared,
    time_option,
)
from mnemolog.cli.output.printing import write_none
from mnemolog.cli.output.receipts import carry_out, joined, write_receipt

if TYPE_CHECKING:
    from mnemolog import Item, MemoryFields
    from mnemolog.cli.call import CommandCall

EDITED_FIELDS = (
    "kind", "category", "tags", "aliases", "source", "source_note", "source_type",
    "source_confidence", "place", "constraint", "evidence", "valid_from", "valid_until",
    "importance", "volatility", "marks", "lasting", "immutable",
)  # fmt: skip
"""Fields of a memory that its edited text keeps."""

reference = click.argument("reference", metavar="REFERENCE")


@click.command()
@text
@memory_fields
@repeated("--supersedes", metavar="REFERENCE", help="A memory that this one replaces.")
@click.option("--pin", "pinned", is_flag=True, help="Keep it in working memory too.")
@contradictions
@shared(*WRITING)
def remember(
    call: CommandCall,
    words: tuple[str, ...],
    *,
    pinned: bool,
    contradictions: Literal["check", "off"] | None,
    **options: object,
) -> None:
    """Store a memory.

    TEXT is what to remember: words need no quotes, and a single - reads it from
    standard input.
    """
    with call.memory("create") as memory:
        receipt = memory.remember(
            text_of(words), contradictions=contradictions, **fields_given(options, memory)
        )
        if pinned and receipt.memory_id is not None:
            receipt = joined(receipt, memory.pin(receipt.memory_id))
        call.answer(receipt, partial(write_receipt, memory))


@click.command()
@click.argument("old", metavar="OLD")
@text
@click.option("--by", metavar="REFERENCE", help="The stored memory that replaces it.")
@repeated("--also", metavar="REFERENCE", help="Another old memory that is replaced.")
@memory_fields
@reason
@override
@shared(*WRITING)
def supersede(
    call: CommandCall,
    old: str,
    words: tuple[str, ...],
    *,
    by: str | None,
    also: tuple[str, ...],
    reason: str | None,
    override: bool,
    **options: object,
) -> None:
    """Replace a memory by a newer one.

    OLD is the memory that is no longer true. TEXT is the memory that replaces it
    (a single - reads it from standard input); --by names a stored memory instead.
    """
    if (by is None) == (not words):
        refuse("give either the new TEXT or --by REFERENCE")
    with call.memory() as memory:
        receipt = memory.supersede(
            (old, *also),
            text_of(words) if words else None,
            by=by,
            reason=reason,
            override=override,
            **fields_given(options, memory),
        )
        call.answer(receipt, partial(write_receipt, memory))


@click.command()
@reference
@reason
@override
@shared(*WRITING)
def edit(call: CommandCall, reference: str, *, reason: str | None, override: bool) -> None:
    """Edit a memory's text in $EDITOR.

    REFERENCE is an id, the beginning of one, or @position. What you save
    supersedes the memory, with the same fields. If the text is unchanged or
    empty, nothing changes.
    """
    with call.memory() as memory:
        item = memory.get(reference)
        if item.content is None:
            refuse("the text was redacted: there is nothing to edit")
        edited = (click.edit(item.content) or "").strip()
        if edited in ("", item.content.strip()):
            call.answer({"changed": ()}, lambda _: write_none("changes"))
            return
        receipt = memory.supersede(
            item.memory_id, edited, reason=reason, override=override, **_kept_fields(item)
        )
        call.answer(receipt, partial(write_receipt, memory))


@click.command()
@reference
@reason
@override
@shared(*WRITING)
def withdraw(call: CommandCall, reference: str, *, reason: str | None, override: bool) -> None:
    """Remove a memory from all answers.

    REFERENCE is an id, the beginning of one, or @position. The memory stays in
    the ledger for audit; `mnemolog undo` brings it back.
    """
    carry_out(call, lambda memory: memory.withdraw(reference, reason=reason, override=override))


@click.command()
@reference
@time_option("--until", "When to release it.")
@reason
@shared(*WRITING)
def pin(call: CommandCall, reference: str, *, until: str | None, reason: str | None) -> None:
    """Keep a memory in working memory.

    REFERENCE is an id, the beginning of one, or @position.
    """
    carry_out(call, lambda memory: memory.pin(reference, until=until, reason=reason))


@click.command()
@reference
@reason
@shared(*WRITING)
def unpin(call: CommandCall, reference: str, *, reason: str | None) -> None:
    """Release a memory from working memory.

    REFERENCE is an id, the beginning of one, or @position.
    """
    carry_out(call, lambda memory: memory.unpin(reference, reason=reason))


def _kept_fields(item: Item) -> MemoryFields:
    return cast("MemoryFields", {name: getattr(item, name) for name in EDITED_FIELDS})

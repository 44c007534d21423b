"""Receipts, as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from cli.output import at, one_line, short_ids, write_line

if TYPE_CHECKING:
    from mnemolog import Receipt, Redaction


def write_receipt(receipt: Receipt | Redaction) -> None:
    """Where the command stands in the log, what it changed, and what to know about it."""
    # Not the receipt's position, which is that of its last event: with @ before it,
    # that would name the memory which was superseded.
    own = [event for event in receipt.events if event.memory_id == receipt.memory_id]
    if own and receipt.memory_id is not None:
        write_line("  ".join((at(own[0].position), *short_ids([receipt.memory_id]).values())))
    for sentence in receipt.changed or ("nothing changed",):
        write_line(one_line(sentence))
    for warning in receipt.warnings:
        click.echo(f"warning: {one_line(warning)}", err=True)


def joined(first: Receipt, second: Receipt) -> Receipt:
    """One receipt for two commands, as of the second and about the first one's memory."""
    return msgspec.structs.replace(
        second,
        memory_id=first.memory_id,
        events=(*first.events, *second.events),
        changed=(*first.changed, *second.changed),
        warnings=(*first.warnings, *second.warnings),
    )

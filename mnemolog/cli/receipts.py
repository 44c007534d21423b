"""Receipts, as a person reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import msgspec

from mnemolog.cli.output import at, one_line, write_line

if TYPE_CHECKING:
    from mnemolog import FoundConflict, Receipt, Redaction


def write_receipt(receipt: Receipt | Redaction) -> None:
    """Where the command stands in the log, what it changed, and what to know about it."""
    # Whole: memories of one millisecond begin alike.
    write_line("  ".join(filter(None, (at(receipt.position), receipt.memory_id))))
    for sentence in receipt.changed or ("nothing changed",):
        write_line(one_line(sentence))
    found_conflicts: tuple[FoundConflict, ...] = getattr(receipt, "conflicts", ())
    for found in found_conflicts:
        write_line(one_line(f"because: {found.reason} ({found.content or 'redacted'})"))
    for warning in receipt.warnings:
        click.echo(f"warning: {one_line(warning)}", err=True)


def joined(first: Receipt, second: Receipt) -> Receipt:
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

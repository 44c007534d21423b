"""Receipts of commands, as a person reads them."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Literal

import msgspec

from mnemolog.cli.output import printing as out
from mnemolog.ledger.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemolog import Memory, Receipt, Redaction
    from mnemolog.cli.call import CommandCall

_WHOLE_ID = re.compile(r"\b[0-9a-f]{32}\b")


def write_receipt(memory: Memory, receipt: Receipt | Redaction) -> None:
    """Position, short id and text of the memory, what changed, and warnings."""
    ids = out.short_ids([receipt.memory_id, *_WHOLE_ID.findall("\n".join(receipt.changed))])
    parts = [out.at(receipt.position)]
    if receipt.memory_id is not None:
        parts.append(ids[receipt.memory_id])
        # It is stored, even if it cannot be answered from now.
        with suppress(LedgerError):
            content = memory.get(receipt.memory_id).content
            parts.append(f"“{out.shortened(out.known_text(content))}”")
    out.write_line("  ".join(parts))
    for sentence in receipt.changed:
        out.write_line(out.one_line(_brief(sentence, receipt, ids)))
    if not receipt.changed:
        out.write_none("changes")
    out.write_conflicts_found(getattr(receipt, "conflicts", ()))
    for warning in receipt.warnings:
        out.write_error_line("warning", warning)


def carry_out(
    call: CommandCall,
    command: Callable[[Memory], Receipt],
    missing: Literal["create", "refuse"] = "refuse",
) -> None:
    """Run a command on the memory of the call, and print its receipt."""
    with call.memory(missing) as memory:
        receipt = command(memory)
        call.answer(receipt, partial(write_receipt, memory))


def write_receipts(memory: Memory, receipts: Sequence[Receipt]) -> None:
    """Receipts one after the other."""
    for receipt in receipts:
        write_receipt(memory, receipt)
    if not receipts:
        out.write_none("changes")


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


def _brief(sentence: str, receipt: Receipt | Redaction, ids: dict[str, str]) -> str:
    """The sentence without what the first line says: its memory's id and the position."""
    own = receipt.memory_id or ""
    said = sentence.removeprefix(f"{own} is ") if own else sentence
    said = said.replace(f" at position {receipt.position}", "", 1) if said != sentence else said
    return _WHOLE_ID.sub(lambda found: "it" if found[0] == own else ids[found[0]], said)

"""The command that lists conflicts and settles them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from mnemolog.cli.exits import refuse
from mnemolog.cli.options import WRITING, acts, as_of, override, reason
from mnemolog.cli.output import Row, at, one_line, short_ids, when, write_line, write_table
from mnemolog.cli.receipts import write_receipt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemolog import Conflict, Receipt
    from mnemolog.cli.call import Call

WINNERS = ("new", "old", "both", "neither")
POLICIES = ("recency", "authority")


@click.command()
@click.argument(
    "action",
    metavar="[ACTION]",
    required=False,
    default="list",
    type=click.Choice(("list", "resolve")),
)
@click.argument("reference", metavar="[REFERENCE]", required=False)
@click.option("--all", "every", is_flag=True, help="List those that are settled as well.")
@click.option(
    "--winner", type=click.Choice(WINNERS), help="Resolve it: the memory that stands, or both."
)
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    help="Resolve all that are open: the newer stands, or the more reliable.",
)
@reason
@override
@acts(*WRITING, as_of)
def conflicts(  # noqa: PLR0913 - one parameter for each thing that the command line can say
    call: Call,
    *,
    action: Literal["list", "resolve"],
    reference: str | None,
    every: bool,
    winner: Literal["new", "old", "both", "neither"] | None,
    policy: Literal["recency", "authority"] | None,
    reason: str | None,
    override: bool,
) -> None:
    """List the conflicts between memories, and resolve them.

    ACTION is list, which it is when left out, or resolve. REFERENCE names the
    conflict to resolve: its id, the beginning of it, @position, or a memory that
    has but one. By a policy all that are open are resolved.
    """
    if action == "list":
        if reference is not None or winner is not None or policy is not None:
            refuse("to resolve conflicts write `mnemolog conflicts resolve`")
        with call.reading() as reader:
            found = reader.conflicts.list("all" if every else "open")
            call.answer({"conflicts": found}, lambda _: _write_conflicts(found))
        return
    if call.as_of is not None:
        refuse("the past cannot be changed: leave out --as-of")
    if (policy is None) == (winner is None) or (winner is None) != (reference is None):
        refuse("give a REFERENCE and its --winner, or a --policy alone")
    with call.memory() as memory:
        if policy is not None:
            receipts = memory.conflicts.settle_all(policy)
            call.answer({"receipts": receipts}, lambda _: _write_receipts(receipts))
        elif winner is not None:
            settled = memory.conflicts.settle(
                reference or "", winner, reason=reason, override=override
            )
            call.answer(settled, write_receipt)


def _write_conflicts(found: Sequence[Conflict]) -> None:
    if not found:
        write_line("no conflicts")
        return
    ids = short_ids(one.conflict_id for one in found)
    write_table(
        ("at", "id", "when", "status", "conflict"),
        [
            Row(
                (
                    at(one.position),
                    ids[one.conflict_id],
                    when(one.found_at),
                    _status(one),
                    one_line(one.reason or "(redacted)"),
                ),
                (
                    f"new {at(one.new.position)}: {_text(one.new.content)}",
                    f"old {at(one.old.position)}: {_text(one.old.content)}",
                    f"{one.type}, {one.severity}; {one.resolution}, found by {one.judge}",
                ),
            )
            for one in found
        ],
    )


def _status(one: Conflict) -> str:
    if one.open:
        return f"{one.outcome} for {one.age_days:.1f} days"
    return f"{one.outcome}, settled: {one.winner}" if one.winner is not None else one.outcome


def _text(content: str | None) -> str:
    return "(redacted)" if content is None else one_line(content)


def _write_receipts(receipts: Sequence[Receipt]) -> None:
    for receipt in receipts:
        write_receipt(receipt)
    if not receipts:
        write_line("nothing changed")

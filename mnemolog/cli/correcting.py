"""The command that corrects by a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from mnemolog.cli.exits import ExitCode
from mnemolog.cli.fields import text_of
from mnemolog.cli.options import WRITING, acts, override, reason
from mnemolog.cli.output import Row, short_ids, write_line, write_table
from mnemolog.cli.receipts import write_receipt

if TYPE_CHECKING:
    from mnemolog import Correction
    from mnemolog.cli.call import Call


@click.command()
@click.argument("words", metavar="SENTENCE...", nargs=-1, required=True)
@click.option(
    "--source", metavar="SOURCE", help="Who corrects: user:NAME, agent:NAME; else who acts."
)
@click.option(
    "--tag", "tags", multiple=True, metavar="WORD", help="Only memories under it; may be repeated."
)
@reason
@override
@acts(*WRITING)
def correct(  # noqa: PLR0913 - one parameter for each thing that the command line can say
    call: Call,
    words: tuple[str, ...],
    *,
    source: str | None,
    tags: tuple[str, ...],
    reason: str | None,
    override: bool,
) -> None:
    """Correct a memory in words.

    SENTENCE says what no longer holds, or what holds instead: "the record that
    the demo is on Friday is wrong", "we dropped the demo last month",
    "actually, the demo is on Monday". A single - reads it from standard input.
    Where one target is clear it is superseded; otherwise nothing is changed,
    and what may be meant is shown.
    """
    with call.memory() as memory:
        corrected = memory.correct(
            text_of(words), reason=reason, source=source, tags=tags, override=override
        )
        call.answer(corrected, write_correction)
        if corrected.receipt is None:
            raise Exit(ExitCode.NOT_FOUND)


def write_correction(corrected: Correction) -> None:
    """What was corrected with its receipt, or else the memories that may be meant."""
    write_line(corrected.said)
    if corrected.receipt is not None:
        write_receipt(corrected.receipt)
        return
    ids = short_ids(one.memory_id for one in corrected.candidates)
    write_table(
        ("score", "id", "memory"),
        [
            Row((f"{one.score:.2f}", ids[one.memory_id], one.content), (one.why,))
            for one in corrected.candidates
        ],
    )

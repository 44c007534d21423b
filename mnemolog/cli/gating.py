"""The command that reports failures, and says what they call for: gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemolog.cli.exits import refuse
from mnemolog.cli.options import WRITING, acts, as_of
from mnemolog.cli.output import Row, at, write_line, write_table
from mnemolog.cli.receipts import write_receipt

if TYPE_CHECKING:
    from mnemolog import Gate
    from mnemolog.cli.call import Call


@click.command()
@click.argument("words", metavar="[CUE]...", nargs=-1)
@click.option(
    "--report",
    metavar="FAILURE",
    help="Report that the memory failed on CUE: missed_correction, bad_trade_off, lost_focus "
    "or a word of your own.",
)
@click.option("--mitigated", is_flag=True, help="Something was in place against it.")
@click.option("--note", metavar="TEXT", help="What went wrong, kept with the report.")
@acts(*WRITING, as_of)
def gate(
    call: Call, words: tuple[str, ...], *, report: str | None, mitigated: bool, note: str | None
) -> None:
    """Say which operator repeated failures call for.

    With --report a failure on CUE is recorded. A missed correction may call for
    a revision operator, a bad trade-off for evaluation, lost focus for
    attention, once it recurred on two distinct cues with mitigation in place.
    """
    if report is not None:
        if call.as_of is not None:
            refuse("the past cannot be changed: leave out --as-of")
        with call.memory("create") as memory:
            receipt = memory.report_failure(report, " ".join(words), mitigated=mitigated, note=note)
            call.answer(receipt, write_receipt)
        return
    if words or mitigated or note is not None:
        refuse("a CUE, --mitigated and --note belong to a report: say which --report FAILURE")
    with call.reading() as reader:
        call.answer(reader.gate(), _write_gate)


def _write_gate(found: Gate) -> None:
    write_line(found.message)
    write_table(
        ("failure", "reports", "what they come to"),
        [
            Row(
                (one.failure, str(len(one.reports)), one.says),
                tuple(
                    f"{at(report.position)} {_mitigation(mitigated=report.mitigated)}: "
                    f"{report.cue or '(redacted)'}"
                    for report in one.reports
                ),
            )
            for one in found.classes
        ],
    )


def _mitigation(*, mitigated: bool) -> str:
    return "mitigated" if mitigated else "not mitigated"

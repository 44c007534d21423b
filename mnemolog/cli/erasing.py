"""The command that destroys content: redact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemolog.cli.confirming import confirm
from mnemolog.cli.exits import ExitCode
from mnemolog.cli.options import WRITING, acts, override, reason, yes
from mnemolog.cli.output import at, write_left, write_line
from mnemolog.cli.receipts import write_receipt

if TYPE_CHECKING:
    from mnemolog import Redaction
    from mnemolog.cli.call import Call


@click.command()
@click.argument("references", metavar="REFERENCE...", nargs=-1, required=True)
@reason
@override
@yes
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for readers of the content, and to search files of others.",
)
@acts(*WRITING)
def redact(  # noqa: PLR0913 - one parameter for each thing that the command line can say
    call: Call,
    references: tuple[str, ...],
    *,
    reason: str | None,
    override: bool,
    yes: bool,
    timeout_s: float,
) -> None:
    """Destroy what memories or events say, for good.

    REFERENCE is an id of a memory or event, the beginning of one, or @position.
    What happened, when and by whom stays in the log, and the log still verifies;
    the content does not come back. Where a file cannot be cleaned, or a reader still
    holds on to it, that is named and the exit code is 6; the next opening of the
    home goes on with it.
    """
    if not yes:
        confirm(f"Destroy the content of {', '.join(references)} for good?")
    with call.memory() as memory:
        redaction = memory.redact(
            *references, reason=reason, override=override, timeout_s=timeout_s
        )
    call.answer(redaction, _write_redaction)
    if not redaction.complete:
        click.get_current_context().exit(ExitCode.INCOMPLETE)


def _write_redaction(redaction: Redaction) -> None:
    write_receipt(redaction)
    write_line("erased: " + ", ".join(at(position) for position in redaction.erased))
    write_left(redaction.left)

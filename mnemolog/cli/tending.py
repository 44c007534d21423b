"""Commands that tend a home: verify, checkpoint, rebuild, index, doctor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from mnemolog.cli.exits import ExitCode
from mnemolog.cli.inputs import read_input
from mnemolog.cli.options import LOOKING, TENDING, acts
from mnemolog.cli.output import Row, at, write_fields, write_json, write_line, write_table
from mnemolog.cli.progress import progress_of

if TYPE_CHECKING:
    from mnemolog import Diagnosis, Rebuilt, Verified
    from mnemolog.cli.call import Call

_CHECKPOINT_BYTES = 1 << 16


@click.command()
@click.option(
    "--checkpoint",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    metavar="FILE",
    help="Prove as well that the log extends this checkpoint; - reads standard input.",
)
@acts(*TENDING)
def verify(call: Call, *, checkpoint: Path | None) -> None:
    """Prove that the log is what was appended.

    Every digest is computed again. The first event that was changed, removed or
    inserted is named, and the exit code is 5; so is a log that lost events or
    was replaced by another one.
    """
    from mnemolog import parse_checkpoint  # noqa: PLC0415 - heavy, and not needed for help

    with call.memory() as memory, progress_of(call) as progress:
        known = None
        if checkpoint is not None:
            known = parse_checkpoint(read_input(checkpoint, _CHECKPOINT_BYTES), str(checkpoint))
        call.answer(memory.log.verify(known, progress), _write_verified)


@click.command()
@click.argument(
    "file", metavar="[FILE]", required=False, type=click.Path(dir_okay=False, path_type=Path)
)
@acts(*TENDING)
def checkpoint(call: Call, *, file: Path | None) -> None:
    """Write the log's present head, to keep elsewhere.

    It goes to FILE, which must not exist yet, or to standard output. `verify
    --checkpoint` proves later that the log still extends it.
    """
    from mnemolog.ledger.scratch import written_new  # noqa: PLC0415 - not needed for --help

    with call.memory() as memory:
        head = memory.log.checkpoint()
    if file is None:
        write_json(head)
        return
    with written_new(file) as target:
        target.write(msgspec.json.encode(head) + b"\n")
    call.answer(
        head, lambda _: write_line(f"wrote the checkpoint at {at(head.position)} to {file}")
    )


@click.command()
@acts(*TENDING)
def rebuild(call: Call) -> None:
    """Derive all views from the log again.

    The indexes of all spaces as well. Views are built beside the present ones, which go
    on answering, and then take their place.
    """
    with call.memory() as memory, progress_of(call) as progress:
        rebuilt = memory.upkeep.rebuild(progress)
    call.answer(rebuilt, _write_rebuilt)


@click.command()
@acts(*LOOKING)
def index(call: Call) -> None:
    """Embed and index what is not yet.

    Recall does this by itself; after a large import it is better done once, with
    its progress shown. Where the home cannot be written, the exit code is 7.
    """
    with call.memory() as memory, progress_of(call) as progress:
        count = memory.upkeep.index(progress)
    call.answer({"indexed": count}, lambda _: write_line(f"{count:,} memories are indexed"))


@click.command()
@click.option(
    "--accept-loss",
    is_flag=True,
    help="Go on with a log that has lost events, or with another in its place, as it is.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Embed all texts again and compare them with their vectors, not just 500 of them.",
)
@acts(*TENDING)
def doctor(call: Call, *, accept_loss: bool, everything: bool) -> None:
    """Examine the home and say what is wrong.

    The exit code is 5 if an error was found.
    """
    with call.memory() as memory, progress_of(call) as progress:
        if accept_loss:
            memory.log.accept_loss()
        diagnosis = (
            memory.upkeep.doctor(progress, sample=None)
            if everything
            else memory.upkeep.doctor(progress)
        )
    call.answer(diagnosis, _write_diagnosis)
    if any(finding.level == "error" for finding in diagnosis.findings):
        click.get_current_context().exit(ExitCode.DAMAGED)


def _write_verified(verified: Verified) -> None:
    write_fields(
        [
            ("verified", f"{verified.events:,} events"),
            ("head", f"{at(verified.head_position)} {verified.head_digest}"),
            ("redacted", f"{verified.erased:,} events" if verified.erased else None),
            ("extends", at(verified.checkpoint.position) if verified.checkpoint else None),
        ]
    )


def _write_rebuilt(rebuilt: Rebuilt) -> None:
    spaces = "1 space" if rebuilt.spaces == 1 else f"{rebuilt.spaces:,} spaces"
    write_line(
        f"rebuilt the views up to {at(rebuilt.position)}, {rebuilt.memories:,} memories in {spaces}"
    )


def _write_diagnosis(diagnosis: Diagnosis) -> None:
    write_table(
        ("level", "subject", "finding"),
        [Row((finding.level, finding.subject, finding.text)) for finding in diagnosis.findings],
    )

"""The command that folds the log again: replay."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemolog.cli.exits import refuse
from mnemolog.cli.options import TENDING, Directory, acts, moment
from mnemolog.cli.output import at, one_line, write_json, write_line
from mnemolog.cli.stories import changed, subject, write_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mnemolog import Step
    from mnemolog.cli.call import Call


@click.command()
@click.option(
    "--to", callback=moment, metavar="MOMENT", help="Stop at this moment, as for --as-of."
)
@click.option("--step", is_flag=True, help="Ask after each event whether to go on.")
@click.option(
    "--into",
    type=Directory(),
    metavar="DIR",
    help="Keep the home that it is folded into here; else it is thrown away.",
)
@acts(*TENDING)
def replay(call: Call, *, to: int | str | None, step: bool, into: Path | None) -> None:
    """Fold the log again, showing what each event changes.

    It is folded into a scratch home; the present one is only read.
    """
    from mnemolog import default_home, replay  # noqa: PLC0415 - heavy, and not needed for help

    steps = replay(call.home or default_home(), into, to=to)
    if step:
        steps = _one_by_one(steps)
    if call.as_json:
        write_json({"steps": tuple(steps)})
    else:
        for each in steps:
            _write_step(each)


def _one_by_one(steps: Iterable[Step]) -> Iterator[Step]:
    """The steps, each after the first only when a person goes on to it."""
    if not sys.stdin.isatty():
        refuse("--step asks after each event, and there is no terminal: leave it out")
    for number, step in enumerate(steps):
        if number and _declined():
            return
        yield step


def _declined() -> bool:
    answer: str = click.prompt(
        "Enter goes on, q stops", default="", show_default=False, prompt_suffix=" ", err=True
    )
    return answer.strip() == "q"


def _write_step(step: Step) -> None:
    write_entry(step.entry)
    for change in step.changes:
        told = f"{at(change.position)}  {changed(change)}  “{subject(change)}”"
        write_line("    " + one_line(told))

"""Confirmation by a person before what cannot be undone, or may be a mistake."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

import click

from mnemolog.cli.exit_codes import refuse
from mnemolog.cli.output.printing import counted, known_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemolog import CatchUp, CatchUpNotConfirmed
    from mnemolog.cli.call import CommandCall

Result = TypeVar("Result")
Refusal = TypeVar("Refusal", bound=Exception)


def confirm(question: str, because: str = "this cannot be undone") -> None:
    """Ask on the terminal, and stop unless the answer is yes.

    Raises `click.Abort` if it is no. Without a terminal that is a usage error, which gives
    the reason for asking.
    """
    if not sys.stdin.isatty():
        refuse(f"{because}, and nobody can be asked here: give --yes")
    click.confirm(question, abort=True, err=True)


def confirmed(
    act: Callable[[bool], Result],
    refusal: type[Refusal],
    agrees: Callable[[Refusal], bool],
    *,
    yes: bool,
) -> Result:
    """Result of `act`, which takes whether it is confirmed: by `yes`, or by `agrees`.

    Raises the `refusal` of `act` where nobody can be asked, `click.Abort` if the answer is no.
    """
    try:
        return act(yes)
    except refusal as asked:
        if not agrees(asked):
            raise
    return act(True)  # noqa: FBT003 - confirmed


def shown_and_agreed(call: CommandCall, lines: Sequence[str], question: str) -> bool:
    """Agreement of a person who is shown `lines`; False without a terminal.

    With --json, a program reads the same in the answer or the error. Raises `click.Abort` if
    the answer is no.
    """
    asks = sys.stdin.isatty()
    if asks or not call.as_json:
        for line in lines:
            click.echo(line, err=True)
    return asks and click.confirm(question, abort=True, err=True)


def agreed_to_catch_up(
    call: CommandCall, asked: CatchUp | CatchUpNotConfirmed, *heading: str
) -> bool:
    """Agreement of a person to a tick that downgrades much; see `shown_and_agreed`."""
    return shown_and_agreed(call, [*heading, *_catch_up(asked)], "go ahead?")


def _catch_up(asked: CatchUp | CatchUpNotConfirmed) -> list[str]:
    lines = [] if asked.doubt is None else [f"{asked.doubt}: check that the clock is right"]
    for tier, count in asked.falls.items():
        lost = ", which destroys their text" if tier == "deleted" else ""
        lines.append(f"{counted(count, 'memory')} would fall to {tier}{lost}")
    return lines + [f"  to {tier}: {known_text(text)}" for _, tier, text in asked.examples]

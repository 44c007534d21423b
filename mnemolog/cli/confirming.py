"""Asking a person before something that cannot be undone, or that may not be meant."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

import click

from mnemolog.cli.exits import refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemolog.cli.call import Call

Result = TypeVar("Result")
Refusal = TypeVar("Refusal", bound=Exception)


def confirm(question: str, because: str = "this cannot be undone") -> None:
    """Ask on the terminal, and stop unless the answer is yes.

    Raises `click.Abort` if it is no; where nobody can answer, that is a usage error, which
    says why it had to be asked.
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
    """Result of `act`, told whether it is confirmed: by `yes`, or by who `agrees`.

    Raises the `refusal` of `act` where nobody can be asked, `click.Abort` if the answer is no.
    """
    try:
        return act(yes)
    except refusal as asked:
        if not agrees(asked):
            raise
    return act(True)  # noqa: FBT003 - confirmed


def shown_and_agreed(call: Call, lines: Sequence[str], question: str) -> bool:
    """Agreement of a person who is shown `lines`; False if nobody is there.

    With --json a program that cannot agree reads the same in the answer or the error. Raises
    `click.Abort` if the answer is no.
    """
    asks = sys.stdin.isatty()
    if asks or not call.as_json:
        for line in lines:
            click.echo(line, err=True)
    return asks and click.confirm(question, abort=True, err=True)

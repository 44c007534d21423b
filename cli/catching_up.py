"""Asking a person before a tick that would let much fall."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cli.output import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.call import Call
    from mnemolog import CatchUp, CatchUpNotConfirmed, Tick


def ticked(call: Call, tick: Callable[[bool], Tick], *, yes: bool) -> Tick:
    """What a tick did, asked about on the terminal where it has to be confirmed.

    Raises `click.Abort` if the answer is no, and `CatchUpNotConfirmed` where nobody can
    be asked.
    """
    from mnemolog import CatchUpNotConfirmed  # noqa: PLC0415 - heavy, and not needed for --help

    try:
        return tick(yes)
    except CatchUpNotConfirmed as asked:
        if not agreed(call, asked):
            raise
    return tick(True)  # noqa: FBT003 - confirmed


def agreed(call: Call, asked: CatchUp | CatchUpNotConfirmed, *heading: str) -> bool:
    """Whether a person agrees to a catch-up, shown what it would do; False if nobody is there.

    With --json a program that cannot agree reads it in the answer or the error. Raises
    `click.Abort` if the answer is no.
    """
    asks = sys.stdin.isatty()
    if asks or not call.as_json:
        for line in (*heading, *_described(asked)):
            click.echo(line, err=True)
    if not asks:
        return False
    return click.confirm("let them fall?", abort=True, err=True)


def _described(asked: CatchUp | CatchUpNotConfirmed) -> list[str]:
    lines = []
    if asked.doubt is not None:
        lines.append(f"{asked.doubt}: check that the clock is right")
    for tier, count in asked.falls.items():
        lost = ", which destroys their text" if tier == "deleted" else ""
        memories = "1 memory" if count == 1 else f"{count:,} memories"
        lines.append(f"{memories} would fall to {tier}{lost}")
    lines += [f"  to {tier}: {one_line(text or '(redacted)')}" for _, tier, text in asked.examples]
    return lines

"""The command that draws how strong a memory was, is and will be: strength."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemolog.cli.options import READING, acts
from mnemolog.cli.output import one_line, when, write_line

if TYPE_CHECKING:
    from mnemolog import StrengthCurve
    from mnemolog.cli.call import Call

_ROWS = 8
_LEVELS = " ▁▂▃▄▅▆▇█"


@click.command()
@click.argument("reference")
@click.option("--ahead", type=int, metavar="DAYS", help="How far to look ahead; else as far back.")
@click.option(
    "--points",
    type=click.IntRange(2, 200),
    default=60,
    show_default=True,
    help="How many points to draw.",
)
@acts(*READING)
def strength(call: Call, reference: str, *, ahead: int | None, points: int) -> None:
    """Draw the strength of a memory, past and to come.

    REFERENCE is the memory. Beside the curve stand the events that moved it, and the
    falls that are due if nothing happens to it.
    """
    with call.reading() as reader:
        curve = reader.strength_curve(reference, points=points, ahead_days=ahead)
        call.answer(curve, _write_curve)


def _write_curve(curve: StrengthCurve) -> None:
    for row in reversed(range(_ROWS)):
        label = f"{(row + 1) / _ROWS:.2f}" if row % 2 else "    "
        bars = "".join(_bar(point.strength, row) for point in curve.points)
        write_line(f"{label} ┤{bars.rstrip()}")
    past = sum(point.at <= curve.now for point in curve.points)
    axis = "".join("┴" if place == past - 1 else "─" for place in range(len(curve.points)))
    write_line(f"     └{axis}")
    write_line(f"      {' ' * max(0, past - 1)}now")
    for mark in curve.marks:
        write_line(f"{when(mark.at)}  {one_line(mark.text)}")
    for mark in curve.to_come:
        write_line(f"{when(mark.at)}  {one_line(mark.text)}, if nothing happens")


def _bar(strength: float, row: int) -> str:
    """The part of a column that stands in one row, as one of the block characters."""
    eighths = round((strength * _ROWS - row) * 8)
    return _LEVELS[min(8, max(0, eighths))]

"""How answers look: tables and colour on a terminal, plain lines elsewhere, JSON on request."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import click
import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from rich.console import Console

SHORTEST_ID = 13
"""Hexadecimal digits of an id that are always shown: its time and its version."""

SHOWN_CHARACTERS = 400
"""How much of one text a table on a terminal shows."""

_STYLES = {"at": "cyan", "id": "dim", "when": "green", "relevance": "bold"}
_DIRECTIONS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_ESCAPED = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"  # noqa: PLR2004 - two digits
    for code in (*range(0x20), *range(0x7F, 0xA0), *_DIRECTIONS)
    if chr(code) not in "\n\t"
}


class Row(NamedTuple):
    """One row of a table, and lines that stand below its last cell."""

    cells: tuple[str, ...]
    below: tuple[str, ...] = ()


def write_json(value: object) -> None:
    """Print one JSON object on one line."""
    click.echo(msgspec.json.encode(value, enc_hook=str))


def write_line(text: str = "") -> None:
    """Print one text as it is, but for what would steer a terminal."""
    click.echo(safe(text))


def write_left(places: Sequence[str]) -> None:
    """Where content that was destroyed is left for now, on standard error."""
    for where in places:
        click.echo(f"incomplete: {one_line(where)}", err=True)
    if places:
        click.echo("the next opening of the home goes on with it", err=True)


def write_table(columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Print rows: aligned under headings on a terminal, else with tabs between their cells."""
    if sys.stdout.isatty():
        _write_rich_table(columns, rows)
        return
    for row in rows:
        click.echo("\t".join(one_line(cell) for cell in row.cells))
        for line in row.below:
            click.echo("\t" + one_line(line))


def write_fields(fields: Iterable[tuple[str, str | None]]) -> None:
    """Print names and values, one pair a line; a value of None is left out."""
    known = [(name, value) for name, value in fields if value is not None]
    if sys.stdout.isatty():
        _write_rich_fields(known)
        return
    for name, value in known:
        click.echo(f"{name}: {one_line(value)}")


def _console() -> Console:
    from rich.console import Console  # noqa: PLC0415 - heavy, and for terminals alone

    return Console(highlight=False)


def _write_rich_table(columns: Sequence[str], rows: Iterable[Row]) -> None:
    from rich.table import Table  # noqa: PLC0415 - heavy, and for terminals alone
    from rich.text import Text  # noqa: PLC0415 - heavy, and for terminals alone

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns[:-1]:
        table.add_column(name, style=_STYLES.get(name), no_wrap=True)
    table.add_column(columns[-1], overflow="fold")
    for row in rows:
        *first, last = (Text(shortened(one_line(cell))) for cell in row.cells)
        for line in row.below:
            last.append("\n" + shortened(one_line(line)), style="dim")
        table.add_row(*first, last)
    _console().print(table)


def _write_rich_fields(fields: Sequence[tuple[str, str]]) -> None:
    from rich.table import Table  # noqa: PLC0415 - heavy, and for terminals alone
    from rich.text import Text  # noqa: PLC0415 - heavy, and for terminals alone

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in fields:
        table.add_row(name, Text(one_line(value)))
    _console().print(table)


def safe(text: str) -> str:
    """The text with its control characters written out: a memory must not steer a terminal."""
    return text.translate(_ESCAPED)


def one_line(text: str) -> str:
    """The text on one line, safe to print."""
    return safe(" ".join(text.split()))


def shortened(text: str) -> str:
    """The beginning of a text, with an ellipsis if it goes on."""
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def when(instant: datetime) -> str:
    """A time in UTC, to the second."""
    return instant.strftime("%Y-%m-%d %H:%M:%SZ")


def at(position: int) -> str:
    """A position in the form in which a command takes it as a reference."""
    return f"@{position}"


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """For each id its shortest beginning, of 13 digits at least, that no other of them shares."""
    ordered = sorted(set(ids))
    shared = [0, *(_shared(a, b) for a, b in pairwise(ordered)), 0]
    return {
        each: each[: max(SHORTEST_ID, shared[place] + 1, shared[place + 1] + 1)]
        for place, each in enumerate(ordered)
    }


def _shared(first: str, second: str) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(first), len(second)))

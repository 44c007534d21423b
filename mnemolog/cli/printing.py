"""Output of commands: tables on a terminal, tab-separated lines elsewhere, JSON on request."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from itertools import pairwise, zip_longest
from os.path import commonprefix
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from mnemolog.results import as_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mnemolog import FoundConflict

SHORTEST_ID = 13  # hexadecimal digits of an id that are always shown: its time and its version
SHOWN_CHARACTERS = 400  # of one text in a table on a terminal
_GAP = "  "
_INDENT = "    "
_NARROWEST_TEXT = 32  # columns that the last cell needs beside the others; else it goes below them
_STYLES = {"at": "cyan", "id": "bright_black", "when": "green", "status": "yellow"}
_DIRECTIONS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_ESCAPED = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"  # noqa: PLR2004 - two digits
    for code in (*range(0x20), *range(0x7F, 0xA0), *_DIRECTIONS)
    if chr(code) not in "\n\t"
}


def write_json(value: object) -> None:
    """Print one JSON object on one line."""
    click.echo(as_json(value))


def write_line(text: str = "") -> None:
    """Print a text as it is, but with control characters escaped."""
    click.echo(safe(text))


def write_error_line(label: str, text: str) -> None:
    """Print a labelled line on standard error."""
    click.echo(f"{label}: {one_line(text)}", err=True)


def write_none(things: str) -> None:
    """Say that there is nothing to show."""
    click.echo(f"No {things} found.")


def write_remarks(found: Iterable[FoundConflict], warnings: Iterable[str]) -> None:
    """Print the contradictions that were found while storing, and the warnings."""
    for one in found:
        write_line(f"because: {one_line(one.reason)} ({known_text(one.content)})")
    for warning in warnings:
        write_error_line("warning", warning)


def write_left(places: Sequence[str]) -> None:
    """Name on standard error the places where destroyed content remains for now."""
    for where in places:
        write_error_line("incomplete", where)
    if places:
        click.echo("the next command on this home tries again", err=True)


def write_table(
    things: str,
    headings: str,
    rows: Iterable[Sequence[str | datetime]],
    below: Iterable[Iterable[str]] = (),
) -> None:
    """Print rows: aligned under headings on a terminal, else with tabs between their cells.

    `things` says in the plural what the rows are, `headings` has commas between them, and `below`
    gives for each row the lines that stand under its last cell.
    """
    listed = [(cells, [*lines]) for cells, lines in zip_longest(rows, below, fillvalue=())]
    if not listed:
        write_none(things)
    elif sys.stdout.isatty():
        texts = [
            (
                [shortened(one_line(_text(cell, short=True))) for cell in cells],
                [shortened(_indented(line)) for line in lines],
            )
            for cells, lines in listed
        ]
        for line in table_lines(headings.split(", "), texts):
            click.echo(line)
    else:
        for cells, lines in listed:
            click.echo("\t".join(one_line(_text(cell)) for cell in cells))
            for line in lines:
                click.echo("\t" + one_line(line))


def write_fields(*fields: tuple[str, str | None]) -> None:
    """Print names and values, one pair a line; a value of None is left out."""
    known = [(name, one_line(value)) for name, value in fields if value is not None]
    plain = (f"{name}: {value}" for name, value in known)
    for line in field_lines(known) if sys.stdout.isatty() else plain:
        click.echo(line)


def _text(cell: str | datetime, *, short: bool = False) -> str:
    if isinstance(cell, str):
        return cell
    return cell.astimezone().strftime("%Y-%m-%d %H:%M") if short else when(cell)


def when(instant: datetime) -> str:
    """A time on the user's clock, to the second, with its offset from UTC."""
    return instant.astimezone().isoformat(" ", "seconds").replace("+00:00", "Z")


def _indented(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))] + one_line(line)


def safe(text: str) -> str:
    """The text with control characters escaped: a memory must not steer a terminal."""
    return text.translate(_ESCAPED)


def one_line(text: str) -> str:
    """The text on one line, safe to print."""
    return safe(" ".join(text.split()))


def shortened(text: str) -> str:
    """The beginning of a text, with an ellipsis if it goes on."""
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def known_text(content: str | None) -> str:
    """A text on one line; a placeholder for one that was redacted."""
    return "(redacted)" if content is None else one_line(content)


def counted(number: int, thing: str) -> str:
    """A number with its noun, in the plural unless it is one: `1 memory`, `2 memories`."""
    plural = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"1 {thing}" if number == 1 else f"{number:,} {plural}"


def at(position: int) -> str:
    """A position in the form in which a command takes it as a reference."""
    return f"@{position}"


def short_ids(ids: Iterable[str | None]) -> dict[str, str]:
    """For each id its shortest beginning, of 13 digits at least, that no other of them shares."""
    ordered = sorted({each for each in ids if each is not None})
    alike = (len(commonprefix(pair)) for pair in pairwise(ordered))  # noqa: RUF071 - characters
    shared = [0, *alike, 0]
    return {
        each: each[: max(SHORTEST_ID, shared[place] + 1, shared[place + 1] + 1)]
        for place, each in enumerate(ordered)
    }


def table_lines(
    names: Sequence[str], rows: Sequence[tuple[Sequence[str], Sequence[str]]]
) -> Iterator[str]:
    """Lines of a table; each row is its cells, and lines that stand below the last one.

    The last column wraps. Where there is no room for it, it goes below the others; where
    the others do not fit either, each row becomes a block of named lines.
    """
    width = get_terminal_size().columns
    cells = [names, *(row for row, _ in rows)]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)][:-1]
    beside = sum(widths) + len(_GAP) * len(widths)
    if beside - len(_GAP) > width:
        yield from _blocks(names, rows, width)
        return
    inline = width - beside >= min(_NARROWEST_TEXT, max(_width(row[-1]) for row in cells))
    indent = " " * beside if inline else _INDENT
    heads = names if inline else names[:-1]
    yield _styled(_joined(heads, widths), "bold")
    for row, below in rows:
        first = _joined(row[:-1], widths, names)
        last = [*wrapped(row[-1], width - len(indent))] or [""]
        if inline:
            yield (first + _GAP + last.pop(0)).rstrip() if widths else last.pop(0)
        else:
            yield first.rstrip()
        yield from (indent + line for line in last)
        for each in below:
            lines = wrapped(each, width - len(indent))
            yield from (indent + _styled(line, "bright_black") for line in lines)


def field_lines(fields: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Lines of names and values, the values aligned and wrapped."""
    width = get_terminal_size().columns
    beside = max((_width(name) for name, _ in fields), default=0) + len(_GAP)
    for name, value in fields:
        first, *rest = [*wrapped(value, max(width - beside, _NARROWEST_TEXT))] or [""]
        yield (_styled(_padded(name, beside), "bright_black") + first).rstrip()
        yield from (" " * beside + line for line in rest)


def wrapped(text: str, width: int) -> Iterator[str]:
    """The text in lines of at most `width` columns, broken between words.

    Only a word that is longer than a line is broken. Blanks at the start indent every line.
    """
    indent = text[: len(text) - len(text.lstrip())]
    line = indent
    for word in text.split():
        room = width - _width(line) - (line != indent)
        if _width(word) > room and line != indent:
            yield line
            line, room = indent, width - len(indent)
        rest = word
        while _width(rest) > room:
            # As much as fits, one character at least.
            ends = range(2, len(rest) + 1)
            end = next((end - 1 for end in ends if _width(rest[:end]) > room), len(rest))
            yield indent + rest[:end]
            rest = rest[end:]
        line += rest if line == indent else f" {rest}"
    if line != indent:
        yield line


def _blocks(
    names: Sequence[str], rows: Sequence[tuple[Sequence[str], Sequence[str]]], width: int
) -> Iterator[str]:
    for row, below in rows:
        yield _styled(row[0], "bold")
        named = [(f"{_INDENT}{name}", cell) for name, cell in zip(names, row, strict=True)]
        yield from field_lines(named[1:])
        for each in below:
            yield from (_INDENT + line for line in wrapped(each, width - len(_INDENT)))


def _joined(cells: Sequence[str], widths: Sequence[int], names: Sequence[str] = ()) -> str:
    padded = [_padded(cell, size) for cell, size in zip(cells, [*widths, 0], strict=False)]
    styles = [_STYLES.get(name, "") for name in names] or [""] * len(cells)
    return _GAP.join(map(_styled, padded, styles))


def _padded(text: str, size: int) -> str:
    return text + " " * (size - _width(text))


def _styled(text: str, style: str) -> str:
    if not style or os.environ.get("NO_COLOR"):
        return text
    return click.style(text, bold=True) if style == "bold" else click.style(text, fg=style)


def _width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )

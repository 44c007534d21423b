"""Tables for a terminal: columns fit its width, and words stay whole."""

from __future__ import annotations

import os
import unicodedata
from itertools import repeat
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GAP = "  "
_INDENT = "    "
_NARROWEST_TEXT = 32
"""Columns that the last cell needs to stand beside the others; else it goes below them."""
_STYLES = {"at": "cyan", "id": "bright_black", "when": "green", "status": "yellow"}


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
            head = _beginning(rest, room)
            yield indent + head
            rest = rest[len(head) :]
        line += rest if line == indent else f" {rest}"
    if line != indent:
        yield line


def _beginning(word: str, room: int) -> str:
    """As much of a word as fits, one character at least."""
    end = next((end for end in range(2, len(word) + 1) if _width(word[:end]) > room), len(word) + 1)
    return word[: end - 1]


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
    sizes = [*widths, *repeat(0, len(cells) - len(widths))]
    padded = [_padded(cell, size) for cell, size in zip(cells, sizes, strict=True)]
    styles = [_STYLES.get(name, "") for name in names[: len(cells)]] or [""] * len(cells)
    return _GAP.join(_styled(cell, style) for cell, style in zip(padded, styles, strict=True))


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
    return sum(
        0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )

"""Input of a command beside its arguments: a named file or standard input, within limits."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mnemolog.cli.exits import refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_TEXT_BYTES = 64 << 20
"""The most that is read of a text on standard input: no memory can be longer."""
_STANDARD_INPUT = Path("standard input")


def read_input(file: Path, most_bytes: int) -> bytes:
    """The content of a file, or of standard input for `-`. Raises `MalformedFile`."""
    from mnemolog.ledger.files import read_at_most, read_regular  # noqa: PLC0415 - not needed for --help

    if str(file) == "-":
        return read_at_most(sys.stdin.buffer, _STANDARD_INPUT, most_bytes)
    return read_regular(file, most_bytes)


def input_lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, numbered from 1; see `read_input`."""
    from mnemolog.ledger.files import bounded_lines, open_regular  # noqa: PLC0415 - not for --help

    if str(file) == "-":
        yield from _numbered(bounded_lines(sys.stdin.buffer, _STANDARD_INPUT))
        return
    with open_regular(file) as opened:
        yield from _numbered(bounded_lines(opened, file))


def _numbered(lines: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def standard_text() -> str:
    """The text on standard input; stops with a usage error if it is not UTF-8."""
    try:
        return read_input(Path("-"), MOST_TEXT_BYTES).decode()
    except UnicodeDecodeError as error:
        refuse(f"standard input is not UTF-8 at byte {error.start}; convert it first")

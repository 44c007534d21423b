"""Input of commands besides arguments: a named file or standard input, within limits."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from mnemolog.cli.exit_codes import refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemolog import Turn

Line = TypeVar("Line")

MOST_TEXT_BYTES = 64 << 20
"""The most that is read of a text on standard input: no memory can be longer."""
_STANDARD_INPUT = Path("standard input")

input_file = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
"""The type of an argument that names an existing file, or standard input by `-`."""
conversation = click.option(
    "--conversation",
    type=input_file,
    metavar="FILE",
    help='A conversation: a JSON object {"role": …, "content": …} a line; - reads standard input.',
)


def read_input(file: Path, most_bytes: int) -> bytes:
    """The content of a file, or of standard input for `-`. Raises `MalformedFile`."""
    from mnemolog.ledger.files import read_at_most, read_regular

    if str(file) == "-":
        return read_at_most(sys.stdin.buffer, _STANDARD_INPUT, most_bytes)
    return read_regular(file, most_bytes)


def decoded_lines(file: Path, line_type: type[Line], field: str, example: str) -> list[Line]:
    """The JSON objects of a file or standard input, one a line; blank lines are skipped.

    Raises `InvalidField` for `field`, with an `example` of a line, if one cannot be decoded.
    """
    import msgspec

    from mnemolog.ledger.errors import InvalidField
    from mnemolog.ledger.vocabulary import decode_json

    decode = msgspec.json.Decoder(line_type).decode
    found = []
    for number, line in _lines(file):
        try:
            found.append(decode_json(decode, line))
        except msgspec.DecodeError as error:
            problem = f"line {number} of {file} cannot be read ({error})"
            raise InvalidField(field, problem, f"write one {example} a line") from None
    return found


def turns_of(file: Path) -> list[Turn]:
    """The turns of a conversation. Raises `InvalidField` for a line that is none."""
    from mnemolog import Turn

    return decoded_lines(file, Turn, "conversation", '{"role": …, "content": …}')


def standard_text() -> str:
    """The text on standard input; a usage error if it is not UTF-8."""
    try:
        return read_input(Path("-"), MOST_TEXT_BYTES).decode()
    except UnicodeDecodeError as error:
        refuse(f"standard input is not UTF-8 at byte {error.start}; convert it first")


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, numbered from 1."""
    from mnemolog.ledger.files import bounded_lines, open_regular

    if str(file) == "-":
        yield from _numbered(bounded_lines(sys.stdin.buffer, _STANDARD_INPUT))
        return
    with open_regular(file) as opened:
        yield from _numbered(bounded_lines(opened, file))


def _numbered(lines: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())

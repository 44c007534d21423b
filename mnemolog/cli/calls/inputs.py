"""Input of commands: times in words, the text of a command, files and standard input."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from mnemolog.cli.calls.exit_codes import refuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemolog import Turn

Line = TypeVar("Line")
SettingValue = str | int | float | bool | None

TIME_HELP = (
    'Words such as yesterday or "2 hours ago", or ISO 8601; a date alone is its midnight UTC.'
)
_MOST_TEXT_BYTES = 64 << 20
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


class _LocalZone(tzinfo):
    """The user's zone with all its changes of offset; `datetime.astimezone()` fixes today's."""

    def utcoffset(self, at: datetime | None) -> timedelta | None:
        return None if at is None else at.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, _at: datetime | None) -> timedelta | None:
        return None

    def tzname(self, at: datetime | None) -> str | None:
        return None if at is None else at.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, at: datetime) -> datetime:
        return at.replace(tzinfo=UTC).astimezone().replace(tzinfo=self)


def instant_of(text: str) -> str:
    """A time in relative words as ISO 8601; any other text unchanged."""
    if text.strip()[:4].isdecimal():
        return text
    from mnemolog.language.instants import UnreadTime, read_instant

    found = read_instant(text, datetime.now(_LocalZone()))
    return text if isinstance(found, UnreadTime) else found.astimezone().isoformat()


def time_value(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """The time of an option, in ISO 8601; the library refuses what is none."""
    return None if value is None else instant_of(value)


def log_moment(_ctx: click.Context, _param: click.Parameter, value: str | None) -> int | str | None:
    """A moment of the log: a position, with or without an @, or a time in ISO 8601."""
    digits = (value or "").removeprefix("@")
    if value is None or not digits.isdecimal():
        return None if value is None else instant_of(value)
    # Twenty digits are beyond any log, and Python reads no more than 4,300 of them.
    return int(digits.lstrip("0")[:20] or "0")


def scalar(text: str) -> SettingValue:
    """The number or truth value that a text is in JSON, or else the text itself."""
    import msgspec

    try:
        value: SettingValue = msgspec.json.decode(text, type=int | float | bool | None)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return text
    return value


def text_of(words: tuple[str, ...]) -> str:
    """The text that the words of a command line make, or standard input for a single -."""
    return standard_text().removesuffix("\n") if words == ("-",) else " ".join(words)


def standard_text() -> str:
    """The text on standard input; a usage error if it is not UTF-8."""
    try:
        return read_input(Path("-"), _MOST_TEXT_BYTES).decode()
    except UnicodeDecodeError as error:
        refuse(f"standard input is not UTF-8 at byte {error.start}; convert it first")


def read_input(file: Path, most_bytes: int) -> bytes:
    """The content of a file, or of standard input for `-`. Raises `MalformedFile`."""
    from mnemolog.ledger.files import read_at_most, read_regular

    if str(file) == "-":
        return read_at_most(sys.stdin.buffer, _STANDARD_INPUT, most_bytes)
    return read_regular(file, most_bytes)


def turns_of(file: Path) -> list[Turn]:
    """The turns of a conversation. Raises `InvalidField` for a line that is none."""
    from mnemolog import Turn

    return decoded_lines(file, Turn, "conversation", '{"role": …, "content": …}')


def decoded_lines(file: Path, line_type: type[Line], field: str, example: str) -> list[Line]:
    """The JSON objects of a file or standard input, one a line; blank lines are skipped.

    Raises `InvalidField` for `field`, with an `example` of a line, if one cannot be decoded.
    """
    import msgspec

    from mnemolog.ledger.errors import InvalidField
    from mnemolog.ledger.vocabulary import decode_json

    decode = msgspec.json.Decoder(line_type).decode
    found = []
    for number, line in enumerate(_lines(file), 1):
        try:
            if line.strip():
                found.append(decode_json(decode, line))
        except msgspec.DecodeError as error:
            problem = f"line {number} of {file} cannot be read ({error})"
            raise InvalidField(field, problem, f"write one {example} a line") from None
    return found


def _lines(file: Path) -> Iterator[bytes]:
    from mnemolog.ledger.files import bounded_lines, open_regular

    if str(file) == "-":
        yield from bounded_lines(sys.stdin.buffer, _STANDARD_INPUT)
    else:
        with open_regular(file) as opened:
            yield from bounded_lines(opened, file)

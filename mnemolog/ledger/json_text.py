"""JSON of unknown origin: decoded within limits, every refusal one kind of error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import msgspec

MOST_NESTED = 100
"""Deepest nesting of arrays and objects in JSON of any kind."""

# An escaped backslash and a whole pair come first, so that no part of them is taken for a half.
_HALF_A_PAIR = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
_Decoded = TypeVar("_Decoded")


def decode_json(decode: Callable[[bytes], _Decoded], text: bytes) -> _Decoded:
    """The value in a text; `msgspec.DecodeError` also for deep nesting and broken UTF-8."""
    try:
        return decode(text)
    except RecursionError:
        raise msgspec.DecodeError("JSON is nested too deep") from None
    except (UnicodeDecodeError, msgspec.DecodeError) as error:
        raise _bad_text(text) or error from None


def _bad_text(text: bytes) -> msgspec.DecodeError | None:
    """The error in the characters of a text, if there is one.

    msgspec counts from the beginning of a string, and takes half a pair for a cut text.
    """
    try:
        text.decode()
    except UnicodeDecodeError as error:
        byte = f"byte {error.start + 1} (0x{text[error.start]:02x})"
        return msgspec.DecodeError(f"text is not UTF-8 at {byte}")
    for half in _HALF_A_PAIR.finditer(text):
        if half[1]:
            what = f"{half[1].decode()} at byte {half.start(1) + 1}"
            return msgspec.DecodeError(f"text holds {what}, half of a pair and no character")
    return None


def check_nesting(value: object) -> None:
    """Raise `msgspec.DecodeError` for a value nested too deep for code that walks recursively."""
    level = [value]
    for _ in range(MOST_NESTED + 1):
        level = [inner for outer in level for inner in _parts(outer)]
        if not level:
            return
    raise msgspec.DecodeError(f"JSON is nested more than {MOST_NESTED} deep")


def strings_of(content: bytes) -> Iterator[str]:
    """Every text in JSON; none where it cannot be read."""
    try:
        ahead = [msgspec.json.decode(content)]
    except (msgspec.DecodeError, RecursionError):
        return
    while ahead:
        value = ahead.pop()
        if isinstance(value, str):
            yield value
        ahead += _parts(value)


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()

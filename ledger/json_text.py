"""JSON of unknown origin: decoded within limits, every refusal one kind of error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec

MOST_NESTED = 100
"""How deep arrays and objects may lie in each other where any JSON is taken."""

_Decoded = TypeVar("_Decoded")


def decode_json(decode: Callable[[bytes], _Decoded], text: bytes) -> _Decoded:
    """What a decoder of msgspec makes of a text.

    Raises `msgspec.DecodeError` for all that is wrong with it, deep nesting and broken
    UTF-8 included.
    """
    try:
        return decode(text)
    except RecursionError:
        raise msgspec.DecodeError("JSON is nested too deep") from None
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(f"JSON is not UTF-8 at byte {error.start}") from None


def check_nesting(value: object) -> None:
    """Raise `msgspec.DecodeError` if a decoded value is nested deeper than `MOST_NESTED`.

    What is deeper fails later, in whatever walks it by recursion.
    """
    level = [value]
    for _ in range(MOST_NESTED + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
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
        elif isinstance(value, dict):
            ahead += value.values()
        elif isinstance(value, list):
            ahead += value

"""Word lists: sets of words, written as text or kept in the TOML files of `words/`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def word_set(text: str) -> frozenset[str]:
    """The words of a text that lists them with blanks between."""
    return frozenset(text.split())


@cache
def word_file(name: str) -> dict[str, str]:
    """The texts of a data file, each under its name; `word_set` makes a set of one."""
    import tomllib  # noqa: PLC0415 - only where English is read

    stored = files("mnemolog.language.words").joinpath(f"{name}.toml").read_text("utf-8")
    texts: dict[str, str] = tomllib.loads(stored)
    return texts


def word_rows(file: str, name: str) -> dict[str, str]:
    """The rows of a text in a data file, `name: members` on each line."""
    rows = (line.split(": ", 1) for line in word_file(file)[name].strip().split("\n"))
    return {row: members for row, members in rows}  # noqa: C416 - rows are lists, not pairs

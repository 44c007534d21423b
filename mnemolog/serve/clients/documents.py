"""Client configuration documents: texts in which one entry can be changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

Entry = Mapping[str, str | Sequence[str]]
"""How a client starts a server, in the fields of its own format."""

BY_HAND = "mend it, or put the entry in by hand: `mnemolog mcp install --print` shows it"


class Document(Protocol):
    """Text of a configuration file and its value; a change affects one entry only.

    The entry is in a section, under its name: `mcpServers` and `mnemolog`.
    """

    @property
    def value(self) -> Mapping[str, object]:
        """Parsed value; a number keeps its written form and equals only itself."""

    def entries(self, section: str) -> Mapping[str, object]:
        """Entries of a section, none if the section does not exist.

        Raises `MalformedConfig` if the section cannot hold entries.
        """

    def with_entry(self, section: str, name: str, entry: Entry) -> str:
        """Text with an entry added, or in place of the existing one of that name."""

    def without_entry(self, section: str, name: str) -> str:
        """Text without an existing entry, and without its section if that becomes empty.

        After `with_entry` this is the original text, unless its section or all of it was
        empty.
        """


def cut(text: str, *spans: tuple[int, int]) -> str:
    """Text without these spans, which are ordered and do not overlap."""
    kept, position = [], 0
    for start, end in spans:
        kept.append(text[position:start])
        position = end
    return "".join(kept) + text[position:]


def newline_of(text: str) -> str:
    """Line ending of a text."""
    return "\r\n" if "\r\n" in text else "\n"


def as_written(number: str) -> tuple[str]:
    """Number of any length that equals only itself, not another one with the same digits."""
    return (number,)

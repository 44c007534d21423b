"""The files in which clients keep their settings, as texts in which one entry can be changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

Entry = Mapping[str, str | Sequence[str]]
"""How a client starts a server, in the fields of its own format."""

BY_HAND = "mend it, or put the entry in by hand: `mnemolog mcp install --print` shows it"


class Document(Protocol):
    """A file's text and what it says; a change leaves all but one entry as it is.

    The entry stands in a section, under its name: `mcpServers` and `mnemolog`.
    """

    @property
    def value(self) -> Mapping[str, object]:
        """What the file says; a number is kept as it is written, and so equals itself alone."""

    def entries(self, section: str) -> Mapping[str, object]:
        """The entries of a section, none if it is not there.

        Raises `MalformedConfig` if it is something that holds no entries.
        """

    def with_entry(self, section: str, name: str, entry: Entry) -> str:
        """The text with an entry added, or put in the place of the one of that name."""

    def without_entry(self, section: str, name: str) -> str:
        """The text without an entry that is there, nor its section if nothing is left in that.

        After `with_entry` that is the text from before, unless its section or
        all of it was empty.
        """


def cut(text: str, *spans: tuple[int, int]) -> str:
    """The text without these parts, which stand in order and do not overlap."""
    kept, position = [], 0
    for start, end in spans:
        kept.append(text[position:start])
        position = end
    return "".join(kept) + text[position:]


def newline_of(text: str) -> str:
    """How lines end in a text."""
    return "\r\n" if "\r\n" in text else "\n"


def as_written(number: str) -> tuple[str]:
    """A number of any length that equals itself alone, not even a text of the same digits."""
    return (number,)

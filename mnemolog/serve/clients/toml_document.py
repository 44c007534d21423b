"""TOML files in which one table is added, replaced or removed; the rest is unchanged.

The standard library reads TOML but does not write it. An entry is a table under its own
header, so only its lines must be found. The caller verifies the result by parsing it, as
with every change.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from mnemolog.ledger.errors import MalformedConfig
from mnemolog.serve.clients.documents import BY_HAND, Entry, as_written, cut, newline_of

_BLANK_LINE = re.compile(r"(?<=\n)\r?\n\Z")
_LAST_BREAKS = re.compile(r"(?:\r?\n){1,2}\Z")
_LINE = re.compile(r"at line (\d+)")
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")'
    r"|'''.*?'{3,5}(?!')"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
    r"|#[^\n]*"
    r"|[\[\]{}\n]"
    r"|[^\s\[\]{}\"'#]+",
    re.DOTALL,
)


class TomlDocument:
    """Client file in TOML. Raises `MalformedConfig` if it is not TOML."""

    def __init__(self, file: Path, text: str) -> None:
        self._file = file
        self._text = text
        self._newline = newline_of(text)
        self.value: Mapping[str, object] = self._decoded()

    def entries(self, section: str) -> Mapping[str, object]:
        """Entries of a section, none if the section does not exist."""
        entries = self.value.get(section, {})
        if isinstance(entries, dict):
            return entries
        raise MalformedConfig(self._file, None, f"{section} is no table", BY_HAND)

    def with_entry(self, section: str, name: str, entry: Entry) -> str:
        """Text with the entry: in place of the existing one, or at the end."""
        table = self._written(section, name, entry)
        spans = self._tables(section, name)
        if spans:
            (start, end), *below = spans
            return self._text[:start] + table + cut(self._text, (0, end), *self._lines(below))
        if not self._text:
            return table + self._newline
        if self._text.endswith("\n"):
            return self._text + self._newline + table + self._newline
        return self._text + self._newline * 2 + table

    def without_entry(self, section: str, name: str) -> str:
        """Text without the entry's table, its subtables, and a blank line before each."""
        return cut(self._text, *self._lines(self._tables(section, name)))

    def _decoded(self) -> Mapping[str, object]:
        try:
            # Clients skip the byte order mark that some editors write; the library does not.
            return tomllib.loads(self._text.removeprefix("\ufeff"), parse_float=as_written)
        except tomllib.TOMLDecodeError as error:
            found = _LINE.search(str(error))
            line = None if found is None else int(found[1])
            raise MalformedConfig(self._file, line, f"is no TOML ({error})", BY_HAND) from error
        except (ValueError, RecursionError) as error:
            raise MalformedConfig(self._file, None, f"is no TOML ({error})", BY_HAND) from error

    def _written(self, section: str, name: str, entry: Entry) -> str:
        # JSON strings are valid TOML strings, except for one character that TOML must escape.
        pairs = [
            f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")
            for key, value in entry.items()
        ]
        return self._newline.join([f"[{section}.{name}]", *pairs])

    def _tables(self, section: str, name: str) -> list[tuple[int, int]]:
        """Spans of the entry's tables, each from its header to its last pair."""
        spans: list[tuple[int, int]] = []
        inside = False
        for start, end in self._statements():
            if self._text[start] == "[":
                inside = _path(self._text[start:end])[:2] == (section, name)
                if inside:
                    spans.append((start, end))
            elif inside:
                spans[-1] = (spans[-1][0], end)
        return spans

    def _statements(self) -> Iterator[tuple[int, int]]:
        """Spans of the headers and pairs, without surrounding blanks and comments."""
        depth, start, end = 0, None, 0
        for token in _TOKEN.finditer(self._text):
            if token[0] == "\n":
                if start is not None and depth == 0:
                    yield start, end
                    start = None
            elif token[0][0] != "#":
                start = token.start() if start is None else start
                end = token.end()
                depth += (token[0] in ("[", "{")) - (token[0] in ("]", "}"))
        if start is not None:
            yield start, end

    def _lines(self, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Spans of tables, extended to whole lines and a blank line above each."""
        for begin, end in spans:
            above = self._text[: self._text.rfind("\n", 0, begin) + 1]
            line_end = self._text.find("\n", end)
            if line_end < 0:
                yield len(_LAST_BREAKS.sub("", above)), len(self._text)
            else:
                yield len(_BLANK_LINE.sub("", above)), line_end + 1


def _path(header: str) -> tuple[str, ...]:
    """Keys in a table's header."""
    keys: list[str] = []
    value: object = tomllib.loads(header)
    while isinstance(value, (dict, list)) and value:
        if isinstance(value, dict):
            ((key, value),) = value.items()
            keys.append(key)
        else:
            (value,) = value
    return tuple(keys)

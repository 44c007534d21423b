"""Client configuration documents: JSON and TOML texts in which one entry can be changed.

The rest of a text stays unchanged. A caller verifies each result by parsing it.
"""

import json
import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

from mnemolog.ledger.errors import MalformedConfig

Entry = Mapping[str, str | Sequence[str]]
"""Start of a server by a client, in the fields of its own format."""

BY_HAND = "mend it, or put the entry in by hand: `mnemolog mcp install --print` shows it"


class Document(ABC):
    """Text of a configuration file and its value; a change affects one entry only.

    The entry is in a section, under its name: `mcpServers` and `mnemolog`. Raises `MalformedConfig`
    if the text cannot be parsed.
    """

    value: Mapping[str, object]  # a number keeps its written form and equals only itself
    _table: str  # what the format calls a value that can hold entries

    def __init__(self, file: Path, text: str) -> None:
        self._file = file
        self._text = text
        self._newline = "\r\n" if "\r\n" in text else "\n"

    def entries(self, section: str) -> Mapping[str, object]:
        """Entries of a section, if it exists. Raises `MalformedConfig` if it cannot hold any."""
        entries = self.value.get(section, {})
        if isinstance(entries, dict):
            return entries
        raise self._malformed(f"{section} is no {self._table}", self._line_of(section))

    @abstractmethod
    def with_entry(self, section: str, name: str, entry: Entry) -> str:
        """Text with an entry added, or in place of the existing one of that name."""

    @abstractmethod
    def without_entry(self, section: str, name: str) -> str:
        """Text without an existing entry, and without its section if that becomes empty.

        After `with_entry` this is the original text, unless its section or all of it was empty.
        """

    def _line_of(self, _section: str) -> int | None:
        return None

    def _malformed(self, problem: str, line: int | None = None) -> MalformedConfig:
        return MalformedConfig(self._file, line, problem, BY_HAND)


def _cut(text: str, *spans: tuple[int, int]) -> str:
    """Text without these spans, which are ordered and do not overlap."""
    kept, position = [], 0
    for start, end in spans:
        kept.append(text[position:start])
        position = end
    return "".join(kept) + text[position:]


def _as_written(number: str) -> tuple[str]:
    """Number of any length that equals only itself, not another one with the same digits."""
    return (number,)


_BLANKS = " \t\r\n"
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_COMMENT = re.compile(rf"(?P<kept>{_STRING})|//[^\r\n]*|/\*.*?\*/|\A\ufeff", re.DOTALL)
# Keep a comma that follows no value: it is an error here, as it is in the clients.
_TRAILING_COMMA = re.compile(
    rf"(?P<kept>{_STRING}|[\[{{,:][{_BLANKS}]*,)|,(?=[{_BLANKS}]*[\]}}])", re.DOTALL
)
_WITHIN_LINE = re.compile(r"[^\r\n]")


def _blanked(found: re.Match[str]) -> str:
    return found["kept"] or _WITHIN_LINE.sub(" ", found[0])


def _refuse(constant: str) -> NoReturn:
    problem = f"{constant} is no number"
    raise ValueError(problem)


class _Member(NamedTuple):
    """Position of an object's member, of its value, and of the comma after it, if there is one."""

    key: str
    start: int
    value: int
    end: int
    comma: int | None


class _Object(NamedTuple):
    start: int
    close: int
    members: tuple[_Member, ...]

    def find(self, key: str) -> _Member | None:
        """Member with that key; the last one if there are several, as JSON parsers choose."""
        return next((member for member in reversed(self.members) if member.key == key), None)


class JsonDocument(Document):
    """Client file in JSON; a text without any value counts as an empty object.

    Comments and trailing commas are replaced with spaces for the standard library's parser, so that
    every position is the same in both texts.
    """

    _table = "object"

    def __init__(self, file: Path, text: str) -> None:
        super().__init__(file, text)
        self._uncommented = _COMMENT.sub(_blanked, text)
        self._plain = _TRAILING_COMMA.sub(_blanked, self._uncommented)
        self._decoder = json.JSONDecoder(
            parse_int=_as_written, parse_float=_as_written, parse_constant=_refuse
        )
        try:
            value: object = self._decoder.decode(self._plain) if self._plain.strip(_BLANKS) else {}
        except json.JSONDecodeError as error:
            problem = f"is no JSON ({error.msg} at column {error.colno})"
            raise self._malformed(problem, error.lineno) from error
        except (ValueError, RecursionError) as error:
            raise self._malformed(f"is no JSON ({error})") from error
        if not isinstance(value, dict):
            raise self._malformed("holds no object")
        self.value = value
        self._root = self._object(self._plain.find("{")) if self._plain.strip(_BLANKS) else None
        members = () if self._root is None else self._root.members
        self._unit = (members and self._indent_at(members[0].start)) or "  "

    def _line_of(self, section: str) -> int | None:
        found = None if self._root is None else self._root.find(section)
        return None if found is None else self._text.count("\n", 0, found.start) + 1

    def with_entry(self, section: str, name: str, entry: Entry) -> str:
        """Text with the entry, in the file's own indentation."""
        if self._root is None:
            above = self._text
            if above and not above.endswith(("\n", "\ufeff")):
                above += self._newline
            return above + self._written({section: {name: entry}}, "") + self._newline
        if (found := self._root.find(section)) is None:
            return self._added(self._root, section, {name: entry})
        entries = self._object(found.value)
        if (there := entries.find(name)) is None:
            return self._added(entries, name, entry)
        spread = "\n" in self._text[entries.start : entries.close]
        indent = self._indent_at(there.start) if spread else None
        return self._text[: there.value] + self._written(entry, indent) + self._text[there.end :]

    def without_entry(self, section: str, name: str) -> str:
        """Text without the entry; comments beside it are kept."""
        if self._root is None or (found := self._root.find(section)) is None:
            return self._text
        entries = self._object(found.value)
        if (entry := entries.find(name)) is None:
            return self._text
        if self._is_all(entry, entries):
            return self._removed(found, self._root)
        return self._removed(entry, entries)

    def _added(self, into: _Object, key: str, value: object) -> str:
        """Text with an added member, below the last one and the comments on it."""
        text = self._text
        after = len(text[: into.close].rstrip(_BLANKS))
        if not into.members:
            indent = self._indent_at(into.start)
            member = self._member(key, value, indent + self._unit)
            ended = "\n" in text[after : into.close]
            return text[:after] + member + ("" if ended else self._newline + indent) + text[after:]
        last, indent = into.members[-1], self._indent_at(into.members[0].start)
        member = self._member(key, value, indent if "\n" in text[into.start : into.close] else None)
        if last.comma is not None:
            return text[:after] + member + "," + text[after:]
        return text[: last.end] + "," + text[last.end : after] + member + text[after:]

    def _removed(self, member: _Member, out_of: _Object) -> str:
        """Text without a member, its leading blanks and its separating comma."""
        text = self._text
        if self._is_all(member, out_of):
            return _cut(text, (out_of.start + 1, out_of.close))
        if (comma := member.comma) is not None:
            begin = self._blanks_before(member, text[member.end : comma] + text[comma + 1 :])
            return _cut(text, (begin, member.end), (comma, comma + 1))
        begin = self._blanks_before(member, text[member.end :])
        commas = [one.comma for one in out_of.members if one.comma is not None][-1:]
        return _cut(text, *((comma, comma + 1) for comma in commas), (begin, member.end))

    def _blanks_before(self, member: _Member, after: str) -> int:
        """Start of the blanks to remove before a member, given the text that follows it."""
        begin = len(self._text[: member.start].rstrip(_BLANKS))
        if after.lstrip(" \t")[:1] in ("\r", "\n"):
            return begin
        for found in _COMMENT.finditer(self._text, 0, begin):
            if found.end() == begin and found[0].startswith("//"):
                # Keep the line break: the preceding comment ends with it.
                return self._text.find("\n", begin, member.start) + 1 or member.start
        return begin

    def _is_all(self, member: _Member, of: _Object) -> bool:
        """True if an object contains only that member, and no comment."""
        beside = _cut(self._text[: of.close], (0, of.start + 1), (member.start, member.end))
        return not beside.strip(_BLANKS + ",")

    def _member(self, key: str, value: object, indent: str | None) -> str:
        before = " " if indent is None else self._newline + indent
        return f"{before}{json.dumps(key)}: {self._written(value, indent)}"

    def _written(self, value: object, indent: str | None) -> str:
        """JSON of a value, on lines with an indentation or all on one."""
        if indent is None:
            return json.dumps(value, ensure_ascii=False)
        lines = json.dumps(value, ensure_ascii=False, indent=self._unit).split("\n")
        return (self._newline + indent).join(lines)

    def _indent_at(self, position: int) -> str:
        line = self._text[self._text.rfind("\n", 0, position) + 1 : position]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _object(self, start: int) -> _Object:
        members = []
        position = _next(self._plain, start + 1)
        while self._plain[position] != "}":
            key, key_end = self._decoder.raw_decode(self._plain, position)
            value = _next(self._plain, _next(self._plain, key_end) + 1)
            _, end = self._decoder.raw_decode(self._plain, value)
            # Also a trailing comma counts, which the plain text is without.
            after = _next(self._uncommented, end)
            comma = after if self._uncommented[after] == "," else None
            members.append(_Member(key, position, value, end, comma))
            position = _next(self._plain, end)
            if self._plain[position] == ",":
                position = _next(self._plain, position + 1)
        return _Object(start, position, tuple(members))


def _next(text: str, position: int) -> int:
    while text[position] in _BLANKS:
        position += 1
    return position


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


class TomlDocument(Document):
    """Client file in TOML; an entry is a table under its own header, and its lines are found."""

    _table = "table"

    def __init__(self, file: Path, text: str) -> None:
        super().__init__(file, text)
        try:
            # Clients skip the byte order mark that some editors write; the library does not.
            self.value = tomllib.loads(text.removeprefix("\ufeff"), parse_float=_as_written)
        except (ValueError, RecursionError) as error:
            found = _LINE.search(str(error)) if isinstance(error, tomllib.TOMLDecodeError) else None
            line = None if found is None else int(found[1])
            raise self._malformed(f"is no TOML ({error})", line) from error

    def with_entry(self, section: str, name: str, entry: Entry) -> str:
        """Text with the entry: in place of the existing one, or at the end."""
        # JSON strings are valid TOML strings, except for one character that TOML must escape.
        pairs = [
            f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")
            for key, value in entry.items()
        ]
        table = self._newline.join([f"[{section}.{name}]", *pairs])
        spans = self._tables(section, name)
        if spans:
            (start, end), *below = spans
            return self._text[:start] + table + _cut(self._text, (0, end), *self._lines(below))
        if not self._text:
            return table + self._newline
        if self._text.endswith("\n"):
            return self._text + self._newline + table + self._newline
        return self._text + self._newline * 2 + table

    def without_entry(self, section: str, name: str) -> str:
        """Text without the entry's table, its subtables, and a blank line before each."""
        return _cut(self._text, *self._lines(self._tables(section, name)))

    def _tables(self, section: str, name: str) -> list[tuple[int, int]]:
        """Spans of the entry's tables, each from its header to its last pair."""
        spans: list[tuple[int, int]] = []
        inside = False
        for start, end in self._statements():
            if self._text[start] == "[":
                table = tomllib.loads(self._text[start:end]).get(section)
                inside = isinstance(table, dict) and name in table
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

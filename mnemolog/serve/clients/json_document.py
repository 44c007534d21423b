"""JSON as editors write it, with comments and trailing commas, changed in place.

Comments and trailing commas are replaced with spaces, so that the standard library can
parse the text and every position is the same in both texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple, NoReturn

from mnemolog.ledger.errors import MalformedConfig
from mnemolog.serve.clients.documents import BY_HAND, Entry, as_written, cut, newline_of

Style = Literal["lines", "line"]
"""How the members of an object are set: each on lines of its own, or all on one."""

_BLANKS = " \t\r\n"
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_COMMENT = re.compile(rf"(?P<kept>{_STRING})|//[^\r\n]*|/\*.*?\*/|\A\ufeff", re.DOTALL)
# Keep a comma that follows no value: it is an error here, as it is in the clients.
_TRAILING_COMMA = re.compile(
    rf"(?P<kept>{_STRING}|[\[{{,:][{_BLANKS}]*,)|,(?=[{_BLANKS}]*[\]}}])", re.DOTALL
)
_WITHIN_LINE = re.compile(r"[^\r\n]")


class _Member(NamedTuple):
    """Position of an object's member, and of its value."""

    key: str
    start: int
    value: int
    end: int


class _Object(NamedTuple):
    """Position of an object, from its opening to its closing brace."""

    start: int
    close: int
    members: tuple[_Member, ...]

    def find(self, key: str) -> _Member | None:
        """Member with that key; the last one if there are several, as JSON parsers choose."""
        return next((member for member in reversed(self.members) if member.key == key), None)


class JsonDocument:
    """Client file in JSON; a text without any value counts as an empty object.

    Raises `MalformedConfig` if it is not JSON, or not an object.
    """

    def __init__(self, file: Path, text: str) -> None:
        self._file = file
        self._text = text
        self._uncommented = _COMMENT.sub(_blanked, text)
        self._plain = _TRAILING_COMMA.sub(_blanked, self._uncommented)
        self._decoder = json.JSONDecoder(
            parse_int=as_written, parse_float=as_written, parse_constant=_refuse
        )
        self.value = self._decoded()
        self._newline = newline_of(text)
        self._root = self._object(self._plain.find("{")) if self._plain.strip(_BLANKS) else None
        members = self._root.members if self._root is not None else ()
        self._unit = (members and self._indent_at(members[0].start)) or "  "

    def entries(self, section: str) -> Mapping[str, object]:
        """Entries of a section, none if the section does not exist."""
        entries = self.value.get(section, {})
        if isinstance(entries, dict):
            return entries
        found = None if self._root is None else self._root.find(section)
        line = None if found is None else self._text.count("\n", 0, found.start) + 1
        raise MalformedConfig(self._file, line, f"{section} is no object", BY_HAND)

    def with_entry(self, section: str, name: str, entry: Entry) -> str:
        """Text with the entry, in the file's own indentation."""
        if self._root is None:
            return self._begun({section: {name: entry}})
        found = self._root.find(section)
        if found is None:
            return self._added(self._root, section, {name: entry})
        entries = self._object(found.value)
        there = entries.find(name)
        if there is None:
            return self._added(entries, name, entry)
        written = self._written(entry, self._indent_at(there.start), self._style(entries))
        return self._text[: there.value] + written + self._text[there.end :]

    def without_entry(self, section: str, name: str) -> str:
        """Text without the entry; comments beside it are kept."""
        found = None if self._root is None else self._root.find(section)
        if self._root is None or found is None:
            return self._text
        entries = self._object(found.value)
        entry = entries.find(name)
        if entry is None:
            return self._text
        if self._is_all(entry, entries):
            return self._removed(found, self._root)
        return self._removed(entry, entries)

    def _decoded(self) -> Mapping[str, object]:
        if not self._plain.strip(_BLANKS):
            return {}
        try:
            value: object = self._decoder.decode(self._plain)
        except json.JSONDecodeError as error:
            problem = f"is no JSON ({error.msg} at column {error.colno})"
            raise MalformedConfig(self._file, error.lineno, problem, BY_HAND) from error
        except (ValueError, RecursionError) as error:
            raise MalformedConfig(self._file, None, f"is no JSON ({error})", BY_HAND) from error
        if not isinstance(value, dict):
            raise MalformedConfig(self._file, None, "holds no object", BY_HAND)
        return value

    def _begun(self, value: Mapping[str, object]) -> str:
        above = self._text
        if above and not above.endswith(("\n", "\ufeff")):
            above += self._newline
        return above + self._written(value, "", "lines") + self._newline

    def _added(self, into: _Object, key: str, value: object) -> str:
        """Text with an added member, below the last one and the comments on it."""
        text = self._text
        after = len(text[: into.close].rstrip(_BLANKS))
        if not into.members:
            indent = self._indent_at(into.start)
            member = self._member(key, value, indent + self._unit, "lines")
            ended = "\n" in text[after : into.close]
            return text[:after] + member + ("" if ended else self._newline + indent) + text[after:]
        last = into.members[-1]
        member = self._member(key, value, self._indent_at(into.members[0].start), self._style(into))
        if self._comma_after(last) is not None:
            return text[:after] + member + "," + text[after:]
        return text[: last.end] + "," + text[last.end : after] + member + text[after:]

    def _removed(self, member: _Member, out_of: _Object) -> str:
        """Text without a member, its leading blanks and its separating comma."""
        text = self._text
        if self._is_all(member, out_of):
            return cut(text, (out_of.start + 1, out_of.close))
        comma = self._comma_after(member)
        if comma is not None:
            begin = self._blanks_before(member, text[member.end : comma] + text[comma + 1 :])
            return cut(text, (begin, member.end), (comma, comma + 1))
        begin = self._blanks_before(member, text[member.end :])
        place = out_of.members.index(member)
        before = self._comma_after(out_of.members[place - 1]) if place else None
        if before is None:
            return cut(text, (begin, member.end))
        return cut(text, (before, before + 1), (begin, member.end))

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
        beside = cut(self._text[: of.close], (0, of.start + 1), (member.start, member.end))
        return not beside.strip(_BLANKS + ",")

    def _member(self, key: str, value: object, indent: str, style: Style) -> str:
        before = " " if style == "line" else self._newline + indent
        return f"{before}{json.dumps(key)}: {self._written(value, indent, style)}"

    def _written(self, value: object, indent: str, style: Style) -> str:
        if style == "line":
            return json.dumps(value, ensure_ascii=False)
        lines = json.dumps(value, ensure_ascii=False, indent=self._unit).split("\n")
        return (self._newline + indent).join(lines)

    def _style(self, near: _Object) -> Style:
        return "lines" if "\n" in self._text[near.start : near.close] else "line"

    def _indent_at(self, position: int) -> str:
        """Indentation of the line at a position."""
        line = self._text[self._text.rfind("\n", 0, position) + 1 : position]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _object(self, start: int) -> _Object:
        """Positions of the members of the object that starts at a brace."""
        members = []
        position = self._next(start + 1)
        while self._plain[position] != "}":
            key, key_end = self._decoder.raw_decode(self._plain, position)
            value = self._next(self._next(key_end) + 1)
            _, end = self._decoder.raw_decode(self._plain, value)
            members.append(_Member(key, position, value, end))
            position = self._next(end)
            if self._plain[position] == ",":
                position = self._next(position + 1)
        return _Object(start, position, tuple(members))

    def _next(self, position: int) -> int:
        """Position of the next character that is not blank."""
        while self._plain[position] in _BLANKS:
            position += 1
        return position

    def _comma_after(self, member: _Member) -> int | None:
        """Position of the comma after a member, also of a trailing one; None if there is none."""
        position = member.end
        while self._uncommented[position] in _BLANKS:
            position += 1
        return position if self._uncommented[position] == "," else None


def _blanked(found: re.Match[str]) -> str:
    return found["kept"] or _WITHIN_LINE.sub(" ", found[0])


def _refuse(constant: str) -> NoReturn:
    problem = f"{constant} is no number"
    raise ValueError(problem)

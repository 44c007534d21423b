"""Front matter: the fields at the start of a Markdown file, between two lines of `---`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

FrontMatter = dict[str, tuple[str, ...]]
"""Each field's values, in order; a field with one value has a tuple of one."""

_RULE = "---"
_LINES_LIMIT = 200
_FIELD = re.compile(r"([A-Za-z_][\w -]*):(?:\s+(.*))?$")
_LIST_ITEM = re.compile(r"\s*-\s+(.*)$")
_OTHER = re.compile(r"\s|#|$")


def split_front_matter(lines: Iterator[str]) -> tuple[FrontMatter, Iterator[str]]:
    """Front matter, empty if there is none, and the remaining lines.

    The parser covers the part of YAML that notes use: one value, a list in brackets, or a
    list of lines with dashes. A field with any other value is empty. A block that is not
    closed within 200 lines, or that contains prose, is read as text.
    """
    head = list(islice(lines, 1))
    if not head or head[0].rstrip() != _RULE:
        return {}, chain(head, lines)
    for line in islice(lines, _LINES_LIMIT):
        head.append(line)
        if line.rstrip() in {_RULE, "..."}:
            fields = _fields(head[1:-1])
            return ({}, chain(head, lines)) if fields is None else (fields, lines)
    return {}, chain(head, lines)


def _fields(lines: list[str]) -> FrontMatter | None:
    fields: FrontMatter = {}
    name: str | None = None
    for line in lines:
        field = _FIELD.match(line)
        if field:
            name = field[1].strip().lower()
            fields[name] = _values(field[2] or "")
            continue
        item = _LIST_ITEM.match(line)
        if item and name is not None:
            fields[name] += _values(item[1])
        elif not _OTHER.match(line):
            return None
    return fields


def _values(text: str) -> tuple[str, ...]:
    bare = text.strip()
    if bare.startswith("[") and bare.endswith("]"):
        return tuple(value for item in bare[1:-1].split(",") if (value := _unquoted(item)))
    value = _unquoted(bare)
    return (value,) if value else ()


def _unquoted(text: str) -> str:
    bare = text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        return bare[1:-1]
    # In YAML a comment needs a blank before the hash: a tag such as #home is not a comment.
    return bare.partition(" #")[0].strip()

"""Sections of Markdown text under their headings, and parts of long sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

PART_CHARACTERS = 1_500
"""About how long a part is; a paragraph is cut only if it is twice as long."""

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?$")
_CLOSING = re.compile(r"(?:^|(?<=[ \t]))#+$")
_UNDERLINE = re.compile(r" {0,3}(={2,}|-{2,})[ \t]*$")
_PLAIN_LINE = re.compile(r" {0,3}(?![-*+]\s|\d+[.)]\s|[>|]|```|~~~)\S")
# A list item may open a fence on its own line; its closing fence is then indented.
_FENCE = re.compile(r"(?: {0,3}|\s*(?:[-*+]|\d+[.)])\s+)(`{3,}(?=[^`]*$)|~{3,})")


class MarkdownSection(msgspec.Struct, frozen=True):
    """Text between one heading and the next, with its path of headings.

    `body` is empty if the heading has no text below it.
    `top_level` is the level of the path's first heading, 0 if it has none.
    """

    path: tuple[str, ...]
    body: str
    top_level: int


def sections(lines: Iterable[str]) -> Iterator[MarkdownSection]:
    """Sections of a document in order, from lines without line ends.

    Headings are lines with `#` and underlined lines. Lines inside a fence of code are text.
    A heading directly above a deeper one is not a section, but part of the deeper path.
    """
    headings: list[tuple[int, str]] = []
    body: list[str] = []
    fence: str | None = None
    for line in lines:
        inside = fence is not None
        fence = _fence_after(fence, line)
        heading = None if inside or fence else _heading(line, body)
        if heading is None:
            body.append(line)
            continue
        section = _section(headings, body)
        leads_deeper = not headings or heading[0] > headings[-1][0]
        if section.body or not leads_deeper:
            yield section
        body = []
        headings = [outer for outer in headings if outer[0] < heading[0]]
        if heading[1]:
            headings.append(heading)
    section = _section(headings, body)
    if section.body or headings:
        yield section


def parts(body: str) -> Iterator[str]:
    """Parts of about 1,500 characters of a section's text, cut between paragraphs.

    Short paragraphs stay together and a fence of code stays whole. Only a block twice as
    long is cut, at line ends, and only a line twice as long is cut, at blanks.
    """
    pieces = (piece for block in _blocks(body) for piece in _cut_lines(block))
    return _packed(pieces, "\n\n")


def _section(headings: list[tuple[int, str]], body: list[str]) -> MarkdownSection:
    text = "\n".join(body).strip("\n")
    return MarkdownSection(
        path=tuple(title for _, title in headings),
        body=text if text.strip() else "",
        top_level=headings[0][0] if headings else 0,
    )


def _heading(line: str, body: list[str]) -> tuple[int, str] | None:
    """Level and title of a heading line; an underline takes its title from the body."""
    match = _HEADING.match(line)
    if match:
        return len(match[1]), _CLOSING.sub("", (match[2] or "").strip()).strip()
    underline = _UNDERLINE.match(line)
    # Only below a paragraph of one line: below a longer one, people mean a rule.
    begins = bool(body) and (len(body) == 1 or not body[-2].strip())
    if underline and begins and _PLAIN_LINE.match(body[-1]):
        return (1 if underline[1][0] == "=" else 2), body.pop().strip()
    return None


def _fence_after(fence: str | None, line: str) -> str | None:
    """Fence of code that is open after a line, given the fence that was open before it."""
    if fence is None:
        opening = _FENCE.match(line)
        return opening[1] if opening else None
    bare = line.strip()
    closes = bare.startswith(fence) and not bare.strip(fence[0])
    return None if closes else fence


def _blocks(body: str) -> Iterator[str]:
    block: list[str] = []
    fence: str | None = None
    for line in body.split("\n"):
        fence = _fence_after(fence, line)
        if line.strip() or fence:
            block.append(line)
        elif block:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


def _cut_lines(block: str) -> Iterator[str]:
    if len(block) <= 2 * PART_CHARACTERS:
        return iter((block,))
    lines = (piece for line in block.split("\n") for piece in _cut_words(line))
    return _packed(lines, "\n")


def _cut_words(line: str) -> Iterator[str]:
    while len(line) > 2 * PART_CHARACTERS:
        end = line.rfind(" ", 1, PART_CHARACTERS)
        end = PART_CHARACTERS if end == -1 else end
        yield line[:end]
        line = line[end:]
    yield line


def _packed(pieces: Iterable[str], separator: str) -> Iterator[str]:
    packed: str | None = None
    for piece in pieces:
        if packed is None:
            packed = piece
        elif len(packed) + len(separator) + len(piece) <= PART_CHARACTERS:
            packed += separator + piece
        else:
            yield packed
            packed = piece
    if packed is not None:
        yield packed

"""Markdown reader: one memory per section, superseded when the section changes."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, islice
from operator import itemgetter
from pathlib import Path, PurePosixPath

import msgspec
from msgspec.structs import replace

from mnemolog.application.imports import files
from mnemolog.ledger.errors import InvalidField, MalformedFile
from mnemolog.ledger.files import read_regular
from mnemolog.policies.memories import NewMemory, instant

SUFFIXES = frozenset({".md", ".markdown"})

_STEP_CHARACTERS = 80
_DATE_NAMES = ("date", "created")
_TAG_NAMES = ("tags", "tag")
_ALIAS_NAMES = ("aliases", "alias")
_KNOWN_NAMES = frozenset({"title", *_DATE_NAMES, *_TAG_NAMES, *_ALIAS_NAMES})
_NOT_IN_SLUG = re.compile(r"[\s!-/:-@\[-`{-~]+")


def read_markdown(path: Path | str, space: str) -> Iterator[files.ReadItem]:
    """Sections of a Markdown file, or of all files in a folder and its subfolders, in order.

    A section's memory holds the title of the front matter (or the file's name if no heading is
    of the first level), its headings and its text. Long sections are split into parts of about
    1,500 characters. Short ones are not merged: an edit of one would change others' origins.

    The origin and source is `file:folder/note.md#heading/subheading`, with `.2` for the second
    section of that path and `~2` for the second part. Front matter gives `title`, `tags`,
    `aliases` and the start of validity (`date`, else `created`), not the file's modification
    time: that is the time of a clone or copy. A file that is not UTF-8, an invalid date and
    unknown fields of front matter yield `Problem`s. Raises `InvalidField` if `path` is missing.
    """
    return _items(files.existing(path), space)


def _items(path: Path, space: str) -> Iterator[files.ReadItem]:
    ignored: Counter[str] = Counter()
    named_from = files.anchor(path)
    problems: list[files.Problem] = []
    for file in files.files_under(path, SUFFIXES, problems):
        name = files.printable(file.relative_to(named_from).as_posix())
        try:
            yield from _in_file(file, name, space, ignored)
        except (MalformedFile, OSError) as error:
            problems.append(files.unreadable(error))
        except UnicodeDecodeError:
            yield files.Problem(str(file), "is not UTF-8 throughout", "save it as UTF-8")
    yield from problems
    if ignored:
        names = ", ".join(f"{name} ({count} files)" for name, count in sorted(ignored.items()))
        fix = "the files were read without them; put what matters into tags or the text"
        yield files.Problem(str(path), f"ignored fields of front matter: {names}", fix)


def _in_file(file: Path, name: str, space: str, ignored: Counter[str]) -> Iterator[files.ReadItem]:
    text = io.StringIO(read_regular(file, 16 << 20).decode("utf-8-sig"), newline=None)
    front, lines = split_front_matter(line.rstrip("\n") for line in text)
    ignored.update(front.keys() - _KNOWN_NAMES)
    began = next(iter(_all(front, _DATE_NAMES)), None)
    try:
        instant("date", began)
    except InvalidField as error:
        yield files.refused(str(file), error)
        began = None
    tags, aliases = _words(front, _TAG_NAMES), _words(front, _ALIAS_NAMES)
    shared = NewMemory("", tags=tags, aliases=aliases, valid_from=began)
    title = next(iter(front.get("title", ())), None)
    seen: Counter[str] = Counter()
    for section in sections(lines):
        fragment = _fragment(section, seen)
        where = f"{file}{fragment}"
        place, path = _placed(PurePosixPath(name), title, section)
        for ordinal, part in enumerate(parts(section.body) if section.body else ("",), start=1):
            origin = f"file:{name}{fragment}" + ("" if ordinal == 1 else f"~{ordinal}")
            content = "\n\n".join(filter(None, (path, part)))
            memory = replace(shared, content=content, source=origin, place=place)
            try:
                yield files.import_item(space, memory, origin=origin, where=where, revisable=True)
            except InvalidField as error:
                yield files.refused(where, error)


def _fragment(section: MarkdownSection, seen: Counter[str]) -> str:
    headings = (files.printable(heading).casefold() for heading in section.path)
    words = (_NOT_IN_SLUG.sub("-", heading).strip("-") for heading in headings)
    slug = "/".join(word[:_STEP_CHARACTERS] or "section" for word in words)
    seen[slug] += 1
    ordinal = "" if seen[slug] == 1 else f".{seen[slug]}"
    return f"#{slug}{ordinal}" if slug or ordinal else ""


def _placed(file: PurePosixPath, title: str | None, section: MarkdownSection) -> tuple[str, str]:
    title = title or (None if section.top_level == 1 else file.stem)
    path = section.path if title is None or title in section.path[:1] else (title, *section.path)
    steps = (files.printable(step).replace("/", "-")[:_STEP_CHARACTERS] for step in section.path)
    return "/".join((str(file.with_suffix("")), *steps)), " > ".join(path)


def _words(front: FrontMatter, names: tuple[str, ...]) -> tuple[str, ...]:
    words = (files.printable(value).lstrip("#").strip() for value in _all(front, names))
    return tuple(word for word in words if word)


def _all(front: FrontMatter, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value for name in names for value in front.get(name, ()))


FrontMatter = dict[str, tuple[str, ...]]  # the values of each field, in order

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
    if head and head[0].rstrip() == "---":
        for line in islice(lines, _LINES_LIMIT):
            head.append(line)
            if line.rstrip() in {"---", "..."}:
                fields = _fields(head[1:-1])
                return ({}, chain(head, lines)) if fields is None else (fields, lines)
    return {}, chain(head, lines)


def _fields(lines: list[str]) -> FrontMatter | None:
    fields: FrontMatter = {}
    name: str | None = None
    for line in lines:
        if field := _FIELD.match(line):
            name = field[1].strip().lower()
            fields[name] = _values(field[2] or "")
        elif (item := _LIST_ITEM.match(line)) and name is not None:
            fields[name] += _values(item[1])
        elif not _OTHER.match(line):
            return None
    return fields


def _values(text: str) -> tuple[str, ...]:
    bare = text.strip()
    items = bare[1:-1].split(",") if bare.startswith("[") and bare.endswith("]") else [bare]
    found = []
    for item in map(str.strip, items):
        quoted = len(item) > 1 and item[0] == item[-1] and item[0] in "\"'"
        # In YAML a comment needs a blank before the hash: a tag such as #home is not a comment.
        found.append(item[1:-1] if quoted else item.partition(" #")[0].strip())
    return tuple(filter(None, found))


PART_CHARACTERS = 1_500  # about the length of a part

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?$")
_CLOSING = re.compile(r"(?:^|(?<=[ \t]))#+$")
_UNDERLINE = re.compile(r" {0,3}(={2,}|-{2,})[ \t]*$")
_PLAIN_LINE = re.compile(r" {0,3}(?![-*+]\s|\d+[.)]\s|[>|]|```|~~~)\S")
# A list item may open a fence on its own line; its closing fence is then indented.
_FENCE = re.compile(r"(?: {0,3}|\s*(?:[-*+]|\d+[.)])\s+)(`{3,}(?=[^`]*$)|~{3,})")


class MarkdownSection(msgspec.Struct, frozen=True):
    """Text between one heading and the next, with its path of headings."""

    path: tuple[str, ...]
    body: str
    top_level: int  # level of the path's first heading; 0 if it has none


def sections(lines: Iterable[str]) -> Iterator[MarkdownSection]:
    """Sections of a document in order, from lines without line ends.

    Headings are lines with `#` and underlined lines. Lines inside a fence of code are text.
    A heading directly above a deeper one is not a section, but part of the deeper path.
    """
    headings: list[tuple[int, str]] = []
    body: list[str] = []
    fence = ""
    for line in lines:
        before, fence = fence, _fence_after(fence, line)
        heading = None if before or fence else _heading(line, body)
        if heading is None:
            body.append(line)
            continue
        leads_deeper = not headings or heading[0] > headings[-1][0]
        if (section := _section(headings, body)).body or not leads_deeper:
            yield section
        body = []
        headings = [outer for outer in headings if outer[0] < heading[0]]
        if heading[1]:
            headings.append(heading)
    if (section := _section(headings, body)).body or headings:
        yield section


def parts(body: str) -> Sequence[str]:
    """Parts of about 1,500 characters of a section's text, cut between paragraphs.

    Short paragraphs stay together and a fence of code stays whole. Only a block twice as
    long is cut, at line ends, and only a line twice as long is cut, at blanks.
    """
    return _packed((piece for block in _blocks(body) for piece in _cut_lines(block)), "\n\n")


def _section(headings: list[tuple[int, str]], body: list[str]) -> MarkdownSection:
    text, top_level = "\n".join(body).strip("\n"), headings[0][0] if headings else 0
    path = tuple(title for _, title in headings)
    return MarkdownSection(path, text if text.strip() else "", top_level)


def _heading(line: str, body: list[str]) -> tuple[int, str] | None:
    if match := _HEADING.match(line):
        return len(match[1]), _CLOSING.sub("", (match[2] or "").strip()).strip()
    underline = _UNDERLINE.match(line)
    # Only below a paragraph of one line: below a longer one, people mean a rule.
    begins = bool(body) and (len(body) == 1 or not body[-2].strip())
    if underline and begins and _PLAIN_LINE.match(body[-1]):
        return (1 if underline[1][0] == "=" else 2), body.pop().strip()
    return None


def _fence_after(fence: str, line: str) -> str:
    """Fence of code that is open after a line, given the one before it; empty for none."""
    if not fence:
        opening = _FENCE.match(line)
        return opening[1] if opening else ""
    bare = line.strip()
    return "" if bare.startswith(fence) and not bare.strip(fence[0]) else fence


def _blocks(body: str) -> Iterator[str]:
    lines = body.split("\n")
    fences = islice(accumulate(lines, _fence_after, initial=""), 1, None)
    belongs = (bool(line.strip() or fence) for line, fence in zip(lines, fences, strict=True))
    for is_block, group in groupby(zip(lines, belongs, strict=True), key=itemgetter(1)):
        if is_block:
            yield "\n".join(line for line, _ in group)


def _cut_lines(block: str) -> Sequence[str]:
    if len(block) <= 2 * PART_CHARACTERS:
        return (block,)
    return _packed((piece for line in block.split("\n") for piece in _cut_words(line)), "\n")


def _cut_words(line: str) -> Iterator[str]:
    while len(line) > 2 * PART_CHARACTERS:
        end = line.rfind(" ", 1, PART_CHARACTERS)
        end = PART_CHARACTERS if end == -1 else end
        yield line[:end]
        line = line[end:]
    yield line


def _packed(pieces: Iterable[str], separator: str) -> list[str]:
    packed: list[str] = []
    for piece in pieces:
        if packed and len(packed[-1]) + len(separator) + len(piece) <= PART_CHARACTERS:
            packed[-1] += separator + piece
        else:
            packed.append(piece)
    return packed

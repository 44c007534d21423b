"""Markdown reader: one memory per section, superseded when the section changes."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from mnemolog.application.imports.files import anchor, existing, files_under, printable, unreadable
from mnemolog.application.imports.front_matter import FrontMatter, split_front_matter
from mnemolog.application.imports.items import ImportItem, Problem, refused, revisable_item
from mnemolog.application.imports.sections import MarkdownSection, parts, sections
from mnemolog.ledger.errors import InvalidField, MalformedFile
from mnemolog.ledger.files import read_regular
from mnemolog.policies.memories import NewMemory, instant

SUFFIXES = frozenset({".md", ".markdown"})

_PATH_SEPARATOR = " > "
_STEP_CHARACTERS = 80
_MOST_BYTES = 16 << 20
_DATE_NAMES = ("date", "created")
_TAG_NAMES = ("tags", "tag")
_ALIAS_NAMES = ("aliases", "alias")
_KNOWN_NAMES = frozenset({"title", *_DATE_NAMES, *_TAG_NAMES, *_ALIAS_NAMES})
_NOT_IN_SLUG = re.compile(r"[\s!-/:-@\[-`{-~]+")


class _Page(msgspec.Struct, frozen=True):
    """Fields shared by all sections of a file."""

    name: str
    title: str | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    valid_from: str | None


def read_markdown(path: Path, space: str) -> Iterator[ImportItem | Problem]:
    """Sections of a Markdown file, or of all files in a folder and its subfolders, in order.

    A section's memory holds its headings and its text, so that it can be understood alone.
    It starts with the title of the front matter, or with the file's name if the note has no
    heading of the first level. Long sections are split into parts of about 1,500 characters.
    Short sections are not merged: the merge would depend on the length of neighbours, so an
    edit of one section would change the origin of another.

    The origin and source is `file:folder/note.md#heading/subheading`, with `.2` for the second
    section of that path and `~2` for the second part. A renamed heading makes another section.
    Front matter gives `title`, `tags`, `aliases` and the start of validity (`date`, else
    `created`). Without a date there is none: a file's modification time is the time of a clone
    or copy, not the time from which its text is true.

    A file that is not UTF-8, an invalid date and unknown fields of front matter yield
    `Problem`s. Raises `InvalidField` if `path` does not exist.
    """
    return _items(existing(path), space)


def _items(path: Path, space: str) -> Iterator[ImportItem | Problem]:
    ignored: Counter[str] = Counter()
    named_from = anchor(path)
    problems: list[Problem] = []
    for file in files_under(path, SUFFIXES, problems):
        name = printable(file.relative_to(named_from).as_posix())
        try:
            yield from _file_items(file, name, space, ignored)
        except OSError as error:
            problems.append(unreadable(error))
        except MalformedFile as error:
            problems.append(Problem(str(file), error.problem, error.fix))
        except UnicodeDecodeError:
            yield Problem(str(file), "is not UTF-8 throughout", "save it as UTF-8")
    yield from problems
    if ignored:
        names = ", ".join(f"{name} ({count} files)" for name, count in sorted(ignored.items()))
        fix = "the files were read without them; put what matters into tags or the text"
        yield Problem(str(path), f"ignored fields of front matter: {names}", fix)


def _file_items(
    file: Path, name: str, space: str, ignored: Counter[str]
) -> Iterator[ImportItem | Problem]:
    text = io.StringIO(read_regular(file, _MOST_BYTES).decode("utf-8-sig"), newline=None)
    front, lines = split_front_matter(line.rstrip("\n") for line in text)
    ignored.update(front.keys() - _KNOWN_NAMES)
    valid_from = _date(front)
    try:
        instant("date", valid_from)
    except InvalidField as error:
        yield refused(str(file), error)
        valid_from = None
    page = _page(name, front, valid_from)
    yield from _section_items(page, sections(lines), str(file), space)


def _section_items(
    page: _Page, found: Iterator[MarkdownSection], where: str, space: str
) -> Iterator[ImportItem | Problem]:
    seen: Counter[str] = Counter()
    for section in found:
        fragment = _fragment(section, seen)
        for ordinal, part in enumerate(parts(section.body) if section.body else ("",), start=1):
            origin = f"file:{page.name}{fragment}" + ("" if ordinal == 1 else f"~{ordinal}")
            memory = _memory(page, section, part, origin)
            try:
                yield revisable_item(space, memory, origin=origin, where=f"{where}{fragment}")
            except InvalidField as error:
                yield refused(f"{where}{fragment}", error)


def _fragment(section: MarkdownSection, seen: Counter[str]) -> str:
    """`#heading/subheading`, with an ordinal from the second section of that path on."""
    slug = "/".join(_slug(heading) for heading in section.path)
    seen[slug] += 1
    ordinal = "" if seen[slug] == 1 else f".{seen[slug]}"
    return f"#{slug}{ordinal}" if slug or ordinal else ""


def _slug(heading: str) -> str:
    words = _NOT_IN_SLUG.sub("-", printable(heading).casefold()).strip("-")
    return words[:_STEP_CHARACTERS] or "section"


def _memory(page: _Page, section: MarkdownSection, part: str, source: str) -> NewMemory:
    file = PurePosixPath(page.name)
    title = page.title or (None if section.top_level == 1 else file.stem)
    path = section.path if title is None or title in section.path[:1] else (title, *section.path)
    steps = (printable(step).replace("/", "-")[:_STEP_CHARACTERS] for step in section.path)
    return NewMemory(
        content="\n\n".join(text for text in (_PATH_SEPARATOR.join(path), part) if text),
        source=source,
        place="/".join((str(file.with_suffix("")), *steps)),
        tags=page.tags,
        aliases=page.aliases,
        valid_from=page.valid_from,
    )


def _page(name: str, front: FrontMatter, valid_from: str | None) -> _Page:
    return _Page(
        name=name,
        title=next(iter(front.get("title", ())), None),
        tags=_words(front, _TAG_NAMES),
        aliases=_words(front, _ALIAS_NAMES),
        valid_from=valid_from,
    )


def _date(front: FrontMatter) -> str | None:
    return next(iter(_all(front, _DATE_NAMES)), None)


def _words(front: FrontMatter, names: tuple[str, ...]) -> tuple[str, ...]:
    words = (printable(value).lstrip("#").strip() for value in _all(front, names))
    return tuple(word for word in words if word)


def _all(front: FrontMatter, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value for name in names for value in front.get(name, ()))

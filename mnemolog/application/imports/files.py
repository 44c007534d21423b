"""Files and items of readers: listing, stable names, lines of JSON, memories with stable ids."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec
from msgspec.structs import replace

from mnemolog.ledger.errors import InvalidField, MalformedFile
from mnemolog.ledger.files import MOST_LINE_BYTES, failures_of, open_regular
from mnemolog.ledger.ids import event_id_from_source
from mnemolog.ledger.vocabulary import check_nesting, decode_json
from mnemolog.policies.memories import NewMemory, remembered
from mnemolog.results import Value

_REMOVE_LINK = "remove the link, or import what it leads to by itself"
_NOT_FOLLOWED = "is a link to a folder, which is not followed"
_SKIPPED_BYTES = 1 << 20
_MILLISECOND_DIGITS = 12
_MOST_TOLD = 1_000


class NumberedObject(msgspec.Struct, frozen=True):
    """JSON object of a JSONL file and its line number, from 1."""

    number: int
    fields: dict[str, object]


def existing(path: Path, *, only_file: bool = False) -> Path:
    """Absolute path of a file or folder with links resolved; with `only_file`, of a file.

    Raises `InvalidField` if there is none, `MalformedFile` for a pipe or a device,
    `StorageFailed` if the system refuses to read it.
    """
    if not path.exists():
        raise InvalidField("path", f"{path} does not exist", "give a file or a folder that does")
    with failures_of(path):
        if path.is_dir():
            os.scandir(path).close()
        else:
            open_regular(path).close()
    found = path.resolve()
    if only_file and not found.is_file():
        raise InvalidField("path", f"{path} is not a file", "give a single file")
    return found


def files_under(path: Path, suffixes: frozenset[str], problems: list[Problem]) -> Iterator[Path]:
    """Files of a folder with these suffixes, sorted by name, or `path` itself if it is a file.

    Hidden folders and `node_modules` hold files written by tools, not by the user: they are
    skipped unless given as `path`. Links to folders are not followed. They are added to
    `problems`, as are unlisted folders, links out of the folder and irregular files.
    """
    if path.is_file():
        yield path
        return
    inside = path.resolve()
    walk = os.walk(path, onerror=lambda error: problems.append(unreadable(error)))
    for folder, subfolders, names in walk:
        visible = (name for name in subfolders if not name.startswith("."))
        subfolders[:] = sorted(name for name in visible if name != "node_modules")
        links = (link for name in subfolders if (link := Path(folder, name)).is_symlink())
        problems.extend(Problem(str(link), _NOT_FOLLOWED, _REMOVE_LINK) for link in links)
        for name in sorted(names):
            file = Path(folder, name)
            if file.suffix.lower() not in suffixes or name.startswith("."):
                continue
            if (problem := _unfit(file, inside)) is None:
                yield file
            else:
                problems.append(problem)


def _unfit(file: Path, inside: Path) -> Problem | None:
    """Problem that prevents the reading of a file in a folder; None if it can be read."""
    try:
        place = file.resolve()
    except (OSError, RuntimeError) as error:
        return Problem(str(file), f"cannot be resolved: {error}", _REMOVE_LINK)
    if not place.is_relative_to(inside):
        return Problem(str(file), f"leads out of {inside}", _REMOVE_LINK)
    if not place.is_file():
        return Problem(str(file), "is no regular file", "remove it, or put a file in its place")
    return None


def anchor(path: Path) -> Path:
    """Folder that file names are relative to, so that names do not change when it is moved.

    It is the parent of the git repository, so that importing one file, one folder or all of it
    gives the same names; elsewhere, of the given folder or of the folder of the given file.
    """
    folder = path if path.is_dir() else path.parent
    repositories = (home for home in (folder, *folder.parents) if (home / ".git").exists())
    return next(repositories, folder).parent


def printable(name: str) -> str:
    """Name in a form that a source, place or tag accepts: unprintable characters become blanks."""
    # Some file systems return decomposed names.
    composed = unicodedata.normalize("NFC", name)
    return "".join(character if character.isprintable() else " " for character in composed)


def json_lines(path: Path) -> Iterator[NumberedObject | Problem]:
    """JSON objects of a file, one per line, and a `Problem` for each invalid line."""
    try:
        file = open_regular(path)
    except (MalformedFile, OSError) as error:
        yield unreadable(error)
        return
    with file:
        for number, line in enumerate(_short_lines(file), start=1):
            where = f"{path}:{number}"
            if line is None:
                what = f"is longer than the {MOST_LINE_BYTES:,} bytes allowed"
                yield Problem(where, what, "end each line with a line break")
            elif text := line.removeprefix(b"\xef\xbb\xbf").strip():
                try:
                    fields = decode_json(_object, text)
                    check_nesting(fields)
                except msgspec.DecodeError as error:
                    fix = "write one JSON object a line, in UTF-8"
                    yield Problem(where, f"is not a JSON object: {error}", fix)
                else:
                    yield NumberedObject(number, fields)


_object = msgspec.json.Decoder(dict[str, object]).decode


def _short_lines(file: IO[bytes]) -> Iterator[bytes | None]:
    while line := file.readline(MOST_LINE_BYTES + 1):
        if len(line) <= MOST_LINE_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(_SKIPPED_BYTES)
        yield None


def unreadable(error: MalformedFile | OSError) -> Problem:
    """Problem of a file or folder that cannot be read."""
    if isinstance(error, MalformedFile):
        return Problem(str(error.file), error.problem, error.fix)
    what = f"cannot be read: {error.strerror or error}"
    return Problem(str(error.filename or "input"), what, "allow reading it, or move it")


class ImportItem(msgspec.Struct, frozen=True):
    """Memory to store, with its origin.

    `origin` is a stable name of its place that all versions share, such as
    `file:notes/a.md#setup`, `where` the present place on this machine, for messages. If
    `revisable`, a new version supersedes the previous one. `run` is the id of the conversation
    and becomes the correlation id.
    """

    memory: NewMemory
    origin: str
    where: str
    revisable: bool
    run: str | None = None


class Problem(Value, frozen=True):
    """Input that was not imported as it is, and advice; it stands for `count` problems."""

    where: str
    what: str
    fix: str
    count: int = 1


ReadItem = ImportItem | Problem
"""Yield of a reader for a piece of its input."""


class Problems:
    """List of problems, limited to the first thousand and a count of the rest."""

    def __init__(self) -> None:
        self._first: list[Problem] = []
        self._more = 0

    def add(self, problem: Problem) -> None:
        """Add a problem to the list, or to the count if the list is full."""
        if problem.count == 1 and len(self._first) < _MOST_TOLD:
            self._first.append(problem)
        else:
            self._more += problem.count

    def __len__(self) -> int:
        return len(self._first) + self._more

    def told(self) -> tuple[Problem, ...]:
        """Listed problems, and one problem that counts the others."""
        if not self._more:
            return tuple(self._first)
        what = "has 1 more problem" if self._more == 1 else f"has {self._more:,} more problems"
        fix = "correct these and import again"
        return (*self._first, Problem("input", what, fix, self._more))


def import_item(  # noqa: PLR0913 - as `ImportItem`
    space: str,
    memory: NewMemory,
    *,
    origin: str,
    where: str,
    revisable: bool = False,
    run: str | None = None,
) -> ImportItem:
    """Item with an id derived from space, origin and time, and from all fields if `revisable`.

    The origin of an item without versions must identify the content permanently, as a commit's
    hash does. Raises `InvalidField` if the memory is invalid; its size is not checked.
    """
    # The size limit is a setting of the space, so it is checked when the item is stored.
    structure, _ = remembered(memory, content_limit_bytes=sys.maxsize)
    key = _key(space, origin, given_fields(memory)) if revisable else _key(space, origin)
    memory = replace(memory, id=event_id_from_source(key, structure.valid_from or 0))
    return ImportItem(memory, origin, where, revisable, run)


def returned(item: ImportItem, predecessor: str) -> ImportItem:
    """Same item with the id of a return to its text, with which it supersedes `predecessor`."""
    return rekeyed(item, _key(item.memory.id or "", predecessor))


def rekeyed(item: ImportItem, key: str) -> ImportItem:
    """Same item with an id that is derived from a key and the time in its own id."""
    time_ms = int((item.memory.id or "")[:_MILLISECOND_DIGITS] or "0", 16)
    return replace(item, memory=replace(item.memory, id=event_id_from_source(key, time_ms * 1000)))


def given_fields(memory: NewMemory) -> dict[str, object]:
    """Fields of a memory that differ from their defaults, without `id`; ids derive from them."""
    # So a field that a later version adds does not change ids while it has its default.
    return {
        field.name: value
        for field in msgspec.structs.fields(memory)
        if field.name != "id" and (value := getattr(memory, field.name)) != field.default
    }


def refused(where: str, error: InvalidField) -> Problem:
    """Problem of a piece that cannot be stored."""
    return Problem(where, f"{error.field}: {error.problem}", error.fix)


def _key(*parts: object) -> str:
    return msgspec.json.encode(parts, order="sorted").decode()

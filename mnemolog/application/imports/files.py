"""File access for readers: sorted listing, stable names, and lines of JSON."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from mnemolog.application.imports.items import Problem
from mnemolog.ledger.errors import InvalidField, MalformedFile
from mnemolog.ledger.files import MOST_LINE_BYTES, failures_of, open_regular
from mnemolog.ledger.vocabulary import check_nesting, decode_json

_SKIPPED_FOLDER = "node_modules"
_REMOVE_LINK = "remove the link, or import what it leads to by itself"
_NOT_FOLLOWED = "is a link to a folder, which is not followed"
_SKIPPED_BYTES = 1 << 20


class NumberedObject(msgspec.Struct, frozen=True):
    """JSON object of a JSONL file and its line number, from 1."""

    number: int
    fields: dict[str, object]


def existing(path: Path) -> Path:
    """Absolute path with links resolved.

    Raises `InvalidField` if the path does not exist, `MalformedFile` for a pipe or a device,
    `StorageFailed` if the system refuses to read it.
    """
    if not path.exists():
        raise InvalidField("path", f"{path} does not exist", "give a file or a folder that does")
    with failures_of(path):
        if path.is_dir():
            os.scandir(path).close()
        else:
            open_regular(path).close()
    return path.resolve()


def existing_file(path: Path) -> Path:
    """Absolute path of a file with links resolved. Raises `InvalidField` if it is not a file."""
    found = existing(path)
    if not found.is_file():
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

    def unlisted(error: OSError) -> None:
        problems.append(unreadable(error))

    for folder, subfolders, names in os.walk(path, onerror=unlisted):
        subfolders[:] = sorted(
            name for name in subfolders if not name.startswith(".") and name != _SKIPPED_FOLDER
        )
        links = (link for name in subfolders if (link := Path(folder, name)).is_symlink())
        problems.extend(Problem(str(link), _NOT_FOLLOWED, _REMOVE_LINK) for link in links)
        for name in sorted(names):
            if Path(name).suffix.lower() in suffixes and not name.startswith("."):
                problem = _unfit(Path(folder, name), inside)
                if problem is None:
                    yield Path(folder, name)
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

    Inside a git repository it is the parent of the repository: importing one file, one
    folder or all of it gives the same names. Elsewhere it is the parent of the given folder,
    or of the folder of the given file.
    """
    folder = path if path.is_dir() else path.parent
    repositories = (home for home in (folder, *folder.parents) if (home / ".git").exists())
    return next(repositories, folder).parent


def printable(name: str) -> str:
    """Name in a form that a source, place or tag accepts: unprintable characters become blanks.

    The name is in composed form (NFC), because some file systems return decomposed names.
    """
    composed = unicodedata.normalize("NFC", name)
    return "".join(character if character.isprintable() else " " for character in composed)


def json_lines(path: Path) -> Iterator[NumberedObject | Problem]:
    """JSON objects of a file, one per line; blank lines are skipped.

    An invalid line yields a `Problem`, and reading continues.
    """
    try:
        file = open_regular(path)
    except MalformedFile as error:
        yield Problem(str(path), error.problem, error.fix)
        return
    except OSError as error:
        yield unreadable(error)
        return
    with file:
        for number, line in enumerate(_short_lines(file), start=1):
            if line is None:
                what = f"is longer than the {MOST_LINE_BYTES:,} bytes allowed"
                yield Problem(f"{path}:{number}", what, "end each line with a line break")
                continue
            text = line.removeprefix(b"\xef\xbb\xbf").strip()
            if not text:
                continue
            try:
                fields = decode_json(_object, text)
                check_nesting(fields)
            except msgspec.DecodeError as error:
                fix = "write one JSON object a line, in UTF-8"
                yield Problem(f"{path}:{number}", f"is not a JSON object: {error}", fix)
            else:
                yield NumberedObject(number, fields)


_object = msgspec.json.Decoder(dict[str, object]).decode


def _short_lines(file: IO[bytes]) -> Iterator[bytes | None]:
    """Lines of a file; None for each line over the size limit."""
    while line := file.readline(MOST_LINE_BYTES + 1):
        if len(line) <= MOST_LINE_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(_SKIPPED_BYTES)
        yield None


def unreadable(error: OSError) -> Problem:
    """Problem of a file or folder that the system refuses to read."""
    what = f"cannot be read: {error.strerror or error}"
    return Problem(str(error.filename or "input"), what, "allow reading it, or move it")

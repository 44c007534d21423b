"""Files as the readers meet them: found in a steady order, named to last, read line by line."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ledger.errors import InvalidField
from mnemolog.imports.items import Problem

_SKIPPED_FOLDER = "node_modules"


class NumberedObject(msgspec.Struct, frozen=True):
    """One JSON object of a JSONL file and the number of its line, from 1."""

    number: int
    fields: dict[str, object]


def existing(path: Path) -> Path:
    """The path, absolute and without links. Raises `InvalidField` if nothing is there."""
    if not path.exists():
        raise InvalidField("path", f"{path} does not exist", "give a file or a folder that does")
    return path.resolve()


def existing_file(path: Path) -> Path:
    """The file's path, absolute and without links. Raises `InvalidField` if it is no file."""
    found = existing(path)
    if not found.is_file():
        raise InvalidField("path", f"{path} is not a file", "give a single file")
    return found


def files_under(path: Path, suffixes: frozenset[str], failed: list[OSError]) -> Iterator[Path]:
    """The file itself, or a folder's files of these suffixes, in the order of their names.

    Links to folders are not followed. Hidden folders and `node_modules` hold
    what tools wrote, not the user: they are passed over, unless named as `path`.
    A folder that cannot be listed adds its error to `failed`.
    """
    if path.is_file():
        yield path
        return
    for folder, subfolders, names in os.walk(path, onerror=failed.append):
        subfolders[:] = sorted(
            name for name in subfolders if not name.startswith(".") and name != _SKIPPED_FOLDER
        )
        for name in sorted(names):
            if Path(name).suffix.lower() in suffixes and not name.startswith("."):
                yield Path(folder, name)


def anchor(path: Path) -> Path:
    """The folder from which files are named, so that their names last when it is moved.

    Inside a git repository it is the folder that holds the repository: one file,
    one folder or all of it gives the same names. Elsewhere it holds the folder
    that is given, or the one that the given file lies in.
    """
    folder = path if path.is_dir() else path.parent
    repositories = (home for home in (folder, *folder.parents) if (home / ".git").exists())
    return next(repositories, folder).parent


def printable(name: str) -> str:
    """A name as a source, place or tag may hold it: what cannot be printed becomes a blank.

    In composed form: one file system hands back names decomposed, another not.
    """
    composed = unicodedata.normalize("NFC", name)
    return "".join(character if character.isprintable() else " " for character in composed)


def json_lines(path: Path) -> Iterator[NumberedObject | Problem]:
    """The JSON objects of a file, one a line; blank lines are passed over.

    A line that is none is a `Problem`, and the rest goes on.
    """
    try:
        lines = path.open("rb")
    except OSError as error:
        yield unreadable(error)
        return
    with lines:
        for number, line in enumerate(lines, start=1):
            text = line.removeprefix(b"\xef\xbb\xbf").strip()
            if not text:
                continue
            try:
                yield NumberedObject(number, msgspec.json.decode(text, type=dict[str, object]))
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                fix = "write one JSON object a line, in UTF-8"
                yield Problem(f"{path}:{number}", f"is not a JSON object: {error}", fix)


def unreadable(error: OSError) -> Problem:
    """What to tell of a file or folder that the system does not let us read."""
    what = f"cannot be read: {error.strerror or error}"
    return Problem(str(error.filename or "input"), what, "allow reading it, or move it")

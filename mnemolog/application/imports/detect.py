"""Format detection: the reader that fits a path."""

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

from mnemolog.application.imports import git, jsonl, markdown, transcript
from mnemolog.application.imports.files import (
    NumberedObject,
    ReadItem,
    existing,
    files_under,
    json_lines,
)
from mnemolog.application.transfer.exports import AS_EVENTS, is_export
from mnemolog.ledger.errors import InvalidField

Format = Literal["git", "jsonl", "markdown", "transcript"]

_LINES_SUFFIXES = frozenset({".jsonl", ".ndjson"})


def detect_format(path: Path) -> Format:
    """Import format of `path`, by its name, the files of a folder or the first object of JSONL.

    Raises `InvalidField` naming `path` if no format fits or two do.
    """
    found = existing(path)
    detected = _format_of_file(found) if found.is_file() else _format_of_folder(found)
    if detected is None:
        problem = f"{path} is neither JSONL, Markdown, a git repository nor a transcript"
        raise InvalidField("path", problem, "name its format if it is one of them")
    return detected


_READERS: dict[Format, Callable[[Path, str], Iterator[ReadItem]]] = {
    "git": git.read_git,
    "jsonl": jsonl.read_jsonl,
    "markdown": markdown.read_markdown,
    "transcript": transcript.read_transcript,
}


def read(path: Path, file_format: Format, space: str) -> Iterator[ReadItem]:
    """Items and problems of a path, from the reader of its format. Raises `InvalidField`."""
    return _READERS[file_format](path, space)


def estimate(path: Path, file_format: Format) -> int | None:
    """Approximate number of items; None if it is expensive to count."""
    if file_format == "git":
        return git.count_commits(path)
    return jsonl.count_lines(path) if file_format == "jsonl" else None


def _format_of_file(file: Path) -> Format | None:
    suffix = file.suffix.lower()
    if suffix in markdown.SUFFIXES:
        return "markdown"
    if suffix not in _LINES_SUFFIXES:
        return None
    objects = (line for line in json_lines(file) if isinstance(line, NumberedObject))
    is_transcript = any(transcript.is_transcript_line(one.fields) for one in islice(objects, 1))
    return "transcript" if is_transcript else "jsonl"


def _format_of_folder(folder: Path) -> Format | None:
    bare = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    if bare or (folder / ".git").exists():
        return "git"
    notes = next(files_under(folder, markdown.SUFFIXES, []), None)
    lines = next(files_under(folder, transcript.SUFFIXES, []), None)
    if notes is None and lines is not None and is_export(lines):
        raise InvalidField("path", f"{lines} is an export of events", AS_EVENTS)
    talk = lines is not None and _format_of_file(lines) == "transcript"
    if notes is not None and talk:
        problem = f"{folder} holds both Markdown and transcripts"
        raise InvalidField("path", problem, "name the format, or give a folder of one kind")
    if talk:
        return "transcript"
    return "markdown" if notes is not None else None

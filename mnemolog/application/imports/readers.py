"""Readers of imports: the one that fits a path, and the reader of JSONL, a memory per line."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Literal, get_type_hints

import msgspec
from msgspec.structs import replace

from mnemolog.application.imports import files, git, markdown, transcript
from mnemolog.application.transfer.exports import AS_EVENTS, is_export
from mnemolog.ledger.errors import EmptyContent, InvalidField, InvalidTime
from mnemolog.ledger.files import open_regular
from mnemolog.policies.memories import NewMemory

_CONTENT_NAMES = ("content", "text", "memory")
_TIME_NAMES = ("valid_from", "date", "timestamp", "created_at")
_RUN_NAMES = ("run", "run_id", "session_id", "thread_id", "conversation_id")
_SPEAKER_NAMES = ("speaker", "role")
_SCHEME_OF_ROLE = {
    **dict.fromkeys(("assistant", "agent", "ai", "bot", "model"), "agent"),
    **dict.fromkeys(("system", "tool"), "system"),
}
# Above this, seconds lie past the year 5000, so the number counts milliseconds.
_SECONDS_LIMIT = 1e11


def read_jsonl(path: Path | str, space: str) -> Iterator[files.ReadItem]:
    """Memories of a JSONL file, in its order.

    A line needs `content` (or `text`, `memory`). Its other fields are those of `NewMemory`. `date`,
    `timestamp` and `created_at` stand for `valid_from`: ISO 8601 with a zone, or seconds or
    milliseconds since 1970. `role` and `speaker` stand for `source`, and make the line episodic
    unless it has a `kind`. `run`, `run_id`, `session_id`, `thread_id` or `conversation_id` is the
    conversation. `tags` and `aliases` may be one text with commas. Null is the same as absent.

    `id` is the line's key, any text or whole number: a later line or import with the same key
    supersedes. A line without a key has no versions; the order distinguishes equal lines. The
    origin contains the file's name, not its folder. An invalid line yields a `Problem`, and one at
    the end names ignored fields. Raises `InvalidField` for no file or an export of events.
    """
    found = files.existing(path, only_file=True)
    if is_export(found):
        # Its lines would be read as memories whose text is JSON.
        raise InvalidField("path", f"{path} is an export of events, not of memories", AS_EVENTS)
    return _items(found, space)


def count_lines(path: Path) -> int:
    """Number of lines of a file, including blank ones."""
    lines, last = 0, b"\n"
    with open_regular(path) as file:
        while chunk := file.read(1 << 20):
            lines, last = lines + chunk.count(b"\n"), chunk[-1:]
    return lines + (last != b"\n")


def _items(path: Path, space: str) -> Iterator[files.ReadItem]:
    file_origin = f"file:{files.printable(path.name)}"
    ignored: Counter[str] = Counter()
    equals: Counter[str] = Counter()
    for line in files.json_lines(path):
        if isinstance(line, files.Problem):
            yield line
            continue
        where = f"{path}:{line.number}"
        try:
            key, run, memory = _read(line, ignored)
            name, is_keyed = key, key is not None
            if name is None:
                given = msgspec.json.encode((files.given_fields(memory), run), order="sorted")
                name = sha256(given).hexdigest()[:16]
                equals[name] += 1
                name += "" if equals[name] == 1 else f"~{equals[name]}"
            place = {"origin": f"{file_origin}#{name}", "where": where}
            yield files.import_item(space, memory, **place, revisable=is_keyed, run=run)
        except InvalidField as error:
            yield files.refused(where, error)
    if ignored:
        names = ", ".join(f"{name} ({count} lines)" for name, count in sorted(ignored.items()))
        fix = "the lines were read without them; put what matters into a field that is known"
        yield files.Problem(str(path), f"ignored fields: {names}", fix)


def _read(
    line: files.NumberedObject, ignored: Counter[str]
) -> tuple[str | None, str | None, NewMemory]:
    """Key, run and memory of a line; counts its unknown fields in `ignored`."""
    rest = {name: value for name, value in line.fields.items() if value is not None}
    key = _name_or_number("id", rest.pop("id", None))
    run = _name_or_number("run", _take(rest, _RUN_NAMES))
    content = _take(rest, _CONTENT_NAMES)
    if content is None:
        raise EmptyContent
    fields: dict[str, object] = {"content": content}
    valid_from = _take(rest, _TIME_NAMES)
    if valid_from is not None:
        fields["valid_from"] = _time("valid_from", valid_from)
    if "valid_until" in rest:
        fields["valid_until"] = _time("valid_until", rest.pop("valid_until"))
    if "source" not in rest and any(name in rest for name in _SPEAKER_NAMES):
        fields |= {"source": _speaker(rest), "kind": "episodic"}
    known = _types().keys() & rest.keys()
    fields |= {name: rest.pop(name) for name in known}
    for name in ("tags", "aliases"):
        if isinstance(words := fields.get(name), str):
            fields[name] = [word.strip() for word in words.split(",") if word.strip()]
    ignored.update(rest.keys())
    for name, value in fields.items():
        if name not in {"valid_from", "valid_until"}:
            try:
                fields[name] = msgspec.convert(value, _types()[name])
            except msgspec.ValidationError as error:
                raise InvalidField(name, str(error), "see the fields of a memory") from None
    return key, run, replace(NewMemory(content=""), **fields)


def _take(rest: dict[str, object], names: tuple[str, ...]) -> object:
    found = next((name for name in names if name in rest), None)
    return None if found is None else rest.pop(found)


def _name_or_number(field: str, value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise InvalidField(field, f"{value!r} cannot name anything", "give a text or whole number")
    return str(value).strip()


def _time(field: str, value: object) -> datetime | str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidTime(field, f"is of type {type(value).__name__}", "give ISO 8601 or seconds")
    try:
        seconds = value / 1000 if abs(value) >= _SECONDS_LIMIT else value
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        fix = "give seconds or milliseconds since 1970"
        raise InvalidTime(field, f"{value!r:.40} is out of range", fix) from None


def _speaker(rest: dict[str, object]) -> str:
    role = _name_or_number("role", rest.pop("role", None))
    speaker = _name_or_number("speaker", rest.pop("speaker", None))
    scheme = _SCHEME_OF_ROLE.get((role or "").lower(), "user")
    name = speaker or role or ""
    return name if ":" in name else f"{scheme}:{name}"


@cache
def _types() -> dict[str, object]:
    return get_type_hints(NewMemory)


Format = Literal["git", "jsonl", "markdown", "transcript"]

_LINES_SUFFIXES = frozenset({".jsonl", ".ndjson"})


def detect_format(path: Path) -> Format:
    """Import format of `path`, by its name, the files of a folder or the first object of JSONL.

    Raises `InvalidField` naming `path` if no format fits or two do.
    """
    found = files.existing(path)
    detected = _format_of_file(found) if found.is_file() else _format_of_folder(found)
    if detected is None:
        problem = f"{path} is neither JSONL, Markdown, a git repository nor a transcript"
        raise InvalidField("path", problem, "name its format if it is one of them")
    return detected


_READERS: dict[Format, Callable[[Path, str], Iterator[files.ReadItem]]] = {
    "git": git.read_git,
    "jsonl": read_jsonl,
    "markdown": markdown.read_markdown,
    "transcript": transcript.read_transcript,
}


def read(path: Path, file_format: Format, space: str) -> Iterator[files.ReadItem]:
    """Items and problems of a path, from the reader of its format. Raises `InvalidField`."""
    return _READERS[file_format](path, space)


def estimate(path: Path, file_format: Format) -> int | None:
    """Approximate number of items; None if it is expensive to count."""
    if file_format == "git":
        return git.count_commits(path)
    return count_lines(path) if file_format == "jsonl" else None


def _format_of_file(file: Path) -> Format | None:
    suffix = file.suffix.lower()
    if suffix in markdown.SUFFIXES:
        return "markdown"
    if suffix not in _LINES_SUFFIXES:
        return None
    objects = (line for line in files.json_lines(file) if isinstance(line, files.NumberedObject))
    is_transcript = any(transcript.is_transcript_line(one.fields) for one in islice(objects, 1))
    return "transcript" if is_transcript else "jsonl"


def _format_of_folder(folder: Path) -> Format | None:
    bare = (folder / "HEAD").is_file() and (folder / "objects").is_dir()
    if bare or (folder / ".git").exists():
        return "git"
    notes = next(files.files_under(folder, markdown.SUFFIXES, []), None)
    lines = next(files.files_under(folder, transcript.SUFFIXES, []), None)
    if notes is None and lines is not None and is_export(lines):
        raise InvalidField("path", f"{lines} is an export of events", AS_EVENTS)
    talk = lines is not None and _format_of_file(lines) == "transcript"
    if notes is not None and talk:
        problem = f"{folder} holds both Markdown and transcripts"
        raise InvalidField("path", problem, "name the format, or give a folder of one kind")
    if talk:
        return "transcript"
    return "markdown" if notes is not None else None

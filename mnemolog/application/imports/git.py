"""Git history reader: one memory per commit."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import datetime
from itertools import islice, takewhile
from pathlib import Path
from typing import IO

import msgspec

from mnemolog.application.imports.files import (
    ImportItem,
    Problem,
    existing,
    fixed_item,
    printable,
    refused,
)
from mnemolog.ledger.clock import in_calendar, to_datetime
from mnemolog.ledger.errors import InvalidField, InvalidTime
from mnemolog.ledger.files import MOST_LINE_BYTES
from mnemolog.policies.memories import NewMemory

# An empty field marks the start of a commit: no field of a list of files is empty.
_FORMAT = "%x00%H%x00%P%x00%at%x00%an <%ae>%x00%B%x00"
_LOG = (
    "log",
    "--format=tformat:" + _FORMAT,
    "-z",
    "--name-only",
    "--no-renames",
    "--no-show-signature",
    "--encoding=UTF-8",
    "--date-order",
    "--reverse",
    "HEAD",
    "--",
)
# Inside a hook, these variables point git at another repository than the named one.
_REPOSITORY_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR")
# Prevent lazy fetches: a repository's settings may name a program that git would run.
_ENVIRONMENT = {"LC_ALL": "C", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
_HASH_SHOWN = 12
_FILES_SHOWN = 10
_FIELD_COUNT = 6
_CHUNK_BYTES = 1 << 16
_MICROS = 1_000_000


class _Commit(msgspec.Struct, frozen=True):
    """Commit as printed by `git log`."""

    hash: str
    parents: str
    authored_at: str
    author: str
    message: str
    files: tuple[str, ...]


def read_git(path: Path, space: str) -> Iterator[ImportItem | Problem]:
    """Commits reachable from the current branch, parents before children.

    A memory holds the message and the touched files (none for a merge). It is episodic,
    is valid from the author date, and names the author in its source note. Its source is
    `git:REPOSITORY@` and 12 digits of the hash. Its origin is the full hash, so that clones
    and forks give one memory per commit. `path` may be a folder inside the repository, a
    linked work tree or a bare repository.

    A message that is not valid UTF-8 and declares no encoding is read as Latin-1. A shallow
    history and a repository without commits yield a `Problem`. Raises `InvalidField` if there
    is no repository or no git.
    """
    repository = existing(path)
    if not repository.is_dir():
        raise InvalidField("path", f"{path} is not a folder", "give the repository's folder")
    common = Path(_ask(repository, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    name = common.parent.name if common.name == ".git" else common.name.removesuffix(".git")
    return _items(repository, printable(name), space)


def count_commits(path: Path) -> int:
    """Number of commits that `read_git` will read; 0 if there is no repository."""
    if not _has_commits(path):
        return 0
    return int(_ask(path, "rev-list", "--count", "HEAD", "--"))


def _items(repository: Path, name: str, space: str) -> Iterator[ImportItem | Problem]:
    if not _has_commits(repository):
        yield Problem(str(repository), "has no commits on this branch", "commit something first")
        return
    shallow = _ask(repository, "rev-parse", "--is-shallow-repository") == "true"
    if shallow:
        what = "is a shallow clone: the older commits are not here"
        yield Problem(str(repository), what, "run `git fetch --unshallow` and import again")
    with tempfile.TemporaryFile() as complaints:
        log = _started(repository, complaints, *_LOG)
        with log:
            for commit in _commits(_fields(_output(log))):
                # At the cut of a shallow history, git lists all files as touched.
                known = not (shallow and not commit.parents)
                yield _item(commit if known else _without_files(commit), name, space)
        if log.returncode != 0:
            fix = "run `git fsck` there; what came before was read"
            yield Problem(str(repository), f"git log failed: {_last_line(complaints)}", fix)


def _item(commit: _Commit, name: str, space: str) -> ImportItem | Problem:
    source = f"git:{name}@{commit.hash[:_HASH_SHOWN]}"
    message = commit.message.strip() or "(no message)"
    try:
        memory = NewMemory(
            content="\n\n".join(text for text in (message, _touched(commit.files)) if text),
            kind="episodic",
            source=source,
            source_note=f"commit by {commit.author}",
            place=name,
            tags=("merge",) if " " in commit.parents else (),
            valid_from=_authored_at(commit),
        )
        return fixed_item(space, memory, origin=f"git:{commit.hash}", where=source)
    except InvalidField as error:
        return refused(source, error)


def _authored_at(commit: _Commit) -> datetime:
    problem = f"{commit.authored_at!r} is out of range"
    try:
        instant = int(commit.authored_at) * _MICROS
    except ValueError:
        raise InvalidTime("valid_from", problem, "it is left out") from None
    if not in_calendar(instant):
        raise InvalidTime("valid_from", problem, "it is left out")
    return to_datetime(instant)


def _touched(files: tuple[str, ...]) -> str:
    if not files:
        return ""
    more = len(files) - _FILES_SHOWN
    shown = ", ".join(printable(file) for file in files[:_FILES_SHOWN])
    return f"Files: {shown}" + (f" and {more:,} more" if more > 0 else "")


def _without_files(commit: _Commit) -> _Commit:
    return msgspec.structs.replace(commit, files=())


def _commits(fields: Iterator[bytes]) -> Iterator[_Commit]:
    next(fields, None)
    while len(told := [_text(field) for field in islice(fields, _FIELD_COUNT)]) == _FIELD_COUNT:
        # The last field is empty: `-z` ends a message with another NUL, and git puts a
        # line end before the list of files.
        commit_hash, parents, authored_at, author, message, _ = told
        files = [_text(field) for field in takewhile(bool, fields)]
        files[:1] = [name.removeprefix("\n") for name in files[:1]]
        yield _Commit(commit_hash, parents, authored_at, author, message, tuple(files))


def _fields(chunks: Iterator[bytes]) -> Iterator[bytes]:
    pending: list[bytes] = []
    size = 0
    for chunk in chunks:
        first, *others = chunk.split(b"\0")
        pending.append(first)
        size += len(first)
        if size > MOST_LINE_BYTES:
            problem = f"a commit holds more than {MOST_LINE_BYTES:,} bytes of text"
            raise InvalidField("path", problem, "import a branch without it")
        if others:
            yield b"".join(pending)
            *whole, last = others
            yield from whole
            pending, size = [last], len(last)


def _output(log: subprocess.Popen[bytes]) -> Iterator[bytes]:
    while log.stdout is not None and (chunk := log.stdout.read(_CHUNK_BYTES)):
        yield chunk


def _text(field: bytes) -> str:
    try:
        return field.decode()
    except UnicodeDecodeError:
        # Latin-1 maps every byte to a character: nothing is lost, and Western text is right.
        return field.decode("latin-1")


def _has_commits(repository: Path) -> bool:
    with tempfile.TemporaryFile() as complaints:
        asked = _started(repository, complaints, "rev-parse", "--quiet", "--verify", "HEAD")
        asked.communicate()
    return asked.returncode == 0


def _ask(repository: Path, *arguments: str) -> str:
    with tempfile.TemporaryFile() as complaints:
        asked = _started(repository, complaints, *arguments)
        answer, _ = asked.communicate()
        if asked.returncode != 0:
            problem = f"{repository} cannot be read as a git repository: {_last_line(complaints)}"
            raise InvalidField("path", problem, "give a folder of a repository")
    return os.fsdecode(answer).removesuffix("\n")


def _started(repository: Path, complaints: IO[bytes], *arguments: str) -> subprocess.Popen[bytes]:
    # Override user settings that would change the output, and with it the memories.
    settings = ("-c", "log.showRoot=true", "-c", "diff.ignoreSubmodules=none")
    command = ("git", "--no-pager", "--no-replace-objects", "-C", str(repository), *settings)
    kept = {name: text for name, text in os.environ.items() if name not in _REPOSITORY_VARIABLES}
    try:
        return subprocess.Popen(  # noqa: S603 - git, with arguments of our own
            (*command, *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=kept | _ENVIRONMENT,
        )
    except FileNotFoundError:
        fix = "install git, or put it on the PATH"
        raise InvalidField("path", "a history cannot be read without git", fix) from None


def _last_line(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    lines = complaints.read().decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it gave no reason"

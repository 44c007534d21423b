"""Git history reader: one memory per commit."""

import io
import os
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import datetime
from itertools import islice, takewhile
from pathlib import Path
from typing import IO

from mnemolog.application.imports import files
from mnemolog.ledger.clock import NEVER, in_calendar, to_datetime
from mnemolog.ledger.errors import InvalidField, InvalidTime
from mnemolog.ledger.files import MOST_LINE_BYTES
from mnemolog.policies.memories import NewMemory

# An empty field marks the start of a commit: no field of a list of files is empty.
_FORMAT = "%x00%H%x00%P%x00%at%x00%an%x20<%ae>%x00%B%x00"
_LOG = (
    f"log --format=tformat:{_FORMAT} -z --name-only --no-renames"
    " --no-show-signature --encoding=UTF-8 --date-order --reverse HEAD --"
).split()
# Inside a hook, these variables point git at another repository than the named one.
_REPOSITORY_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR")
# Prevent lazy fetches: a repository's settings may name a program that git would run.
_ENVIRONMENT = {"LC_ALL": "C", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
_FILES_SHOWN = 10
_FIELD_COUNT = 6


def read_git(path: Path | str, space: str) -> Iterator[files.ReadItem]:
    """Commits reachable from the current branch, parents before children.

    A memory holds the message and the touched files (none for a merge). It is episodic, valid
    from the author date, and names the author in its source note. Its source is
    `git:REPOSITORY@` and 12 digits of the hash; its origin is the full hash, so that clones and
    forks give one memory per commit. `path` may be a folder inside the repository, a linked work
    tree or a bare repository. A message that is not UTF-8 and declares no encoding is read as
    Latin-1. A shallow history and a repository without commits yield a `Problem`. Raises
    `InvalidField` if there is no repository or no git.
    """
    repository = files.existing(path)
    if not repository.is_dir():
        raise InvalidField("path", f"{path} is not a folder", "give the repository's folder")
    common = Path(_ask(repository, "rev-parse", "--path-format=absolute", "--git-common-dir"))
    name = common.parent.name if common.name == ".git" else common.name.removesuffix(".git")
    return _items(repository, files.printable(name), space)


def count_commits(path: Path) -> int:
    """Number of commits that `read_git` will read; 0 if there is no repository."""
    if not _has_commits(path):
        return 0
    return int(_ask(path, "rev-list", "--count", "HEAD", "--"))


def _items(repository: Path, name: str, space: str) -> Iterator[files.ReadItem]:
    if not _has_commits(repository):
        what = "has no commits on this branch"
        yield files.Problem(str(repository), what, "commit something first")
        return
    shallow = _ask(repository, "rev-parse", "--is-shallow-repository") == "true"
    if shallow:
        what = "is a shallow clone: the older commits are not here"
        yield files.Problem(str(repository), what, "run `git fetch --unshallow` and import again")
    with tempfile.TemporaryFile() as complaints:
        with _started(repository, complaints, *_LOG) as log:
            for told, touched in _commits(_fields(log.stdout or io.BytesIO())):
                # At the cut of a shallow history, git lists all files as touched.
                cut = shallow and not told[1]
                yield _item(told, [] if cut else touched, name, space)
        if log.returncode != 0:
            complaints.seek(0)
            what = f"git log failed: {_last_line(complaints.read())}"
            fix = "run `git fsck` there; what came before was read"
            yield files.Problem(str(repository), what, fix)


def _item(told: list[str], touched: list[str], name: str, space: str) -> files.ReadItem:
    commit_hash, parents, authored_at, author, message, _ = told
    source = f"git:{name}@{commit_hash[:12]}"
    content = message.strip() or "(no message)"
    if touched:
        more = len(touched) - _FILES_SHOWN
        content += f"\n\nFiles: {', '.join(map(files.printable, touched[:_FILES_SHOWN]))}"
        content += f" and {more:,} more" if more > 0 else ""
    try:
        memory = NewMemory(
            content=content,
            kind="episodic",
            source=source,
            source_note=f"commit by {author}",
            place=name,
            tags=("merge",) if " " in parents else (),
            valid_from=_time(authored_at),
        )
        return files.import_item(space, memory, origin=f"git:{commit_hash}", where=source)
    except InvalidField as error:
        return files.refused(source, error)


def _time(seconds: str) -> datetime:
    try:
        instant = int(seconds) * 1_000_000
    except ValueError:
        instant = NEVER
    if not in_calendar(instant):
        raise InvalidTime("valid_from", f"{seconds!r} is out of range", "it is left out")
    return to_datetime(instant)


def _commits(fields: Iterator[bytes]) -> Iterator[tuple[list[str], list[str]]]:
    """Fields of each commit, as in `_FORMAT`, and its files."""
    next(fields, None)
    while len(told := [_text(field) for field in islice(fields, _FIELD_COUNT)]) == _FIELD_COUNT:
        # The last field is empty: `-z` ends a message with another NUL, and git puts a
        # line end before the list of files.
        touched = [_text(field) for field in takewhile(bool, fields)]
        touched[:1] = [name.removeprefix("\n") for name in touched[:1]]
        yield told, touched


def _fields(stream: IO[bytes]) -> Iterator[bytes]:
    pending: list[bytes] = []
    size = 0
    while chunk := stream.read(1 << 16):
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


def _text(field: bytes) -> str:
    try:
        return field.decode()
    except UnicodeDecodeError:
        # Latin-1 maps every byte to a character: nothing is lost, and Western text is right.
        return field.decode("latin-1")


def _has_commits(repository: Path) -> bool:
    asked = _started(repository, subprocess.PIPE, "rev-parse", "--quiet", "--verify", "HEAD")
    asked.communicate()
    return asked.returncode == 0


def _ask(repository: Path, *arguments: str) -> str:
    asked = _started(repository, subprocess.PIPE, *arguments)
    answer, complaints = asked.communicate()
    if asked.returncode != 0:
        problem = f"{repository} cannot be read as a git repository: {_last_line(complaints)}"
        raise InvalidField("path", problem, "give a folder of a repository")
    return os.fsdecode(answer).removesuffix("\n")


def _started(
    repository: Path, complaints: IO[bytes] | int, *arguments: str
) -> subprocess.Popen[bytes]:
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


def _last_line(complaints: bytes) -> str:
    lines = complaints.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it gave no reason"

"""Files and items of imports: listing, lines of JSON, memories with stable ids, and storage."""

from __future__ import annotations

import hmac
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import IO

import msgspec
from msgspec.structs import replace

from mnemolog.application.home.space import Space
from mnemolog.application.questions.browse import read_settings
from mnemolog.application.transfer.event_imports import stopped
from mnemolog.ledger import errors
from mnemolog.ledger.files import MOST_LINE_BYTES, failures_of, open_regular
from mnemolog.ledger.ids import EventId, MemoryId, event_id_from_source
from mnemolog.ledger.vocabulary import check_nesting, decode_json
from mnemolog.policies.memories import NewMemory, check_memory_size, checked_run, remembered
from mnemolog.projections.folding import Progress
from mnemolog.projections.memory_queries import active_by_origin, superseded
from mnemolog.results import Value

_REMOVE_LINK = "remove the link, or import what it leads to by itself"
_NOT_FOLLOWED = "is a link to a folder, which is not followed"
_SKIPPED_BYTES = 1 << 20
_MOST_TOLD = 1_000


class NumberedObject(msgspec.Struct, frozen=True):
    """JSON object of a JSONL file and its line number, from 1."""

    number: int
    fields: dict[str, object]


def existing(path: Path | str, *, only_file: bool = False) -> Path:
    """Absolute path of a file or folder with links resolved; with `only_file`, of a file.

    Raises `InvalidField` if there is none, `MalformedFile` for a pipe or a device,
    `StorageFailed` if the system refuses to read it.
    """
    path = Path(path)
    if not path.exists():
        problem = f"{path} does not exist"
        raise errors.InvalidField("path", problem, "give a file or a folder that does")
    with failures_of(path):
        if path.is_dir():
            os.scandir(path).close()
        else:
            open_regular(path).close()
    found = path.resolve()
    if only_file and not found.is_file():
        raise errors.InvalidField("path", f"{path} is not a file", "give a single file")
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
    except (errors.MalformedFile, OSError) as error:
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


def unreadable(error: errors.MalformedFile | OSError) -> Problem:
    """Problem of a file or folder that cannot be read."""
    if isinstance(error, errors.MalformedFile):
        return Problem(str(error.file), error.problem, error.fix)
    what = f"cannot be read: {error.strerror or error}"
    return Problem(str(error.filename or "input"), what, "allow reading it, or move it")


class ImportItem(msgspec.Struct, frozen=True):
    """Memory to store, with its origin.

    `origin` is a stable name of its place that all versions share, such as `file:notes/a.md#setup`,
    `where` the present place on this machine, for messages. If `revisable`, a new version
    supersedes the previous one. `run`, the id of the conversation, becomes the correlation id.
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

    def shown(self) -> tuple[Problem, ...]:
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
    time_ms = int((item.memory.id or "")[:12] or "0", 16)  # its first twelve digits
    return replace(item, memory=replace(item.memory, id=event_id_from_source(key, time_ms * 1000)))


def given_fields(memory: NewMemory) -> dict[str, object]:
    """Fields of a memory that differ from their defaults, without `id`; ids derive from them."""
    # So a field that a later version adds does not change ids while it has its default.
    return {
        field.name: value
        for field in msgspec.structs.fields(memory)
        if field.name != "id" and (value := getattr(memory, field.name)) != field.default
    }


def refused(where: str, error: errors.InvalidField) -> Problem:
    """Problem of a piece that cannot be stored."""
    return Problem(where, f"{error.field}: {error.problem}", error.fix)


def _key(*parts: object) -> str:
    return msgspec.json.encode(parts, order="sorted").decode()


_BATCH = 500

Arrival = tuple[ImportItem, tuple[MemoryId, ...]]
"""An item to be stored, and the memories that it supersedes."""


class ImportReport(Value, frozen=True):
    """Result of an import: numbers of items and of conflicts between new and other memories.

    `superseded` counts the new memories that replaced an earlier version, `known` items that
    were already stored, `outdated` versions that a later one in the same source replaced.
    """

    added: int
    superseded: int
    known: int
    outdated: int
    problems: tuple[Problem, ...]
    conflicts: int = 0


def readable(items: Iterator[ReadItem], source: Path, limit_bytes: int) -> Iterator[ReadItem]:
    """Same items. Raises `NothingRead` if none can be stored within the content limit."""
    problems = Problems()
    for item in items:
        problem = item if isinstance(item, Problem) else _misfit(item, limit_bytes)
        if problem is None:
            return chain(problems.shown(), [item], items)
        problems.add(problem)
    if told := problems.shown():
        raise nothing_read(source, told)
    return iter(())


def nothing_read(source: Path, problems: Sequence[Problem]) -> errors.NothingRead:
    """Error for a source that yields only problems."""
    told = [f"{one.where}: {one.what}" for one in problems]
    return errors.NothingRead(source, told, problems[0].fix)


def _misfit(item: ImportItem, limit_bytes: int) -> Problem | None:
    try:
        structure, content = remembered(item.memory, limit_bytes)
        if item.run is not None:
            checked_run(item.run)
        check_memory_size(replace(structure, origin=item.origin), content)
    except errors.InvalidField as error:
        return refused(item.where, error)
    return None


class Importing:
    """Import into a space; `store` stores a batch atomically and counts its conflicts."""

    def __init__(self, space: Space, store: Callable[[Sequence[Arrival]], int]) -> None:
        self._home, self._store = space.home, store
        self._limit_bytes = read_settings(space).content_limit_bytes
        self._heads = self._home.views.read(lambda db: active_by_origin(db, space.name))
        self._added = self._superseded = self._known = self._conflicts = 0

    def run(self, items: Iterable[ReadItem], progress: Progress | None) -> ImportReport:
        """Store the new items and report on all; batches stored before a failure stay."""
        try:
            return self._stored(items, progress)
        except (errors.StorageFailed, errors.LogBusy) as error:
            # The advice of `OutcomeUnknown` takes precedence.
            if self._added == 0 or isinstance(error, errors.OutcomeUnknown):
                raise
            raise stopped(error, f"{self._added:,} memories") from error

    def _stored(self, items: Iterable[ReadItem], progress: Progress | None) -> ImportReport:
        problems = Problems()
        outdated = 0
        fixed: list[ImportItem] = []
        latest: dict[str, ImportItem] = {}
        for seen, item in enumerate(items, start=1):
            if isinstance(item, Problem):
                problems.add(item)
            elif (problem := _misfit(item, self._limit_bytes)) is not None:
                problems.add(problem)
            elif item.revisable:
                outdated += item.origin in latest
                latest[item.origin] = self._keyed(item)
            else:
                fixed.append(self._keyed(item))
            if len(fixed) >= _BATCH:
                self._store_batch(fixed)
                fixed = []
            if progress is not None:
                progress("reading", seen, 0)
        self._store_batch(fixed)
        versions = iter(latest.values())
        while batch := [*islice(versions, _BATCH)]:
            self._store_batch(batch)
        counts = self._added, self._superseded, self._known, outdated
        return ImportReport(*counts, problems.shown(), self._conflicts)

    def _keyed(self, item: ImportItem) -> ImportItem:
        # The reader's id is a plain digest: after a redaction it could confirm a guess.
        own = b"import\x00" + (item.memory.id or "").encode()
        return rekeyed(item, hmac.digest(self._home.log.secret, own, "sha256").hex())

    def _store_batch(self, items: Sequence[ImportItem]) -> None:
        known = self._home.log.positions_of([EventId(item.memory.id or "") for item in items])
        arrivals: dict[str | None, Arrival] = {}
        for item in items:
            own = item.memory.id
            head = self._heads.get(item.origin) if item.revisable else None
            if own in arrivals:
                self._known += 1
            elif own not in known:
                arrivals[own] = (item, () if head is None else (head,))
            elif head is None or head == own or self._is_return(item, head):
                # Known, or removed since by a user: an import does not restore it.
                self._known += 1
            else:
                arrivals[own] = (returned(item, head), (head,))
        if arrivals:
            self._conflicts += self._store(list(arrivals.values()))
        self._added += len(arrivals)
        self._superseded += sum(len(olds) for _, olds in arrivals.values())

    def _is_return(self, item: ImportItem, head: MemoryId) -> bool:
        position = self._home.head()
        olds = self._home.views.read(lambda db: superseded(db, head, position))
        return any(returned(item, old).memory.id == head for old in olds)

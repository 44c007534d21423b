"""Home: the directory of a ledger, opened with its log and all derived files."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import apsw

from mnemolog.application.home.rerankers import OFF, Readers, built_in_reader, named_reranker
from mnemolog.application.home.session_store import SessionFile
from mnemolog.indexes.embedder import Embedder, MiniLM, TokenCounter, WordPieces
from mnemolog.indexes.filters import Indexing
from mnemolog.ledger import errors, files, scratch
from mnemolog.ledger.clock import Clock, Micros, SystemClock
from mnemolog.ledger.digests import Head
from mnemolog.ledger.errors import CorruptLog, InvalidField, StorageFailed
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Durability
from mnemolog.ledger.sqlite import switching
from mnemolog.ledger.sqlite.connections import UnlockedConnection
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.sqlite.tables import has_events
from mnemolog.ledger.sqlite.verification import TailCheck
from mnemolog.projections.manifest import WRITING
from mnemolog.projections.views import Views, all_projections

if TYPE_CHECKING:
    from mnemolog.indexes.space_index import Parts, SpaceIndex
    from mnemolog.indexes.space_state import Bases
    from mnemolog.policies.contradictions.judge import Judge
    from mnemolog.policies.retention.summaries import Summarizer
    from mnemolog.recall.search.reading import PairReader
    from mnemolog.recall.search.reranking import Reranker

_logger = logging.getLogger("mnemolog")
# The program that uses a library decides whether and where notices are printed.
_logger.addHandler(logging.NullHandler())
LEDGER = "ledger.db"
RESTORING, REPLAYING = "restore-", "replay-"  # scratch directories in a home, by work
Missing = Literal["create", "refuse"]  # treatment of a home that does not exist


def home_path(given: Path | str | None) -> Path:
    """Path of the home directory, by default `default_home()`. Raises `InvalidField`."""
    if given is None:
        return files.checked_name("home", default_home())
    if isinstance(given, str) and not given.strip():
        raise InvalidField("home", "is empty", "name a directory, or leave it out")
    return files.checked_name("home", Path(given))


def default_home() -> Path:
    """Default home: `$MNEMOLOG_HOME` unless empty, or else the platform's user data directory."""
    if given := os.environ.get("MNEMOLOG_HOME"):
        return Path(given)
    from platformdirs import user_data_path  # noqa: PLC0415 - only where no home is given

    return user_data_path("mnemolog", appauthor=False)


def is_missing(path: Path) -> bool:
    """True if the path holds no home and no part of one; an empty directory holds none."""
    ledger = path / LEDGER
    parts = (switching.record_of(ledger), ledger, *switching.side_files(ledger))
    held = any(part.exists() and part.stat().st_size for part in parts)
    return not held and not _has_derived_files(path)


def discard_unused(path: Path) -> None:
    """Delete the files of a home that holds no events, no foreign files and has no other user."""
    ledger = path / LEDGER
    with suppress(OSError, apsw.Error), closing(files.FileLock(path / f"{LEDGER}.lock")) as lock:
        # Delete the log last: derived files without a log look like a home that lost its log.
        found = sorted(path.iterdir(), key=lambda file: file.name.startswith(LEDGER))
        made = all(any(map(file.match, (*scratch.OWN, *scratch.LOCKS))) for file in found)
        if not made or switching.side_files(ledger) or not lock.try_acquire():
            return
        with closing(UnlockedConnection(ledger)) as log:
            if has_events(log):
                return
        for file in found:
            file.unlink(missing_ok=True)


class Home:
    """Open log, views, indexes and sessions of one home, shared by the threads of a handle.

    Raises `MissingLog` if derived files exist without their log, `MissingHome` if the home
    does not exist and must not be created, and `StorageFailed` if the log cannot be read.
    """

    def __init__(  # noqa: PLR0913 - a place, and the ports that a caller may fill, by name
        self,
        path: Path,
        *,
        missing: Missing = "create",
        clock: Clock | None = None,
        durability: Durability = Durability.DURABLE,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        judge: Judge | None = None,
        summarizer: Summarizer | None = None,
        indexing: Indexing = "foreground",
    ) -> None:
        for field, value, known in (
            ("missing", missing, Missing),
            ("indexing", indexing, Indexing),
        ):
            if value not in get_args(known):
                fix = f"use {' or '.join(get_args(known))}"
                raise InvalidField(field, f"{value!r} is unknown", fix)
        with files.failures_of(path):
            _check_directory(path, missing)
            _keep_private(path)
        self.path = path
        self.clock: Clock = clock or SystemClock()
        # A caller's embedder may serve other homes; this one is unloaded when the home is closed.
        self._own_model = MiniLM()
        self.embedder: Embedder = embedder or self._own_model
        self.reranker, self._indexing = reranker, indexing
        self.counter: TokenCounter = WordPieces()
        self.given_judge = judge
        if judge is not None:
            self.judge = judge
        if summarizer is not None:
            self.summarizer = summarizer
        self.notices: list[str] = []
        self.unerased: tuple[str, ...] = ()  # where the last erasure left something, and why
        self.finished: tuple[Position, ...] = ()  # redactions that this opening finished
        self._lock, self._closed = threading.RLock(), False
        self._parts: Parts | None = None
        self._indexes: dict[str, SpaceIndex] = {}
        self._rerankers: dict[str, Reranker | None] = {}
        self.log = SqliteLog(path / LEDGER, clock=self.clock, durability=durability)
        self._tail_check = TailCheck(self.log)
        with ExitStack() as undone:
            undone.callback(self.log.close)
            self._open_derived()
            undone.pop_all()

    def _open_derived(self) -> None:
        self._model = self.embedder.name
        self.views = Views(self.path, self.log, all_projections(self.log.secret), self.notify)
        self.sessions = SessionFile(self.path, self.clock, self.notify)
        swept, failed = _swept(self.path, self.views)
        removed = [path.name for path in swept.removed]
        if any(name.startswith(WRITING) for name in removed):
            failed += self.parts.bases.remove_leftovers()
        self._switch_told = self.log.switched
        if self.log.switched is not None:
            self.notify(_finished(self.path, self.log.switched))
        elif self.log.withdrawn or any(name.startswith(RESTORING) for name in removed):
            told = "a restore was interrupted before it changed anything"
            self.notify(f"{told}: the log is as it was")
        for one in failed:
            self.notify(f"left over, and cannot be removed: {one}")

    @property
    def parts(self) -> Parts:
        """Shared parts of the indexes, opened on first use because they load numpy."""
        with self._lock:
            if self._parts is not None:
                return self._parts
            from mnemolog.indexes import space_index, space_state  # noqa: PLC0415 - numpy
            from mnemolog.indexes.vectors import vector_store  # noqa: PLC0415 - as above
            from mnemolog.language import analysis  # noqa: PLC0415 - as above

            home, views, secret = self.log.path.parent, self.views, self.log.secret
            dimensions = self.embedder.dimensions
            store = vector_store.VectorStore(home, dimensions, self.notify)
            made_with = f"{analysis.VERSION}/{self._model}", dimensions, store
            self._parts = space_index.Parts(
                log=self.log,
                views=views,
                embedder=vector_store.RecentVectors(self.embedder, secret),
                secret=secret,
                store=store,
                bases=space_state.Bases(home, views.manifest, views.losses.holds, *made_with),
                analyzer=analysis.Analyzer(),
                notify=self.notify,
                indexing=self._indexing,
            )
            return self._parts

    @cached_property
    def judge(self) -> Judge:
        """Judge of contradictions: the caller's, or the built-in one."""
        from mnemolog.indexes.cross_encoder import built_in  # noqa: PLC0415 - as below
        from mnemolog.policies.contradictions.fitted import FittedJudge  # noqa: PLC0415 - 60 ms

        return FittedJudge(built_in("pairs").outputs)

    @cached_property
    def summarizer(self) -> Summarizer:
        """Summarizer of faded memories: the caller's, or the built-in one."""
        from mnemolog.policies.retention import summaries  # noqa: PLC0415 - ticks only

        return summaries.ExtractiveSummarizer()

    @cached_property
    def note_reader(self) -> PairReader:
        """Reader of questions with notes: the built-in model."""
        return built_in_reader("notes", self._notify_once)

    @cached_property
    def plan_reader(self) -> PairReader:
        """Reader of options with notes: the built-in model."""
        return built_in_reader("plans", self._notify_once)

    def readers_by(self, setting: str) -> Readers:
        """Who reads the first hits again, by a setting; a caller's own reranker reads alone."""
        reads_notes = setting != OFF and self.reranker is None
        return Readers(self._reranker_by(setting), self.note_reader if reads_notes else None)

    def _reranker_by(self, setting: str) -> Reranker | None:
        """Reranker: the caller's, or the one of a setting; None, with a notice, if it fails."""
        with self._lock:
            if self.reranker is None and setting not in self._rerankers:
                try:
                    self._rerankers[setting] = named_reranker(setting)
                except InvalidField as error:
                    # The setting may be of the past, or of a folder that is on another disk.
                    told = f"{error.problem}; {error.fix}"
                    self._notify_once(f"recall goes on without its reranker: {told}")
            return self.reranker or self._rerankers.get(setting)

    def _notify_once(self, notice: str) -> None:
        if notice not in self.notices:
            self.notify(notice)

    def notify(self, notice: str) -> None:
        """Keep and log a notice for the user, such as the rebuild of a damaged file."""
        _logger.warning(notice)
        self.notices.append(notice)

    def index(self, space: str) -> SpaceIndex:
        """Index of a space."""
        if self._closed:
            raise errors.ClosedHandle("memory")
        from mnemolog.indexes.space_index import SpaceIndex  # noqa: PLC0415 - numpy

        with self._lock:
            return self._indexes.setdefault(space, SpaceIndex(space, self.parts))

    def head(self) -> Position:
        """Last position of the log, after the views have caught up with it."""
        return self.present()[0]

    def follow(self, appended: Sequence[Position] = ()) -> tuple[str, ...]:
        """Update the views after an append and verify the end of the log; return warnings."""
        try:
            head = max(appended, default=Position(0))
            if head <= self.views.reached().position:
                # A retry: its events were in the log, which goes on behind them.
                head = self._log_head().position
            damage = self._tail_check.damage(head)
            self.views.catch_up(head)
            for index in [*self._indexes.values()]:
                index.follow()
        except errors.LedgerError as error:
            # After an error, the caller would append the same event again.
            return (f"it is stored in the log, but cannot be answered from yet: {error}",)
        return () if damage is None else (f"it is stored behind damage: {damage}",)

    def present(self) -> tuple[Position, Micros]:
        """Last position of the log, after the views have caught up with it, and the instant now."""
        head = self._log_head()
        self.views.catch_up(head.position)
        # Not before the log's last event, even if the machine's clock is behind.
        return head.position, max(self.clock.now(), head.recorded_at)

    def _log_head(self) -> Head:
        """Head of the log; a notice tells of a restore that was finished to read it."""
        try:
            return self.log.head()
        finally:
            switched = self.log.switched
            if switched is not None and switched is not self._switch_told:
                # This process has finished a restore since it opened the home.
                self._switch_told = switched
                self.notify(_finished(self.path, switched))

    def close(self) -> None:
        """Finish pending writes and close every file."""
        if self._closed:
            return
        self._closed = True
        with ExitStack() as rest:
            # An error in one callback does not stop the others from closing.
            own = (self._own_model.unload, self._rerankers.clear, self.log.close, self.views.close)
            stores = () if self._parts is None else (self._parts.store.close,)
            for close in (*own, *stores, *(index.close for index in self._indexes.values())):
                rest.callback(close)


def _check_directory(path: Path, missing: Missing) -> None:
    if path.exists() and not path.is_dir():
        raise InvalidField("home", f"{path} is no directory", "name a directory")
    ledger = path / LEDGER
    # A decided restore replaces the log and removes derived files.
    if not switching.record_of(ledger).exists():
        if _has_derived_files(path):
            if not ledger.exists():
                raise errors.MissingLog(ledger)
            if ledger.stat().st_size == 0:
                # SQLite would start a new log in the file and delete its write-ahead log.
                raise CorruptLog("ledger.db is empty", 0)
        # Side files of a missing log hold its last events: opening the log reports them.
        if missing == "refuse" and is_missing(path):
            raise errors.MissingHome(path)
    path.mkdir(parents=True, exist_ok=True, mode=0o700)


def _keep_private(home: Path) -> None:
    """Make mnemolog's files in a home private; the directory itself may be the user's."""
    for path in [path for pattern in scratch.OWN for path in home.glob(pattern)]:
        # Files in a directory that was already private were not accessible to others.
        if files.make_private(path) and path.is_dir():
            files.make_tree_private(path)
    for path in [path for pattern in scratch.LOCKS for path in home.glob(pattern)]:
        # Other programs' files may have such names, but mnemolog's lock files are empty.
        with suppress(FileNotFoundError):
            if path.lstat().st_size == 0:
                files.make_private(path)


def _finished(home: Path, switch: switching.Switch) -> str:
    place = None if switch.kept is None else switching.kept_at(home, switch.kept)
    old = "there was none before" if place is None else f"{switching.kept_in(place)} is in {place}"
    return f"a restore that was interrupted is finished: the log is the restored one; {old}"


def _has_derived_files(path: Path) -> bool:
    return (path / "manifest").exists() or any(path.glob("views-*.db"))


def remove_for_erasure(home: Path, views: Views, bases: Bases) -> list[str]:
    """Remove all leftovers of dead processes; return where content may remain, with reasons.

    The name and a lock mark work in progress (see `ledger.scratch`); the manifest identifies
    rebuilds and replaced index bases. Opening the log finishes or removes restores.
    """
    swept, failed = _swept(home, views)
    failed += bases.remove_leftovers()
    in_use = [path for path in swept.live if path.name.startswith((RESTORING, REPLAYING))]
    return [*map(str, failed), *(f"{path}: another process works in it" for path in in_use)]


# What a dead process can leave, and how it is recognised. A lock marks work in progress: restores
# that have changed nothing yet, scratch homes, index bases and small files (`*.partial`). The
# manifest and the builder's lock identify rebuilds (`views-<generation>.db`) and replaced bases.
# Its name identifies a side file without its database, which is made first and removed last.
def _swept(home: Path, views: Views) -> tuple[scratch.Swept, list[StorageFailed]]:
    try:
        names = {path.name: path for path in home.iterdir()}
    except OSError as error:
        return scratch.Swept((), (), ()), [StorageFailed.from_os(error, home)]
    swept = scratch.sweep(path for name, path in names.items() if scratch.is_left_over(name))
    failed = [*swept.failed]
    try:
        views.generations.remove_leftovers()
    except OSError as error:
        failed.append(StorageFailed.from_os(error, home))
    for name, path in names.items():
        side_file = scratch.SIDE_FILE.fullmatch(name)
        # Check again: another process may have created the database since the listing.
        if side_file is None or (home / side_file[1]).exists():
            continue
        try:
            files.remove_file(path)
        except StorageFailed as error:
            failed.append(error)
    return swept, failed

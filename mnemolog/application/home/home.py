"""Home: the directory of a ledger, opened with its log and all derived files."""

from __future__ import annotations

import logging
import os
import threading
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import apsw

from mnemolog.application.home.leftovers import Removed, remove_at_opening
from mnemolog.application.home.session_store import SessionFile
from mnemolog.application.home.tail_checks import TailCheck
from mnemolog.indexes.embedder import Embedder, MiniLM
from mnemolog.indexes.tokens import TokenCounter, WordPieces
from mnemolog.ledger.clock import Clock, Micros, SystemClock
from mnemolog.ledger.errors import (
    ClosedHandle,
    CorruptLog,
    InvalidField,
    LedgerError,
    MissingHome,
    MissingLog,
    StorageFailed,
)
from mnemolog.ledger.files import (
    FileLock,
    checked_name,
    failures_of,
    make_private,
    make_tree_private,
)
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Durability
from mnemolog.ledger.scratch import LOCKS, OWN, is_made_at_opening
from mnemolog.ledger.sqlite.connections import UnlockedConnection
from mnemolog.ledger.sqlite.sqlite_log import SqliteLog
from mnemolog.ledger.sqlite.switching import Switch, kept_at, kept_in, record_of, side_files
from mnemolog.ledger.sqlite.tables import has_events
from mnemolog.projections.views import Views, all_projections

if TYPE_CHECKING:
    from mnemolog.indexes.bases import Bases
    from mnemolog.indexes.space_index import Parts, SpaceIndex
    from mnemolog.policies.contradictions.judge import Judge
    from mnemolog.policies.retention.summaries import Summarizer
    from mnemolog.projections.folding import Progress
    from mnemolog.recall.search.reranking import Reranker

_logger = logging.getLogger("mnemolog")
# The program that uses a library decides whether and where notices are printed.
_logger.addHandler(logging.NullHandler())
LEDGER = "ledger.db"
Missing = Literal["create", "refuse"]
"""What becomes of a home that is not there."""


def home_path(given: Path | str | None) -> Path:
    """Path of the home directory; `default_home()` for None.

    Raises `InvalidField` for an empty name, which `Path` would read as the working directory,
    and for a name that no file can have.
    """
    if given is None:
        return checked_name("home", default_home())
    if isinstance(given, str) and not given.strip():
        raise InvalidField("home", "is empty", "name a directory, or leave it out")
    return checked_name("home", Path(given))


def default_home() -> Path:
    """Default home: `$MNEMOLOG_HOME`, or else the platform's user data directory.

    An empty variable counts as unset.
    """
    given = os.environ.get("MNEMOLOG_HOME")
    if given:
        return Path(given)
    from platformdirs import user_data_path  # noqa: PLC0415 - only where no home is given

    return user_data_path("mnemolog", appauthor=False)


def is_missing(path: Path) -> bool:
    """True if the path holds no home and no part of one; an empty directory holds none."""
    ledger = path / LEDGER
    files = (record_of(ledger), ledger, *side_files(ledger))
    return not any(file.exists() and file.stat().st_size for file in files) and (
        not _has_derived_files(path)
    )


def discard_unused(path: Path) -> None:
    """Delete the files of a home that holds no events, no foreign files and has no other user.

    An empty home does no harm: files that the system refuses to delete stay.
    """
    ledger = path / LEDGER
    with (
        suppress(OSError, apsw.Error),
        closing(FileLock(ledger.with_name(f"{LEDGER}.lock"))) as lock,
    ):
        # Delete the log last: derived files without a log look like a home that lost its log.
        files = sorted(path.iterdir(), key=lambda file: file.name.startswith(LEDGER))
        made = all(is_made_at_opening(file.name) for file in files)
        if not made or side_files(ledger) or not lock.try_acquire():
            return
        with closing(UnlockedConnection.opened(ledger)) as log:
            if has_events(log):
                return
        for file in files:
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
    ) -> None:
        if missing not in get_args(Missing):
            raise InvalidField("missing", f"{missing!r} is unknown", "use create or refuse")
        ledger = path / LEDGER
        with failures_of(path):
            _check_directory(path, missing)
            _keep_private(path)
        self.path = path
        self.clock: Clock = clock or SystemClock()
        # A caller's embedder may serve other homes; this one is unloaded when the home is closed.
        self._own_model = MiniLM()
        self.embedder: Embedder = embedder or self._own_model
        self.reranker = reranker
        self.counter: TokenCounter = WordPieces()
        self._judge = judge
        self._summarizer = summarizer
        self.notices: list[str] = []
        self.unerased: tuple[str, ...] = ()
        """Where the last erasure could not remove everything, and why."""
        self.finished: tuple[Position, ...] = ()
        """Positions of redactions that this opening finished."""
        self._lock = threading.RLock()
        self._parts: Parts | None = None
        self._indexes: dict[str, SpaceIndex] = {}
        self.log = SqliteLog(ledger, clock=self.clock, durability=durability)
        with ExitStack() as undone:
            undone.callback(self.log.close)
            self._open_derived()
            undone.pop_all()
        self._tail = TailCheck(self.log)
        self._closed = False

    def _open_derived(self) -> None:
        """Open the files derived from the log, and report what the opening changed."""
        self._model = self.embedder.name
        self.views = Views(self.path, self.log, all_projections(self.log.secret), self.notify)
        self.sessions = SessionFile(self.path, self.clock, self.notify)
        removed = remove_at_opening(self.path, self.views, self._bases)
        self._switch_told = self.log.switched
        for notice in (
            *_about_restores(self.path, self.log, removed),
            *map(_left_over, removed.failed),
        ):
            self.notify(notice)

    @property
    def parts(self) -> Parts:
        """Shared parts of the indexes, opened on first use because they load numpy."""
        with self._lock:
            if self._parts is None:
                from mnemolog.application.home.index_parts import open_parts  # noqa: PLC0415 - numpy

                self._parts = open_parts(
                    self.log, self.views, self.embedder, self._model, self.notify
                )
            return self._parts

    @property
    def judge(self) -> Judge:
        """Judge of contradictions: the caller's, or the built-in rules."""
        if self._judge is None:
            from mnemolog.policies.contradictions.judge import RuleJudge  # noqa: PLC0415 - 60 ms

            self._judge = RuleJudge()
        return self._judge

    @property
    def summarizer(self) -> Summarizer:
        """Summarizer of faded memories: the caller's, or the built-in one."""
        if self._summarizer is None:
            from mnemolog.policies.retention.summaries import (  # noqa: PLC0415 - ticks only
                ExtractiveSummarizer,
            )

            self._summarizer = ExtractiveSummarizer()
        return self._summarizer

    def _bases(self) -> Bases:
        return self.parts.bases

    def notify(self, notice: str) -> None:
        """Keep and log a notice for the user, such as the rebuild of a damaged file."""
        _logger.warning(notice)
        self.notices.append(notice)

    def index(self, space: str) -> SpaceIndex:
        """Index of a space."""
        if self._closed:
            raise ClosedHandle("memory")
        from mnemolog.indexes.space_index import SpaceIndex  # noqa: PLC0415 - numpy

        with self._lock:
            return self._indexes.setdefault(space, SpaceIndex(space, self.parts))

    def rebuild_index(
        self, space: str, position: Position, progress: Progress | None = None
    ) -> int:
        """Rebuild the index of a space from the log; return the number of memories in it.

        A small index gets files only if it already had some. A process that needs them makes them.
        """
        index = self.index(space)
        listed = self.parts.bases.entry(space) is not None
        if listed:
            return len(index.rebuild(position, progress).columns)
        index.forget()
        return len(index.keep(position, progress).columns)

    def head(self) -> Position:
        """Last position of the log, after the views have caught up with it."""
        return self.present()[0]

    def follow(self) -> tuple[str, ...]:
        """Update the views to the log's head after an append; return warnings, not errors.

        One warning says that the views cannot be updated yet, another that the log is damaged
        shortly before its head. A caller that got an error would append the same event again.
        """
        try:
            damage = self._tail.damage()
            self.head()
        except LedgerError as error:
            return (f"it is stored in the log, but cannot be answered from yet: {error}",)
        return () if damage is None else (f"it is stored behind damage: {damage}",)

    def present(self) -> tuple[Position, Micros]:
        """Last position of the log, after the views have caught up with it, and the instant now.

        The instant is the clock's, but never before the log's last event. Otherwise new events
        would lie in the future on a machine whose clock is behind.
        """
        try:
            head = self.log.head()
        finally:
            self._tell_switch()
        self.views.catch_up(head.position)
        return head.position, max(self.clock.now(), head.recorded_at)

    def _tell_switch(self) -> None:
        """Notify of a restore that this process has finished since it opened the home."""
        switched = self.log.switched
        if switched is not None and switched is not self._switch_told:
            self._switch_told = switched
            self.notify(_finished(self.path, switched))

    def close(self) -> None:
        """Finish pending writes and close every file."""
        if self._closed:
            return
        self._closed = True
        with ExitStack() as rest:
            # An error in one callback does not stop the others from closing.
            rest.callback(self._own_model.unload)
            rest.callback(self.log.close)
            rest.callback(self.views.close)
            if self._parts is not None:
                rest.callback(self._parts.store.close)
            for index in self._indexes.values():
                rest.callback(index.close)


def _check_directory(path: Path, missing: Missing) -> None:
    """Create a home's directory if it does not exist, and check that derived files have a log."""
    if path.exists() and not path.is_dir():
        raise InvalidField("home", f"{path} is no directory", "name a directory")
    ledger = path / LEDGER
    # A decided restore replaces the log and removes derived files.
    if not record_of(ledger).exists():
        empty = not ledger.exists() or ledger.stat().st_size == 0
        if empty and _has_derived_files(path):
            if not ledger.exists():
                raise MissingLog(ledger)
            # SQLite would start a new log in the file and delete its write-ahead log.
            raise CorruptLog("ledger.db is empty", 0)
        # Side files of a missing log hold its last events: opening the log reports them.
        if missing == "refuse" and is_missing(path):
            raise MissingHome(path)
    path.mkdir(parents=True, exist_ok=True, mode=0o700)


def _keep_private(home: Path) -> None:
    """Make mnemolog's files in a home private; the directory itself may be the user's."""
    for path in [path for pattern in OWN for path in home.glob(pattern)]:
        # Files in a directory that was already private were not accessible to others.
        if make_private(path) and path.is_dir():
            make_tree_private(path)
    for path in [path for pattern in LOCKS for path in home.glob(pattern)]:
        # Other programs' files may have such names, but mnemolog's lock files are empty.
        with suppress(FileNotFoundError):
            if path.lstat().st_size == 0:
                make_private(path)


def _left_over(failed: StorageFailed) -> str:
    return f"left over, and cannot be removed: {failed}"


def _about_restores(home: Path, log: SqliteLog, removed: Removed) -> list[str]:
    """Notices of what the opening did about an interrupted restore."""
    if log.switched is not None:
        return [_finished(home, log.switched)]
    if log.withdrawn or removed.holds_restore():
        return ["a restore was interrupted before it changed anything: the log is as it was"]
    return []


def _finished(home: Path, switch: Switch) -> str:
    kept = switch.kept
    old = "there was none before"
    if kept is not None:
        place = kept_at(home, kept)
        old = f"{kept_in(place)} is in {place}"
    return f"a restore that was interrupted is finished: the log is the restored one; {old}"


def _has_derived_files(path: Path) -> bool:
    return (path / "manifest").exists() or any(path.glob("views-*.db"))

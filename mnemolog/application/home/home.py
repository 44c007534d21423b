"""Home: the directory of a ledger, opened with its log and all derived files."""

from __future__ import annotations

import logging
import os
import threading
from contextlib import ExitStack, closing, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import apsw

from mnemolog.application.home.leftovers import remove_at_opening
from mnemolog.application.home.session_store import SessionFile
from mnemolog.indexes.embedder import Embedder, MiniLM, TokenCounter, WordPieces
from mnemolog.ledger import errors
from mnemolog.ledger.clock import Clock, Micros, SystemClock
from mnemolog.ledger.errors import CorruptLog, InvalidField
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
from mnemolog.ledger.sqlite.verification import check_range
from mnemolog.projections.views import Views, all_projections

if TYPE_CHECKING:
    from mnemolog.indexes.space_index import Parts, SpaceIndex
    from mnemolog.policies.contradictions.judge import Judge
    from mnemolog.policies.retention.summaries import Summarizer
    from mnemolog.projections.folding import Progress
    from mnemolog.recall.search.search import Reranker

_logger = logging.getLogger("mnemolog")
# The program that uses a library decides whether and where notices are printed.
_logger.addHandler(logging.NullHandler())
LEDGER = "ledger.db"
_MOST_EVENTS, _MOST_BYTES = 500, 1 << 20
"""Limits of a tail check: 0.5 ms, where all of a large log takes seconds."""
_AGAIN = 32  # events that each later tail check covers once more, as other processes write as well
Missing = Literal["create", "refuse"]
"""Treatment of a home that does not exist."""


def home_path(given: Path | str | None) -> Path:
    """Path of the home directory; `default_home()` for None.

    Raises `InvalidField` for a name that is empty or that no file can have.
    """
    if given is None:
        return checked_name("home", default_home())
    if isinstance(given, str) and not given.strip():
        raise InvalidField("home", "is empty", "name a directory, or leave it out")
    return checked_name("home", Path(given))


def default_home() -> Path:
    """Default home: `$MNEMOLOG_HOME` unless empty, or else the platform's user data directory."""
    given = os.environ.get("MNEMOLOG_HOME")
    if given:
        return Path(given)
    from platformdirs import user_data_path  # noqa: PLC0415 - only where no home is given

    return user_data_path("mnemolog", appauthor=False)


def is_missing(path: Path) -> bool:
    """True if the path holds no home and no part of one; an empty directory holds none."""
    ledger = path / LEDGER
    files = (record_of(ledger), ledger, *side_files(ledger))
    held = any(file.exists() and file.stat().st_size for file in files)
    return not held and not _has_derived_files(path)


def discard_unused(path: Path) -> None:
    """Delete the files of a home that holds no events, no foreign files and has no other user."""
    ledger = path / LEDGER
    with suppress(OSError, apsw.Error), closing(FileLock(path / f"{LEDGER}.lock")) as lock:
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
        if judge is not None:
            self.judge = judge
        if summarizer is not None:
            self.summarizer = summarizer
        self.notices: list[str] = []
        # Where the last erasure could not remove everything, and why.
        self.unerased: tuple[str, ...] = ()
        # Positions of redactions that this opening finished.
        self.finished: tuple[Position, ...] = ()
        self._lock = threading.RLock()
        self._parts: Parts | None = None
        self._checked: Position | None = None
        self._closed = False
        self._indexes: dict[str, SpaceIndex] = {}
        self.log = SqliteLog(ledger, clock=self.clock, durability=durability)
        with ExitStack() as undone:
            undone.callback(self.log.close)
            self._open_derived()
            undone.pop_all()

    def _open_derived(self) -> None:
        self._model = self.embedder.name
        self.views = Views(self.path, self.log, all_projections(self.log.secret), self.notify)
        self.sessions = SessionFile(self.path, self.clock, self.notify)
        removed = remove_at_opening(self.path, self.views, lambda: self.parts.bases)
        self._switch_told = self.log.switched
        if self.log.switched is not None:
            self.notify(_finished(self.path, self.log.switched))
        elif self.log.withdrawn or removed.restore:
            told = "a restore was interrupted before it changed anything"
            self.notify(f"{told}: the log is as it was")
        for failed in removed.failed:
            self.notify(f"left over, and cannot be removed: {failed}")

    @property
    def parts(self) -> Parts:
        """Shared parts of the indexes, opened on first use because they load numpy."""
        with self._lock:
            if self._parts is None:
                self._parts = self._open_parts()
            return self._parts

    def _open_parts(self) -> Parts:
        from mnemolog.indexes import bases, space_index, vector_store  # noqa: PLC0415 - numpy
        from mnemolog.language import analysis  # noqa: PLC0415 - as above

        home, views, secret = self.log.path.parent, self.views, self.log.secret
        made_with = f"{analysis.VERSION}/{self._model}", self.embedder.dimensions
        return space_index.Parts(
            log=self.log,
            views=views,
            embedder=vector_store.RecentVectors(self.embedder, secret),
            secret=secret,
            store=vector_store.VectorStore(home, self.notify),
            bases=bases.Bases(home, views.manifest, views.losses.holds, *made_with),
            analyzer=analysis.Analyzer(),
            notify=self.notify,
        )

    @cached_property
    def judge(self) -> Judge:
        """Judge of contradictions: the caller's, or the built-in rules."""
        from mnemolog.policies.contradictions.judge import RuleJudge  # noqa: PLC0415 - 60 ms

        return RuleJudge()

    @cached_property
    def summarizer(self) -> Summarizer:
        """Summarizer of faded memories: the caller's, or the built-in one."""
        from mnemolog.policies.retention import summaries  # noqa: PLC0415 - ticks only

        return summaries.ExtractiveSummarizer()

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

    def rebuild_index(self, space: str, position: Position, progress: Progress | None) -> int:
        """Rebuild the index of a space from the log; a small one gets files only if it had some."""
        index = self.index(space)
        if self.parts.bases.entry(space) is not None:
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
            damage = self._damage()
            self.head()
        except errors.LedgerError as error:
            return (f"it is stored in the log, but cannot be answered from yet: {error}",)
        return () if damage is None else (f"it is stored behind damage: {damage}",)

    def _damage(self) -> CorruptLog | None:
        """First event after the last check, near the head, that does not verify; None if all do."""
        head = self.log.head().position
        news = _MOST_EVENTS if self._checked is None else max(head - self._checked, _AGAIN)
        first = self.log.first_of_last(head, min(news, _MOST_EVENTS), _MOST_BYTES)
        result = check_range(self.log, first, head)
        if result.bad_position is None:
            self._checked = head
            return None
        # The next check starts at the bad event and stops there.
        self._checked = Position(result.bad_position - 1)
        return CorruptLog(f"event {result.bad_position}: {result.problem}", self._checked)

    def present(self) -> tuple[Position, Micros]:
        """Last position of the log, after the views have caught up with it, and the instant now.

        The instant is the clock's, but never before the log's last event. Otherwise new events
        would lie in the future on a machine whose clock is behind.
        """
        try:
            head = self.log.head()
        finally:
            switched = self.log.switched
            if switched is not None and switched is not self._switch_told:
                # This process has finished a restore since it opened the home.
                self._switch_told = switched
                self.notify(_finished(self.path, switched))
        self.views.catch_up(head.position)
        return head.position, max(self.clock.now(), head.recorded_at)

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
                raise errors.MissingLog(ledger)
            # SQLite would start a new log in the file and delete its write-ahead log.
            raise CorruptLog("ledger.db is empty", 0)
        # Side files of a missing log hold its last events: opening the log reports them.
        if missing == "refuse" and is_missing(path):
            raise errors.MissingHome(path)
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


def _finished(home: Path, switch: Switch) -> str:
    old = "there was none before"
    if switch.kept is not None:
        place = kept_at(home, switch.kept)
        old = f"{kept_in(place)} is in {place}"
    return f"a restore that was interrupted is finished: the log is the restored one; {old}"


def _has_derived_files(path: Path) -> bool:
    return (path / "manifest").exists() or any(path.glob("views-*.db"))

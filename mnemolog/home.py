"""A home: the directory of a ledger, with the log and everything derived from it, open."""

from __future__ import annotations

import logging
import os
import threading
from contextlib import ExitStack
from pathlib import Path

from indexes.analysis import VERSION as ANALYSIS_VERSION
from indexes.analysis import Analyzer
from indexes.bases import Bases
from indexes.embedder import Embedder, MiniLM
from indexes.near_words import KnownWords
from indexes.recent_vectors import RecentVectors
from indexes.space_index import Parts, SpaceIndex
from indexes.tokens import TokenCounter, WordPieces
from indexes.vector_store import VectorStore
from ledger.clock import Clock, Micros, SystemClock
from ledger.errors import ClosedHandle, CorruptLog, InvalidField, MissingLog
from ledger.ids import Position
from ledger.log import Durability
from ledger.sqlite_log import SqliteLog
from mnemolog.session_file import SessionFile
from policies.contradictions import Judge, RuleJudge
from policies.summaries import ExtractiveSummarizer, Summarizer
from projections.views import Views, all_projections
from recall.reranking import Reranker

_logger = logging.getLogger("mnemolog")
# A library leaves it to the program whether and where its notices are printed.
_logger.addHandler(logging.NullHandler())
LEDGER = "ledger.db"


def default_home() -> Path:
    """`$MNEMOLOG_HOME`, or else the platform's directory for a user's data."""
    given = os.environ.get("MNEMOLOG_HOME")
    if given:
        return Path(given)
    from platformdirs import user_data_path  # noqa: PLC0415 - only where no home is given

    return user_data_path("mnemolog", appauthor=False)


class Home:
    """The open parts of one home, shared by a handle's threads.

    Raises `MissingLog` where derived files are left without their log.
    """

    def __init__(  # noqa: PLR0913 - a place, and the ports that a caller may fill, by name
        self,
        path: Path,
        *,
        clock: Clock | None = None,
        durability: Durability = Durability.DURABLE,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        judge: Judge | None = None,
        summarizer: Summarizer | None = None,
    ) -> None:
        if path.exists() and not path.is_dir():
            raise InvalidField("home", f"{path} is no directory", "name a directory")
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        ledger = path / LEDGER
        if _has_derived_files(path):
            if not ledger.exists():
                raise MissingLog(ledger)
            if ledger.stat().st_size == 0:
                # SQLite would begin a new log in it, and delete its write-ahead log.
                raise CorruptLog("ledger.db is empty", 0)
        self.path = path
        self.clock: Clock = clock or SystemClock()
        # What a caller brings may serve other homes as well; what is made here goes with it.
        self._own_model = MiniLM()
        self.embedder: Embedder = embedder or self._own_model
        self.reranker = reranker
        self.counter: TokenCounter = WordPieces()
        self.judge: Judge = judge or RuleJudge()
        self.summarizer: Summarizer = summarizer or ExtractiveSummarizer()
        self.notices: list[str] = []
        self.log = SqliteLog(ledger, clock=self.clock, durability=durability)
        self.views = Views(path, self.log, all_projections(self.log.secret), self.notify)
        made_with = f"{ANALYSIS_VERSION}/{self.embedder.name}"
        self.parts = Parts(
            log=self.log,
            views=self.views,
            embedder=RecentVectors(self.embedder, self.log.secret),
            secret=self.log.secret,
            store=VectorStore(path, self.notify),
            bases=Bases(path, self.views.manifest, made_with, self.embedder.dimensions),
            analyzer=Analyzer(),
            known_words=KnownWords(),
            notify=self.notify,
        )
        self.sessions = SessionFile(path, self.clock, self.notify)
        self._indexes: dict[str, SpaceIndex] = {}
        self._lock = threading.Lock()
        self._closed = False

    def notify(self, notice: str) -> None:
        """Keep and log what the user should know, such as a rebuild of a damaged file."""
        _logger.warning(notice)
        self.notices.append(notice)

    def index(self, space: str) -> SpaceIndex:
        """The index of a space."""
        if self._closed:
            raise ClosedHandle("memory")
        with self._lock:
            return self._indexes.setdefault(space, SpaceIndex(space, self.parts))

    def head(self) -> Position:
        """The log's last position, with the views brought up to it."""
        return self.present()[0]

    def present(self) -> tuple[Position, Micros]:
        """The log's last position, with the views brought up to it, and the instant.

        That is the clock's, but never before the log's last event: on a machine
        whose clock is behind, what was appended would else lie in the future.
        """
        head = self.log.head()
        self.views.catch_up(head.position)
        return head.position, max(self.clock.now(), head.recorded_at)

    def close(self) -> None:
        """Finish what is being written and close every file."""
        if self._closed:
            return
        self._closed = True
        with ExitStack() as rest:
            # Whatever one of them meets, the others are closed; the log last.
            rest.callback(self._own_model.unload)
            rest.callback(self.log.close)
            rest.callback(self.views.close)
            rest.callback(self.parts.store.close)
            for index in self._indexes.values():
                rest.callback(index.close)


def _has_derived_files(path: Path) -> bool:
    return (path / "manifest").exists() or any(path.glob("views-*.db"))

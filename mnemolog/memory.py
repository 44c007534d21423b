"""Memory, the library's interface: questions, commands, past moments, and groups of both."""

from __future__ import annotations

import builtins
import getpass
import secrets
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from mnemolog import application
from mnemolog.application.home.home import Home, Missing, home_path
from mnemolog.application.home.space import Author, Space, WritableSpace, cut_at, writable_space
from mnemolog.application.methods import Face, Threads, method, stream
from mnemolog.indexes.filters import Indexing
from mnemolog.ledger.clock import Clock, to_datetime
from mnemolog.ledger.ids import Position
from mnemolog.ledger.log import Durability
from mnemolog.policies.memories import checked_actor, checked_run, checked_space

if TYPE_CHECKING:
    from mnemolog.application.home.space import Cut
    from mnemolog.indexes.embedder import Embedder
    from mnemolog.policies.contradictions.judge import Judge
    from mnemolog.policies.retention.summaries import Summarizer
    from mnemolog.recall.search.reranking import Reranker

_OPENING_S = 0.5  # Seconds that `Memory.open` waits to finish pending redactions.


class Questions(Face[Threads]):
    """Questions that a memory answers, now or as of a past moment."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.home)!r}, space={self.space!r})"

    @property
    def space(self) -> str:
        """Name of the space."""
        return self._space.name

    @property
    def home(self) -> Path:
        """Directory of the ledger."""
        return self._space.home.path

    recall = method(lambda: application.recall)
    ask = method(lambda: application.ask)
    context = method(lambda: application.assemble_context)
    explore = method(lambda: application.explore)
    plan = method(lambda: application.plan)
    get = method(lambda: application.get_memory)
    list = method(lambda: application.list_memories)
    history = method(lambda: application.history_of)
    settings = method(lambda: application.read_settings)


class Commands(Questions[Threads]):
    """Commands that append events, in addition to the questions."""

    _space: WritableSpace

    def __init__(self, space: WritableSpace, threads: Threads) -> None:
        super().__init__(space, threads)
        self.log = EventLog(space, threads)
        self.graph = Graph(space, threads)
        self.conflicts = Conflicts(space, threads)
        self.sessions = Sessions(space, threads)
        self.admission = Admissions(space, threads)
        self.inspect = Inspection(space, threads)
        self.upkeep = Upkeep(space, threads)

    remember = method(lambda: application.remember)
    remember_many = method(lambda: application.remember_many)
    import_memories = method(lambda: application.import_memories)
    correct = method(lambda: application.correct)
    supersede = method(lambda: application.supersede)
    withdraw = method(lambda: application.withdraw)
    undo = method(lambda: application.undo)
    preview_undo = method(lambda: application.preview_undo)
    redact = method(lambda: application.redact)
    pin = method(lambda: application.pin)
    unpin = method(lambda: application.unpin)
    use = method(lambda: application.use)
    configure = method(lambda: application.configure)
    diff = method(lambda: application.difference)

    @property
    def notices(self) -> builtins.list[str]:
        """Notices for the user, such as damage that was found and repaired."""
        return self._space.home.notices


class Memory(Commands[None]):
    """Memory: a space of a ledger, open for commands and questions; safe for several threads.

    Use it as a context manager, or call `close`. `log`, `graph`, `conflicts`, `sessions`,
    `admission`, `inspect` and `upkeep` group the less common methods.
    """

    def __init__(self, space: WritableSpace) -> None:
        super().__init__(space, None)

    @classmethod
    def open(  # noqa: PLR0913 - who, where and with what parts, all optional and by name
        cls,
        home: Path | str | None = None,
        space: str = "default",
        *,
        missing: Missing = "create",
        actor: str | None = None,
        run: str | None = None,
        durability: Durability = Durability.DURABLE,
        clock: Clock | None = None,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        judge: Judge | None = None,
        summarizer: Summarizer | None = None,
        indexing: Indexing = "foreground",
    ) -> Self:
        """Open a home; None is `$MNEMOLOG_HOME` or the user's default home.

        A missing home is created, or with `missing="refuse"` raises `MissingHome`. An empty
        directory is not a home. If the home cannot be written, only questions work.

        - `actor` (`user:NAME`, `agent:NAME`, `system:NAME`): author of the events.
        - `run`: session of the events, one conversation; default: a new one for this handle.
        - `reranker`: re-reads the best candidates of each recall; default: the space's setting.
        - `judge`: finds contradictions; default: the built-in rules.
        - `summarizer`: replaces faded texts; default: by some of their own sentences.
        - `indexing`: whether a question first embeds what waits for it, in the `foreground`, or
          answers from words and from what is embedded, while a thread embeds the rest in the
          `background`.

        Raises `MissingLog`, `CorruptLog`, `ForeignFormat` or `StorageFailed`.
        """
        author = Author(
            checked_space(space),
            checked_actor(f"user:{getpass.getuser()}" if actor is None else actor),
            secrets.token_hex(8) if run is None else checked_run(run),
        )
        parts = Home(
            home_path(home),
            missing=missing,
            clock=clock,
            durability=durability,
            embedder=embedder,
            reranker=reranker,
            judge=judge,
            summarizer=summarizer,
            indexing=indexing,
        )
        memory = cls(writable_space(parts, author))
        try:
            # A process that was killed during a redaction leaves it unfinished.
            pending = parts.log.pending_erasures()
            if pending and application.erase_with_notices(parts, (), timeout_s=_OPENING_S):
                parts.finished = tuple(pending)
        except BaseException:
            parts.close()
            raise
        return memory

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write the reported uses, finish pending writes and close all files."""
        try:
            self._space.uses.close()
        finally:
            self._space.home.close()

    def acting(
        self, space: str | None = None, *, actor: str | None = None, run: str | None = None
    ) -> Memory:
        """Handle on the same open home for another space, actor or run; None keeps this handle's.

        For programs that serve several at once: handles share files, indexes and the model.
        Closing the handle writes its uses; close the one that opened the home last.
        """
        author = Author(
            self.space if space is None else checked_space(space),
            self._space.author.actor if actor is None else checked_actor(actor),
            self._space.author.run if run is None else checked_run(run),
        )
        return _Acting(writable_space(self._space.home, author))

    def as_of(self, moment: int | datetime | str) -> Moment:
        """Questions answered as of a log position or a time; read-only."""
        return Moment(self._space.home, self.space, cut_at(self._space.home, moment))


class _Acting(Memory):
    """Handle on a home that another handle opened and closes."""

    def close(self) -> None:
        self._space.uses.close()


class PastQuestions(Questions[Threads]):
    """Questions as of a position of the log, on which "now" depends as well."""

    def __init__(self, home: Home, space: str, cut: Cut, threads: Threads) -> None:
        past = Space(home, checked_space(space), cut)
        super().__init__(past, threads)
        self._cut = cut
        self.log = LogQuestions(past, threads)
        self.graph = GraphQuestions(past, threads)
        self.conflicts = ConflictQuestions(past, threads)
        self.admission = AdmissionQuestions(past, threads)
        self.inspect = Inspection(past, threads)
        self.upkeep = UpkeepQuestions(past, threads)

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, position={self.position})"

    @property
    def position(self) -> Position:
        """Last log position that this moment includes."""
        return self._cut.position

    @property
    def instant(self) -> datetime:
        """Time that counts as now."""
        return to_datetime(self._cut.instant)


class Moment(PastQuestions[None]):
    """State of a memory at a position of its log; read-only.

    "Now" is the given time, or the recorded time of that position. `log`, `graph`,
    `conflicts`, `admission`, `inspect` and `upkeep` group the less common questions.
    """

    def __init__(self, home: Home, space: str, cut: Cut) -> None:
        super().__init__(home, space, cut, None)


class LogQuestions(Face[Threads]):
    """Questions about the log: its events."""

    events = stream(lambda: application.list_events)


class EventLog(LogQuestions[Threads]):
    """The log itself: its events, proofs and copies."""

    append = method(lambda: application.append_event)
    verify = method(lambda: application.verify_log)
    checkpoint = method(lambda: application.checkpoint)
    accept_loss = method(lambda: application.accept_loss)
    export_events = method(lambda: application.export_events)
    import_events = method(lambda: application.import_events)
    backup = method(lambda: application.back_up)


class GraphQuestions(Face[Threads]):
    """Questions about the graph: edges, and memories that go together."""

    links = method(lambda: application.list_links)
    associations = method(lambda: application.associations)


class Graph(GraphQuestions[Threads]):
    """Graph of memories and things: its edges, and the commands that make and end them."""

    link = method(lambda: application.link)
    unlink = method(lambda: application.unlink)


class ConflictQuestions(Face[Threads]):
    """Questions about conflicts between memories."""

    list = method(lambda: application.list_conflicts)


class Conflicts(ConflictQuestions[Threads]):
    """Conflicts between memories, and the commands that settle them."""

    settle = method(lambda: application.settle_conflict)
    settle_all = method(lambda: application.settle_conflicts)


class Sessions(Face[Threads]):
    """Recall sessions: votes on shown memories steer the next round, and teach later recalls."""

    start = method(lambda: application.recall_session_start)
    vote = method(lambda: application.recall_vote)
    resolve = method(lambda: application.recall_resolve)
    vote_once = method(lambda: application.vote_once)
    attend = method(lambda: application.attend)


class AdmissionQuestions(Face[Threads]):
    """Questions about the admission buffer."""

    buffer = method(lambda: application.list_buffer)


class Admissions(AdmissionQuestions[Threads]):
    """Admission: content that is stored only if it is relevant and new."""

    admit = method(lambda: application.admit)
    flush = method(lambda: application.flush)


class Inspection(Face[Threads]):
    """Inspection: all memories, their counts, and the persistence and strength of one."""

    everything = method(lambda: application.all_memories)
    find = method(lambda: application.find_memory)
    counts = method(lambda: application.count_memories)
    persistence = method(lambda: application.persistence_of)
    strength_curve = method(lambda: application.strength_curve)


class UpkeepQuestions(Face[Threads]):
    """Questions about the state of a space: health, due jobs, and operators against failures."""

    health = method(lambda: application.space_health)
    healths = method(lambda: application.health_of_spaces)
    schedule = method(lambda: application.upkeep_schedule)
    gate = method(lambda: application.propose_operator)


class Upkeep(UpkeepQuestions[Threads]):
    """Upkeep of a space and its home: ticks, uses, failures, consolidation, indexes, checks."""

    tick = method(lambda: application.tick)
    falling_due = method(lambda: application.falling_due)
    consolidate = method(lambda: application.consolidate)
    maintain = method(lambda: application.maintain)
    rebuild = method(lambda: application.rebuild)
    index = method(lambda: application.index)
    catch_up = method(lambda: application.catch_up)
    stats = method(lambda: application.stats)
    doctor = method(lambda: application.diagnose)
    use_shown = method(lambda: application.use_shown)
    write_uses = method(lambda: application.write_uses)
    report_failure = method(lambda: application.report_failure)

"""Memory: the library's interface, with commands that append events, and questions."""

from __future__ import annotations

import builtins
import getpass
import secrets
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from mnemolog import application
from mnemolog.application.home.home import Home, Missing, home_path
from mnemolog.application.home.space import Author, Space, WritableSpace, cut_at, writable_space
from mnemolog.application.home.uses import Use
from mnemolog.groups import Conflicts, EventLog, Graph, Sessions, Upkeep
from mnemolog.ledger.clock import Clock
from mnemolog.ledger.log import Durability
from mnemolog.methods import method
from mnemolog.moment import Moment, Questions
from mnemolog.policies.memories import checked_actor, checked_run, checked_space

if TYPE_CHECKING:
    from mnemolog.application.upkeep.diff import Diff
    from mnemolog.indexes.embedder import Embedder
    from mnemolog.policies.contradictions.judge import Judge
    from mnemolog.policies.retention.summaries import Summarizer
    from mnemolog.recall.search.reranking import Reranker

_OPENING_S = 0.5
"""Seconds that `Memory.open` waits to finish pending redactions."""


class Commands(Questions):
    """Commands that append events, in addition to the questions."""

    remember = method(lambda: application.remember)
    remember_many = method(lambda: application.remember_many)
    import_memories = method(lambda: application.import_memories)
    admit = method(lambda: application.admit)
    flush = method(lambda: application.flush)
    correct = method(lambda: application.correct)
    supersede = method(lambda: application.supersede)
    withdraw = method(lambda: application.withdraw)
    undo = method(lambda: application.undo)
    preview_undo = method(lambda: application.preview_undo)
    redact = method(lambda: application.redact)
    pin = method(lambda: application.pin)
    unpin = method(lambda: application.unpin)
    use = method(lambda: application.use)
    use_shown = method(lambda: application.use_shown)
    write_uses = method(lambda: application.write_uses)
    configure = method(lambda: application.configure)
    report_failure = method(lambda: application.report_failure)

    @property
    def notices(self) -> builtins.list[str]:
        """Notices for the user, such as damage that was found and repaired."""
        return self._space.home.notices


class Memory(Commands):
    """Memory: a space of a ledger, open for commands and questions; safe for several threads.

    Use it as a context manager, or call `close`. `notices` lists what the user should know,
    such as a derived file that was damaged and rebuilt. `log`, `graph`, `conflicts`, `sessions`
    and `upkeep` group the less common methods.
    """

    _space: WritableSpace

    def __init__(self, space: WritableSpace) -> None:
        super().__init__(space)
        self.log = EventLog(space)
        self.graph = Graph(space)
        self.conflicts = Conflicts(space)
        self.sessions = Sessions(space)
        self.upkeep = Upkeep(space)

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
    ) -> Self:
        """Open a home; None is `$MNEMOLOG_HOME` or the user's default home.

        A missing home is created; `missing="refuse"` raises `MissingHome` instead, for programs
        that only read. An empty directory is not a home. If the home cannot be written, only
        questions work.

        - `actor` (`user:NAME`, `agent:NAME`, `system:NAME`): author of the events.
        - `run`: session of the events; default: a new one for this handle. Memories of one run
          count as one conversation, in order.
        - `reranker`: re-reads the best candidates of each recall; default: the space's setting.
        - `judge`: finds contradictions; default: the built-in rules.
        - `summarizer`: writes the summary that replaces a faded text; default: some of the
          text's own sentences.

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
        )
        memory = cls(_writable(parts, author))
        try:
            _go_on_erasing(parts)
        except BaseException:
            parts.close()
            raise
        return memory

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
        Closing the handle writes the uses reported through it. The home stays open until the
        handle that opened it is closed; close that one last.
        """
        author = Author(
            self.space if space is None else checked_space(space),
            self._space.author.actor if actor is None else checked_actor(actor),
            self._space.author.run if run is None else checked_run(run),
        )
        return _Acting(_writable(self._space.home, author))

    def as_of(self, moment: int | datetime | str) -> Moment:
        """Questions answered as of a log position or a time; read-only."""
        return Moment(self._space.home, self.space, cut_at(self._space.home, moment))

    def diff(self, a: int | datetime | str, b: int | datetime | str) -> Diff:
        """Differences of this space between two moments."""
        return application.difference(self._at(a), self._at(b))

    def _at(self, moment: int | datetime | str) -> Space:
        return self._space.at(cut_at(self._space.home, moment))


def _writable(home: Home, author: Author) -> WritableSpace:
    def record(space: WritableSpace, uses: Sequence[Use]) -> None:
        application.record_uses(space, uses)

    return writable_space(home, author, record)


def _go_on_erasing(home: Home) -> None:
    """Finish redactions that were interrupted."""
    pending = home.log.pending_erasures()
    if pending and application.erase_and_tell(home, (), timeout_s=_OPENING_S):
        home.finished = tuple(pending)


class _Acting(Memory):
    """Handle on a home that another handle opened and closes."""

    def close(self) -> None:
        self._space.uses.close()

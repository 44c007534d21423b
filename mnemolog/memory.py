"""The library's face: commands that append events, and questions to what they come to."""

from __future__ import annotations

import builtins
import getpass
import secrets
from asyncio import get_running_loop
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial, wraps
from pathlib import Path
from types import TracebackType
from typing import ParamSpec, Self

from mnemolog.application.admission.admit import admit, flush
from mnemolog.application.commands.memory_state import configure, pin, unpin, withdraw
from mnemolog.application.commands.redact import redact
from mnemolog.application.commands.report_failure import report_failure
from mnemolog.application.commands.undo import preview_undo, undo
from mnemolog.application.home.home import Home, Missing, home_path
from mnemolog.application.home.space import Author, Space, WritableSpace, cut_at
from mnemolog.application.redaction.redact import erase_and_tell
from mnemolog.application.retention.use import use, use_shown, writable_space, write_uses
from mnemolog.application.storing.correct import correct
from mnemolog.application.storing.remember import (
    import_memories,
    remember,
    remember_many,
    supersede,
)
from mnemolog.application.upkeep.diff import Diff, difference
from mnemolog.groups import (
    AsyncConflicts,
    AsyncGraph,
    AsyncLog,
    AsyncSessions,
    AsyncUpkeep,
    Conflicts,
    Graph,
    Log,
    Sessions,
    Upkeep,
)
from mnemolog.indexes.embedder import Embedder
from mnemolog.ledger.clock import Clock
from mnemolog.ledger.log import Durability
from mnemolog.methods import AsyncFace, method
from mnemolog.moment import AsyncMoment, Moment, Questions
from mnemolog.policies.contradictions.judge import Judge
from mnemolog.policies.memories import (
    checked_actor,
    checked_run,
    checked_space,
)
from mnemolog.policies.retention.summaries import Summarizer
from mnemolog.recall.search.reranking import Reranker

_P = ParamSpec("_P")

_THREADS = 4
"""So many calls of an `AsyncMemory` run at once."""

_OPENING_S = 0.5
"""How long an opening waits for what keeps a redaction from its end."""


class Commands(Questions):
    """Commands that append events, beside the questions."""

    remember = method(remember)
    remember_many = method(remember_many)
    import_memories = method(import_memories)
    admit = method(admit)
    flush = method(flush)
    correct = method(correct)
    supersede = method(supersede)
    withdraw = method(withdraw)
    undo = method(undo)
    preview_undo = method(preview_undo)
    redact = method(redact)
    pin = method(pin)
    unpin = method(unpin)
    use = method(use)
    use_shown = method(use_shown)
    write_uses = method(write_uses)
    configure = method(configure)
    report_failure = method(report_failure)

    @property
    def notices(self) -> builtins.list[str]:
        """What the user should know: what was damaged, and what was done about it."""
        return self._space.home.notices


class Memory(Commands):
    """One space of a ledger, open for commands and questions; safe for several threads.

    Use it as a context manager, or call `close`. `notices` tells what the user
    should know, such as a derived file that was damaged and rebuilt.
    """

    _space: WritableSpace

    def __init__(self, space: WritableSpace) -> None:
        super().__init__(space)
        self.log = Log(space)
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
        """Open a home; None is `$MNEMOLOG_HOME` or the user's own.

        A home that is not there is created; with `missing="refuse"` it is not, as suits
        a program that only asks, and `MissingHome` is raised. An empty directory is none.
        `actor` (`user:NAME`, `agent:NAME`, `system:NAME`) is who causes events.
        `run` is the session that they belong to, by default one of this
        handle's own: what is remembered in one run counts as one talk, in
        order. `reranker` reads the best candidates of each recall once more; without
        one the space's setting decides. `judge` finds contradictions; by default the
        built-in rules do. `summarizer` makes what stands for a text that has faded; by
        default some of its own sentences do. A home that cannot be written is open for
        questions alone. Raises `MissingLog`, `CorruptLog`, `ForeignFormat`, `StorageFailed`.
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
        memory = cls(writable_space(parts, author))
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
        """Write what was reported as used, finish what is being written, close every file."""
        try:
            self._space.uses.close()
        finally:
            self._space.home.close()

    def acting(
        self, space: str | None = None, *, actor: str | None = None, run: str | None = None
    ) -> Memory:
        """A handle on the same open home for another space, actor or run; None is this one's.

        For a program that serves several at once: files, indexes and the model are
        shared. Closing it writes what was reported as used through it; the home stays
        open until the handle that opened it is closed, which is to be the last.
        """
        author = Author(
            self.space if space is None else checked_space(space),
            self._space.author.actor if actor is None else checked_actor(actor),
            self._space.author.run if run is None else checked_run(run),
        )
        return _Acting(writable_space(self._space.home, author))

    def as_of(self, moment: int | datetime | str) -> Moment:
        """The same questions, answered as of a log position or a time; read-only."""
        return Moment(self._space.home, self.space, cut_at(self._space.home, moment))

    def diff(self, a: int | datetime | str, b: int | datetime | str) -> Diff:
        """What changed in this space between two moments."""
        return difference(self._at(a), self._at(b))

    def _at(self, moment: int | datetime | str) -> Space:
        return self._space.at(cut_at(self._space.home, moment))


def _go_on_erasing(home: Home) -> None:
    """Take up the redactions that could not be finished before."""
    pending = home.log.pending_erasures()
    if pending and erase_and_tell(home, (), timeout_s=_OPENING_S):
        home.finished = tuple(pending)


class _Acting(Memory):
    """A handle on a home that another handle opened, and closes."""

    def close(self) -> None:
        self._space.uses.close()


def _opening(open_memory: Callable[_P, Memory]) -> Callable[_P, _Opening]:
    @wraps(open_memory)
    def opening(*args: _P.args, **kwargs: _P.kwargs) -> _Opening:
        return _Opening(partial(open_memory, *args, **kwargs))

    return opening


class AsyncMemory(AsyncFace, Commands):
    """`Memory` by coroutines, which run in threads so that nothing else waits for them.

        async with AsyncMemory.open("notes") as memory:
            await memory.remember("Dana prefers green tea", source="user:dana")
            print((await memory.recall("what does Dana drink?")).hits[0].content)

    `await AsyncMemory.open(…)` gives one as well, to be closed by `await memory.close()`.
    """

    def __init__(self, memory: Memory, threads: ThreadPoolExecutor) -> None:
        super().__init__(memory._space, threads)  # noqa: SLF001 - the same memory
        self._memory = memory
        self._executor = threads
        self.log = AsyncLog(self._space, threads)
        self.graph = AsyncGraph(self._space, threads)
        self.conflicts = AsyncConflicts(self._space, threads)
        self.sessions = AsyncSessions(self._space, threads)
        self.upkeep = AsyncUpkeep(self._space, threads)

    open = staticmethod(_opening(Memory.open))

    async def close(self) -> None:
        """Write what was reported as used, finish what is being written, close every file."""
        try:
            await self._in_thread(self._memory.close)
        finally:
            self._executor.shutdown(wait=False)

    async def as_of(self, moment: int | datetime | str) -> AsyncMoment:
        """The same questions, answered as of a log position or a time; read-only."""
        past = await self._in_thread(lambda: self._memory.as_of(moment))
        return AsyncMoment(past, self._threads)

    async def diff(self, a: int | datetime | str, b: int | datetime | str) -> Diff:
        """What changed in this space between two moments."""
        return await self._in_thread(lambda: self._memory.diff(a, b))


class _Opening:
    """Opening of an `AsyncMemory`: to be awaited, or used by `async with`."""

    def __init__(self, open_memory: Callable[[], Memory]) -> None:
        self._open = open_memory
        self._opened: AsyncMemory | None = None

    def __await__(self) -> Generator[object, None, AsyncMemory]:
        return self._begin().__await__()

    async def __aenter__(self) -> AsyncMemory:
        self._opened = await self._begin()
        return self._opened

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._opened is not None:
            await self._opened.close()

    async def _begin(self) -> AsyncMemory:
        threads = ThreadPoolExecutor(_THREADS, "mnemolog")
        try:
            memory = await get_running_loop().run_in_executor(threads, self._open)
        except BaseException:
            threads.shutdown(wait=False)
            raise
        return AsyncMemory(memory, threads)

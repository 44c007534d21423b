"""The memory for asyncio: every method a coroutine that runs in a thread."""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import Callable, Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import datetime
from functools import partial, wraps
from types import TracebackType
from typing import ParamSpec

from mnemolog.application.upkeep.diff import Diff
from mnemolog.groups import (
    ConflictQuestions,
    Conflicts,
    EventLog,
    Graph,
    GraphQuestions,
    LogQuestions,
    Sessions,
    Upkeep,
    UpkeepQuestions,
)
from mnemolog.memory import Commands, Memory
from mnemolog.methods import AsyncFace
from mnemolog.moment import Moment, Questions

_P = ParamSpec("_P")

_THREADS = 4
"""So many calls of an `AsyncMemory` run at once."""


class AsyncLogQuestions(AsyncFace, LogQuestions):
    """`LogQuestions` by coroutines."""


class AsyncLog(AsyncFace, EventLog):
    """`EventLog` by coroutines."""


class AsyncGraphQuestions(AsyncFace, GraphQuestions):
    """`GraphQuestions` by coroutines."""


class AsyncGraph(AsyncFace, Graph):
    """`Graph` by coroutines."""


class AsyncConflictQuestions(AsyncFace, ConflictQuestions):
    """`ConflictQuestions` by coroutines."""


class AsyncConflicts(AsyncFace, Conflicts):
    """`Conflicts` by coroutines."""


class AsyncSessions(AsyncFace, Sessions):
    """`Sessions` by coroutines."""


class AsyncUpkeepQuestions(AsyncFace, UpkeepQuestions):
    """`UpkeepQuestions` by coroutines."""


class AsyncUpkeep(AsyncFace, Upkeep):
    """`Upkeep` by coroutines."""


class AsyncMoment(AsyncFace, Questions):
    """`Moment` by coroutines."""

    def __init__(self, moment: Moment, threads: Executor) -> None:
        super().__init__(moment._space, threads)  # noqa: SLF001 - the same moment
        self.position = moment.position
        self.instant = moment.instant
        self.log = AsyncLogQuestions(self._space, threads)
        self.graph = AsyncGraphQuestions(self._space, threads)
        self.conflicts = AsyncConflictQuestions(self._space, threads)
        self.upkeep = AsyncUpkeepQuestions(self._space, threads)


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
        """Changes of this space between two moments."""
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

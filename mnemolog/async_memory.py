"""The memory for asyncio: every method a coroutine that runs in a thread."""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import Callable, Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import datetime
from functools import partial, wraps
from typing import ParamSpec

from mnemolog import memory as sync
from mnemolog.application.methods import AsyncFace
from mnemolog.application.upkeep.diff import Diff
from mnemolog.memory import Commands, Memory, Moment, Questions

_P = ParamSpec("_P")

_THREADS = 4
"""So many calls of an `AsyncMemory` run at once."""


# The groups of `Memory` and `Moment` by coroutines.
class _AsyncLogQuestions(AsyncFace, sync.LogQuestions): ...


class _AsyncLog(AsyncFace, sync.EventLog): ...


class _AsyncGraphQuestions(AsyncFace, sync.GraphQuestions): ...


class _AsyncGraph(AsyncFace, sync.Graph): ...


class _AsyncConflictQuestions(AsyncFace, sync.ConflictQuestions): ...


class _AsyncConflicts(AsyncFace, sync.Conflicts): ...


class _AsyncSessions(AsyncFace, sync.Sessions): ...


class _AsyncAdmissionQuestions(AsyncFace, sync.AdmissionQuestions): ...


class _AsyncAdmissions(AsyncFace, sync.Admissions): ...


class _AsyncInspection(AsyncFace, sync.Inspection): ...


class _AsyncUpkeepQuestions(AsyncFace, sync.UpkeepQuestions): ...


class _AsyncUpkeep(AsyncFace, sync.Upkeep): ...


class AsyncMoment(AsyncFace, Questions):
    """`Moment` by coroutines."""

    def __init__(self, moment: Moment, threads: Executor) -> None:
        super().__init__(moment._space, threads)  # noqa: SLF001 - the same moment
        self.position = moment.position
        self.instant = moment.instant
        self.log = _AsyncLogQuestions(self._space, threads)
        self.graph = _AsyncGraphQuestions(self._space, threads)
        self.conflicts = _AsyncConflictQuestions(self._space, threads)
        self.admission = _AsyncAdmissionQuestions(self._space, threads)
        self.inspect = _AsyncInspection(self._space, threads)
        self.upkeep = _AsyncUpkeepQuestions(self._space, threads)


class _Opening:
    """Opening of an `AsyncMemory`: to be awaited, or used by `async with`."""

    def __init__(self, open_memory: Callable[[], Memory]) -> None:
        self._open = open_memory
        self._opened: AsyncMemory | None = None

    def __await__(self) -> Generator[object, None, AsyncMemory]:
        return self.__aenter__().__await__()

    async def __aenter__(self) -> AsyncMemory:
        threads = ThreadPoolExecutor(_THREADS, "mnemolog")
        try:
            memory = await get_running_loop().run_in_executor(threads, self._open)
        except BaseException:
            threads.shutdown(wait=False)
            raise
        self._opened = AsyncMemory(memory, threads)
        return self._opened

    async def __aexit__(self, *_: object) -> None:
        if self._opened is not None:
            await self._opened.close()


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
        self.log = _AsyncLog(self._space, threads)
        self.graph = _AsyncGraph(self._space, threads)
        self.conflicts = _AsyncConflicts(self._space, threads)
        self.sessions = _AsyncSessions(self._space, threads)
        self.admission = _AsyncAdmissions(self._space, threads)
        self.inspect = _AsyncInspection(self._space, threads)
        self.upkeep = _AsyncUpkeep(self._space, threads)

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

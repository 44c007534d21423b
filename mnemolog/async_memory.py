"""The memory for asyncio: every method a coroutine that runs in a thread."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import datetime
from functools import partial, wraps
from typing import ParamSpec

from mnemolog.application.home.space import cut_at
from mnemolog.application.methods import in_thread
from mnemolog.memory import Commands, Memory, PastQuestions

_P = ParamSpec("_P")
_THREADS = 4  # So many calls of an `AsyncMemory` run at once.


class AsyncMoment(PastQuestions[Executor]):
    """`Moment` by coroutines."""


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
            memory = await in_thread(threads, self._open)
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


class AsyncMemory(Commands[Executor]):
    """`Memory` by coroutines, which run in threads so that nothing else waits for them.

        async with AsyncMemory.open("notes") as memory:
            await memory.remember("Dana prefers green tea", source="user:dana")
            print((await memory.recall("what does Dana drink?")).hits[0].content)

    `await AsyncMemory.open(…)` gives one as well, to be closed by `await memory.close()`.
    """

    def __init__(self, memory: Memory, threads: Executor) -> None:
        super().__init__(memory._space, threads)  # noqa: SLF001 - the same memory
        self._memory = memory

    open = staticmethod(_opening(Memory.open))

    async def close(self) -> None:
        """Write what was reported as used, finish what is being written, close every file."""
        try:
            await in_thread(self._threads, self._memory.close)
        finally:
            self._threads.shutdown(wait=False)

    async def as_of(self, moment: int | datetime | str) -> AsyncMoment:
        """The same questions, answered as of a log position or a time; read-only."""
        home = self._space.home
        cut = await in_thread(self._threads, lambda: cut_at(home, moment))
        return AsyncMoment(home, self.space, cut, self._threads)

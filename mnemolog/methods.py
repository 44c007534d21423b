"""Methods of a face, made from functions whose first argument is a space.

`Memory`, `Moment` and their groups list what a user can call; the functions, with their
documentation, stand in the application, each beside what it needs. On an asynchronous face
the same methods are coroutines that run in a thread.
"""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Executor
from functools import partial, wraps
from inspect import Parameter, signature
from itertools import islice
from typing import Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from mnemolog.application.home.space import Space

_P = ParamSpec("_P")
_S = TypeVar("_S", bound=Space)
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)

_PAGE = 256
"""So many values of an iterator are fetched at once, while other coroutines may run."""


class Face:
    """Face of a space: an object whose methods are functions of that space."""

    def __init__(self, space: Space) -> None:
        self._space = space


class AsyncFace(Face):
    """Face whose methods are coroutines: their functions run in the threads of an executor."""

    def __init__(self, space: Space, threads: Executor) -> None:
        super().__init__(space)
        self._threads = threads

    async def _in_thread(self, call: Callable[[], _R]) -> _R:
        return await get_running_loop().run_in_executor(self._threads, call)

    async def _paged(self, call: Callable[[], Iterator[_R]]) -> AsyncIterator[_R]:
        values = await self._in_thread(call)
        while page := await self._in_thread(lambda: list(islice(values, _PAGE))):
            for value in page:
                yield value


class Method(Protocol[_P, _R_co]):
    """Method as a type checker sees it: it takes what the function takes after the space."""

    @overload
    def __get__(self, face: AsyncFace, owner: type) -> Callable[_P, Awaitable[_R_co]]: ...
    @overload
    def __get__(self, face: object, owner: type) -> Callable[_P, _R_co]: ...


class Stream(Protocol[_P, _R_co]):
    """Method that gives an iterator, as a type checker sees it."""

    @overload
    def __get__(self, face: AsyncFace, owner: type) -> Callable[_P, AsyncIterator[_R_co]]: ...
    @overload
    def __get__(self, face: object, owner: type) -> Callable[_P, Iterator[_R_co]]: ...


def method(function: Callable[Concatenate[_S, _P], _R]) -> Method[_P, _R]:
    """Method that calls a function with the space of its face."""
    return cast("Method[_P, _R]", _bound(function, AsyncFace._in_thread))  # noqa: SLF001


def stream(function: Callable[Concatenate[_S, _P], Iterator[_R]]) -> Stream[_P, _R]:
    """Method that iterates over what a function yields, called with the space of its face."""
    return cast("Stream[_P, _R]", _bound(function, AsyncFace._paged))  # noqa: SLF001


def _bound(
    function: Callable[Concatenate[_S, _P], _R],
    run: Callable[[AsyncFace, Callable[[], _R]], object],
) -> Callable[..., object]:
    @wraps(function)
    def call(self: Face, *args: _P.args, **kwargs: _P.kwargs) -> object:
        bound = partial(function, cast("_S", self._space), *args, **kwargs)
        return run(self, bound) if isinstance(self, AsyncFace) else bound()

    own = signature(function)
    first, *others = own.parameters.values()
    # `help` and `inspect` show it: with `self` in the place of the space.
    shown = own.replace(
        parameters=[first.replace(name="self", annotation=Parameter.empty), *others]
    )
    call.__dict__["__signature__"] = shown
    return call

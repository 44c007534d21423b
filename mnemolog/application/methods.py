"""Methods of a face, made from functions whose first argument is a space.

`Memory`, `Moment` and their groups list what a user can call; the functions, with their
documentation, are in the application. On an asynchronous face the methods are coroutines.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import cached_property, partial, wraps
from inspect import Parameter, signature
from itertools import islice
from types import MethodType
from typing import TYPE_CHECKING, Concatenate, Generic, ParamSpec, Protocol, TypeVar, cast, overload

from mnemolog.application.home.space import Space

if TYPE_CHECKING:
    from concurrent.futures import Executor

_P = ParamSpec("_P")
_S = TypeVar("_S", bound=Space)
_R = TypeVar("_R")
_Result_co = TypeVar("_Result_co", covariant=True)
_Awaited_co = TypeVar("_Awaited_co", covariant=True)
Threads = TypeVar("Threads", bound="Executor | None")
_PAGE = 256  # So many values of an iterator are fetched at once, while other coroutines may run.


class Face(Generic[Threads]):
    """Face of a space: its methods are functions of that space, or coroutines that use threads."""

    def __init__(self, space: Space, threads: Threads) -> None:
        self._space = space
        self._threads = threads


async def in_thread(threads: Executor, call: Callable[[], _R]) -> _R:
    """Result of a call that runs in one of these threads."""
    from asyncio import get_running_loop  # noqa: PLC0415 - not for a memory without it

    return await get_running_loop().run_in_executor(threads, call)


async def _paged(threads: Executor, call: Callable[[], Iterator[_R]]) -> AsyncIterator[_R]:
    values = await in_thread(threads, call)
    while page := await in_thread(threads, lambda: list(islice(values, _PAGE))):
        for value in page:
            yield value


class Method(Protocol[_P, _Result_co, _Awaited_co]):
    """Method as a type checker sees it: it takes what the function takes after the space."""

    @overload
    def __get__(self, face: Face[Executor], owner: type) -> Callable[_P, _Awaited_co]: ...
    @overload
    def __get__(self, face: Face[None] | None, owner: type) -> Callable[_P, _Result_co]: ...


def method(
    load: Callable[[], Callable[Concatenate[_S, _P], _R]],
) -> Method[_P, _R, Coroutine[object, object, _R]]:
    """Method that calls a function, loaded when it is first asked for, with the face's space."""
    return cast("Method[_P, _R, Coroutine[object, object, _R]]", _Loaded(load, in_thread))


def stream(
    load: Callable[[], Callable[Concatenate[_S, _P], Iterator[_R]]],
) -> Method[_P, Iterator[_R], AsyncIterator[_R]]:
    """Method that iterates over what such a function yields."""
    return cast("Method[_P, Iterator[_R], AsyncIterator[_R]]", _Loaded(load, _paged))


class _Loaded(Generic[_S, _P, _R]):
    def __init__(
        self,
        load: Callable[[], Callable[Concatenate[_S, _P], _R]],
        run: Callable[[Executor, Callable[[], _R]], object],
    ) -> None:
        self._load = load
        self._run = run

    def __get__(self, face: object, owner: type) -> Callable[..., object]:
        return self._method if face is None else MethodType(self._method, face)

    @cached_property
    def _method(self) -> Callable[..., object]:
        function, run = self._load(), self._run

        @wraps(function)
        def call(self: Face[Threads], *args: _P.args, **kwargs: _P.kwargs) -> object:
            bound = partial(function, cast("_S", self._space), *args, **kwargs)
            return bound() if self._threads is None else run(self._threads, bound)

        first, *others = signature(function).parameters.values()
        # `help` and `inspect` show it: with `self` in the place of the space.
        first = first.replace(name="self", annotation=Parameter.empty)
        call.__dict__["__signature__"] = signature(function).replace(parameters=[first, *others])
        return call

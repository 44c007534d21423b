"""Methods of a face, made from functions whose first argument is a space.

`Memory` and `Moment` list what a user can call; the functions, with their documentation,
stand in the application, each beside what it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from mnemolog.application.home.space import Space

_P = ParamSpec("_P")
_S = TypeVar("_S", bound=Space)
_S_co = TypeVar("_S_co", bound=Space, covariant=True)
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)


class Face(Protocol[_S_co]):
    """Face of a space: what a user holds."""

    @property
    def _space(self) -> _S_co: ...


class Method(Protocol[_P, _R_co]):
    """Method as a type checker sees it: bound, it takes what the function takes after the space."""

    @overload
    def __get__(self, face: None, owner: type) -> Callable[..., _R_co]: ...
    @overload
    def __get__(self, face: object, owner: type) -> Callable[_P, _R_co]: ...


def method(function: Callable[Concatenate[_S, _P], _R]) -> Method[_P, _R]:
    """Method that calls a function with the space of its face."""

    @wraps(function)
    def call(self: Face[_S], *args: _P.args, **kwargs: _P.kwargs) -> _R:
        return function(self._space, *args, **kwargs)

    own = signature(function)
    first, *others = own.parameters.values()
    shown = own.replace(parameters=[first.replace(name="self"), *others])
    # `help` and `inspect` read it.
    call.__dict__["__signature__"] = shown
    return cast("Method[_P, _R]", call)

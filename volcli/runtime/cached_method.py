"""Methods whose answer to the same arguments is found once, as `cached_property` is for what takes none.

    @cached_method
    def root(self, value: SSAValue) -> Root: ...

An answer is kept with its object, in the place of the method: to ask again costs a look-up and no call of
Python. An exception is not kept, and neither is an answer that is sought while it is being found.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, cast, overload

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")


class cached_method(Generic[S, P, R]):  # noqa: N801
    """A method with hashable arguments, of a class whose objects have a `__dict__`."""

    def __init__(self, find: Callable[Concatenate[S, P], R]) -> None:
        self._find = find
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, found: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(self, found: S, owner: type[Any]) -> Callable[P, R]: ...
    def __get__(self, found: S | None, owner: type[Any]) -> Self | Callable[P, R]:
        if found is None:
            return self
        known = cast("Callable[P, R]", cache(MethodType(self._find, found)))
        found.__dict__[self._find.__name__] = known
        return known

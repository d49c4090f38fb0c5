"""Methods whose answer to the same arguments is found once, as `cached_property` is for what takes none.

    @cached_method
    def root(self, value: SSAValue) -> Root: ...

An answer is kept with its object, in the place of the method: to ask again costs a look-up and no call of
Python. An exception is not kept, and neither is an answer that is sought while it is being found.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def cached_method(find: Callable[Concatenate[Any, P], R]) -> cached_property[Callable[P, R]]:
    """FIND as a method, with hashable arguments, of a class whose objects have a `__dict__`."""
    answers = cached_property[Callable[P, R]](
        lambda owner: cast("Callable[P, R]", cache(partial(find, owner)))
    )
    answers.__doc__ = find.__doc__
    return answers

"""While nothing changes a program, what is asked of its operations again is as it was.

An analysis asks of a loop ten times what it runs through, and goes through a function as often. Within
`unchanged` both are found out once. Outside of it nothing is kept: a rewriting may change any operation.

>>> from xdsl.dialects.builtin import ModuleOp
>>> module = ModuleOp([])
>>> with unchanged():
...     operations_in(module) is operations_in(module)
True

An object whose methods answer from what never changes keeps the answers of a `cached_method`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Hashable, Sequence
from contextlib import contextmanager
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, cast, overload

from xdsl.ir import Operation

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class _Kept(threading.local):
    """What is kept in a thread, by what was asked and of which operation; None: nothing is."""

    answers: dict[tuple[Hashable, Operation], object] | None = None


_kept = _Kept()


@contextmanager
def unchanged() -> Generator[None]:
    """Within the block nothing changes operations that were asked about, nor in blocks within it."""
    before = _kept.answers
    _kept.answers = {} if before is None else before
    try:
        yield
    finally:
        _kept.answers = before


def once(question: Hashable, op: Operation, answer: Callable[[Operation], T]) -> T:
    """The ANSWER to QUESTION for OP, which is kept where nothing changes."""
    answers = _kept.answers
    if answers is None:
        return answer(op)
    key = question, op
    try:
        return cast(T, answers[key])
    except KeyError:
        found = answers[key] = answer(op)
        return found


def kept_answer(question: Hashable, op: Operation) -> Any:
    """The answer to QUESTION for OP that is kept; None if there is none."""
    answers = _kept.answers
    return None if answers is None else answers.get((question, op))


def operations_in(op: Operation) -> Sequence[Operation]:
    """OP and all operations in its regions, in the order of the text."""
    return once("operations", op, _all)


def _all(op: Operation) -> Sequence[Operation]:
    """`op.walk()`, without an iterator for each region on the way to each operation."""
    found: list[Operation] = []
    pending = [op]
    while pending:
        current = pending.pop()
        found.append(current)
        if current.regions:
            inside = [inner for region in current.regions for block in region.blocks for inner in block.ops]
            pending.extend(reversed(inside))
    return tuple(found)


class _Answers(dict[Any, Any]):
    """What `find` answers, by its argument, or by all of its arguments and their names."""

    find: Callable[..., Any]
    is_of_one: bool

    def __missing__(self, key: Any) -> Any:
        found = self[key] = self.find(key) if self.is_of_one else self.find(*key[0], **dict(key[1]))
        return found


class cached_method(Generic[S, P, T]):  # noqa: N801
    """A method that answers hashable arguments, of which a single one is given by place, as before.

    It is to methods what `cached_property` is to properties: to ask again is to look up. Neither exceptions
    are kept, nor an answer that is asked for while it is sought.
    """

    def __init__(self, find: Callable[Concatenate[S, P], T]) -> None:
        self._find = find
        self._is_of_one = (find.__code__.co_argcount, find.__code__.co_kwonlyargcount) == (2, 0)
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, found: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(self, found: S, owner: type[Any]) -> Callable[P, T]: ...
    def __get__(self, found: S | None, owner: type[Any]) -> Any:
        if found is None:
            return self
        answers = _Answers()
        answers.find, answers.is_of_one = MethodType(self._find, found), self._is_of_one
        answer: Callable[..., Any] = answers.__getitem__
        if not self._is_of_one:
            answer = lambda *values, **named: answers[values, tuple(named.items())]  # noqa: E731
        found.__dict__[self._find.__name__] = answer
        return answer

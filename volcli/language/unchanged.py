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


@contextmanager
def changing() -> Generator[None]:
    """Within the block operations change: nothing is kept of them, and what was kept before is of others."""
    before = _kept.answers
    _kept.answers = None
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
    """What `find` answers, by what it is given."""

    find: Callable[[Any], Any]

    def __missing__(self, given: Any) -> Any:
        found = self[given] = self.find(given)
        return found


class cached_method(Generic[S, P, T]):  # noqa: N801
    """A method whose answers are kept, by its arguments: these are hashable, and given by place.

    It is to methods what `cached_property` is to properties: to ask again is to look up. Neither exceptions
    are kept, nor an answer that is asked for while it is sought.
    """

    def __init__(self, find: Callable[Concatenate[S, P], T]) -> None:
        self._find: Callable[..., T] = find
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, found: None, owner: type[Any]) -> Self: ...
    @overload
    def __get__(self, found: S, owner: type[Any]) -> Callable[P, T]: ...
    def __get__(self, found: S | None, owner: type[Any]) -> Any:
        if found is None:
            return self
        answers, find = _Answers(), self._find
        answer: Callable[..., T] = answers.__getitem__
        if find.__code__.co_argcount == 2:
            answers.find = MethodType(find, found)
        else:
            answers.find = lambda given: find(found, *given)
            answer = lambda *given: answers[given]  # noqa: E731
        found.__dict__[find.__name__] = answer
        return answer

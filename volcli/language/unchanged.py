"""While nothing changes a program, what is asked of its operations again is as it was.

An analysis asks of a loop ten times what it runs through, and goes through a function as often. Within
`unchanged` both are found out once. Outside of it nothing is kept: a rewriting may change any operation.

>>> from xdsl.dialects.builtin import ModuleOp
>>> module = ModuleOp([])
>>> with unchanged():
...     operations_in(module) is operations_in(module)
True
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Hashable, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from xdsl.ir import Operation

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

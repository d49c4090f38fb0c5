"""Accesses of an execution as they happen, with their subscripts, in bounds or not."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from xdsl.ir import Operation

from volcli.execution.memory.memory import AllocatedMemory, MemoryView
from volcli.execution.memory.races import AccessWatch, Memory

Touch = tuple[bool, AllocatedMemory, int, tuple[int, ...], bool]
"""Whether it is a write, the memory, the position there, the subscripts, and whether they are in bounds."""


class Watch(AccessWatch):
    """Tells of accesses; BEYOND: those by subscripts out of bounds go nowhere, and the execution goes on."""

    def __init__(self, op: Operation, tell: Callable[[Operation, Touch], None], beyond: bool) -> None:
        super().__init__(op, None)
        self._tell = tell
        self._beyond = beyond

    def reads(self, op: Operation, memory: Memory, at: int) -> None:
        self._touch(op, False, memory, at)

    def writes(self, op: Operation, memory: Memory, at: int) -> None:
        self._touch(op, True, memory, at)

    def updates(self, op: Operation, memory: Memory, at: int) -> None:
        self._touch(op, False, memory, at)
        self._touch(op, True, memory, at)

    def _touch(self, op: Operation, is_write: bool, memory: Memory, at: int) -> None:
        if isinstance(memory, AllocatedMemory):  # else it is a tensor that a loop inserts into
            self._tell(op, (is_write, memory, at, (at,), True))

    def goes_on(self, op: Operation, is_write: bool, view: MemoryView, index: Sequence[int]) -> bool:
        """Note an access by subscripts; whether it can be carried out, in bounds or not."""
        pairs = zip(index, view.strides, strict=True)
        at = view.offset + sum(i * stride for i, stride in pairs)
        in_bounds = all(0 <= i < size for i, size in zip(index, view.sizes, strict=True))
        self._tell(op, (is_write, view.allocation, at, tuple(index), in_bounds))
        return in_bounds or not self._beyond


_load, _store = MemoryView.load, MemoryView.store


def _loaded(view: MemoryView, op: Operation, indices: Sequence[int], watch: AccessWatch | None) -> Any:
    if isinstance(watch, Watch):
        return _load(view, op, indices, None) if watch.goes_on(op, False, view, indices) else 0
    return _load(view, op, indices, watch)


def _stored(
    view: MemoryView, op: Operation, value: Any, indices: Sequence[int], watch: AccessWatch | None
) -> None:
    if not isinstance(watch, Watch):
        _store(view, op, value, indices, watch)
    elif watch.goes_on(op, True, view, indices):
        _store(view, op, value, indices, None)


@contextmanager
def by_subscripts() -> Generator[None]:
    """Loads and stores tell a `Watch` their subscripts."""
    MemoryView.load, MemoryView.store = _loaded, _stored
    try:
        yield
    finally:
        MemoryView.load, MemoryView.store = _load, _store

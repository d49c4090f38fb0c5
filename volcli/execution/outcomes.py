"""Ends of an execution without results: undefined behaviour, a limit, an operation that is not executed."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from xdsl.ir import Operation


class Defect(Enum):
    """The kinds of undefined behaviour, by the name that `volcli run --sanitize` gives each."""

    BOUNDS = "bounds"
    """An element, slice or view outside its tensor or memory."""
    LIFETIME = "lifetime"
    """Memory used after it was freed, freed twice, or freed although no allocation begins there."""
    UNINITIALIZED = "uninitialized"
    """A branch, an address or a result that depends on an element never written."""
    RACE = "race"
    """Two iterations of a parallel loop access an element, and one writes it."""
    ARITHMETIC = "arithmetic"
    """Division by zero, or a quotient that is too large."""
    POISON = "poison"
    """A branch, an address or a result that depends on poison: a broken nsw or nuw, a shift by the width."""
    CONTRACT = "contract"
    """A false cf.assert, sizes that an operation requires to be equal, a negative size."""


class Stopped(Exception):
    """The execution ended before its results, at `operation` (None: before the first one).

    `trail` is the way there, innermost first: `(operation, text)` of each loop iteration and call.
    """

    def __init__(self, operation: Operation | None, message: str) -> None:
        super().__init__(message)
        self.operation = operation
        self.message = message
        self.trail: list[tuple[Operation, str]] = []

    def inside(self, operation: Operation, text: str) -> None:
        """Note that it happened in an iteration, or a call, of OPERATION."""
        self.trail.append((operation, text))


class Undefined(Stopped):
    """Undefined behaviour of one `kind`."""

    def __init__(self, operation: Operation | None, kind: Defect, message: str) -> None:
        super().__init__(operation, message)
        self.kind = kind


class Unsupported(Stopped):
    """An operation, a type or a choice that this engine does not execute: the program may be right.

    `next_step` is what the user can do, where that is known.
    """

    def __init__(self, operation: Operation | None, message: str, next_step: str | None = None) -> None:
        super().__init__(operation, message)
        self.next_step = next_step


class OpaqueEvent(Unsupported):
    """An operation of which nothing says what it does: an unknown one, or a call of an external function.

    `operands` are the values that it is given, `reached` the allocations that it may read, write or free.
    """

    def __init__(
        self,
        operation: Operation,
        message: str,
        operands: Sequence[Any],
        reached: Sequence[Any],
        next_step: str | None = None,
    ) -> None:
        super().__init__(operation, message, next_step)
        self.operands = operands
        self.reached = reached


class LimitReached(Stopped):
    """More steps or memory than the execution may use."""


class Endless(Stopped):
    """A loop that never ends: its state was seen before."""

"""Values on the way back over last writers: by their operation, and the numbers of the loops around it.

A step is a generator that yields the steps that it needs, is sent what they return, and returns a value: a
stack of these takes the place of recursion, whose depth is that of a chain of writers.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.execution.elements.elementwise import with_terms
from volcli.execution.elements.operands import Function, function_of, numbers
from volcli.execution.memory.machine import Machine
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import performed, scalars
from volcli.execution.walking.sites import WalkSites
from volcli.execution.walking.walked import (
    Amount,
    ChosenRegion,
    ElementRead,
    Mapped,
    Repeated,
)
from volcli.language.declared import LikeAnother
from volcli.language.interface import operation_name

Step = Generator[Any, Any, Any]
"""What yields other steps, is sent what they return, and returns a value."""
Point = tuple[int, ...]
"""The numbers of the loops around, outermost first."""
_UNKNOWN = object()
"""In the place of a value that is not computed yet."""


class ValueWalk(ABC):
    """The values of FUNCTION, with ARGUMENTS; how an element of memory is read, a class below says.

    Raises Unsupported if FUNCTION cannot be walked back.
    """

    def __init__(self, machine: Machine, function: Operation, arguments: Sequence[Any]) -> None:
        self._machine = machine
        self._sites = WalkSites(function)
        self._given: Mapping[SSAValue, Any] = dict(zip(self._sites.entry.args, arguments, strict=True))
        self._known: dict[tuple[SSAValue, Point], Any] = {}
        self._ranges: dict[tuple[Operation, Point], tuple[int, int, int]] = {}
        self._performs: dict[Operation, Callable[..., Any]] = {}
        self._functions: dict[tuple[Operation, int], Function] = {}

    @abstractmethod
    def _read(self, op: Operation, memory: SSAValue, index: Sequence[int], point: Point) -> Step:
        """The element INDEX of MEMORY before OP."""

    def _run(self, step: Step) -> Any:
        """What STEP returns."""
        stack, sent = [step], None
        while stack:
            try:
                stack.append(stack[-1].send(sent))
                sent = None
            except StopIteration as done:
                stack.pop()
                sent = done.value
        return sent

    # -- values ----------------------------------------------------------------------------------------

    def _value(self, value: SSAValue, point: Point) -> Step:
        """VALUE, at POINT or an iteration inside of the one where it is computed."""
        if (at_once := self._at_once(value, point)) is not _UNKNOWN:
            return at_once
        key = (value, point[: self._sites.depth(value)])
        self._machine.takes_steps(self._sites.function, 1)
        if isinstance(value, OpResult):
            self._known[key] = yield self._result(value, key[1])
        else:
            assert isinstance(value, BlockArgument)
            self._known[key] = yield self._argument(value, key[1])
        return self._known[key]

    def _at_once(self, value: SSAValue, point: Point) -> Any:
        """The same, if it is the number of a loop or computed, as most are; else _UNKNOWN."""
        depth = self._sites.depth(value)
        if depth and isinstance(value, BlockArgument) and value.index == 0:
            return point[depth - 1]
        return self._known.get((value, point[:depth]), _UNKNOWN)

    def _values(self, values: Sequence[SSAValue], point: Point) -> Step:
        """VALUES, as a list."""
        found: list[Any] = []
        for each in values:
            if (number := self._at_once(each, point)) is _UNKNOWN:
                number = yield self._value(each, point)
            found.append(number)
        return found

    def _argument(self, value: BlockArgument, point: Point) -> Step:
        loop = value.block.parent_op()
        kind = self._sites.kind(loop)
        if loop is None or not isinstance(kind, Repeated):
            return self._given[value]
        low, _, step = yield self._range(loop, point[:-1])
        if point[-1] == low:
            return (yield self._value(kind.inits[value.index - 1], point[:-1]))
        return (yield self._value(_yielded(value.block, value.index - 1), (*point[:-1], point[-1] - step)))

    def _result(self, value: OpResult, point: Point) -> Step:
        op, kind = value.op, self._sites.kind(value.op)
        match kind:
            case Repeated():
                low, high, step = yield self._range(op, point)
                if low >= high:
                    return (yield self._value(kind.inits[value.index], point))
                last = low + (high - 1 - low) // step * step
                return (yield self._value(_yielded(op.regions[0].block, value.index), (*point, last)))
            case ChosenRegion():
                block = yield self._chosen(op, kind, point)
                return (yield self._value(_yielded(block, value.index), point))
            case ElementRead():
                index = yield self._mapped(op, kind.at, point)
                return (yield self._read(op, kind.memory, index, point))
            case _:
                found = self._computed(op, (yield from self._values(op.operands, point)))
                return found[value.index] if len(op.results) > 1 else found

    def _computed(self, op: Operation, operands: Sequence[Any]) -> Any:
        """What OP, which computes numbers from numbers, gives."""
        perform = self._performs.get(op)
        if perform is None:
            scalar = scalars(op)
            made = performed(op) if scalar is None else with_terms(op, scalar)
            if made is None or isinstance(op, LikeAnother):
                raise Unsupported(op, f"'{operation_name(op)}' has no execution")
            perform = self._performs[op] = made
        return perform(self._machine, *operands)

    def _mapped(self, op: Operation, of: Mapped, point: Point) -> Step:
        """The results of OF."""
        found = yield from self._values(of.operands, point)
        key = (op, id(of))
        if (function := self._functions.get(key)) is None:
            function = self._functions[key] = function_of(op, of.map)
        try:
            return function(found)
        except TypeError:
            return function(numbers(op, found, "an index"))

    def _amount(self, op: Operation, amount: Amount, point: Point) -> Step:
        if isinstance(amount, int):
            return amount
        return numbers(op, (yield from self._values((amount,), point)), "a size")[0]

    def _amounts(self, op: Operation, amounts: Sequence[Amount], point: Point) -> Step:
        """AMOUNTS, as a list."""
        found: list[int] = []
        for each in amounts:
            found.append(each if isinstance(each, int) else (yield self._amount(op, each, point)))
        return found

    def _range(self, loop: Operation, point: Point) -> Step:
        """The first number of LOOP, that below which all are, and the step."""
        if (loop, point) not in self._ranges:
            kind = self._sites.kind(loop)
            assert isinstance(kind, Repeated)
            low = max((yield self._mapped(loop, kind.lower, point)))
            high = min((yield self._mapped(loop, kind.upper, point)))
            step = yield self._amount(loop, kind.step, point)
            if step <= 0:
                raise Undefined(loop, Defect.CONTRACT, f"the step {step} of a loop is not positive")
            self._ranges[loop, point] = (low, high, step)
        return self._ranges[loop, point]

    def _chosen(self, op: Operation, kind: ChosenRegion, point: Point) -> Step:
        """The block that runs; None if none does."""
        found = yield from self._values(kind.operands, point)
        region = op.regions[0 if kind.holds(numbers(op, found, "the condition")) else 1]
        return region.blocks[0] if region.blocks else None


def _yielded(block: Block, position: int) -> SSAValue:
    assert block.last_op is not None
    return block.last_op.operands[position]

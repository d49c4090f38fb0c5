"""Structured operations on demand: the iterations that elements of an output are computed in, and no other.

The loops that index the outputs are known from the element; all others run in their order. In a product of
matrices, (i, j) is known and k runs: the element needs a row and a column.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.ir.affine import AffineDimExpr

from volcli.execution.code.code import Body
from volcli.execution.demand.demand import DeferredTensor, Positions
from volcli.execution.demand.rules import is_pure, kept
from volcli.execution.elements.elementwise import flat_values, packed
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import MemoryView, row_major
from volcli.execution.numbers.values import Array, Tensor
from volcli.execution.outcomes import Stopped
from volcli.execution.tensors.structured import StructuredLoops, shape_of
from volcli.limits import execution as limits


def deferred_loops(
    loops: StructuredLoops,
    machine: Machine,
    body: Body,
    on_arrays: Body | None,
    cut: Callable[[Body], Body],
    operands: Sequence[Any],
) -> list[Tensor] | None:
    """The outputs of LOOPS on demand; None if they must run: on memory, or with subscripts not linear.

    CUT makes a function of all operands of a body.

    Raises Undefined if the sizes of two operands contradict each other, or an element is out of bounds.
    """
    shared, first = loops.shared(), len(operands) - loops.outputs
    has_memory = any(isinstance(each, MemoryView) for each in operands)
    if shared is None or has_memory or not is_pure(loops.op.regions[0]):
        return None
    sizes = loops.sizes(operands)
    arrays = None if on_arrays is None else cut(kept(machine, on_arrays))
    bodies = _Bodies(cut(kept(machine, body)), arrays)
    run = _Run(loops, machine, bodies, operands, sizes, shared)
    return [
        DeferredTensor(machine, loops.op, shape_of(operands[k]), loops.dtypes[k], _Output(run, k - first))
        for k in range(first, len(operands))
    ]


@dataclass(frozen=True)
class _Bodies:
    """A body as a function of numbers, and of arrays (None: it is not defined for these)."""

    numbers: Body
    arrays: Body | None


@dataclass(frozen=True)
class _Output:
    """Output number K of a run."""

    run: _Run
    k: int

    def needs(self, at: Positions) -> Iterable[tuple[Tensor, Positions]]:
        """What the iterations of these elements read."""
        return self.run.needs(self.run.point(at, self.k))

    def values(self, at: Positions) -> Tensor:
        """The elements after the last of these iterations."""
        return self.run.values(self.run.point(at, self.k), at.size)[self.k]


class _Run:
    """LOOPS over OPERANDS: the element of operand k is at `constants[k] + sum(factors[k][d] * d)`."""

    def __init__(
        self,
        loops: StructuredLoops,
        machine: Machine,
        bodies: _Bodies,
        operands: Sequence[Any],
        sizes: Sequence[int],
        shared: Sequence[int],
    ) -> None:
        self._loops = loops
        self._machine = machine
        self._bodies = bodies
        self._operands = operands
        self._sizes = sizes
        self._shared = shared
        self._rest = [d for d in range(loops.count) if d not in shared]
        self._first = len(operands) - loops.outputs
        self._constants: list[int] = []
        self._factors: list[list[int]] = []
        for operand, linear in zip(operands, loops.linear, strict=True):
            assert linear is not None
            strides = row_major(shape_of(operand))
            rows = list(zip(linear.factors, strides, strict=True))
            self._constants.append(sum(c * s for c, s in zip(linear.constants, strides, strict=True)))
            self._factors.append([sum(row[d] * s for row, s in rows) for d in range(loops.count)])

    def point(self, at: Positions, output: int) -> list[Any]:
        """Of each loop its iterations at the elements AT of OUTPUT; 0 of those that run."""
        k = self._first + output
        found: list[Any] = [0] * self._loops.count
        shape = shape_of(self._operands[k])
        coordinates = np.unravel_index(at, shape) if shape else ()
        for result, values in zip(self._loops.maps[k].results, coordinates, strict=True):
            assert isinstance(result, AffineDimExpr)
            found[result.position] = values
        return found

    def needs(self, point: Sequence[Any]) -> Iterable[tuple[Tensor, Positions]]:
        """The elements that are read at POINT, in all iterations of the other loops.

        Raises LimitReached if they need too much memory, or one by one too many steps.
        """
        rest = math.prod(self._sizes[d] for d in self._rest)
        count = max((np.size(each) for each in point), default=1)
        self._machine.holds(self._loops.op, count * rest, np.int64)
        if self._machine.options.symbolic or self._bodies.arrays is None:
            self._machine.could_take_steps(self._loops.op, count * rest)
        for k, operand in enumerate(self._operands):
            if isinstance(operand, DeferredTensor) and self._reads(k):
                found = np.unique(self._base(k, point))
                for d in self._rest:
                    if factor := self._factors[k][d]:
                        found = (found[:, None] + np.arange(self._sizes[d]) * factor).reshape(-1)
                yield operand, found

    def values(self, point: Sequence[Any], count: int) -> list[Tensor]:
        """Of each output the COUNT elements at POINT."""
        if self._bodies.arrays is not None and count >= limits.FEW_POINTS:
            found = self._on_arrays(self._bodies.arrays, point, count)
            if found is not None:
                return [Tensor(each) for each in found]
        rows: list[list[Any]] = [[] for _ in range(self._loops.outputs)]
        for n in range(count):
            here = [each if isinstance(each, int) else int(each[n]) for each in point]
            for row, value in zip(rows, self._at(here), strict=True):
                row.append(value)
        dtypes = self._loops.dtypes[self._first :]
        return [packed(row, (count,), dtype) for row, dtype in zip(rows, dtypes, strict=True)]

    def _reads(self, k: int) -> bool:
        """Whether elements of operand K count: those of an output that is overwritten unseen do not."""
        return self._loops.used[k] or (k >= self._first and not all(self._sizes))

    def _base(self, k: int, point: Sequence[Any]) -> Positions:
        """The positions of operand K at POINT: one if no shared loop is in its subscripts."""
        terms = (self._factors[k][d] * point[d] for d in self._shared if self._factors[k][d])
        return np.atleast_1d(sum(terms, np.int64(self._constants[k])))

    # -- all elements at once --------------------------------------------------------------------------

    def _on_arrays(self, body: Body, point: Sequence[Any], count: int) -> list[Array] | None:
        """The outputs; None if something is not a number."""
        loops = self._loops
        bases = [self._base(k, point) for k in range(len(self._operands))]

        def part(k: int, here: Sequence[int]) -> Array:
            operand, dtype = self._operands[k], loops.dtypes[k]
            if not self._reads(k):
                return np.zeros(1, dtype)
            if not isinstance(operand, Tensor):
                return _plain(operand, dtype)
            moved = sum(factor * h for factor, h in zip(self._factors[k], here, strict=True))
            return _numbers(operand.at(bases[k] + moved))

        try:
            start = [part(k, [0] * loops.count) for k in range(self._first, len(self._operands))]
        except TypeError:
            return None
        return loops.swept(self._machine, body, list(point), self._sizes, self._shared, part, start, (count,))

    # -- one element -----------------------------------------------------------------------------------

    def _at(self, here: list[int]) -> Sequence[Any]:
        """The outputs at the point HERE, after all iterations of the other loops."""
        spans = [range(self._sizes[d]) for d in self._rest]
        self._machine.takes_steps(self._loops.op, math.prod(map(len, spans)))
        columns = [self._column(k, here) for k in range(self._first)]
        state: Sequence[Any] = [
            flat_values(self._operands[k].at(self._base(k, here)))[0] if self._reads(k) else None
            for k in range(self._first, len(self._operands))
        ]
        used = self._loops.used[self._first :]
        self._machine.points.append(here)
        try:
            for number, at in enumerate(itertools.product(*spans)):
                for d, value in zip(self._rest, at, strict=True):
                    here[d] = value
                elements = [None if column is None else column[number] for column in columns]
                outputs = [each if is_used else None for each, is_used in zip(state, used, strict=True)]
                state = self._bodies.numbers(*elements, *outputs)
        except Stopped as stopped:
            stopped.inside(self._loops.op, f"iteration ({', '.join(map(str, here))})")
            raise
        finally:
            self._machine.points.pop()
        return state

    def _column(self, k: int, here: Sequence[int]) -> list[Any] | None:
        """What operand K is in each iteration of the other loops; None if the body does not look at it."""
        if not self._loops.used[k]:
            return None
        found = self._base(k, here)
        for d in self._rest:
            steps = np.arange(self._sizes[d]) * self._factors[k][d]
            found = (found[:, None] + steps).reshape(-1)
        operand = self._operands[k]
        return flat_values(operand.at(found)) if isinstance(operand, Tensor) else [operand] * found.size


def _numbers(tensor: Tensor) -> Array:
    """The elements as an array. Raises TypeError if some are no numbers."""
    if tensor.states is not None or tensor.data.dtype == object:
        raise TypeError("not numbers")
    return tensor.data


def _plain(value: Any, dtype: Any) -> Array:
    if not isinstance(value, int | np.generic):
        raise TypeError("not a number")
    return np.asarray(value, dtype).reshape(1)

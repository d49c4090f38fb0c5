"""Structured operations: a body of scalars at every point of a box of loops.

The operand elements at a point are those at the results of one affine map each. The points run in row-major
order, as the loops do that mlir-opt lowers the operation to; so an element of a result is computed from the
same numbers in the same order, and is the same number.

`StructuredLoops.run` takes one of two ways:

* `_point_by_point` evaluates the body at each point: it is what the operation means. Points that differ in a
  parallel loop are watched where they may share an element of memory: they have no order, and may race.
* `_on_arrays` evaluates it at once for all points that differ only in loops that an output is indexed by, one
  after the other for the remaining ones (the reductions). Each element still sees its numbers in the same
  order. It is taken where all elements are plain numbers, the maps are linear, each output is indexed by
  loops themselves, and no output shares memory with another operand.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from volcli.diagnostics.counted import counted
from volcli.execution.code.code import Body
from volcli.execution.elements.operands import Function, function_of
from volcli.execution.memory.machine import Machine
from volcli.execution.memory.memory import MemoryView
from volcli.execution.memory.points import may_race
from volcli.execution.memory.races import AccessWatch
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Array, States, Tensor, as_objects, put
from volcli.execution.outcomes import Defect, Stopped, Undefined, Unsupported
from volcli.limits import execution as limits


@dataclass(frozen=True)
class LinearMap:
    """The subscripts of an operand: `constants[k] + sum(factors[k][d] * d for the loops d)`."""

    constants: tuple[int, ...]
    factors: tuple[tuple[int, ...], ...]


class StructuredLoops:
    """The loops of OP: one map for each operand, of which the last `outputs` are written.

    `used` says of each operand whether the body looks at its element, `parallel` which loops have no order.
    """

    def __init__(
        self,
        op: Operation,
        maps: Sequence[AffineMap],
        outputs: int,
        used: Sequence[bool],
        parallel: Sequence[int],
    ) -> None:
        self.op = op
        self._parallel = parallel
        self.count = maps[0].num_dims
        self.maps = maps
        self._functions: list[Function] = [function_of(op, each) for each in maps]
        self.linear = [
            linear_map(each, function) for each, function in zip(maps, self._functions, strict=True)
        ]
        self.outputs = outputs
        self.used = used
        self.dtypes = [_dtype(value.type) for value in op.operands]

    def run(
        self, machine: Machine, body: Body, on_arrays: Body | None, operands: Sequence[Any]
    ) -> list[Tensor]:
        """The tensors that the outputs become; memory is written.

        Raises Undefined if the sizes of two operands contradict each other, or an element is out of bounds.
        """
        sizes = self.sizes(operands)
        if may_race(self.maps, self._parallel, sizes, operands, self.outputs):
            with machine.watching(self.op) as watch:
                return self._point_by_point(machine, body, operands, sizes, watch)
        shared = self.shared() if all(sizes) else None
        if (
            on_arrays is not None
            and shared is not None
            and math.prod(sizes[d] for d in shared) >= limits.FEW_POINTS
        ):
            arrays = [self._plain(machine, k, operand) for k, operand in enumerate(operands)]
            if all(array is not None for array in arrays) and self._is_apart(operands):
                found = self._on_arrays(machine, on_arrays, arrays, sizes, shared)
                if found is not None:
                    return self._written(machine, operands, found)
        return self._point_by_point(machine, body, operands, sizes)

    # -- sizes -----------------------------------------------------------------------------------------

    def sizes(self, operands: Sequence[Any]) -> list[int]:
        """How many iterations each loop has: the size of the dimensions that it indexes."""
        found: list[int | None] = [None] * self.count
        for operand, each in zip(operands, self.maps, strict=True):
            for result, size in zip(each.results, shape_of(operand), strict=True):
                if isinstance(result, AffineDimExpr):
                    known = found[result.position]
                    if known is not None and known != size:
                        by_first = f"{counted(known, 'iteration')} by one operand"
                        text = f"loop {result.position} has {by_first}, {size} by another"
                        raise Undefined(self.op, Defect.CONTRACT, text)
                    found[result.position] = size
        sizes = [size for size in found if size is not None]
        if len(sizes) < self.count:
            raise Unsupported(self.op, f"loop {found.index(None)} indexes no dimension on its own")
        self._check_bounds(operands, sizes)
        return sizes

    def _check_bounds(self, operands: Sequence[Any], sizes: Sequence[int]) -> None:
        """Linear subscripts are least and largest at corners."""
        if not all(sizes):
            return
        for operand, linear in zip(operands, self.linear, strict=True):
            if linear is None:
                continue
            for k, size in enumerate(shape_of(operand)):
                spans = [f * (n - 1) for f, n in zip(linear.factors[k], sizes, strict=True)]
                low = linear.constants[k] + sum(s for s in spans if s < 0)
                high = linear.constants[k] + sum(s for s in spans if s > 0)
                if low < 0 or high >= size:
                    text = f"indices {low} to {high} of dimension {k} of size {size}"
                    raise Undefined(self.op, Defect.BOUNDS, text)

    # -- all points at once ----------------------------------------------------------------------------

    def shared(self) -> list[int] | None:
        """The loops that every output is indexed by; None if they differ, or a map is not linear."""
        found: list[set[int]] = []
        for each in self.maps[len(self.maps) - self.outputs :]:
            dims = [r.position for r in each.results if isinstance(r, AffineDimExpr)]
            if len(dims) < len(each.results) or len(set(dims)) < len(dims):
                return None
            found.append(set(dims))
        if not found or any(dims != found[0] for dims in found) or None in self.linear:
            return None
        return sorted(found[0])

    def _plain(self, machine: Machine, position: int, operand: Any) -> Array | None:
        """The numbers of an operand as an array; None if some that are used are no numbers."""
        if isinstance(operand, MemoryView):
            if operand.allocation.freed is not None or machine.watch is not None:
                return None
            data = operand.array(operand.allocation.data)
            states: States | None = operand.array(operand.allocation.states_array)
        elif isinstance(operand, Tensor):
            data, states = operand.data, operand.states
        else:
            return (
                np.asarray(operand, self.dtypes[position]) if isinstance(operand, int | np.generic) else None
            )
        if data.dtype == object or (self.used[position] and states is not None and states.any()):
            return None
        return data

    def _is_apart(self, operands: Sequence[Any]) -> bool:
        """Whether no output shares memory with another operand."""
        first = len(operands) - self.outputs
        for k, output in enumerate(operands[first:], first):
            for other, operand in enumerate(operands):
                both = isinstance(output, MemoryView) and isinstance(operand, MemoryView)
                if other != k and both and output.may_share(operand):
                    return False
        return True

    def _on_arrays(
        self,
        machine: Machine,
        body: Body,
        arrays: Sequence[Any],
        sizes: Sequence[int],
        shared: Sequence[int],
    ) -> list[Array] | None:
        """The elements of the outputs over the loops SHARED; None if the body is not defined for arrays."""
        first = len(arrays) - self.outputs
        shape = tuple(sizes[d] for d in shared)
        point: list[Any] = [0] * self.count
        for axis, d in enumerate(shared):
            point[d] = np.arange(sizes[d]).reshape([-1 if k == axis else 1 for k in range(len(shared))])
        kept = [self._part(k, arrays[k], [0] * self.count, sizes, shared) for k in range(first, len(arrays))]

        def part(k: int, here: Sequence[int]) -> Array:
            return self._part(k, arrays[k], here, sizes, shared)

        return self.swept(machine, body, point, sizes, shared, part, kept, shape)

    def swept(
        self,
        machine: Machine,
        body: Body,
        point: list[Any],
        sizes: Sequence[int],
        shared: Sequence[int],
        part: Callable[[int, Sequence[int]], Array],
        kept: Sequence[Array],
        shape: tuple[int, ...],
    ) -> list[Array] | None:
        """What the outputs KEPT become in the iterations of all loops but SHARED, whose POINT are arrays.

        PART gives the elements of an input at the points that differ from an iteration in the shared loops.
        """
        first = len(self.dtypes) - self.outputs
        rest = [d for d in range(self.count) if d not in shared]
        machine.points.append(point)
        try:
            machine.takes_steps(self.op, math.prod(sizes[d] for d in rest))
            for at in itertools.product(*(range(sizes[d]) for d in rest)):
                for d, value in zip(rest, at, strict=True):
                    point[d] = value
                here = [value if isinstance(value, int) else 0 for value in point]
                elements = [part(k, here) for k in range(first)]
                kept = [np.asarray(value) for value in body(*elements, *kept)]
            if any(value.dtype == object for value in kept):
                return None
            dtypes = self.dtypes[first:]
            return [np.broadcast_to(v, shape).astype(t) for v, t in zip(kept, dtypes, strict=True)]
        except (TypeError, Undefined):
            return None  # point by point says where
        finally:
            machine.points.pop()

    def _part(
        self, position: int, array: Array, here: Sequence[int], sizes: Sequence[int], shared: Sequence[int]
    ) -> Array:
        """The elements of an operand at the points that differ from HERE in the loops SHARED."""
        linear = self.linear[position]
        assert linear is not None
        start = tuple(
            constant + sum(f * h for f, h in zip(factors, here, strict=True))
            for constant, factors in zip(linear.constants, linear.factors, strict=True)
        )
        strides = [
            sum(factors[d] * stride for factors, stride in zip(linear.factors, array.strides, strict=True))
            for d in shared
        ]
        return as_strided(array[tuple(slice(s, None) for s in start)], [sizes[d] for d in shared], strides)

    def _written(self, machine: Machine, operands: Sequence[Any], found: Sequence[Array]) -> list[Tensor]:
        """Give each output its elements, which are over the loops in their order."""
        first = len(operands) - self.outputs
        results: list[Tensor] = []
        for output, each, array in zip(operands[first:], self.maps[first:], found, strict=True):
            dims = [r.position for r in each.results if isinstance(r, AffineDimExpr)]
            ordered = array.transpose([sorted(dims).index(d) for d in dims])
            if isinstance(output, MemoryView):
                output.write(self.op, Tensor(ordered), machine.watch)
            else:
                results.append(Tensor(ordered))
        return results

    # -- point by point --------------------------------------------------------------------------------

    def _point_by_point(
        self,
        machine: Machine,
        body: Body,
        operands: Sequence[Any],
        sizes: Sequence[int],
        watch: AccessWatch | None = None,
    ) -> list[Tensor]:
        first = len(operands) - self.outputs
        drafts = {k: _Draft(v) for k, v in enumerate(operands[first:], first) if isinstance(v, Tensor)}
        machine.takes_steps(self.op, math.prod(sizes))
        reads = [self._read(machine, k, drafts.get(k, operand)) for k, operand in enumerate(operands)]
        point: list[int] = [0] * self.count
        machine.points.append(point)
        try:
            for at in itertools.product(*map(range, sizes)):
                point[:] = at
                if watch is not None:
                    watch.iteration = tuple(at[d] for d in self._parallel)
                indices = [function(at) for function in self._functions]
                elements = [read(index) for read, index in zip(reads, indices, strict=True)]
                for k, value in enumerate(body(*elements), first):
                    target = operands[k]
                    if isinstance(target, MemoryView):
                        target.store(self.op, value, indices[k], machine.watch)
                    else:
                        drafts[k].put(tuple(indices[k]), value)
        except Stopped as stopped:
            stopped.inside(self.op, f"iteration ({', '.join(map(str, point))})")
            raise
        finally:
            machine.points.pop()
        return [draft.tensor() for draft in drafts.values()]

    def _read(self, machine: Machine, position: int, operand: Any) -> Callable[[Sequence[int]], Any]:
        """How the element of an operand is read that an index has."""
        op, watch = self.op, machine.watch
        if not self.used[position] or not isinstance(operand, MemoryView | Tensor):
            element = operand if self.used[position] else None
            return lambda index: element
        if isinstance(operand, MemoryView):
            return lambda index: operand.load(op, index, watch)
        if self.linear[position] is not None:  # it was checked at the corners
            return lambda index: operand.element(tuple(index))
        return lambda index: operand.element(_within(op, operand.shape, index))


def _within(op: Operation, shape: Sequence[int], index: Sequence[int]) -> tuple[int, ...]:
    """INDEX. Raises Undefined if no element of SHAPE has it."""
    for dimension, (i, n) in enumerate(zip(index, shape, strict=True)):
        if not 0 <= i < n:
            raise Undefined(op, Defect.BOUNDS, f"index {i} is not in dimension {dimension} of size {n}")
    return tuple(index)


class _Draft(Tensor):
    """A tensor while it is computed: a copy that is written to."""

    def __init__(self, tensor: Tensor) -> None:
        super().__init__(np.array(tensor.data), np.array(tensor.known_states()))

    def put(self, index: tuple[int, ...], value: Any) -> None:
        """Write an element; the first term makes the array one of objects."""
        assert self.states is not None
        if self.data.dtype != object and not isinstance(value, int | float | complex | np.generic):
            object.__setattr__(self, "data", as_objects(self.data))
        put(self.data, self.states, index, value)

    def tensor(self) -> Tensor:
        """What it has become."""
        return self.moved(self.data, self.states)


def shape_of(operand: Any) -> tuple[int, ...]:
    """The sizes of a tensor or memref; of a scalar none."""
    if isinstance(operand, MemoryView):
        return operand.sizes
    return operand.shape if isinstance(operand, Tensor) else ()


def _dtype(kind: Attribute) -> Any:
    try:
        return format_of(kind).dtype
    except Unsupported:
        if isinstance(kind, ShapedType):
            return object
        raise


def linear_map(affine_map: AffineMap, function: Callable[[Sequence[int]], list[int]]) -> LinearMap | None:
    """The results as linear functions of the dimensions and symbols; None if they have quotients."""
    if any(not _is_linear(result) for result in affine_map.results):
        return None
    count = affine_map.num_dims + affine_map.num_symbols
    zero = function([0] * count)
    units = [function([int(d == k) for k in range(count)]) for d in range(count)]
    factors = tuple(tuple(unit[k] - zero[k] for unit in units) for k in range(len(zero)))
    return LinearMap(tuple(zero), factors)


def _is_linear(expression: Any) -> bool:
    from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr

    waiting = [expression]
    while waiting:
        each = waiting.pop()
        if isinstance(each, AffineBinaryOpExpr):
            sides = (each.lhs, each.rhs)
            is_scaled = any(isinstance(side, AffineConstantExpr) for side in sides)
            if each.kind is not AffineBinaryOpKind.Add and not (
                is_scaled and each.kind is AffineBinaryOpKind.Mul
            ):
                return False
            waiting += [each.lhs, each.rhs]
    return True

"""How windows, functions of elements, sorting, branches and moving slices of stablehlo execute."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Any

import numpy as np
from xdsl.ir import Operation

from volcli.execution.code.code import Body
from volcli.execution.code.repetition import run_while
from volcli.execution.demand.rules import replaced
from volcli.execution.elements.elementwise import number, packed
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.table import Perform, executions, performs
from volcli.execution.tensors.blocks import taken
from volcli_dialects.cases.parts import attribute, integers_of
from volcli_dialects.cases.parts import number as number_of
from volcli_dialects.stablehlo.loops import WhileOp
from volcli_dialects.stablehlo.ops import OPS
from volcli_dialects.stablehlo.regions import CASE, IF, MAP, SELECT, WINDOW
from volcli_dialects.stablehlo.rows import SORT


def _listed(op: Operation, name: str, default: Sequence[int]) -> Sequence[int]:
    found = integers_of(attribute(op, name))
    return default if found is None else found


def _dtypes(op: Operation) -> list[Any]:
    return [format_of(result.type).dtype for result in op.results]


@executions.case(WINDOW)
def reduce_window(op: Operation) -> Perform:
    """The body of the state and each element of a window in row-major order; around x are initial values."""
    size, dtypes = _listed(op, "window_dimensions", ()), _dtypes(op)
    ones = [1] * len(size)
    stride, base, dilation = (
        _listed(op, name, ones) for name in ("window_strides", "base_dilations", "window_dilations")
    )
    pads, count = _listed(op, "padding", [0] * (2 * len(size))), len(op.results)

    def extent(n: int, d: int) -> int:
        length = (n - 1) * base[d] + 1 if n else 0
        reach = (size[d] - 1) * dilation[d] + 1 if size[d] else 0
        return max((pads[2 * d] + length + pads[2 * d + 1] - reach) // stride[d] + 1, 0)

    def perform(machine: Machine, body: Body, *operands: Tensor) -> Any:
        sources, starts = operands[:count], operands[count:]
        shape = tuple(extent(n, d) for d, n in enumerate(sources[0].shape))
        machine.takes_steps(op, math.prod(shape) * math.prod(size))

        def element(window: Sequence[int], k: Sequence[int]) -> Sequence[Any]:
            parts = zip(window, stride, k, dilation, pads[::2], strict=True)
            position = [w * s + t * e - p for w, s, t, e, p in parts]
            at = tuple(p // b for p, b in zip(position, base, strict=True))
            is_inside = all(p % b == 0 for p, b in zip(position, base, strict=True)) and all(
                0 <= i < n for i, n in zip(at, sources[0].shape, strict=True)
            )
            return [taken(x, at) if is_inside else start for x, start in zip(sources, starts, strict=True)]

        rows: list[list[Any]] = [[] for _ in sources]
        for place in np.ndindex(*shape):
            state: Sequence[Any] = starts
            for k in np.ndindex(*size):
                state = body(*state, *element(place, k))
            for row, each in zip(rows, state, strict=True):
                row.append(each.element(()))
        return [packed(row, shape, dtype) for row, dtype in zip(rows, dtypes, strict=True)]

    return perform


@executions.case(SELECT)
def select_and_scatter(op: Operation) -> Perform:
    """Of each window of x, the element that the selection keeps gets what the source has for that window."""
    size, (dtype,) = _listed(op, "window_dimensions", ()), _dtypes(op)
    stride = _listed(op, "window_strides", [1] * len(size))
    low = _listed(op, "padding", [0] * (2 * len(size)))[::2]

    def perform(
        machine: Machine, select: Body, scatter: Body, operand: Tensor, source: Tensor, start: Tensor
    ) -> Any:
        shape = operand.shape
        machine.takes_steps(op, math.prod(shape) + math.prod(source.shape) * math.prod(size))
        states = dict.fromkeys(np.ndindex(*shape), start)

        def chosen(place: Sequence[int]) -> tuple[int, ...] | None:
            best: tuple[int, ...] | None = None
            for k in np.ndindex(*size):
                at = tuple(o * t + i - p for o, t, i, p in zip(place, stride, k, low, strict=True))
                if at in states and (best is None or not keeps(best, at)):
                    best = at
            return best

        def keeps(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
            (truth,) = select(taken(operand, one), taken(operand, other))
            return bool(number(op, truth.element(()), "the selection"))

        for place in np.ndindex(*source.shape):
            if (at := chosen(place)) is not None:
                (states[at],) = scatter(states[at], taken(source, place))
        return packed([states[at].element(()) for at in np.ndindex(*shape)], shape, dtype)

    return perform


@performs(WhileOp)
def while_loop(op: WhileOp, machine: Machine, condition: Body, body: Body, *carried: Any) -> Any:
    """The second region of what is carried, while the first one is true of it."""

    def goes_on(*values: Any) -> tuple[bool, Sequence[Any]]:
        return bool(number(op, condition(*values)[0].element(()), "the condition")), values

    return run_while(machine, op, goes_on, body, carried)


@executions.case(MAP)
def mapped(op: Operation) -> Perform:
    """The body of the elements at each index."""
    (dtype,) = _dtypes(op)

    def perform(machine: Machine, body: Body, *operands: Tensor) -> Any:
        shape = operands[0].shape
        machine.takes_steps(op, math.prod(shape))
        found = [body(*[taken(x, at) for x in operands])[0].element(()) for at in np.ndindex(*shape)]
        return packed(found, shape, dtype)

    return perform


@performs(SORT)
def sort(op: Operation, machine: Machine, body: Body, *operands: Tensor) -> Any:
    """Rows along a dimension, so that the body holds of no element and one before it; equal ones stay."""
    along = number_of(op, "dimension", -1)
    axis = along % len(operands[0].shape)
    order = np.empty(operands[0].shape, np.int64)

    def compare(row: tuple[int, ...]) -> Callable[[int, int], int]:
        def at(k: int) -> tuple[int, ...]:
            return (*row[:axis], k, *row[axis + 1 :])

        def less(a: int, b: int) -> bool:
            pairs = [taken(x, at(k)) for x in operands for k in (a, b)]
            return bool(number(op, body(*pairs)[0].element(()), "the comparison"))

        return lambda a, b: -1 if less(a, b) else int(less(b, a))

    rows = [1 if d == axis else n for d, n in enumerate(order.shape)]
    machine.takes_steps(op, math.prod(order.shape))
    for row in np.ndindex(*rows):
        line = (*row[:axis], slice(None), *row[axis + 1 :])
        order[line] = sorted(range(order.shape[axis]), key=cmp_to_key(compare(row)))
    return [x.rearranged(lambda data: np.take_along_axis(data, order, axis)) for x in operands]


@performs(IF)
def branch(op: Operation, machine: Machine, one: Body, other: Body, condition: Tensor) -> Any:
    """The first region if the operand is true."""
    return (one if number(op, condition.element(()), "the condition") else other)()


@performs(CASE)
def case(op: Operation, machine: Machine, *given: Any) -> Any:
    """The region of the operand's number; the last one for all others."""
    count = len(op.regions)
    index = number(op, given[count].element(()), "the index")
    return given[index if 0 <= index < count else count - 1]()


# -- slices -----------------------------------------------------------------------------------------------


def _window(
    op: Operation, shape: Sequence[int], sizes: Sequence[int], starts: Sequence[Tensor]
) -> list[slice]:
    """The window of SIZES that begins at STARTS, moved so that it lies inside of SHAPE.

    Raises Undefined if it is larger.
    """
    if any(size > n for n, size in zip(shape, sizes, strict=True)):
        raise Undefined(op, Defect.CONTRACT, f"a window of the sizes {list(sizes)} of {list(shape)}")
    found = [number(op, start.element(()), "a start") for start in starts]
    firsts = [max(0, min(at, n - size)) for at, n, size in zip(found, shape, sizes, strict=True)]
    return [slice(first, first + size) for first, size in zip(firsts, sizes, strict=True)]


@performs(OPS["dynamic_slice"])
def dynamic_slice(op: Operation, machine: Machine, source: Tensor, *starts: Tensor) -> Any:
    """`x[start + r]`."""
    sizes = _listed(op, "slice_sizes", ())
    at = tuple(_window(op, source.shape, sizes, starts))
    return source.rearranged(lambda data: data[at])


@performs(OPS["dynamic_update_slice"])
def dynamic_update_slice(
    op: Operation, machine: Machine, source: Tensor, update: Tensor, *starts: Tensor
) -> Any:
    """The operand, and the update in the window."""
    return replaced(source, _window(op, source.shape, update.shape, starts), update)


@executions.case(OPS["get_dimension_size"])
def dimension_size(op: Operation) -> Perform:
    """The size of a dimension."""
    along, format = number_of(op, "dimension"), format_of(op.results[0].type)
    return lambda machine, source: Tensor(np.array(format.number(source.shape[along]), format.dtype))

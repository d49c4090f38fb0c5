"""How the operations of tosa execute: by the pseudo-code of the TOSA specification, on whole tensors.

Integers wrap where the specification requires that they do not overflow, as LLVM's lowering has it.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from xdsl.ir import Operation

from volcli.execution.code.code import Body
from volcli.execution.elements.constants import constant, elements_of, scalar_of
from volcli.execution.elements.elementwise import number, packed
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers import integers
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Array, Tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, Scalar, executions, performs
from volcli.execution.tensors.blocks import (
    arithmetic,
    broadcasting,
    dtype_of,
    extremum,
    folded,
    joined,
    moves,
    plain_numbers,
    surrounded,
)
from volcli_dialects.tosa import execution_of_scaling, execution_of_transforms, products
from volcli_dialects.tosa.branches import IfOp
from volcli_dialects.tosa.ops import OPS, ConstOp
from volcli_dialects.tosa.scalars import SCALARS, format_at, kind_of, mode

products.register()


def _axis(op: Operation) -> int:
    return cast(Any, op.properties["axis"]).value.data


for _name, _scalar in SCALARS.items():
    executions.case(OPS[_name])(lambda op, scalar=_scalar: broadcasting(op, scalar(op)))


@executions.case(OPS["identity"])
def identity(op: Operation) -> Perform:
    """The operand."""
    return moves(op, lambda data: data)


@executions.case(OPS["cast"])
def cast_op(op: Operation) -> Perform:
    """The number in another type: a float as an integer is the nearest one of the type, ties to even."""
    source, target = format_at(op), format_of(op.results[0].type)
    low, high = -(1 << (target.width - 1)), (1 << (target.width - 1)) - 1

    def convert(a: Any) -> Any:
        if target.width == 1 and target.kind == "integer":
            return int(+a != 0)
        if source.kind == "integer" or target.kind != "integer":
            return target.number(+a)
        if a != a:
            return 0
        return (
            int(min(max(float(np.rint(float(a))), float(low)), float(high)))
            if abs(a) < 2**62
            else (high if a > 0 else low)
        )

    return broadcasting(op, Scalar(convert))


@executions.case(OPS["clamp"])
def clamp(op: Operation) -> Perform:
    """`min(max(x, min_val), max_val)`; NaN stays, or is min_val where it is ignored."""
    low, high = scalar_of(op.properties["min_val"]), scalar_of(op.properties["max_val"])
    ignores = mode(op, "nan_mode") == "IGNORE"
    most = extremum("max", kind_of(op), ignores_nan=ignores).number
    least = extremum("min", kind_of(op), ignores_nan=ignores).number
    return broadcasting(op, Scalar(lambda a: least(most(a, low), high)))


@executions.case(OPS["negate"])
def negate(op: Operation) -> Perform:
    """`-x`; of integers `zp_out - (x - zp_in)`, clipped to the type."""
    if format_at(op).kind != "integer":
        negative = Scalar(lambda x, before, after: -x, lambda x, *_: -x, "negf", term_operands=1)
        return broadcasting(op, negative)
    least, most = -(1 << (format_at(op).width - 1)), (1 << (format_at(op).width - 1)) - 1
    return broadcasting(op, Scalar(lambda x, before, after: min(max(after - (x - before), least), most)))


# -- moved elements ----------------------------------------------------------------------------------------


executions.case(ConstOp)(lambda op: constant(op, op.values))


@executions.case(OPS["const_shape"])
def const_shape(op: Operation) -> Perform:
    """A list of numbers."""
    value = elements_of(op.properties["values"])
    sizes = [int(each) for each in value.data.flat]
    return lambda machine: sizes


@executions.case(OPS["transpose"])
def transpose(op: Operation) -> Perform:
    """Dimension d of the result is dimension `perms[d]` of the operand."""
    order = list(cast(Any, op.properties["perms"]).get_values())
    return moves(op, lambda data: data.transpose(order))


@executions.case(OPS["reverse"])
def reverse(op: Operation) -> Perform:
    """The last element along the axis first."""
    axis = _axis(op)
    return moves(op, lambda data: np.flip(data, axis))


@performs(OPS["reshape"])
def reshape(op: Operation, machine: Machine, source: Tensor, sizes: list[int]) -> Tensor:
    """The same elements, row by row; one size may be -1: what is left."""
    known = math.prod(n for n in sizes if n >= 0)
    is_open = -1 in sizes
    if source.count % known if is_open and known else source.count != known:
        raise Undefined(op, Defect.CONTRACT, f"a tensor of {list(source.shape)} is reshaped to {sizes}")
    return source.rearranged(lambda data: data.reshape(sizes))


@performs(OPS["slice"])
def slice_op(op: Operation, machine: Machine, source: Tensor, start: list[int], size: list[int]) -> Tensor:
    """`x[start + r]`."""
    for d, (first, count, n) in enumerate(zip(start, size, source.shape, strict=True)):
        if first < 0 or count < 0 or first + count > n:
            text = f"elements {first} to {first + count - 1} of dimension {d} of size {n}"
            raise Undefined(op, Defect.BOUNDS, text)
    at = tuple(slice(first, first + count) for first, count in zip(start, size, strict=True))
    return source.rearranged(lambda data: data[at])


@performs(OPS["tile"])
def tile(op: Operation, machine: Machine, source: Tensor, multiples: list[int]) -> Tensor:
    """Copies side by side."""
    if min(multiples, default=0) < 0:
        raise Unsupported(op, "a multiple that is not known")
    return source.rearranged(lambda data: np.tile(data, multiples))


@executions.case(OPS["concat"])
def concat(op: Operation) -> Perform:
    """The operands one after the other along the axis."""
    axis = _axis(op)
    return lambda machine, *parts: joined(op, parts, axis)


@performs(OPS["pad"])
def pad(op: Operation, machine: Machine, source: Tensor, widths: list[int], value: Tensor) -> Tensor:
    """The operand, with the constant before and after it in each dimension."""
    before, after = widths[::2], widths[1::2]
    if min(widths, default=0) < 0:
        raise Undefined(op, Defect.CONTRACT, f"padding by {before} and {after}")
    shape = [a + n + b for a, n, b in zip(before, source.shape, after, strict=True)]
    machine.fits(op, math.prod(shape), dtype_of(source))
    inside = tuple(slice(a, a + n) for a, n in zip(before, source.shape, strict=True))
    return surrounded(source, value, shape, inside)


@performs(OPS["gather"])
def gather(op: Operation, machine: Machine, values: Tensor, indices: Tensor) -> Tensor:
    """`values[n, indices[n, w], c]`."""
    rows = _rows(op, indices, values.shape[1])
    return values.rearranged(lambda data: np.take_along_axis(data, rows[:, :, None], 1))


@performs(OPS["scatter"])
def scatter(op: Operation, machine: Machine, values: Tensor, indices: Tensor, source: Tensor) -> Tensor:
    """`values_in`, with `input[n, w, c]` at `[n, indices[n, w], c]`; each row at most once."""
    rows = _rows(op, indices, values.shape[1])
    if any(len(set(row)) < len(row) for row in rows.tolist()):
        raise Undefined(op, Defect.CONTRACT, "a row is written twice")
    data, states = np.array(values.data), np.array(values.known_states())
    if source.data.dtype != data.dtype:
        raise Unsupported(op, "terms among numbers are not scattered")
    np.put_along_axis(data, rows[:, :, None], source.data, 1)
    np.put_along_axis(states, rows[:, :, None], source.known_states(), 1)
    return values.moved(data, states)


def _rows(op: Operation, indices: Tensor, size: int) -> Array:
    found = [number(op, indices.element(at), "an index") for at in np.ndindex(indices.shape)]
    for index in found:
        if not 0 <= index < size:
            raise Undefined(op, Defect.BOUNDS, f"index {index} is not in dimension 1 of size {size}")
    return np.array(found, np.int64).reshape(indices.shape)


# -- reductions --------------------------------------------------------------------------------------------

_REDUCTIONS: Mapping[str, Callable[[Operation], Scalar]] = {
    "reduce_all": lambda op: integers.alike(op, "and", format_at(op)),
    "reduce_any": lambda op: integers.alike(op, "or", format_at(op)),
    "reduce_max": SCALARS["maximum"],
    "reduce_min": SCALARS["minimum"],
    "reduce_sum": lambda op: arithmetic("add", kind_of(op)),
    "reduce_product": lambda op: arithmetic("mul", kind_of(op)),
}


def _reduction(op: Operation) -> Perform:
    """The elements along the axis, in order, after 0.0 if floats are added; the axis stays, of size 1."""
    axis, name, format = _axis(op), op.name.partition(".")[2], format_at(op)
    scalar = _REDUCTIONS[name](op)

    def perform(machine: Machine, source: Tensor) -> Tensor:
        start = None
        if name == "reduce_sum" and format.kind == "float":
            shape = tuple(1 if d == axis else n for d, n in enumerate(source.shape))
            start = packed([format.number(0)] * math.prod(shape), shape, format.dtype)
        return folded(machine, op, scalar, start, source, [axis])

    return perform


executions.case(*(OPS[_name] for _name in _REDUCTIONS))(_reduction)


@executions.case(OPS["argmax"])
def argmax(op: Operation) -> Perform:
    """The first index of the largest element along the axis; NaN is the largest, or ignored."""
    axis, dtype = _axis(op), format_of(op.results[0].type).dtype
    ignores = mode(op, "nan_mode") == "IGNORE"

    def perform(machine: Machine, source: Tensor) -> Tensor:
        (data,) = plain_numbers(op, [source])
        if ignores and format_at(op).kind == "float":
            data = np.where(data != data, -np.inf, data)
        return Tensor(np.argmax(data, axis).astype(dtype))

    return perform


@performs(IfOp)
def cond_if(op: IfOp, machine: Machine, then: Body, otherwise: Body, condition: Tensor, *inputs: Any) -> Any:
    """One of two regions."""
    chosen = number(op, condition.element((0,) * len(condition.shape)), "the condition")
    return (then if chosen else otherwise)(*inputs)

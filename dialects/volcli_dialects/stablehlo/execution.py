"""How the operations of stablehlo execute, by its specification, on whole tensors.

Sums are added to their start in row-major order, one of the orders that the specification allows.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Operation

from volcli.execution.code.code import Body
from volcli.execution.demand.rules import along_lines
from volcli.execution.elements.constants import constant
from volcli.execution.elements.elementwise import packed
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, Scalar, executions, performs, scalars
from volcli.execution.tensors.blocks import (
    Sums,
    arithmetic,
    broadcasting,
    dtype_of,
    everywhere,
    extremum,
    folded,
    joined,
    moves,
    padded,
    rearranged,
    taken,
    window,
    with_dtype,
)
from volcli_dialects.cases.parts import attribute, integers_of
from volcli_dialects.stablehlo import execution_of_regions, execution_of_slices
from volcli_dialects.stablehlo.convolving import convolution
from volcli_dialects.stablehlo.ops import ELEMENTWISE, OPS, ReduceOp
from volcli_dialects.stablehlo.products import dot_dimensions
from volcli_dialects.stablehlo.reductions import applied_by
from volcli_dialects.stablehlo.scalars import bitcast_convert, comparison, conversion, less_precise, scalar_of
from volcli_dialects.stablehlo.syntax import text_of

__all__ = ["execution_of_regions", "execution_of_slices"]

for _name, *_ in ELEMENTWISE:
    scalars.case(OPS[_name])(scalar_of)
scalars.case(OPS["convert"])(conversion)
scalars.case(OPS["complex"])(scalar_of)
scalars.case(OPS["reduce_precision"])(less_precise)
scalars.case(OPS["bitcast_convert"])(bitcast_convert)
executions.case(OPS["convolution"])(convolution)


def _listed(op: Operation, name: str) -> list[int]:
    found = integers_of(attribute(op, name))
    if found is None:
        raise Unsupported(op, f"{name} is not a list of numbers")
    return list(found)


def _number(op: Operation, name: str) -> int:
    return cast("Any", attribute(op, name)).value.data


def _shape(op: Operation) -> tuple[int, ...]:
    shape = tuple(cast("ShapedType", op.results[0].type).get_shape())
    if DYNAMIC_INDEX in shape:
        raise Unsupported(op, "a result whose sizes only its type could say is not executed")
    return shape


@scalars.case(OPS["compare"])
def compare(op: Operation) -> Scalar:
    """A truth for each element."""
    if text_of(attribute(op, "compare_type")).upper() == "TOTALORDER":
        raise Unsupported(op, "comparisons by the total order are not executed")
    return comparison(op, text_of(attribute(op, "comparison_direction")).lower())


@executions.case(OPS["select"])
def select(op: Operation) -> Perform:
    """One of two values, by a truth for each element or for all."""
    return broadcasting(op, Scalar(lambda c, a, b: a if c else b, np.where, term="select", chooses=True))


@executions.case(OPS["clamp"])
def clamp(op: Operation) -> Perform:
    """`min(max(operand, least), most)`."""
    kind = op.operands[1].type
    largest, smallest = extremum("max", kind).number, extremum("min", kind).number
    return broadcasting(op, Scalar(lambda least, x, most: smallest(largest(x, least), most)))


# -- moved elements ----------------------------------------------------------------------------------------


executions.case(OPS["constant"])(lambda op: constant(op, op.properties["value"]))


@executions.case(OPS["iota"])
def iota(op: Operation) -> Perform:
    """The index in a dimension."""
    shape, along, format = _shape(op), _number(op, "iota_dimension"), format_of(op.results[0].type)
    numbers = np.array([format.number(k) for k in range(shape[along])], format.dtype)
    found = numbers.reshape([-1 if d == along else 1 for d in range(len(shape))])
    return lambda machine: Tensor(np.broadcast_to(found, shape))


@performs(OPS["reshape"])
def reshape(op: Operation, machine: Machine, source: Tensor) -> Tensor:
    """The elements, row by row, in another shape."""
    shape = _shape(op)
    if source.count != math.prod(shape):
        text = f"a tensor of {list(source.shape)} is reshaped to {list(shape)}"
        raise Undefined(op, Defect.CONTRACT, text)
    return rearranged(op, source, lambda data: data.reshape(shape))


@executions.case(OPS["transpose"])
def transpose(op: Operation) -> Perform:
    """Dimension d of the result is dimension `permutation[d]` of the operand."""
    order = _listed(op, "permutation")
    return moves(op, lambda data: data.transpose(order))


@executions.case(OPS["broadcast_in_dim"])
def broadcast_in_dim(op: Operation) -> Perform:
    """Dimension d of the operand is dimension `dims[d]` of the result; all others are copies."""
    shape, to = _shape(op), _listed(op, "broadcast_dimensions")
    order = sorted(range(len(to)), key=lambda d: to[d])

    def perform(machine: Machine, source: Tensor) -> Tensor:
        if any(n not in (1, shape[d]) for n, d in zip(source.shape, to, strict=True)):
            raise Undefined(op, Defect.CONTRACT, f"{list(source.shape)} is broadcast to {list(shape)}")
        sizes = [1] * len(shape)
        for n, d in zip(source.shape, to, strict=True):
            sizes[d] = n
        return rearranged(
            op, source, lambda data: np.broadcast_to(data.transpose(order).reshape(sizes), shape)
        )

    return perform


@executions.case(OPS["reverse"])
def reverse(op: Operation) -> Perform:
    """The last element first, in some dimensions."""
    axes = tuple(_listed(op, "dimensions"))
    return moves(op, lambda data: np.flip(data, axes))


@executions.case(OPS["concatenate"])
def concatenate(op: Operation) -> Perform:
    """The operands one after the other."""
    axis = _number(op, "dimension")
    return lambda machine, *parts: joined(op, parts, axis)


@performs(OPS["slice"])
def slice_op(op: Operation, machine: Machine, source: Tensor) -> Tensor:
    """`x[start + r * stride]` below the limit."""
    start, limit, stride = (_listed(op, name) for name in ("start_indices", "limit_indices", "strides"))
    for d, (low, high, n) in enumerate(zip(start, limit, source.shape, strict=True)):
        if not 0 <= low <= high <= n:
            text = f"elements {low} to {high - 1} of dimension {d} of size {n}"
            raise Undefined(op, Defect.BOUNDS, text)
    at = tuple(map(slice, start, limit, stride))
    return rearranged(op, source, lambda data: data[at])


@performs(OPS["pad"])
def pad(op: Operation, machine: Machine, source: Tensor, value: Tensor) -> Tensor:
    """`R[low + s * (interior + 1)] = x[s]`, the value elsewhere; negative widths leave elements out."""
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    low, high, interior = (_listed(op, name) for name in names)
    shape = [low[d] + n + max(n - 1, 0) * interior[d] + high[d] for d, n in enumerate(source.shape)]
    if min(shape, default=0) < 0:
        raise Undefined(op, Defect.CONTRACT, f"a tensor of the sizes {shape}")
    machine.fits(op, math.prod(shape), dtype_of(source))
    pairs = [window(shape[d], n, interior[d] + 1, low[d]) for d, n in enumerate(source.shape)]
    kept = taken(source, tuple(pair[0] for pair in pairs))
    return padded(op, kept, value, shape, tuple(pair[1] for pair in pairs))


# -- sums --------------------------------------------------------------------------------------------------


@executions.case(ReduceOp)
def reduce(op: ReduceOp) -> Perform:
    """The body of the state and each element along the dimensions, from the initial values on."""
    axes, inner, count = _listed(op, "dimensions"), applied_by(op), len(op.operands) // 2
    dtypes = [format_of(result.type).dtype for result in op.results]
    is_plain = inner is not None and tuple(inner.operands) == tuple(op.body.block.args)
    scalar = scalars(inner) if inner is not None and is_plain else None

    def perform(machine: Machine, body: Body, *operands: Tensor) -> Any:
        sources, starts = operands[:count], operands[count:]
        kept = [n for d, n in enumerate(sources[0].shape) if d not in axes]
        if scalar is not None:
            shape = [1 if d in axes else n for d, n in enumerate(sources[0].shape)]
            (start,) = starts
            begin = everywhere(start, shape)
            found = folded(machine, op, scalar, begin, sources[0], axes)
            return rearranged(op, found, lambda data: data.reshape(kept))
        return _folded_by(machine, op, body, sources, starts, axes, dtypes)

    return perform


def _folded_by(
    machine: Machine,
    op: Operation,
    body: Body,
    sources: Sequence[Tensor],
    starts: Sequence[Tensor],
    axes: Sequence[int],
    dtypes: Sequence[Any],
) -> Any:
    """The same, an element at a time."""
    shape = sources[0].shape
    kept = [d for d in range(len(shape)) if d not in axes]
    machine.takes_steps(op, math.prod(shape))
    rows: list[list[Any]] = [[] for _ in sources]
    for place in itertools.product(*(range(shape[d]) for d in kept)):
        state: Sequence[Any] = starts
        for along in itertools.product(*(range(shape[d]) for d in axes)):
            index = dict(zip((*kept, *axes), (*place, *along), strict=True))
            at = tuple(index[d] for d in range(len(shape)))
            state = body(*state, *[taken(source, at) for source in sources])
        for row, each in zip(rows, state, strict=True):
            row.append(each.element(()))
    sizes = tuple(shape[d] for d in kept)
    found = [packed(row, sizes, dtype) for row, dtype in zip(rows, dtypes, strict=True)]
    return found[0] if len(found) == 1 else found


@executions.case(OPS["dot_general"])
def dot_general(op: Operation) -> Perform:
    """`sum over k of x[b, m, k] * y[b, n, k]`, of groups of dimensions; the result has b, m, n."""
    dims, kind = dot_dimensions(op), op.results[0].type
    dtype, add, multiply = format_of(kind).dtype, arithmetic("add", kind), arithmetic("mul", kind)

    def perform(machine: Machine, x: Tensor, y: Tensor) -> Tensor:
        left, free = _grouped(x, dims.lhs_batching, dims.lhs_contracting)
        right, others = _grouped(y, dims.rhs_batching, dims.rhs_contracting)
        if left.shape[0] != right.shape[0] or left.shape[2] != right.shape[2]:
            raise Undefined(op, Defect.CONTRACT, f"a product of {list(x.shape)} and {list(y.shape)}")
        left, right = with_dtype(op, left, dtype), with_dtype(op, right, dtype)
        shape = (left.shape[0], left.shape[1], right.shape[1])
        machine.fits(op, math.prod(shape), dtype)
        machine.takes_steps(op, left.shape[2])

        def product(left: Tensor, right: Tensor) -> Tensor:
            sums = Sums(machine, op, Tensor(np.zeros((*left.shape[:2], right.shape[1]), dtype)))
            for k in range(left.shape[2]):
                column, row = taken(left, np.s_[:, :, k, None]), taken(right, np.s_[:, None, :, k])
                sums.product(add, multiply, ..., column, row)
            return sums.tensor()

        found = along_lines(op, shape, dtype, [(left, (0, 1, None)), (right, (0, 2, None))], product)
        sizes = [*[x.shape[d] for d in dims.lhs_batching], *free, *others]
        return rearranged(op, found, lambda data: data.reshape(sizes))

    return perform


def _grouped(source: Tensor, batch: Sequence[int], contracted: Sequence[int]) -> tuple[Tensor, list[int]]:
    """SOURCE as a tensor of three dimensions: batch, free, contracted; and the sizes of the free ones."""
    free = [d for d in range(len(source.shape)) if d not in (*batch, *contracted)]
    groups = (batch, free, contracted)
    order = [d for group in groups for d in group]
    sizes = [math.prod(source.shape[d] for d in group) for group in groups]
    found = source.rearranged(lambda data: data.transpose(order).reshape(sizes))
    return found, [source.shape[d] for d in free]

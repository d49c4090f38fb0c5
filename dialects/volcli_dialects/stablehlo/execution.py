"""How the operations of stablehlo execute, by its specification, on whole tensors.

Sums are added to their start in row-major order, one of the orders that the specification allows.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness
from xdsl.ir import Attribute, Operation

from volcli.execution.code.code import Body
from volcli.execution.demand.rules import along_lines
from volcli.execution.elements.elementwise import applied, packed
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform, Scalar, executions, performs, scalars
from volcli.execution.tensors.blocks import (
    Sums,
    arithmetic,
    broadcasting,
    everywhere,
    extremum,
    folded,
    taken,
    with_dtype,
)
from volcli.language.reads import element_type
from volcli_dialects.cases.parts import attribute
from volcli_dialects.stablehlo import execution_of_regions, execution_of_rows, execution_of_slices
from volcli_dialects.stablehlo.convolving import convolution
from volcli_dialects.stablehlo.execution_of_layout import listed
from volcli_dialects.stablehlo.ops import ELEMENTWISE, OPS, ReduceOp
from volcli_dialects.stablehlo.products import dot_dimensions
from volcli_dialects.stablehlo.reductions import applied_by
from volcli_dialects.stablehlo.scalars import bitcast_convert, comparison, conversion, less_precise, scalar_of
from volcli_dialects.stablehlo.syntax import text_of

__all__ = ["execution_of_regions", "execution_of_rows", "execution_of_slices"]

for _name, *_ in ELEMENTWISE:
    scalars.case(OPS[_name])(scalar_of)
scalars.case(OPS["convert"])(conversion)
scalars.case(OPS["complex"])(scalar_of)
scalars.case(OPS["reduce_precision"])(less_precise)
scalars.case(OPS["bitcast_convert"])(bitcast_convert)
executions.case(OPS["convolution"])(convolution)


@scalars.case(OPS["compare"])
def compare(op: Operation) -> Scalar:
    """A truth for each element."""
    if text_of(attribute(op, "compare_type")).upper() == "TOTALORDER":
        raise Unsupported(op, "comparisons by the total order are not executed")
    return comparison(op, text_of(attribute(op, "comparison_direction")).lower())


@executions.case(OPS["select"])
def select(op: Operation) -> Perform:
    """One of two values, by a truth for each element or for all."""
    return _with_scalars(op, Scalar(lambda c, a, b: a if c else b, np.where, term="select", chooses=True))


@executions.case(OPS["clamp"])
def clamp(op: Operation) -> Perform:
    """`min(max(operand, least), most)`."""
    kind = op.operands[1].type
    largest, smallest = extremum("max", kind).number, extremum("min", kind).number
    return _with_scalars(op, Scalar(lambda least, x, most: smallest(largest(x, least), most)))


def _with_scalars(op: Operation, scalar: Scalar) -> Perform:
    """SCALAR of the elements of operands of one shape; one without dimensions is the same for all."""
    apply = broadcasting(op, scalar)

    def perform(machine: Machine, *operands: Tensor) -> Tensor:
        if len(shapes := {each.shape for each in operands if each.shape}) > 1:
            raise Undefined(op, Defect.CONTRACT, f"operands of the shapes {', '.join(map(str, shapes))}")
        return apply(machine, *operands)

    return perform


# -- quantised numbers ---------------------------------------------------------------------------------------


class _Quantised(NamedTuple):
    """`!quant.uniform<i8<-127:127>:f32, 0.5:3>`: x stands for `(x - zero) * scale`."""

    dtype: Any
    least: int
    most: int
    scale: Any
    zero: int


def _quantised(op: Operation, kind: Attribute) -> _Quantised:
    """How the elements of KIND are stored. Raises Unsupported unless all are alike."""
    found = _QUANTISED.fullmatch(str(element_type(kind)))
    if found is None:
        raise Unsupported(op, f"numbers of the type {element_type(kind)} are not executed")
    sign, width, least, most, scale, zero = found.groups()
    low = 0 if sign == "u" else -(1 << (int(width) - 1))
    high = low + (1 << int(width)) - 1
    storage = format_of(IntegerType(int(width), Signedness.UNSIGNED if sign == "u" else Signedness.SIGNLESS))
    return _Quantised(
        storage.dtype, int(least or low), int(most or high), np.float32(float(scale)), int(zero or 0)
    )


_QUANTISED = re.compile(
    r"!quant\.uniform<([iu])(\d+)(?:<(-?\d+):(-?\d+)>)?:f\d+,\s*([-+.\deE]+)(?::(-?\d+))?>"
)


@executions.case(OPS["uniform_quantize"])
def quantise(op: Operation) -> Perform:
    """`round(x / scale) + zero`, ties to even, clipped to what is stored."""
    to = _quantised(op, op.results[0].type)
    _ = format_of(op.operands[0].type)

    def number(x: Any) -> int:
        if x != x:
            raise Unsupported(op, "a quantised NaN, which the implementation defines")
        return int(min(max(np.rint(x / to.scale) + to.zero, to.least), to.most))

    scalar = Scalar(number)
    return lambda machine, x: applied(machine, op, scalar, [x], [to.dtype])[0]


@executions.case(OPS["uniform_dequantize"])
def dequantise(op: Operation) -> Perform:
    """`(x - zero) * scale`."""
    of, format = _quantised(op, op.operands[0].type), format_of(op.results[0].type)
    scalar = Scalar(lambda x: format.number((x - of.zero) * of.scale))
    return lambda machine, x: applied(machine, op, scalar, [x], [format.dtype])[0]


# -- sums --------------------------------------------------------------------------------------------------


@executions.case(ReduceOp)
def reduce(op: ReduceOp) -> Perform:
    """The body of the state and each element along the dimensions, from the initial values on."""
    axes, inner, count = listed(op, "dimensions"), applied_by(op), len(op.operands) // 2
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
            return found.rearranged(lambda data: data.reshape(kept))
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
    return [packed(row, sizes, dtype) for row, dtype in zip(rows, dtypes, strict=True)]


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
        return found.rearranged(lambda data: data.reshape(sizes))

    return perform


def _grouped(source: Tensor, batch: Sequence[int], contracted: Sequence[int]) -> tuple[Tensor, list[int]]:
    """SOURCE as a tensor of three dimensions: batch, free, contracted; and the sizes of the free ones."""
    free = [d for d in range(len(source.shape)) if d not in (*batch, *contracted)]
    groups = (batch, free, contracted)
    order = [d for group in groups for d in group]
    sizes = [math.prod(source.shape[d] for d in group) for group in groups]
    found = source.rearranged(lambda data: data.transpose(order).reshape(sizes))
    return found, [source.shape[d] for d in free]

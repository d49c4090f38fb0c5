"""How the products, convolutions and poolings of tosa execute.

TOSA 1.1, CONV2D, pseudocode: products are added to an `acc_t` 0 in the order of the window, then of the
channels; the sum is converted to `out_t`, and the bias added last, in `out_t`. Zero points are subtracted
first, in `acc_t`. What lies in the padding is 0, whose product with a weight an implementation may leave out
(`tosa_extra_multiplies`): here it is computed, as mlir-opt's lowering does, and 0 times infinity is NaN.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np
from xdsl.ir import Attribute, Operation

from volcli.execution.demand.rules import along_lines
from volcli.execution.elements.elementwise import applied
from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.table import Perform, Scalar, executions
from volcli.execution.tensors.blocks import (
    Sums,
    arithmetic,
    extremum,
    surrounded,
    taken,
    window,
    with_dtype,
)
from volcli_dialects.tosa.execution_of_scaling import apply_scale
from volcli_dialects.tosa.ops import OPS, named


class _Products:
    """What OP, a sum of products, has in common with others: its accumulator, and its steps."""

    def __init__(self, op: Operation) -> None:
        self.op = op
        accumulator = op.properties.get("acc_type")
        kind: Attribute = op.results[0].type if accumulator is None else accumulator
        self.dtype, self.result_dtype = format_of(kind).dtype, format_of(op.results[0].type).dtype
        self.add, self.multiply = arithmetic("add", kind), arithmetic("mul", kind)
        self._subtract = arithmetic("sub", kind)
        self._is_integer = format_of(kind).kind == "integer"

    def sums(self, machine: Machine, shape: Sequence[int]) -> Sums:
        """Zeros."""
        machine.fits(self.op, math.prod(shape), self.dtype)
        return Sums(machine, self.op, Tensor(np.zeros(tuple(shape), self.dtype)))

    def operand(self, machine: Machine, source: Tensor, zero_point: Tensor) -> Tensor:
        """SOURCE in the accumulator's type, without its zero point."""
        source = with_dtype(self.op, source, self.dtype)
        if not self._is_integer:
            return source
        zero = zero_point.element((0,) * len(zero_point.shape))
        return applied(machine, self.op, self._subtract, [source, zero], [self.dtype])[0]

    def result(self, machine: Machine, sums: Sums, bias: Tensor | None = None) -> Tensor:
        """The sums, or some lines of them, as the result's type, and BIAS of the last dimension."""
        kind = self.op.results[0].type
        found = sums.tensor()
        if found.data.dtype != object:
            found = with_dtype(self.op, found, self.result_dtype)
        if bias is not None:
            total = Sums(machine, self.op, found)
            total.step(arithmetic("add", kind), ..., with_dtype(self.op, bias, self.result_dtype))
            found = total.tensor()
        return found


def _listed(op: Operation, name: str) -> list[int]:
    return [int(each) for each in cast(Any, op.properties[name]).get_values()]


def matmul(op: Operation) -> Perform:
    """`sum over k of a[n, h, k] * b[n, k, w]`."""
    products = _Products(op)

    def perform(machine: Machine, a: Tensor, b: Tensor, a_zp: Tensor, b_zp: Tensor) -> Tensor:
        if a.shape[0] != b.shape[0] or a.shape[2] != b.shape[1]:
            raise Undefined(op, Defect.CONTRACT, f"a product of {list(a.shape)} by {list(b.shape)}")
        left, right = products.operand(machine, a, a_zp), products.operand(machine, b, b_zp)
        machine.takes_steps(op, a.shape[2])

        def product(left: Tensor, right: Tensor) -> Tensor:
            sums = products.sums(machine, (*left.shape[:2], right.shape[2]))
            for k in range(left.shape[2]):
                column, row = taken(left, np.s_[:, :, k, None]), taken(right, np.s_[:, k, None, :])
                sums.product(products.add, products.multiply, ..., column, row)
            return products.result(machine, sums)

        shape, sources = (*a.shape[:2], b.shape[2]), [(left, (0, 1, None)), (right, (0, None, 2))]
        return along_lines(op, shape, products.result_dtype, sources, product)

    return perform


def _extents(op: Operation, sizes: Sequence[int], taps: Sequence[int]) -> list[int]:
    """How many windows fit in each dimension."""
    pad, stride = _listed(op, "pad"), _listed(op, "stride")
    dilation = _listed(op, "dilation") if "dilation" in op.properties else [1] * len(taps)
    found: list[int] = []
    for d, (size, count) in enumerate(zip(sizes, taps, strict=True)):
        room = size - 1 + pad[2 * d] + pad[2 * d + 1] - (count - 1) * dilation[d]
        if room < 0:
            raise Undefined(op, Defect.CONTRACT, f"a window that is larger than dimension {d + 1}")
        found.append(room // stride[d] + 1)
    return found


def _windows(op: Operation, taps: Sequence[int], sizes: Sequence[int], extents: Sequence[int]) -> Any:
    """For each tap: where the result has a term from it, and the elements of the input there."""
    stride, pad = _listed(op, "stride"), _listed(op, "pad")
    for at in itertools.product(*map(range, taps)):
        pairs = [window(sizes[d], extents[d], stride[d], k - pad[2 * d]) for d, k in enumerate(at)]
        yield at, tuple(p[0] for p in pairs), tuple(p[1] for p in pairs)


def _surrounded(
    op: Operation, source: Tensor, shape: Sequence[int], stride: Sequence[int], before: Sequence[int]
) -> Tensor:
    """SOURCE in zeros: along spatial dimension d, one element in STRIDE, after BEFORE, of SHAPE."""
    pairs = [window(n, source.shape[1 + d], stride[d], before[d]) for d, n in enumerate(shape)]
    zero = Tensor(np.zeros((), format_of(op.operands[0].type).dtype))
    inside = taken(source, (slice(None), *[pair[0] for pair in pairs]))
    whole = (source.shape[0], *shape, source.shape[-1])
    return surrounded(inside, zero, whole, (slice(None), *[pair[1] for pair in pairs]))


def _taps(op: Operation, source: Tensor, taps: Sequence[int], extents: Sequence[int]) -> Iterator[Any]:
    """For each tap: its index, and the elements of SOURCE, the zeros around it included, of all windows."""
    pad, stride, dilation = _listed(op, "pad"), _listed(op, "stride"), _listed(op, "dilation")
    spans = [(n - 1) * stride[d] + 1 for d, n in enumerate(extents)]
    shape = [n + (taps[d] - 1) * dilation[d] for d, n in enumerate(spans)]
    around = _surrounded(op, source, shape, [1] * len(taps), pad[::2])
    for at in itertools.product(*map(range, taps)):
        first = [k * dilation[d] for d, k in enumerate(at)]
        places = [slice(k, k + spans[d], stride[d]) for d, k in enumerate(first)]
        yield at, taken(around, (slice(None), *places))


def convolution(op: Operation) -> Perform:
    """`bias[f] + sum over k, c of x[n, o * stride + k * dilation - pad, c] * w[f, k, c]`."""
    products = _Products(op)

    def perform(machine: Machine, x: Tensor, w: Tensor, bias: Tensor, x_zp: Tensor, w_zp: Tensor) -> Tensor:
        sizes, taps, channels = x.shape[1:-1], w.shape[1:-1], x.shape[-1]
        if w.shape[-1] != channels:
            raise Undefined(op, Defect.CONTRACT, f"{channels} channels, and weights for {w.shape[-1]}")
        extents = _extents(op, sizes, taps)
        left, right = products.operand(machine, x, x_zp), products.operand(machine, w, w_zp)
        machine.takes_steps(op, math.prod(taps) * channels)

        def product(left: Tensor, right: Tensor, bias: Tensor) -> Tensor:
            sums = products.sums(machine, (left.shape[0], *extents, right.shape[0]))
            for at, part in _taps(op, left, taps, extents):
                for c in range(channels):
                    column, weights = taken(part, (..., slice(c, c + 1))), taken(right, (slice(None), *at, c))
                    sums.product(products.add, products.multiply, ..., column, weights)
            return products.result(machine, sums, bias)

        last, others = len(extents) + 1, [None] * (len(extents) + 1)
        of_bias = (last if bias.shape[0] > 1 else None,)
        sources = [(left, (0, *others)), (right, (last, *others)), (bias, of_bias)]
        shape = (x.shape[0], *extents, w.shape[0])
        return along_lines(op, shape, products.result_dtype, sources, product)

    return perform


def depthwise(op: Operation) -> Perform:
    """Each channel by its own weights: `x[.., c] * w[k, c, m]` is a term of channel `c * M + m`."""
    products = _Products(op)

    def perform(machine: Machine, x: Tensor, w: Tensor, bias: Tensor, x_zp: Tensor, w_zp: Tensor) -> Tensor:
        sizes, taps, (channels, copies) = x.shape[1:3], w.shape[:2], w.shape[2:]
        if x.shape[-1] != channels:
            raise Undefined(op, Defect.CONTRACT, f"{x.shape[-1]} channels, and weights for {channels}")
        extents = _extents(op, sizes, taps)
        left, right = (products.operand(machine, each, zp).whole() for each, zp in ((x, x_zp), (w, w_zp)))
        sums = products.sums(machine, (x.shape[0], *extents, channels * copies))
        machine.takes_steps(op, math.prod(taps) * copies)
        for at, part in _taps(op, left, taps, extents):
            for m in range(copies):
                weights, where = taken(right, (*at, slice(None), m)), (..., slice(m, None, copies))
                sums.product(products.add, products.multiply, where, part, weights)
        return products.result(machine, sums, bias)

    return perform


def transposed(op: Operation) -> Perform:
    """`x[n, i, c] * w[f, k, c]` is a term of the element `i * stride + out_pad + k`, 0 between those i."""
    products = _Products(op)
    pad, stride = _listed(op, "out_pad"), _listed(op, "stride")

    def perform(machine: Machine, x: Tensor, w: Tensor, bias: Tensor, x_zp: Tensor, w_zp: Tensor) -> Tensor:
        sizes, taps = x.shape[1:3], w.shape[1:3]
        extents = [(sizes[d] - 1) * stride[d] + pad[2 * d] + pad[2 * d + 1] + taps[d] for d in range(2)]
        left, right = (products.operand(machine, each, zp).whole() for each, zp in ((x, x_zp), (w, w_zp)))
        sums = products.sums(machine, (x.shape[0], *extents, w.shape[0]))
        machine.takes_steps(op, math.prod(taps) * x.shape[3])
        shape = [extents[d] + taps[d] - 1 for d in range(2)]
        around = _surrounded(op, left, shape, stride, [pad[2 * d] + taps[d] - 1 for d in range(2)])
        for at in itertools.product(*map(range, taps)):
            first = [taps[d] - 1 - at[d] for d in range(2)]
            part = taken(around, (slice(None), *[slice(k, k + extents[d]) for d, k in enumerate(first)]))
            for c in range(x.shape[3]):
                column, weights = taken(part, (..., slice(c, c + 1))), taken(right, (slice(None), *at, c))
                sums.product(products.add, products.multiply, ..., column, weights)
        return products.result(machine, sums, bias)

    return perform


def max_pool(op: Operation) -> Perform:
    """The largest element of each window; NaN is the largest, or ignored."""
    mode = op.properties.get("nan_mode")
    ignores = mode is not None and str(cast(Any, mode).data) == "IGNORE"
    scalar = extremum("max", op.operands[0].type, ignores_nan=ignores)

    def perform(machine: Machine, x: Tensor) -> Tensor:
        sizes, kernel = x.shape[1:3], _listed(op, "kernel")
        extents = _extents(op, sizes, kernel)
        shape = (x.shape[0], *extents, x.shape[3])
        format = format_of(op.operands[0].type)
        least = -np.inf if format.kind == "float" else -(1 << (format.width - 1))
        sums = Sums(machine, op, Tensor(np.full(shape, least, format.dtype)))
        for _, to, source in _windows(op, kernel, sizes, extents):
            sums.step(scalar, (slice(None), *to), taken(x, (slice(None), *source)))
        return sums.tensor()

    return perform


def average_pool(op: Operation) -> Perform:
    """The sum of what a window has inside of the tensor, divided by how many that are."""
    products = _Products(op)
    target = format_of(op.results[0].type)

    def perform(machine: Machine, x: Tensor, x_zp: Tensor, zp: Tensor) -> Tensor:
        sizes, kernel = x.shape[1:3], _listed(op, "kernel")
        extents = _extents(op, sizes, kernel)
        source_of, counts = products.operand(machine, x, x_zp), np.zeros((1, *extents, 1), np.int64)
        sums = products.sums(machine, (x.shape[0], *extents, x.shape[3]))
        for _, to, source in _windows(op, kernel, sizes, extents):
            sums.step(products.add, (slice(None), *to), taken(source_of, (slice(None), *source)))
            counts[(slice(None), *to)] += 1
        divide = _division(op, zp.element((0,) * len(zp.shape)))
        dtype = target.dtype if target.kind == "integer" else products.dtype
        divisor = Tensor(counts if target.kind == "integer" else counts.astype(products.dtype))
        total = sums.tensor()
        spread = Tensor(np.broadcast_to(divisor.data, total.shape))
        (found,) = applied(machine, op, divide, [total, spread], [dtype])
        return found if found.data.dtype == object else with_dtype(op, found, target.dtype)

    return perform


def _division(op: Operation, zero_point: Any) -> Scalar:
    """The average: of integers by reciprocal_scale and apply_scale_32 (TOSA, section "Quantization")."""
    target = format_of(op.results[0].type)
    if target.kind != "integer":
        return Scalar(lambda total, count: total / count, lambda total, count: total / count, term="divf")
    least, most = -(1 << (target.width - 1)), (1 << (target.width - 1)) - 1

    def average(total: int, count: int) -> int:
        bits = (count - 1).bit_length()
        multiplier, shift = (((1 << 30) + 1) << bits) // count, 30 + bits
        scaled = apply_scale(total, multiplier, shift, double_round=False)
        return min(max(scaled + zero_point, least), most)

    return Scalar(average)


def register() -> None:
    """Enter the cases."""
    executions.case(OPS["matmul"])(matmul)
    executions.case(*named("conv2d", "conv3d"))(convolution)
    executions.case(OPS["depthwise_conv2d"])(depthwise)
    executions.case(OPS["transpose_conv2d"])(transposed)
    executions.case(OPS["max_pool2d"])(max_pool)
    executions.case(OPS["avg_pool2d"])(average_pool)

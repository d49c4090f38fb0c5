"""How stablehlo.convolution executes: strides, both dilations, padding, reversal, groups.

As the specification has it (StableHLO, Ops, convolution, Semantics): a window is a slice of `lhs` padded with
`constant(0, element_type(lhs))`, an element of the result the `dot_general` of its window and the kernel. So
padding is zeros that are multiplied, and 0 by infinity is NaN. Groups of features and of batches are split,
and put together again along the features of the result.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.ir import Operation

from volcli.execution.memory.machine import Machine
from volcli.execution.numbers.formats import format_of
from volcli.execution.numbers.values import Tensor
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.table import Perform
from volcli.execution.tensors.blocks import (
    Sums,
    arithmetic,
    surrounded,
    taken,
    window,
    with_dtype,
)
from volcli_dialects.cases.parts import attribute, integers_of
from volcli_dialects.stablehlo.products import conv_dimensions


class _Dimension(NamedTuple):
    """How windows lie in one spatial dimension."""

    stride: int
    before: int
    after: int
    spread: int
    """The dilation of the input."""
    dilation: int
    """The dilation of the kernel."""
    is_reversed: bool

    def extent(self, size: int, taps: int) -> int:
        """How many windows fit."""
        length = (size - 1) * self.spread + 1 if size else 0
        reach = (taps - 1) * self.dilation + 1 if taps else 0
        room = self.before + length + self.after - reach
        return 0 if room < 0 else room // self.stride + 1

    def padded(self, size: int) -> int:
        """How many elements the padded and dilated input has."""
        return max(
            self.before + (size - 1) * self.spread + 1 + self.after if size else self.before + self.after, 0
        )

    def taken(self, extent: int, tap: int) -> slice:
        """The elements of the padded input at TAP of each window."""
        first = tap * self.dilation
        return slice(first, first + (extent - 1) * self.stride + 1, self.stride) if extent else slice(0, 0)


def _dimensions(op: Operation, rank: int) -> list[_Dimension]:
    def listed(name: str, default: int, count: int = rank) -> list[int]:
        found = attribute(op, name)
        return [default] * count if found is None else [int(n) for n in integers_of(found) or ()]

    padding = listed("padding", 0, 2 * rank)
    columns = (
        listed("window_strides", 1), padding[::2], padding[1::2], listed("lhs_dilation", 1),
        listed("rhs_dilation", 1), [bool(n) for n in listed("window_reversal", 0)],
    )  # fmt: skip
    return [_Dimension(*row) for row in zip(*columns, strict=True)]


def _moved(source: Tensor, order: list[int]) -> Tensor:
    return source.rearranged(lambda data: data.transpose(order))


def convolution(op: Operation) -> Perform:
    """`sum over k, c of y[b, o * t + k * w, c] * kernel[k, c, f]`, y being x with the zeros of padding."""
    dims, kind = conv_dimensions(op), op.results[0].type
    rank = len(dims.lhs[2])
    spatial = _dimensions(op, rank)
    groups = cast(Any, attribute(op, "feature_group_count")).value.data
    batches = cast(Any, attribute(op, "batch_group_count")).value.data
    dtype, add, multiply = format_of(kind).dtype, arithmetic("add", kind), arithmetic("mul", kind)
    back = list(np.argsort([dims.result[0], *dims.result[2], dims.result[1]]))

    def perform(machine: Machine, x: Tensor, kernel: Tensor) -> Tensor:
        x = with_dtype(op, _moved(x, [dims.lhs[0], *dims.lhs[2], dims.lhs[1]]), dtype)
        kernel = with_dtype(op, _moved(kernel, [*dims.rhs[2], dims.rhs[0], dims.rhs[1]]), dtype)
        features, filters = kernel.shape[-2:]
        _check_groups(op, x.shape, features, filters, groups, batches)
        taps, each = kernel.shape[:rank], x.shape[0] // batches
        extents = [s.extent(x.shape[1 + d], taps[d]) for d, s in enumerate(spatial)]
        machine.fits(op, each * math.prod(extents) * filters, dtype)
        machine.takes_steps(op, math.prod(taps) * features * groups * batches)
        x = _padded(op, x, spatial)
        sums = Sums(machine, op, Tensor(np.zeros((each, *extents, filters), dtype)))
        per_group = filters // (groups * batches)
        for tap in itertools.product(*map(range, taps)):
            places = [s.taken(n, k) for s, n, k in zip(spatial, extents, tap, strict=True)]
            at = tuple(n - 1 - k if s.is_reversed else k for s, n, k in zip(spatial, taps, tap, strict=True))
            for g, c in itertools.product(range(groups * batches), range(features)):
                to = slice(g * per_group, (g + 1) * per_group)
                batch = slice(g * each, (g + 1) * each) if batches > 1 else slice(None)
                feature = c if batches > 1 else g * features + c
                part = taken(x, (batch, *places, slice(feature, feature + 1)))
                sums.product(add, multiply, (..., to), part, taken(kernel, (*at, c, to)))
        return sums.tensor().rearranged(lambda data: data.transpose(back))

    return perform


def _check_groups(
    op: Operation, shape: Sequence[int], features: int, filters: int, groups: int, batches: int
) -> None:
    """Raises Undefined if SHAPE, of the input, or the kernel cannot be split into so many parts."""
    if batches > 1 and groups > 1:
        raise Undefined(op, Defect.CONTRACT, "groups of features and of batches at once")
    if shape[-1] != groups * features or filters % (groups * batches) or shape[0] % batches:
        text = (
            f"{shape[-1]} features in {groups} groups, {shape[0]} batches in {batches}, and {filters} filters"
        )
        raise Undefined(op, Defect.CONTRACT, f"{text} of {features}")


def _padded(op: Operation, x: Tensor, spatial: Sequence[_Dimension]) -> Tensor:
    """X, with the zeros that are between and around its elements."""
    shape = [x.shape[0], *[s.padded(n) for s, n in zip(spatial, x.shape[1:-1], strict=True)], x.shape[-1]]
    pairs = [window(shape[1 + d], x.shape[1 + d], s.spread, s.before) for d, s in enumerate(spatial)]
    kept = taken(x, (slice(None), *[pair[0] for pair in pairs]))
    zero = Tensor(
        np.zeros((), x.data.dtype if x.data.dtype != object else format_of(op.operands[0].type).dtype)
    )
    return surrounded(kept, zero, shape, (slice(None), *[pair[1] for pair in pairs]))

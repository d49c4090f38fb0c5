"""How stablehlo.convolution executes: strides, both dilations, padding, reversal, groups of features."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.ir import Operation

from volcli.execution.blocks import Sums, arithmetic, rearranged, taken, with_dtype
from volcli.execution.formats import format_of
from volcli.execution.machine import Machine
from volcli.execution.outcomes import Defect, Undefined, Unsupported
from volcli.execution.table import Perform
from volcli.execution.values import Array, Tensor
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

    def pairs(self, size: int, extent: int, tap: int) -> tuple[Array, Array]:
        """The windows that have an element at TAP, and its index."""
        windows = np.arange(extent)
        position = windows * self.stride + tap * self.dilation - self.before
        index = position // self.spread
        inside = (position % self.spread == 0) & (index >= 0) & (index < size)
        return windows[inside], index[inside]


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
    states = None if source.states is None else source.states.transpose(order)
    return source.moved(source.data.transpose(order), states)


def convolution(op: Operation) -> Perform:
    """`sum over k, c of x[b, (o * t + k * w - before) / e, c] * kernel[k, c, f]`, where that is an index."""
    dims, kind = conv_dimensions(op), op.results[0].type
    rank = len(dims.lhs[2])
    spatial = _dimensions(op, rank)
    groups = cast(Any, attribute(op, "feature_group_count")).value.data
    if cast(Any, attribute(op, "batch_group_count")).value.data != 1:
        raise Unsupported(op, "convolutions in groups of batches are not executed")
    dtype, add, multiply = format_of(kind).dtype, arithmetic("add", kind), arithmetic("mul", kind)
    back = list(np.argsort([dims.result[0], *dims.result[2], dims.result[1]]))

    def perform(machine: Machine, x: Tensor, kernel: Tensor) -> Tensor:
        x = with_dtype(op, _moved(x, [dims.lhs[0], *dims.lhs[2], dims.lhs[1]]), dtype)
        kernel = with_dtype(op, _moved(kernel, [*dims.rhs[2], dims.rhs[0], dims.rhs[1]]), dtype)
        features, filters = kernel.shape[-2:]
        if x.shape[-1] != groups * features or filters % groups:
            text = f"{x.shape[-1]} features in {groups} groups, and {filters} filters of {features}"
            raise Undefined(op, Defect.CONTRACT, text)
        taps, per_group = kernel.shape[:rank], filters // groups
        extents = [each.extent(x.shape[1 + d], taps[d]) for d, each in enumerate(spatial)]
        shape = (x.shape[0], *extents, filters)
        machine.fits(op, math.prod(shape), dtype)
        machine.takes_steps(op, math.prod(taps) * features * groups)
        sums = Sums(machine, op, Tensor(np.zeros(shape, dtype)))
        for tap in itertools.product(*map(range, taps)):
            found = [each.pairs(x.shape[1 + d], extents[d], tap[d]) for d, each in enumerate(spatial)]
            at = tuple(n - 1 - k if s.is_reversed else k for s, n, k in zip(spatial, taps, tap, strict=True))
            for g, c in itertools.product(range(groups), range(features)):
                filter_range = np.arange(g * per_group, (g + 1) * per_group)
                batch = np.arange(x.shape[0])
                to = np.ix_(batch, *[pair[0] for pair in found], filter_range)
                source = np.ix_(batch, *[pair[1] for pair in found], np.array([g * features + c]))
                weights = taken(kernel, (*at, c, slice(g * per_group, (g + 1) * per_group)))
                sums.product(add, multiply, to, taken(x, source), weights)
        return rearranged(op, sums.tensor(), lambda data: data.transpose(back))

    return perform

"""Convolutions of stablehlo.

For the window position k, the stride t, the dilations e of the input and w of the kernel:

    R[b, o, f] = sum over k, c of x[b, (o * t + k * w - before) / e, c] * kernel[k, c, f]

for the k at which that is an index of x. Elsewhere a float x is the 0 of the padding, which is multiplied
(StableHLO, convolution: a window is a slice of the padded `lhs`, an element the `dot_general` of it and the
kernel): R depends on the kernel there, unless it is finite. In groups, filter f takes the input features of
its group alone; in groups of batches, it takes the part of the batch of its group.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import Operation

from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import (
    Expression,
    Misfit,
    NotAffine,
    constant,
    dim_of,
    loop,
    maximum,
)
from volcli.language.questions import Sizes, result_sizes
from volcli.language.reads import Access
from volcli_dialects.arith.contractions import contraction, multiplies_zeros, padding
from volcli_dialects.cases.elements.defining import define
from volcli_dialects.cases.parts import (
    attribute,
    number,
    numbers,
    result,
    static_sizes,
    tensors,
)
from volcli_dialects.stablehlo.ops import OPS
from volcli_dialects.stablehlo.products import conv_dimensions


class ConvolutionWindows(NamedTuple):
    """The windows of a convolution, per spatial dimension."""

    stride: Sequence[int]
    before: Sequence[int]
    after: Sequence[int]
    lhs_dilation: Sequence[int]
    rhs_dilation: Sequence[int]
    reverse: Sequence[int]

    @property
    def has_zeros(self) -> bool:
        """Whether there may be zeros around or between the elements of the input."""
        return any(n > 0 for n in (*self.before, *self.after)) or any(n > 1 for n in self.lhs_dilation)

    def fitting(self, d: int, size: Expression, taps: Expression) -> Expression:
        """How many windows of as many TAPS fit along SIZE elements."""
        length, reach = dilated(size, self.lhs_dilation[d]), dilated(taps, self.rhs_dilation[d])
        span = length + self.before[d] + self.after[d] - reach
        return maximum(span // self.stride[d] + 1, constant(0))

    def position(self, d: int, o: Expression, k: Expression) -> Expression:
        """Where the tap K of window O lies in the dilated input."""
        return o * self.stride[d] + k * self.rhs_dilation[d] - self.before[d]


def _window(op: Operation, rank: int, **names: str) -> ConvolutionWindows:
    """How the windows of OP lie along RANK dimensions; NAMES are those of attributes that are others."""

    def listed(name: str, default: int, count: int = 1) -> Sequence[int]:
        name = names.get(name, name)
        return (default,) * rank * count if attribute(op, name) is None else numbers(op, name, rank * count)

    pads = listed("padding", 0, 2)
    window = ConvolutionWindows(
        listed("window_strides", 1), pads[::2], pads[1::2], listed("lhs_dilation", 1),
        listed("rhs_dilation", 1), listed("window_reversal", 0),
    )  # fmt: skip
    if any(n < 1 for each in (window.stride, window.lhs_dilation, window.rhs_dilation) for n in each):
        raise Misfit("a stride or a dilation that is not positive")
    return window


def windows_of(op: Operation, rank: int) -> tuple[ConvolutionWindows, tuple[int, ...]]:
    """How the windows of stablehlo.reduce_window lie, and how large they are."""
    window = _window(op, rank, lhs_dilation="base_dilations", rhs_dilation="window_dilations")
    return window, numbers(op, "window_dimensions", rank)


@define(OPS["convolution"], sizes=False)
def convolution(op: Operation) -> TensorDefinition:
    """The sum over the window and the input features of a group; loops b, g, f, window or input, k, c."""
    dims = conv_dimensions(op)
    rank = len(dims.lhs[2])
    x, kernel = tensors(op, rank + 2, rank + 2)
    result(op, rank + 2)
    window = _window(op, rank)
    batches, groups = _groups(op)
    filters, features = static_sizes(kernel)[dims.rhs[1]], static_sizes(kernel)[dims.rhs[0]]
    batch = static_sizes(x)[dims.lhs[0]]
    by_batch, groups = batches != 1, groups * batches
    own = (filters, batch) if by_batch else (filters, features)
    if groups < 1 or (groups != 1 and (min(own) < 0 or filters % groups or (by_batch and batch % groups))):
        raise NotAffine("a convolution in groups of unknown size")
    b, g, f, c = loop(0), loop(1), loop(2), loop(3 + 2 * rank)
    of_group = constant(0) if groups == 1 else g
    per_group = filters // groups if groups != 1 else 0
    element, inside, taps = [constant(0)] * (rank + 2), [constant(0)] * (rank + 2), [constant(0)] * (rank + 2)
    element[dims.result[0]], element[dims.result[1]] = b, of_group * per_group + f
    inside[dims.lhs[0]], inside[dims.lhs[1]] = b, of_group * max(features, 0) + c
    if by_batch:
        inside[dims.lhs[0]], inside[dims.lhs[1]] = of_group * (batch // groups) + b, c
    taps[dims.rhs[0]], taps[dims.rhs[1]] = c, of_group * per_group + f
    for d in range(rank):
        k, size = loop(3 + rank + d), dim_of(kernel, dims.rhs[2][d])
        element[dims.result[2][d]], inside[dims.lhs[2][d]] = loop(3 + d), window.position(d, loop(3 + d), k)
        taps[dims.rhs[2][d]] = size - 1 - k if window.reverse[d] else k
    spread = dict(zip(dims.lhs[2], window.lhs_dilation, strict=True))
    padded = padding(x, inside, spread) if window.has_zeros and multiplies_zeros(x) else None
    extents = [(g, constant(groups))]
    for d in range(rank) if padded is None else ():
        out, read, hole = _along(window, d, loop(3 + d), loop(3 + rank + d))
        element[dims.result[2][d]], inside[dims.lhs[2][d]] = out, read
        extents += [] if hole is None else [(hole, constant(1))]
    extents += [(f, constant(per_group))] if groups != 1 else []
    extents += [(b, constant(batch // groups))] if by_batch else []
    factors = (Access(x, tuple(inside)) if padded is None else padded.access, Access(kernel, tuple(taps)))
    return contraction(op, 4 + 2 * rank, element, factors, padded=padded, extents=tuple(extents))


def _groups(op: Operation) -> tuple[int, int]:
    """In how many groups of batches, and of features, the convolution OP is; not in both."""
    batches, features = number(op, "batch_group_count", 1), number(op, "feature_group_count", 1)
    if min(batches, features) < 1 or (batches != 1 and features != 1):
        raise Misfit("a convolution in groups of batches and of features")
    return batches, features


def _along(
    window: ConvolutionWindows, d: int, moving: Expression, k: Expression
) -> tuple[Expression, Expression, Expression | None]:
    """The indices of the result and the input, for a loop MOVING along one of them and the tap K.

    Where the third one, if there is one, is not 0, the tap lies in a hole between elements.
    """
    position, spread = window.position(d, moving, k), window.lhs_dilation[d]
    if spread == 1:
        return moving, position, None
    if window.stride[d] == 1:
        return moving * spread - k * window.rhs_dilation[d] + window.before[d], moving, None
    return moving, position // spread, position % spread


def dilated(size: Expression, factor: int) -> Expression:
    """The length of SIZE elements, each FACTOR after the one before it; without elements it is 0.

    3 elements with a factor of 2 are `x.x.x`, 5 long.
    """
    return size if factor == 1 else maximum((size - 1) * factor + 1, constant(0))


@result_sizes.case(OPS["convolution"])
def convolution_sizes(op: Operation) -> list[Sizes]:
    """The batch, the filters, the windows that fit: `(n' + pads - taps') floordiv stride + 1`, n' dilated."""
    dims = conv_dimensions(op)
    rank = len(dims.lhs[2])
    x, kernel = tensors(op, rank + 2, rank + 2)
    window, (batches, _) = _window(op, rank), _groups(op)
    found = [constant(0)] * (rank + 2)
    batch = dim_of(x, dims.lhs[0])
    found[dims.result[0]] = batch if batches == 1 else batch // batches
    found[dims.result[1]] = dim_of(kernel, dims.rhs[1])
    for d in range(rank):
        size, taps = dim_of(x, dims.lhs[2][d]), dim_of(kernel, dims.rhs[2][d])
        found[dims.result[2][d]] = window.fitting(d, size, taps)
    return [found]

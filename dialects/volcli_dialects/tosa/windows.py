"""Sums of products of tosa: matrix products, convolutions, and poolings; and which numbers reductions are.

A convolution in D dimensions, of sizes n, with the padding p, the stride t and the dilation e:

    R[b, o, f] = bias[f] + sum over k, c of x[b, o * t + k * e - p_before, c] * w[f, k, c]

where what lies in the padding is 0. Example: with 5 elements, 2 taps, padding (1, 0), stride 2: R[0] reads
x[0] alone, R[1] reads x[1] and x[2]. Both read both weights: whether w[0] is multiplied by the 0 of the
padding is left open ("Implementations may choose to skip calculation of multiplies in the padding area",
TOSA 1.1, CONV2D; `tosa_extra_multiplies` in its pseudocode), which shows where a weight is not finite.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from volcli.language import kinds
from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import Expression, constant, dim_of, loop, loops
from volcli.language.kinds import INTEGERS
from volcli.language.questions import Sizes, Vanishing, fastmath, number_kinds, result_sizes, vanishing
from volcli.language.reads import Access
from volcli_dialects.arith.contractions import Padding, contraction, gathered, multiplies_zeros, padding
from volcli_dialects.cases.elements.defining import define
from volcli_dialects.cases.elements.scalar_functions import is_float, is_integer, sum_of_products
from volcli_dialects.cases.parts import numbers, positives, result, static_sizes, tensor, tensors
from volcli_dialects.tosa.ops import OPS, named

_POOLS = named("avg_pool2d", "max_pool2d")

# An average without zero points, of zeros, is a zero.
number_kinds.case(OPS["avg_pool2d"])(
    lambda op: lambda *terms: sum_of_products(*terms) & (INTEGERS if is_integer(op) else ~kinds.NOTHING)
)
# One of the elements.
number_kinds.case(*named("reduce_max", "reduce_min", "max_pool2d"))(lambda op: kinds.either)
# 0 where all elements are, of whatever sign.
vanishing.case(*named("reduce_max", "reduce_min"), *_POOLS)(lambda op: Vanishing.IF_ALL_OPERANDS)
# The operations of tosa carry none.
fastmath.case(*named("reduce_max", "reduce_min"), *_POOLS)(lambda op: frozenset())


# -- products ------------------------------------------------------------------------------------------


def _contracted(
    op: Operation,
    count: int,
    element: Sequence[Expression],
    x: Access,
    w: Access,
    bias: SSAValue | None = None,
    padded: Padding | None = None,
) -> TensorDefinition:
    """The sum of `x * w` over COUNT loops, and BIAS at the result's last index. X may be PADDED."""
    zero_points = () if is_float(op) else tuple(_alone(each) for each in op.operands[-2:])
    added = None if bias is None else Access(bias, _of_channel(bias, loop(len(element) - 1)))
    return contraction(op, count, element, (x, w), zero_points, added, padded=padded)


def _alone(value: SSAValue) -> Access:
    """The one element of VALUE."""
    return Access(tensor(value, 1), (constant(0),))


def _of_channel(bias: SSAValue, channel: Expression) -> tuple[Expression, ...]:
    """A bias for each channel, or one for all."""
    return (constant(0) if static_sizes(tensor(bias, 1))[0] == 1 else channel,)


@define(OPS["matmul"])
def matmul(op: Operation) -> TensorDefinition:
    """`R[n, i, j] = sum over k of a[n, i, k] * b[n, k, j]`."""
    a, b, *_ = tensors(op, 3, 3, None, None)
    result(op, 3)
    n, i, j, k = loops(4)
    return _contracted(op, 4, (n, i, j), Access(a, (n, i, k)), Access(b, (n, k, j)))


def _window(op: Operation, rank: int, first: int) -> list[Expression]:
    """Per spatial dimension `o * stride + k * dilation - pad`, the k being loops from FIRST on."""
    stride = positives(op, "stride", rank)
    dilation = positives(op, "dilation", rank) if "dilation" in op.properties else (1,) * rank
    pad = numbers(op, "pad", 2 * rank)
    return [loop(1 + d) * stride[d] + loop(first + d) * dilation[d] - pad[2 * d] for d in range(rank)]


def _windowed_sizes(op: Operation, x: SSAValue, taps: Sequence[Expression]) -> list[Expression]:
    """Per spatial dimension `(n - 1 + pads - (taps - 1) * dilation) floordiv stride + 1`."""
    rank = len(taps)
    stride, pad = positives(op, "stride", rank), numbers(op, "pad", 2 * rank)
    dilation = positives(op, "dilation", rank) if "dilation" in op.properties else (1,) * rank
    return [
        (dim_of(x, 1 + d) - 1 + pad[2 * d] + pad[2 * d + 1] - (taps[d] - 1) * dilation[d]) // stride[d] + 1
        for d in range(rank)
    ]


def _padded(op: Operation, x: SSAValue, positions: Sequence[Expression]) -> Padding | None:
    """The element of X at POSITIONS, around which lie zeros; None if none do, or 0 times a weight is 0."""
    rank = len(positions) - 2
    is_padded = any(numbers(op, "pad", 2 * rank)) and multiplies_zeros(x)
    return padding(x, positions, dict.fromkeys(range(1, 1 + rank), 1)) if is_padded else None


@define(OPS["conv2d"], OPS["conv3d"], sizes=False)
def conv(op: Operation) -> TensorDefinition:
    """`R[b, o, f] = bias[f] + sum over k, c of x[b, o * stride + k * dilation - pad, c] * w[f, k, c]`."""
    rank = 3 if isinstance(op, OPS["conv3d"]) else 2
    x, w, bias, *_ = tensors(op, rank + 2, rank + 2, 1, None, None)
    result(op, rank + 2)
    count = 2 * rank + 3
    f, c = loop(rank + 1), loop(count - 1)
    taps = [loop(rank + 2 + d) for d in range(rank)]
    inside = (loop(0), *_window(op, rank, rank + 2), c)
    read = Access(x, inside), Access(w, (f, *taps, c))
    return _contracted(op, count, loops(rank + 2), *read, bias, _padded(op, x, inside))


@result_sizes.case(OPS["conv2d"], OPS["conv3d"])
def conv_sizes(op: Operation) -> list[Sizes]:
    """The batch, the windows, the filters."""
    rank = 3 if isinstance(op, OPS["conv3d"]) else 2
    x, w = tensors(op, rank + 2, rank + 2)
    windows = _windowed_sizes(op, x, [dim_of(w, 1 + d) for d in range(rank)])
    return [[dim_of(x, 0), *windows, dim_of(w, 0)]]


@define(OPS["depthwise_conv2d"], sizes=False)
def depthwise(op: Operation) -> TensorDefinition:
    """`R[b, o, c * M + m] = bias[c * M + m] + sum over k of x[b, .., c] * w[k, c, m]` with M filters."""
    x, w, bias, *_ = tensors(op, 4, 4, 1, None, None)
    result(op, 4)
    b, oh, ow, kh, kw, c, m = loops(7)
    channel = c * static_sizes(w)[3] + m if static_sizes(w)[3] > 0 else c * dim_of(w, 3) + m
    inside = (b, *_window(op, 2, 3), c)
    read = Access(x, inside), Access(w, (kh, kw, c, m))
    return _contracted(op, 7, (b, oh, ow, channel), *read, bias, _padded(op, x, inside))


@result_sizes.case(OPS["depthwise_conv2d"])
def depthwise_sizes(op: Operation) -> list[Sizes]:
    """The batch, the windows, the filters of all channels."""
    x, w = tensors(op, 4, 4)
    windows = _windowed_sizes(op, x, [dim_of(w, 0), dim_of(w, 1)])
    return [[dim_of(x, 0), *windows, dim_of(w, 2) * dim_of(w, 3)]]


@define(OPS["transpose_conv2d"], sizes=False)
def transpose_conv(op: Operation) -> TensorDefinition:
    """`R[b, i * stride + k + pad, f]` gets `x[b, i, c] * w[f, k, c]` for all i, k and c, beside the bias.

    Floats between these elements, and around them, get `0 * w[f, k, c]`, or nothing.
    """
    x, w, bias, *_ = tensors(op, 4, 4, 1, None, None)
    result(op, 4)
    b, oh, ow, f, kh, kw, c = loops(7)
    stride, pad = positives(op, "stride", 2), numbers(op, "out_pad", 4)
    weight = Access(w, (f, kh, kw, c))
    if multiplies_zeros(x):
        padded = padding(x, (b, oh - kh - pad[0], ow - kw - pad[2], c), {1: stride[0], 2: stride[1]})
        return _contracted(op, 7, (b, oh, ow, f), padded.access, weight, bias, padded)
    element = (b, oh * stride[0] + kh + pad[0], ow * stride[1] + kw + pad[2], f)
    return _contracted(op, 7, element, Access(x, (b, oh, ow, c)), weight, bias)


@result_sizes.case(OPS["transpose_conv2d"])
def transpose_conv_sizes(op: Operation) -> list[Sizes]:
    """`(n - 1) * stride + taps + pads` along both spatial dimensions."""
    x, w = tensors(op, 4, 4)
    stride, pad = positives(op, "stride", 2), numbers(op, "out_pad", 4)
    spatial = [
        (dim_of(x, 1 + d) - 1) * stride[d] + dim_of(w, 1 + d) + pad[2 * d] + pad[2 * d + 1] for d in range(2)
    ]
    return [[dim_of(x, 0), *spatial, dim_of(w, 0)]]


# -- pooling -------------------------------------------------------------------------------------------


@define(*_POOLS, sizes=False)
def pool(op: Operation) -> TensorDefinition:
    """`R[b, o, c]` is computed from `x[b, o * stride + k - pad, c]` for the k of the kernel inside x."""
    (x,) = tensors(op, 4)
    result(op, 4)
    kernel = positives(op, "kernel", 2)
    b, oh, ow, c, kh, kw = loops(6)
    stride, pad = positives(op, "stride", 2), numbers(op, "pad", 4)
    index = (b, oh * stride[0] + kh - pad[0], ow * stride[1] + kw - pad[2], c)
    read = [Access(x, index), *(() if is_float(op) else map(_alone, op.operands[1:3]))]
    window = ((kh, constant(kernel[0])), (kw, constant(kernel[1])))
    return gathered(op, 6, (b, oh, ow, c), read, read[:1], window)


@result_sizes.case(*_POOLS)
def pool_sizes(op: Operation) -> list[Sizes]:
    """The batch, the windows, the channels."""
    (x,) = tensors(op, 4)
    windows = _windowed_sizes(op, x, [constant(k) for k in positives(op, "kernel", 2)])
    return [[dim_of(x, 0), *windows, dim_of(x, 3)]]

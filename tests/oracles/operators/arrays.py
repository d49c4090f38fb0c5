"""Operations of tosa and stablehlo on arrays, by loops over elements as the specifications write them."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false, reportMissingTypeArgument=false

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def dilate_and_pad(x: Array, value: Any, low: Any, high: Any, interior: Any) -> Array:
    """`R[low + s * (interior + 1)] = x[s]`, VALUE elsewhere; negative widths cut."""
    shape = [
        max(n + max(n - 1, 0) * i + a + b, 0) for n, a, b, i in zip(x.shape, low, high, interior, strict=True)
    ]
    found = np.full(shape, value, x.dtype)
    for at in np.ndindex(*x.shape):
        to = tuple(a + s * (i + 1) for a, s, i in zip(low, at, interior, strict=True))
        if all(0 <= t < n for t, n in zip(to, shape, strict=True)):
            found[to] = x[at]
    return found


def windows(
    x: Array, size: Sequence[int], stride: Sequence[int], dilation: Sequence[int]
) -> tuple[list[int], Callable[[Sequence[int]], list[Any]]]:
    """How many windows there are, and the elements of one in row-major order."""
    counts = [
        max((n - ((k - 1) * w + 1)) // t + 1, 0)
        for n, k, t, w in zip(x.shape, size, stride, dilation, strict=True)
    ]

    def of(o: Sequence[int]) -> list[Any]:
        return [
            x[tuple(p * t + k * w for p, t, k, w in zip(o, stride, tap, dilation, strict=True))]
            for tap in itertools.product(*map(range, size))
        ]

    return counts, of


def reduce_window(
    x: Array,
    init: Any,
    f: Callable[[Any, Any], Any],
    size: Any,
    stride: Any,
    base: Any,
    dilation: Any,
    pads: Any,
) -> Array:
    """Each window folded by F from INIT on; around x and in its holes lie INITs."""
    around = dilate_and_pad(x, init, [p[0] for p in pads], [p[1] for p in pads], [b - 1 for b in base])
    counts, of = windows(around, size, stride, dilation)
    found = np.zeros(counts, x.dtype)
    for o in np.ndindex(*counts):
        state = init
        for each in of(o):
            state = f(state, each)
        found[o] = state
    return found


def select_and_scatter(
    x: Array,
    source: Array,
    init: Any,
    select: Callable[[Any, Any], Any],
    combine: Callable[[Any, Any], Any],
    size: Sequence[int],
    stride: Sequence[int],
    pads: Sequence[Sequence[int]],
) -> Array:
    """Of each window the element that SELECT leaves gets the source's element, combined."""
    found = np.full(x.shape, init, x.dtype)
    for o in np.ndindex(*source.shape):
        chosen: tuple[int, ...] | None = None
        for tap in itertools.product(*map(range, size)):
            at = tuple(p * t + k - a for p, t, k, (a, _) in zip(o, stride, tap, pads, strict=True))
            if all(0 <= i < n for i, n in zip(at, x.shape, strict=True)) and (
                chosen is None or not select(x[chosen], x[at])
            ):
                chosen = at
        if chosen is not None:
            found[chosen] = combine(found[chosen], source[o])
    return found


def convolution(
    x: Array, w: Array, stride: Any, pads: Any, lhs: Any, rhs: Any, reverse: Any, groups: int, batches: int
) -> Array:
    """X is b 0 1 .. f, W is 0 1 .. i o; by windows of the padded x, in groups of features or of batches."""
    if groups > 1 or batches > 1:
        count = max(groups, batches)
        parts = np.split(x, count, -1 if groups > 1 else 0)
        kernels = np.split(w, count, -1)
        one = [
            convolution(a, b, stride, pads, lhs, rhs, reverse, 1, 1)
            for a, b in zip(parts, kernels, strict=True)
        ]
        return np.concatenate(one, -1)
    rank = x.ndim - 2
    low, high = [0, *[p[0] for p in pads], 0], [0, *[p[1] for p in pads], 0]
    around = dilate_and_pad(x, 0, low, high, [0, *[n - 1 for n in lhs], 0])
    w = np.flip(w, [d for d in range(rank) if reverse[d]])
    counts = [
        max((around.shape[1 + d] - ((w.shape[d] - 1) * rhs[d] + 1)) // stride[d] + 1, 0) for d in range(rank)
    ]
    found = np.zeros((x.shape[0], *counts, w.shape[-1]), x.dtype)
    for b, *o, f in np.ndindex(*found.shape):
        total = x.dtype.type(0)
        for *k, c in np.ndindex(*w.shape[:-1]):
            at = (b, *(o[d] * stride[d] + k[d] * rhs[d] for d in range(rank)), c)
            total = total + around[at] * w[(*k, c, f)]
        found[(b, *o, f)] = total
    return found


def transposed_convolution(
    x: Array, w: Array, bias: Array, pad: Sequence[int], stride: Sequence[int]
) -> Array:
    """`R[b, i * stride + k + pad, f]` gets `x[b, i, c] * w[f, k, c]`, and zeros in the holes between those i."""
    taps = w.shape[1:3]
    pairs = [[pad[2 * d] + taps[d] - 1, pad[2 * d + 1] + taps[d] - 1] for d in range(2)]
    kernel = np.moveaxis(w, 0, -1)
    return convolution(x, kernel, (1, 1), pairs, stride, (1, 1), (True, True), 1, 1) + bias


def depthwise(x: Array, w: Array, bias: Array, stride: Any, pads: Any, dilation: Any) -> Array:
    """W is 0 1 c m; the filters of each channel stand together."""
    copies = w.shape[3]
    parts = [
        convolution(x[..., c : c + 1], w[:, :, c : c + 1], stride, pads, (1, 1), dilation, (0, 0), 1, 1)
        for c in range(x.shape[-1])
    ]
    assert parts[0].shape[-1] == copies
    return np.concatenate(parts, -1) + bias


def pool(x: Array, f: Callable[[list[Any]], Any], kernel: Any, stride: Any, pad: Any) -> Array:
    """F of what each window has inside of x."""
    top, bottom, left, right = pad
    counts = [
        (x.shape[1] + top + bottom - kernel[0]) // stride[0] + 1,
        (x.shape[2] + left + right - kernel[1]) // stride[1] + 1,
    ]
    found = np.zeros((x.shape[0], *counts, x.shape[3]), x.dtype)
    for b, i, j, c in np.ndindex(*found.shape):
        inside = [
            x[b, p, q, c]
            for p in range(i * stride[0] - top, i * stride[0] - top + kernel[0])
            for q in range(j * stride[1] - left, j * stride[1] - left + kernel[1])
            if 0 <= p < x.shape[1] and 0 <= q < x.shape[2]
        ]
        found[b, i, j, c] = f(inside)
    return found


def resize(
    x: Array, scale: Sequence[int], offset: Sequence[int], border: Sequence[int], bilinear: bool
) -> Array:
    """TOSA's RESIZE: positions as fractions, the nearest element or four weighted ones."""
    n_y, d_y, n_x, d_x = scale
    height = ((x.shape[1] - 1) * n_y - offset[0] + border[0]) // d_y + 1
    width = ((x.shape[2] - 1) * n_x - offset[1] + border[1]) // d_x + 1
    is_integer = np.issubdtype(x.dtype, np.integer)
    found = np.zeros((x.shape[0], height, width, x.shape[3]), np.int64 if is_integer else x.dtype)
    for b, i, j, c in np.ndindex(*found.shape):
        y, u = i * d_y + offset[0], j * d_x + offset[1]
        iy, ix = y // n_y, u // n_x
        dy, dx = y - iy * n_y, u - ix * n_x

        def at(p: int, q: int, b: int = b, c: int = c) -> Any:
            return x[b, min(max(p, 0), x.shape[1] - 1), min(max(q, 0), x.shape[2] - 1), c]

        if not bilinear:
            found[b, i, j, c] = at(iy + (2 * dy >= n_y), ix + (2 * dx >= n_x))
        elif is_integer:
            found[b, i, j, c] = (
                int(at(iy, ix)) * (n_y - dy) * (n_x - dx) + int(at(iy, ix + 1)) * (n_y - dy) * dx
                + int(at(iy + 1, ix)) * dy * (n_x - dx) + int(at(iy + 1, ix + 1)) * dy * dx
            )  # fmt: skip
        else:
            wy, wx = dy / n_y, dx / n_x
            found[b, i, j, c] = (
                at(iy, ix) * (1 - wy) * (1 - wx) + at(iy, ix + 1) * (1 - wy) * wx
                + at(iy + 1, ix) * wy * (1 - wx) + at(iy + 1, ix + 1) * wy * wx
            )  # fmt: skip
    return found

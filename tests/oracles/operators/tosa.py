"""Random programs of tosa: for each operation how it is written, and what it is of arrays."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tests.oracles.operators import arrays
from tests.oracles.operators.builder import Builder, Node
from tests.oracles.operators.masks import Draw, masked, shape_of
from tests.oracles.operators.tosa_elements import (
    AXES,
    BINARY,
    UNARY,
    along,
    argmax,
    binary,
    cast,
    clamp,
    concat,
    gather,
    mul,
    negate,
    pad,
    rescale,
    reshape,
    reverse,
    scatter,
    select,
    shape_operand,
    slice_,
    table,
    tile,
    transpose,
    unary,
)


def _product(name: str) -> Draw:
    """A convolution NAME."""

    def draw(b: Builder) -> Node:
        chance = b.chance
        rank = 3 if name == "conv3d" else 2
        kind = chance.choice(["i8", "f32"])
        channels, filters = (1, 1) if rank == 3 else (chance.randint(1, 2), chance.randint(1, 2))
        shape, taps = (
            [chance.randint(2, 5 - rank) for _ in range(rank)],
            [chance.randint(1, 2) for _ in range(rank)],
        )
        stride, dilation = [1] * rank, [chance.randint(1, 2) for _ in range(rank)]
        pads = [chance.randint(0, 1) for _ in range(2 * rank)]
        zeros, (a, c) = _zero_points(b, kind)
        x = masked(b, b.input("x", (1, *shape, channels), kind, *((-2, 2) if kind == "i8" else (-6, 6))))
        weights = (*taps, channels, filters) if name == "depthwise_conv2d" else (filters, *taps, channels)
        w = masked(b, b.input("w", weights, kind, *((-2, 2) if kind == "i8" else (-6, 6))))
        out = "i32" if kind == "i8" else "f32"
        count = channels * filters if name == "depthwise_conv2d" else filters
        bias = b.constant([0] * count, out, "tosa")
        wide = np.int32 if kind == "i8" else np.float32
        for d in range(rank):
            room = shape[d] - 1 + pads[2 * d] + pads[2 * d + 1] - (taps[d] - 1) * dilation[d]
            if room < 0:
                dilation[d], room = 1, shape[d] - 1 + pads[2 * d] + pads[2 * d + 1] - (taps[d] - 1)
            divisors = [t for t in (1, 2) if room % t == 0]
            stride[d] = chance.choice(divisors)
        pairs = [[pads[2 * d], pads[2 * d + 1]] for d in range(rank)]

        def compute(x: Any, w: Any, bias: Any, *_: Any) -> Any:
            x, w = x.astype(wide) - wide(a), w.astype(wide) - wide(c)
            if name == "depthwise_conv2d":
                return arrays.depthwise(x, w, bias, stride, pairs, dilation)
            if name == "transpose_conv2d":
                return arrays.transposed_convolution(x, w, bias, pads, stride)
            kernel = np.moveaxis(w, 0, -1)
            flips = [False] * rank
            return arrays.convolution(x, kernel, stride, pairs, [1] * rank, dilation, flips, 1, 1) + bias

        if name == "transpose_conv2d":
            stride[:] = [chance.randint(1, 3) for _ in shape]
        where = "out_pad" if name == "transpose_conv2d" else "pad"
        more = "" if name == "transpose_conv2d" else f", dilation = array<i64: {listed(dilation)}>"
        found = b.op(
            f"tosa.{name} {{0}}, {{1}}, {{2}}, {{3}}, {{4}} {{{{acc_type = {out}, {where} = array<i64: {listed(pads)}>,"
            f" stride = array<i64: {listed(stride)}>{more}}}}} : ({{t0}}, {{t1}}, {{t2}}, {{t3}}, {{t4}}) -> {{r}}",
            compute, x, w, bias, *zeros, kind=out,
        )  # fmt: skip
        _counted(b, x, w, (a, c))
        return found

    return draw


def listed(numbers: Any) -> str:
    return ", ".join(map(str, numbers))


def _zero_points(b: Builder, kind: str, count: int = 2) -> tuple[list[Node], list[int]]:
    numbers = [b.chance.choice((0, 0, 1, -2)) if kind == "i8" else 0 for _ in range(count)]
    return [b.constant([n], kind, "tosa") for n in numbers], numbers


def _counted(b: Builder, x: Node, w: Node, numbers: Sequence[int]) -> None:
    if not any(numbers):
        b.products = (x, w)


def matmul(b: Builder) -> Node:
    chance = b.chance
    kind = chance.choice(["i8", "f32"])
    n, m, k, p = (chance.randint(1, 3) for _ in range(4))
    zeros, (a, c) = _zero_points(b, kind)
    x = masked(b, b.input("x", (n, m, k), kind))
    if kind == "i8" and chance.random() < 0.5:  # weights, some of which are the zero point
        weights = np.array([c + chance.randint(-1, 1) for _ in range(n * k * p)])
        weights[0] = c + 1
        y = b.constant(weights.reshape(n, k, p), kind, "tosa")
    else:
        y = masked(b, b.input("y", (n, k, p), kind))
    wide = np.int32 if kind == "i8" else np.float32
    found = b.op(
        "tosa.matmul {0}, {1}, {2}, {3} : ({t0}, {t1}, {t2}, {t3}) -> {r}",
        lambda x, y, *_: np.einsum("nmk,nkp->nmp", x.astype(wide) - wide(a), y.astype(wide) - wide(c)),
        x, y, *zeros, kind="i32" if kind == "i8" else "f32",
    )  # fmt: skip
    b.products, b.zero_points = (x, y), {x: a, y: c}
    return found


def max_pool(b: Builder) -> Node:
    x = masked(b, b.input("x", (1, b.chance.randint(2, 4), b.chance.randint(2, 4), 2)))
    pads = [b.chance.randint(0, 1) for _ in range(4)]
    shape = [x.shape[1] + pads[0] + pads[1], x.shape[2] + pads[2] + pads[3]]
    kernel = [b.chance.randint(2, n) if n > 2 else 2 for n in shape]
    stride = [
        b.chance.choice([t for t in (1, 2) if (n - k) % t == 0]) for n, k in zip(shape, kernel, strict=True)
    ]
    return b.op(
        f"tosa.max_pool2d {{0}} {{{{kernel = array<i64: {listed(kernel)}>, pad = array<i64: {listed(pads)}>,"
        f" stride = array<i64: {listed(stride)}>}}}} : ({{t0}}) -> {{r}}",
        lambda x: arrays.pool(x, max, kernel, stride, pads), x,
    )  # fmt: skip


def average_pool(b: Builder) -> Node:
    zeros, _ = _zero_points(b, "f32")
    x = masked(b, b.input("x", (1, b.chance.randint(2, 4), b.chance.randint(2, 4), 1), "f32"))
    pads = [b.chance.randint(0, 1) for _ in range(4)]
    kernel = [2, 2]
    return b.op(
        f"tosa.avg_pool2d {{0}}, {{1}}, {{2}} {{{{acc_type = f32, kernel = array<i64: 2, 2>,"
        f" pad = array<i64: {listed(pads)}>, stride = array<i64: 1, 1>}}}} : ({{t0}}, {{t1}}, {{t2}}) -> {{r}}",
        lambda x, *_: arrays.pool(x, lambda inside: sum(inside) / len(inside), kernel, [1, 1], pads), x, *zeros,
    )  # fmt: skip


def resize(b: Builder) -> Node:
    chance = b.chance
    bilinear, kind = chance.random() < 0.5, chance.choice(["i8", "f32"])
    x = b.input("x", (1, chance.randint(1, 3), chance.randint(1, 3), 1), kind)
    scale = [2 * chance.randint(1, 2), chance.randint(1, 2), 2 * chance.randint(1, 3), chance.randint(1, 3)]
    offset, border = [chance.randint(-1, 1) for _ in range(2)], [0, 0]
    for d in range(2):
        n, low = scale[2 * d], scale[2 * d + 1]
        room = (x.shape[1 + d] - 1) * n - offset[d]
        border[d] = -room % low if room >= 0 else -room
    lists = [shape_operand(b, each) for each in (scale, offset, border)]
    names, kinds = ", ".join(n for n, _ in lists), ", ".join(k for _, k in lists)
    mode = "BILINEAR" if bilinear else "NEAREST_NEIGHBOR"
    result = kind if kind == "f32" or not bilinear else "i32"
    return b.op(
        f"tosa.resize {{0}}, {names} {{{{mode = {mode}}}}} : ({{t0}}, {kinds}) -> {{r}}",
        lambda x: arrays.resize(x, scale, offset, border, bilinear), x, kind=result,
    )  # fmt: skip


def branch(b: Builder) -> Node:
    c, x, y = b.input("c", (), "i1"), b.input("x", (3,)), b.input("y", (3,))
    return b.op(
        "tosa.cond_if {0} (%p = {1}, %q = {2}) : {t0} ({t1}, {t2}) -> {r} {{\n  ^bb0(%p: {t1}, %q: {t2}):\n"
        "    %s = tosa.add %p, %q : ({t1}, {t2}) -> {r}\n    tosa.yield %s : {r}\n  }} else {{\n"
        "  ^bb0(%p: {t1}, %q: {t2}):\n    tosa.yield %p : {r}\n  }}",
        lambda c, x, y: x + y if c else x, c, x, y, kind="i32",
    )  # fmt: skip


def transform(name: str) -> Draw:
    def draw(b: Builder) -> Node:
        shape = (1, b.chance.choice((1, 2, 4)), b.chance.choice((2, 4)))
        x = b.input("x", shape, "f32")
        which = b.chance.randrange(2)
        part = (np.real, np.imag)[which]
        if name == "rfft2d":
            text, inverse, operands = "tosa.rfft2d {0} : ({t0}) -> ({r}, {r})", False, [x]
        else:
            inverse = b.chance.random() < 0.5
            text = f"tosa.fft2d {{0}}, {{1}} {{{{inverse = {str(inverse).lower()}}}}} : ({{t0}}, {{t1}}) -> ({{r}}, {{r}})"
            operands = [x, b.input("y", shape, "f32")]

        def compute(*planes: Any) -> Any:
            whole = planes[0].astype(np.complex128)
            if len(planes) == 2:
                whole = whole + 1j * planes[1].astype(np.complex128)
            columns = shape[2] // 2 + 1 if name == "rfft2d" else shape[2]
            found = np.zeros((1, shape[1], columns), np.complex128)
            for oy, ox, iy, ix in np.ndindex(shape[1], columns, *shape[1:]):
                angle = (1 if inverse else -1) * 2 * np.pi * (iy * oy / shape[1] + ix * ox / shape[2])
                found[0, oy, ox] += whole[0, iy, ix] * complex(math.cos(angle), math.sin(angle))
            return part(found)

        found = b.op(text, compute, *operands)
        b.lines[-1] = b.lines[-1].replace(f"{found.name} =", f"{found.name}_all:2 =")
        return b.op(
            f"tosa.add {found.name}_all#{which}, {{0}} : ({{t0}}, {{t0}}) -> {{r}}",
            lambda one, whole: whole + one, b.constant(np.zeros(found.shape), "f32", "tosa"), found,
        )  # fmt: skip

    return draw


def mixture(b: Builder) -> Node:
    """Elements moved several times."""
    x = masked(b, b.input("x", shape_of(b.chance)))
    for step in b.chance.sample((pad, slice_, reshape, transpose, reverse, tile, concat), 3):
        if math.prod(x.shape) <= 40:
            x = step(b, x)
    return b.op("tosa.abs {0} : ({t0}) -> {r}", np.abs, x)


PROGRAMS: Mapping[str, Draw] = {
    **{name: unary(name) for name in UNARY},
    **{name: binary(name) for name in BINARY},
    **{name: along(name) for name in AXES},
    **{name: _product(name) for name in ("conv2d", "conv3d", "depthwise_conv2d", "transpose_conv2d")},
    **{name: transform(name) for name in ("fft2d", "rfft2d")},
    **{draw.__name__.strip("_"): draw for draw in (
        mul, argmax, select, clamp, cast, negate, rescale, table, pad, slice_, reshape, transpose, reverse, tile,
        concat, gather, scatter, matmul, max_pool, average_pool, resize, branch, mixture,
    )},
}  # fmt: skip

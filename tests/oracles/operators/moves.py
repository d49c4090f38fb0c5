"""Operations of stablehlo that move elements."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracles.operators import arrays
from tests.oracles.operators.builder import Builder, Node
from tests.oracles.operators.masks import shape_of


def pad(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", shape_of(b.chance))
    fill = b.constant(b.chance.choice((0, 0, 3)), x.kind)
    low = [b.chance.randint(-1, 2) for _ in x.shape]
    interior = [b.chance.randint(0, 2) for _ in x.shape]
    high = [b.chance.randint(-1, 2) for _ in x.shape]
    for d, n in enumerate(x.shape):
        if low[d] + n + max(n - 1, 0) * interior[d] + high[d] < 1:
            low[d] = high[d] = 1
    return b.op(
        f"stablehlo.pad {{0}}, {{1}}, low = {low}, high = {high}, interior = {interior} : ({{t0}}, {{t1}}) -> {{r}}",
        lambda x, v: arrays.dilate_and_pad(x, v, low, high, interior), x, fill,
    )  # fmt: skip


def transpose(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", shape_of(b.chance, 3))
    order = b.chance.sample(range(len(x.shape)), len(x.shape))
    return b.op(
        f"stablehlo.transpose {{0}}, dims = {order} : ({{t0}}) -> {{r}}", lambda x: x.transpose(order), x
    )


def reverse(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", shape_of(b.chance))
    dims = sorted(b.chance.sample(range(len(x.shape)), b.chance.randint(0, len(x.shape))))
    return b.op(f"stablehlo.reverse {{0}}, dims = {dims} : {{t0}}", lambda x: np.flip(x, dims), x)


def reshape(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", (2, 3, 2))
    count = math.prod(x.shape)
    first = b.chance.choice([n for n in range(1, count + 1) if count % n == 0])
    return b.op("stablehlo.reshape {0} : ({t0}) -> {r}", lambda x: x.reshape(first, count // first), x)


def slice_(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", shape_of(b.chance))
    start = [b.chance.randint(0, n - 1) for n in x.shape]
    limit = [b.chance.randint(s + 1, n) for s, n in zip(start, x.shape, strict=True)]
    stride = [b.chance.randint(1, 3) for _ in x.shape]
    text = ", ".join(f"{s}:{e}:{t}" for s, e, t in zip(start, limit, stride, strict=True))
    at = tuple(map(slice, start, limit, stride))
    return b.op(f"stablehlo.slice {{0}} [{text}] : ({{t0}}) -> {{r}}", lambda x: x[at], x)


def concatenate(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", shape_of(b.chance))
    along = b.chance.randrange(len(x.shape))
    other = b.input("y", x.shape, x.kind)
    return b.op(
        f"stablehlo.concatenate {{0}}, {{1}}, {{0}}, dim = {along} : ({{t0}}, {{t1}}, {{t0}}) -> {{r}}",
        lambda x, y: np.concatenate([x, y, x], along), x, other,
    )  # fmt: skip


def broadcast(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", (1, 3))
    rank = len(x.shape) + 1
    to = b.chance.sample(range(rank), len(x.shape))
    target = [b.chance.randint(1, 3)] * rank
    for n, d in zip(x.shape, to, strict=True):
        target[d] = n if n > 1 else b.chance.randint(1, 3)

    def compute(x: Any) -> Any:
        order = sorted(range(x.ndim), key=lambda d: to[d])
        sizes = [1] * rank
        for n, d in zip(x.shape, to, strict=True):
            sizes[d] = n
        return np.broadcast_to(x.transpose(order).reshape(sizes), target)

    return b.op(f"stablehlo.broadcast_in_dim {{0}}, dims = {to} : ({{t0}}) -> {{r}}", compute, x)


MOVES: tuple[Callable[[Builder, Node | None], Node], ...] = (
    pad, transpose, reverse, reshape, slice_, concatenate, broadcast,
)  # fmt: skip


def dynamic_pad(b: Builder) -> Node:
    x, fill = b.input("x", (3,)), b.constant(0)
    low, high, inner = b.chance.randint(-1, 2), b.chance.randint(0, 2), b.chance.randint(0, 2)
    given = [b.constant([n], "i64") for n in (low, high, inner)]
    return b.op(
        "stablehlo.dynamic_pad {0}, {1}, {2}, {3}, {4} : ({t0}, {t1}, {t2}, {t3}, {t4}) -> {r}",
        lambda x, v, *_: arrays.dilate_and_pad(x, v, [low], [high], [inner]), x, fill, *given,
    )  # fmt: skip


def dynamic_broadcast(b: Builder) -> Node:
    x, sizes = b.input("x", (1, 3)), b.constant([2, 4, 3], "i64")
    return b.op(
        "stablehlo.dynamic_broadcast_in_dim {0}, {1}, dims = [1, 2] : ({t0}, {t1}) -> {r}",
        lambda x, _: np.broadcast_to(x, (2, 4, 3)), x, sizes,
    )  # fmt: skip


def dynamic_reshape(b: Builder) -> Node:
    x, sizes = b.input("x", (2, 3)), b.constant([3, 2], "i64")
    return b.op(
        "stablehlo.dynamic_reshape {0}, {1} : ({t0}, {t1}) -> {r}", lambda x, _: x.reshape(3, 2), x, sizes
    )


def dynamic_iota(b: Builder) -> Node:
    sizes, x = b.constant([3, 2], "i64"), b.input("x", (3, 2))
    along = b.op(
        "stablehlo.dynamic_iota {0}, dim = 0 : ({t0}) -> {r}",
        lambda _: np.indices((3, 2))[0],
        sizes,
        kind="i32",
    )
    return b.op("stablehlo.multiply {0}, {1} : {t0}", np.multiply, x, along)


def dimension_size(b: Builder) -> Node:
    x = b.input("x", (3, 2))
    size = b.op(
        "stablehlo.get_dimension_size {0}, dim = 1 : ({t0}) -> {r}", lambda x: np.int32(x.shape[1]), x
    )
    wide = b.op(
        "stablehlo.broadcast_in_dim {0}, dims = [] : ({t0}) -> {r}",
        lambda s: np.broadcast_to(s, (3, 2)),
        size,
    )
    return b.op("stablehlo.multiply {0}, {1} : {t0}", np.multiply, x, wide)


def barrier(b: Builder) -> Node:
    x = b.input("x", shape_of(b.chance))
    return b.op("stablehlo.optimization_barrier {0} : {t0}", lambda x: x, x)


def dynamic_slice(b: Builder) -> Node:
    x = b.input("x", (4, 3))
    first, size = b.chance.randint(-2, 5), b.chance.randint(1, 3)
    start, zero = b.constant(first), b.constant(0)
    at = min(max(first, 0), 4 - size)
    return b.op(
        f"stablehlo.dynamic_slice {{0}}, {{1}}, {{2}}, sizes = [{size}, 2] : ({{t0}}, {{t1}}, {{t2}}) -> {{r}}",
        lambda x, *_: x[at : at + size, :2], x, start, zero,
    )  # fmt: skip


def dynamic_slice_by_data(b: Builder) -> Node:
    x, start = b.input("x", (4,)), b.input("s", (), low=-2, high=5)
    return b.op(
        "stablehlo.dynamic_slice {0}, {1}, sizes = [2] : ({t0}, {t1}) -> {r}",
        lambda x, s: x[min(max(int(s), 0), 2) :][:2], x, start,
    )  # fmt: skip


def dynamic_update_slice(b: Builder) -> Node:
    x, y = b.input("x", (4, 3)), b.input("y", (2, 2))
    first = b.chance.randint(-2, 5)
    start, zero = b.constant(first), b.constant(1)

    def compute(x: Any, y: Any, *_: Any) -> Any:
        found, at = x.copy(), min(max(first, 0), 2)
        found[at : at + 2, 1:3] = y
        return found

    return b.op(
        "stablehlo.dynamic_update_slice {0}, {1}, {2}, {3} : ({t0}, {t1}, {t2}, {t3}) -> {r}",
        compute,
        x,
        y,
        start,
        zero,
    )

"""Reductions, windows and products of stablehlo."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.oracles.operators import arrays
from tests.oracles.operators.builder import Builder, Node
from tests.oracles.operators.masks import masked, shape_of

FOLDS: tuple[tuple[str, int, Callable[[Any, Any], Any]], ...] = (
    ("add", 0, lambda a, c: a + c), ("maximum", -100, max), ("minimum", 100, min), ("add", 2, lambda a, c: a + c),
    ("multiply", 1, lambda a, c: a * c),
)  # fmt: skip


def reduce(b: Builder, x: Node | None = None) -> Node:
    x = x or masked(b, b.input("x", shape_of(b.chance)))
    word, start, f = b.chance.choice(FOLDS)
    axes = sorted(b.chance.sample(range(len(x.shape)), b.chance.randint(1, len(x.shape))))
    init = b.constant(start, x.kind)

    def compute(x: Any, init: Any) -> Any:
        kept = [n for d, n in enumerate(x.shape) if d not in axes]
        found = np.full(kept, init, x.dtype)
        for at in np.ndindex(*x.shape):
            to = tuple(i for d, i in enumerate(at) if d not in axes)
            found[to] = f(found[to], x[at])
        return found

    return b.op(
        f"stablehlo.reduce({{0}} init: {{1}}) applies stablehlo.{word} across dimensions = {axes}"
        " : ({t0}, {t1}) -> {r}", compute, x, init,
    )  # fmt: skip


def body_of(word: str, kind: str) -> str:
    return (
        f"({{{{\n  ^bb0(%a: tensor<{kind}>, %c: tensor<{kind}>):\n    %s = stablehlo.{word} %a, %c : tensor<{kind}>\n"
        f"    stablehlo.return %s : tensor<{kind}>\n  }}}})"
    )


def reduce_window(b: Builder, x: Node | None = None) -> Node:
    x = x or masked(b, b.input("x", tuple(b.chance.randint(2, 4) for _ in range(b.chance.randint(1, 2)))))
    chance, rank = b.chance, len(x.shape)
    word, start, f = chance.choice(FOLDS)
    size, stride = [chance.randint(1, 3) for _ in x.shape], [chance.randint(1, 2) for _ in x.shape]
    base, dilation = [chance.randint(1, 3) for _ in x.shape], [chance.randint(1, 2) for _ in x.shape]
    pads = [[chance.randint(-1, 2), chance.randint(0, 3)] for _ in x.shape]
    for d, n in enumerate(x.shape):
        room = (n - 1) * base[d] + 1 + sum(pads[d])
        if room < (size[d] - 1) * dilation[d] + 1:
            size[d] = dilation[d] = 1
    init = b.constant(start, x.kind)
    return b.op(
        f'"stablehlo.reduce_window"({{0}}, {{1}}) <{{{{window_dimensions = array<i64: {listed(size)}>,'
        f" window_strides = array<i64: {listed(stride)}>, base_dilations = array<i64: {listed(base)}>,"
        f" window_dilations = array<i64: {listed(dilation)}>, padding = dense<{pads}> : tensor<{rank}x2xi64>}}}}>"
        f" {body_of(word, x.kind)} : ({{t0}}, {{t1}}) -> {{r}}",
        lambda x, init: arrays.reduce_window(x, init[()], f, size, stride, base, dilation, pads), x, init,
    )  # fmt: skip


def select_and_scatter(b: Builder) -> Node:
    chance = b.chance
    x = b.input("x", (chance.randint(3, 5), chance.randint(2, 4)))
    size, stride = [2, chance.randint(1, 2)], [chance.randint(1, 2), chance.randint(1, 2)]
    pads = [[chance.randint(0, 1), chance.randint(0, 1)], [0, 0]]
    shape = [(n + sum(p) - k) // t + 1 for n, p, k, t in zip(x.shape, pads, size, stride, strict=True)]
    source, init = b.input("y", shape), b.constant(0)
    scalar = "tensor<i32>"
    regions = (
        f"({{{{\n  ^bb0(%a: {scalar}, %c: {scalar}):\n    %s = stablehlo.compare GE, %a, %c, SIGNED : ({scalar}, {scalar}) -> tensor<i1>\n"
        f"    stablehlo.return %s : tensor<i1>\n  }}}}, {body_of('add', 'i32')[1:-1]})"
    )
    return b.op(
        f'"stablehlo.select_and_scatter"({{0}}, {{1}}, {{2}}) <{{{{window_dimensions = array<i64: {listed(size)}>,'
        f" window_strides = array<i64: {listed(stride)}>, padding = dense<{pads}> : tensor<2x2xi64>}}}}> {regions}"
        " : ({t0}, {t1}, {t2}) -> {r}",
        lambda x, y, init: arrays.select_and_scatter(
            x, y, init[()], lambda a, c: a >= c, lambda a, c: a + c, size, stride, pads
        ), x, source, init,
    )  # fmt: skip


def listed(numbers: Any) -> str:
    return ", ".join(map(str, numbers))


def dot_general(b: Builder) -> Node:
    chance = b.chance
    n, m, k, p = (chance.randint(1, 3) for _ in range(4))
    batched = chance.random() < 0.5
    left, right = ((n, m, k), (n, p, k)) if batched else ((k, m), (p, k))
    x, y = masked(b, b.input("x", left)), masked(b, b.input("y", right))
    dims = (
        "batching_dims = [0] x [0], contracting_dims = [2] x [2]"
        if batched
        else "contracting_dims = [0] x [1]"
    )
    f = "nmk,npk->nmp" if batched else "km,pk->mp"
    found = b.op(
        f"stablehlo.dot_general {{0}}, {{1}}, {dims} : ({{t0}}, {{t1}}) -> {{r}}",
        lambda x, y: np.einsum(f, x, y),
        x,
        y,
    )
    b.products = (x, y)
    return found


def convolution(b: Builder) -> Node:
    chance = b.chance
    rank = chance.randint(1, 2)
    groups, batches = chance.choice([(1, 1), (1, 1), (2, 1), (1, 2)])
    features, count = chance.randint(1, 2), max(groups, batches)
    shape = [chance.randint(2, 4) for _ in range(rank)]
    taps = [chance.randint(1, 2) for _ in range(rank)]
    stride, pads = (
        [chance.randint(1, 2) for _ in shape],
        [[chance.randint(-1, 2), chance.randint(0, 2)] for _ in shape],
    )
    lhs, rhs = [chance.randint(1, 2) for _ in shape], [chance.randint(1, 2) for _ in shape]
    if chance.random() < 0.5:
        lhs = [1] * rank
    for d, n in enumerate(shape):
        if (n - 1) * lhs[d] + 1 + sum(pads[d]) < (taps[d] - 1) * rhs[d] + 1:
            taps[d] = 1
            pads[d][0] = max(pads[d][0], 0)
    flips = [chance.random() < 0.3 for _ in shape]
    kind = chance.choice(["i32", "i32", "f32", "complex<f32>"])
    x = masked(b, b.input("x", (batches * chance.randint(1, 2), *shape, features * groups), kind))
    w = masked(b, b.input("w", (*taps, features, count * chance.randint(1, 2)), kind))
    names = ", ".join(map(str, range(rank)))
    shown = str([str(f).lower() for f in flips]).replace("'", "")
    found = b.op(
        f"stablehlo.convolution({{0}}, {{1}}) dim_numbers = [b, {names}, f]x[{names}, i, o]->[b, {names}, f],"
        f" window = {{{{stride = {stride}, pad = {pads}, lhs_dilate = {lhs}, rhs_dilate = {rhs},"
        f" reverse = {shown}}}}} {{{{feature_group_count = {groups} : i64, batch_group_count = {batches} : i64}}}}"
        " : ({t0}, {t1}) -> {r}",
        lambda x, w: arrays.convolution(x, w, stride, pads, lhs, rhs, flips, groups, batches), x, w,
    )  # fmt: skip
    b.products = (x, w) if kind != "complex<f32>" else ()
    if kind == "complex<f32>":
        return b.op("stablehlo.real {0} : ({t0}) -> {r}", np.real, found, kind="f32")
    return found

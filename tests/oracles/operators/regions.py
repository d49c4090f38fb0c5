"""Selected slices, and operations of stablehlo with regions."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracles.operators.builder import Builder, Node
from tests.oracles.operators.masks import masked, shape_of
from tests.oracles.operators.windows import body_of, listed


def gather(b: Builder) -> Node:
    x = b.input("x", (4, 3))
    rows = [b.chance.randint(-1, 4) for _ in range(3)]
    indices = b.constant(np.array(rows)[:, None])
    size = b.chance.randint(1, 3)
    return b.op(
        '"stablehlo.gather"({0}, {1}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1],'
        " collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,"
        f" slice_sizes = array<i64: 1, {size}>}}}}> : ({{t0}}, {{t1}}) -> {{r}}",
        lambda x, i: x[np.clip(i[:, 0], 0, 3), :size], x, indices,
    )  # fmt: skip


def dynamic_gather(b: Builder) -> Node:
    x = b.input("x", (4, 3))
    indices = b.constant(np.array([[b.chance.randint(-1, 4)] for _ in range(2)]))
    sizes = b.constant([1, 2], "i64")
    return b.op(
        '"stablehlo.dynamic_gather"({0}, {1}, {2}) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1],'
        " collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}}>"
        " : ({t0}, {t1}, {t2}) -> {r}", lambda x, i, s: x[np.clip(i[:, 0], 0, 3), :2], x, indices, sizes,
    )  # fmt: skip


def scatter(b: Builder) -> Node:
    x, updates = b.input("x", (4, 2)), b.input("y", (3, 2))
    rows = [b.chance.randint(-1, 4) for _ in range(3)]
    indices = b.constant(np.array(rows)[:, None])

    def compute(x: Any, i: Any, y: Any) -> Any:
        found = x.copy()
        for k, row in enumerate(i[:, 0]):
            if 0 <= row < 4:
                found[row] += y[k]
        return found

    return b.op(
        '"stablehlo.scatter"({0}, {1}, {2}) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],'
        " inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}>"
        f" {body_of('add', 'i32')} : ({{t0}}, {{t1}}, {{t2}}) -> {{r}}", compute, x, indices, updates,
    )  # fmt: skip


def mapped(b: Builder) -> Node:
    shape = shape_of(b.chance)
    x, y = masked(b, b.input("x", shape)), b.input("y", shape)
    dims = listed(range(len(shape)))
    return b.op(
        f'"stablehlo.map"({{0}}, {{1}}) <{{{{dimensions = array<i64: {dims}>}}}}> {body_of("multiply", "i32")}'
        " : ({t0}, {t1}) -> {r}", np.multiply, x, y,
    )  # fmt: skip


def sort(b: Builder) -> Node:
    x = b.input("x", shape_of(b.chance, 2))
    along = b.chance.randrange(2)
    scalar = "tensor<i32>"
    body = (
        f"({{{{\n  ^bb0(%a: {scalar}, %c: {scalar}):\n    %s = stablehlo.compare LT, %a, %c, SIGNED : ({scalar}, {scalar}) -> tensor<i1>\n"
        "    stablehlo.return %s : tensor<i1>\n  }})"
    )
    return b.op(
        f'"stablehlo.sort"({{0}}) <{{{{dimension = {along} : i64, is_stable = true}}}}> {body} : ({{t0}}) -> {{r}}',
        lambda x: np.sort(x, along), x,
    )  # fmt: skip


def branch(b: Builder) -> Node:
    c, x, y = b.input("c", (), "i1"), b.input("x", (3,)), b.input("y", (3,))
    return b.op(
        '"stablehlo.if"({0}) ({{\n    %s = stablehlo.add {1}, {2} : {t1}\n    stablehlo.return %s : {t1}\n  }}, {{\n'
        "    stablehlo.return {1} : {t1}\n  }}) : ({t0}) -> {r}",
        lambda c, x, y: x + y if c else x, c, x, y, kind="i32",
    )  # fmt: skip


def case(b: Builder) -> Node:
    k, x, y = b.input("k", (), low=-1, high=3), b.input("x", (3,)), b.input("y", (3,))
    return b.op(
        '"stablehlo.case"({0}) ({{\n    stablehlo.return {1} : {t1}\n  }}, {{\n    stablehlo.return {2} : {t1}\n  }}, {{\n'
        "    %s = stablehlo.add {1}, {2} : {t1}\n    stablehlo.return %s : {t1}\n  }}) : ({t0}) -> {r}",
        lambda k, x, y: {0: x, 1: y}.get(int(k), x + y), k, x, y, kind="i32",
    )  # fmt: skip


def loop(b: Builder) -> Node:
    x, y, zero = b.input("x", (3,)), b.input("y", (3,)), b.constant(0)
    count = b.chance.randint(0, 3)
    limit, one = b.constant(count), b.constant(1)
    text = (
        "stablehlo.while(%i = {2}, %s = {0}) : tensor<i32>, {t0}\n    cond {{\n"
        "      %c = stablehlo.compare LT, %i, {3}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "      stablehlo.return %c : tensor<i1>\n    }} do {{\n      %n = stablehlo.add %i, {4} : tensor<i32>\n"
        "      %t = stablehlo.add %s, {1} : {t0}\n      stablehlo.return %n, %t : tensor<i32>, {t0}\n    }}"
    )
    found = b.op(text, lambda x, y, *_: x + count * y, x, y, zero, limit, one)
    b.lines[-1] = b.lines[-1].replace(f"{found.name} =", f"{found.name}_all:2 =")
    return b.op(f"stablehlo.add {found.name}_all#1, {{0}} : {{t0}}", lambda x, s: s + x, x, found)

"""Random programs of stablehlo: for each operation how it is written, and what it is of arrays."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tests.oracles.operators import arrays
from tests.oracles.operators.builder import Builder, Node, tensor_type

Draw = Callable[[Builder], Node]

_UNARY: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "abs": ("i32", np.abs), "negate": ("i32", np.negative), "sign": ("i32", np.sign), "not": ("i32", np.invert),
    "popcnt": ("i32", np.vectorize(lambda a: (int(a) & 0xFFFFFFFF).bit_count(), otypes=[np.int32])),
    "count_leading_zeros": (
        "i32", np.vectorize(lambda a: 32 - (int(a) & 0xFFFFFFFF).bit_length(), otypes=[np.int32])),
    "cbrt": ("f32", np.cbrt), "ceil": ("f32", np.ceil), "floor": ("f32", np.floor), "cosine": ("f32", np.cos),
    "sine": ("f32", np.sin), "tan": ("f32", np.tan), "tanh": ("f32", np.tanh), "exponential": ("f32", np.exp),
    "exponential_minus_one": ("f32", np.expm1), "log": ("f32", np.log), "log_plus_one": ("f32", np.log1p),
    "logistic": ("f32", lambda x: 1 / (1 + np.exp(-x))), "sqrt": ("f32", np.sqrt),
    "rsqrt": ("f32", lambda x: 1 / np.sqrt(x)), "round_nearest_even": ("f32", np.rint),
    "round_nearest_afz": ("f32", lambda x: np.trunc(x + np.copysign(np.float32(0.5), x))),
}  # fmt: skip
_BINARY: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "add": ("i32", np.add), "subtract": ("i32", np.subtract), "multiply": ("i32", np.multiply),
    "maximum": ("i32", np.maximum), "minimum": ("i32", np.minimum), "and": ("i32", np.bitwise_and),
    "or": ("i32", np.bitwise_or), "xor": ("i32", np.bitwise_xor), "divide": ("f32", np.divide),
    "remainder": ("f32", np.fmod), "atan2": ("f32", np.arctan2), "power": ("f32", np.float_power),
    "shift_left": ("i32", lambda a, b: np.where((b < 0) | (b > 31), 0, np.left_shift(a, b & 31))),
    "shift_right_arithmetic": ("i32", lambda a, b: np.right_shift(a, np.where((b < 0) | (b > 31), 31, b))),
    "shift_right_logical": (
        "i32",
        lambda a, b: np.where((b < 0) | (b > 31), 0, a.astype(np.uint32) >> (b & 31)).astype(np.int32)),
}  # fmt: skip


def shape_of(chance: random.Random, rank: int | None = None) -> tuple[int, ...]:
    """A small shape."""
    rank = chance.randint(1, 3) if rank is None else rank
    return tuple(chance.randint(1, 4 if rank < 3 else 3) for _ in range(rank))


def masked(b: Builder, x: Node) -> Node:
    """X where coordinates say so, 0 elsewhere: the triangle, or every other element."""
    if len(x.shape) < 2 or b.chance.random() < 0.4 or x.kind == "complex<f32>":
        return x
    one, other = (
        b.op(f"stablehlo.iota dim = {d} : {{r}}", lambda d=d: np.indices(x.shape)[d], kind="i32")
        if x.kind == "i32"
        else b.op(
            f"stablehlo.iota dim = {d} : {tensor_type(x.shape, 'i32')}",
            lambda d=d: np.indices(x.shape)[d],
            kind="i32",
        )
        for d in (0, 1)
    )
    word, compare = b.chance.choice([("GE", np.greater_equal), ("LT", np.less), ("NE", np.not_equal)])
    truth = b.op(
        f"stablehlo.compare {word}, {{0}}, {{1}}, SIGNED : ({{t0}}, {{t1}}) -> {{r}}",
        compare,
        one,
        other,
        kind="i1",
    )
    zero = b.constant(np.zeros(x.shape), x.kind)
    return b.op("stablehlo.select {0}, {1}, {2} : {t0}, {t1}", np.where, truth, x, zero, kind=x.kind)


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


def unary(name: str) -> Draw:
    def draw(b: Builder) -> Node:
        kind, compute = _UNARY[name]
        low = 1 if name in ("log", "rsqrt", "sqrt", "log_plus_one") else -6
        x = masked(b, b.input("x", shape_of(b.chance), kind, low=low))
        return b.op(f"stablehlo.{name} {{0}} : {{t0}}", compute, x)

    return draw


def binary(name: str) -> Draw:
    def draw(b: Builder) -> Node:
        kind, compute = _BINARY[name]
        shape, low = shape_of(b.chance), 1 if name in ("power", "divide") else -6
        x, y = b.input("x", shape, kind, low=low), b.input("y", shape, kind, low=low)
        x = x if name.startswith(("shift", "rem")) else masked(b, x)  # 0 of these is data to volcli
        return b.op(f"stablehlo.{name} {{0}}, {{1}} : {{t0}}", compute, x, y)

    return draw


def compare(b: Builder) -> Node:
    shape = shape_of(b.chance)
    word, f = b.chance.choice(
        [("GE", np.greater_equal), ("LT", np.less), ("EQ", np.equal), ("NE", np.not_equal)]
    )
    x, y = masked(b, b.input("x", shape, low=-1, high=1)), b.input("y", shape, low=-1, high=1)
    return b.op(
        f"stablehlo.compare {word}, {{0}}, {{1}}, SIGNED : ({{t0}}, {{t1}}) -> {{r}}", f, x, y, kind="i1"
    )


def select(b: Builder) -> Node:
    shape = shape_of(b.chance)
    c, x, y = b.input("c", shape, "i1"), masked(b, b.input("x", shape)), b.input("y", shape)
    return b.op("stablehlo.select {0}, {1}, {2} : {t0}, {t1}", np.where, c, x, y, kind="i32")


def clamp(b: Builder) -> Node:
    shape = shape_of(b.chance)
    low, x, high = b.input("l", shape, high=0), masked(b, b.input("x", shape)), b.input("h", shape, low=1)
    return b.op(
        "stablehlo.clamp {0}, {1}, {2} : ({t0}, {t1}, {t2}) -> {r}",
        lambda low, x, high: np.minimum(np.maximum(x, low), high), low, x, high,
    )  # fmt: skip


def convert(b: Builder) -> Node:
    source, target = b.chance.choice(
        [("i32", "f32"), ("i8", "i32"), ("i32", "i1"), ("f32", "f64"), ("i1", "i32")]
    )
    x = masked(b, b.input("x", shape_of(b.chance), source))
    return b.op("stablehlo.convert {0} : ({t0}) -> {r}", lambda x: x, x, kind=target)


def bitcast(b: Builder) -> Node:
    x = masked(b, b.input("x", shape_of(b.chance), "f32"))
    return b.op("stablehlo.bitcast_convert {0} : ({t0}) -> {r}", lambda x: x.view(np.int32), x, kind="i32")


def reduce_precision(b: Builder) -> Node:
    x = masked(b, b.input("x", shape_of(b.chance), "f32"))

    def compute(x: Any) -> Any:
        bits = x.view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)

    return b.op("stablehlo.reduce_precision {0}, format = e8m7 : {t0}", compute, x)


def is_finite(b: Builder) -> Node:
    x = b.input("x", shape_of(b.chance), "f32")
    root = b.op("stablehlo.log {0} : {t0}", np.log, x)
    return b.op("stablehlo.is_finite {0} : ({t0}) -> {r}", np.isfinite, root, kind="i1")


def of_complex(b: Builder) -> Node:
    shape = shape_of(b.chance)
    x, y = masked(b, b.input("x", shape, "f32")), b.input("y", shape, "f32")
    z = b.op("stablehlo.complex {0}, {1} : {r}", lambda a, c: a + 1j * c, x, y, kind="complex<f32>")
    word, f = b.chance.choice([("real", np.real), ("imag", np.imag)])
    name, g = b.chance.choice([("add", np.add), ("multiply", np.multiply), ("negate", np.negative)])
    z = b.op(
        f"stablehlo.{name} {'{0}' if name == 'negate' else '{0}, {0}'} : {{t0}}",
        lambda z: g(z) if name == "negate" else g(z, z),
        z,
    )
    return b.op(f"stablehlo.{word} {{0}} : ({{t0}}) -> {{r}}", f, z, kind="f32")


_FOLDS: tuple[tuple[str, int, Callable[[Any, Any], Any]], ...] = (
    ("add", 0, lambda a, c: a + c), ("maximum", -100, max), ("minimum", 100, min), ("add", 2, lambda a, c: a + c),
    ("multiply", 1, lambda a, c: a * c),
)  # fmt: skip


def reduce(b: Builder, x: Node | None = None) -> Node:
    x = x or masked(b, b.input("x", shape_of(b.chance)))
    word, start, f = b.chance.choice(_FOLDS)
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


def _body(word: str, kind: str) -> str:
    return (
        f"({{{{\n  ^bb0(%a: tensor<{kind}>, %c: tensor<{kind}>):\n    %s = stablehlo.{word} %a, %c : tensor<{kind}>\n"
        f"    stablehlo.return %s : tensor<{kind}>\n  }}}})"
    )


def reduce_window(b: Builder, x: Node | None = None) -> Node:
    x = x or masked(b, b.input("x", tuple(b.chance.randint(2, 4) for _ in range(b.chance.randint(1, 2)))))
    chance, rank = b.chance, len(x.shape)
    word, start, f = chance.choice(_FOLDS)
    size, stride = [chance.randint(1, 3) for _ in x.shape], [chance.randint(1, 2) for _ in x.shape]
    base, dilation = [chance.randint(1, 3) for _ in x.shape], [chance.randint(1, 2) for _ in x.shape]
    pads = [[chance.randint(-1, 2), chance.randint(0, 3)] for _ in x.shape]
    for d, n in enumerate(x.shape):
        room = (n - 1) * base[d] + 1 + sum(pads[d])
        if room < (size[d] - 1) * dilation[d] + 1:
            size[d] = dilation[d] = 1
    init = b.constant(start, x.kind)
    return b.op(
        f'"stablehlo.reduce_window"({{0}}, {{1}}) <{{{{window_dimensions = array<i64: {_list(size)}>,'
        f" window_strides = array<i64: {_list(stride)}>, base_dilations = array<i64: {_list(base)}>,"
        f" window_dilations = array<i64: {_list(dilation)}>, padding = dense<{pads}> : tensor<{rank}x2xi64>}}}}>"
        f" {_body(word, x.kind)} : ({{t0}}, {{t1}}) -> {{r}}",
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
        f"    stablehlo.return %s : tensor<i1>\n  }}}}, {_body('add', 'i32')[1:-1]})"
    )
    return b.op(
        f'"stablehlo.select_and_scatter"({{0}}, {{1}}, {{2}}) <{{{{window_dimensions = array<i64: {_list(size)}>,'
        f" window_strides = array<i64: {_list(stride)}>, padding = dense<{pads}> : tensor<2x2xi64>}}}}> {regions}"
        " : ({t0}, {t1}, {t2}) -> {r}",
        lambda x, y, init: arrays.select_and_scatter(
            x, y, init[()], lambda a, c: a >= c, lambda a, c: a + c, size, stride, pads
        ), x, source, init,
    )  # fmt: skip


def _list(numbers: Any) -> str:
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
        f" {_body('add', 'i32')} : ({{t0}}, {{t1}}, {{t2}}) -> {{r}}", compute, x, indices, updates,
    )  # fmt: skip


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


def mapped(b: Builder) -> Node:
    shape = shape_of(b.chance)
    x, y = masked(b, b.input("x", shape)), b.input("y", shape)
    dims = _list(range(len(shape)))
    return b.op(
        f'"stablehlo.map"({{0}}, {{1}}) <{{{{dimensions = array<i64: {dims}>}}}}> {_body("multiply", "i32")}'
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


def barrier(b: Builder) -> Node:
    x = b.input("x", shape_of(b.chance))
    return b.op("stablehlo.optimization_barrier {0} : {t0}", lambda x: x, x)


def batch_norm(name: str) -> Draw:
    def draw(b: Builder) -> Node:
        x = b.input("x", (2, 3, 2), "f32", low=-3, high=3)
        feature = b.chance.randrange(3)
        n = x.shape[feature]
        axes = tuple(d for d in range(3) if d != feature)

        def wide(v: Any) -> Any:
            return v.reshape([-1 if d == feature else 1 for d in range(3)])

        which = {"epsilon": "0.5 : f32", "feature_index": f"{feature} : i64"}
        attributes = ", ".join(f"{key} = {value}" for key, value in which.items())
        scale, offset = b.input("s", (n,), "f32"), b.input("o", (n,), "f32")
        if name == "inference":
            mean, variance = b.input("m", (n,), "f32"), b.input("v", (n,), "f32", low=1)
            return b.op(
                f'"stablehlo.batch_norm_inference"({{0}}, {{1}}, {{2}}, {{3}}, {{4}}) <{{{{{attributes}}}}}>'
                " : ({t0}, {t1}, {t2}, {t3}, {t4}) -> {r}",
                lambda x, s, o, m, v: (x - wide(m)) / np.sqrt(wide(v) + np.float32(0.5)) * wide(s) + wide(o),
                x, scale, offset, mean, variance,
            )  # fmt: skip
        if name == "training":

            def train(x: Any, s: Any, o: Any) -> Any:
                centred = x - x.mean(axes, keepdims=True)
                variance = (centred * centred).mean(axes, keepdims=True)
                return centred / np.sqrt(variance + np.float32(0.5)) * wide(s) + wide(o)

            which_type = tensor_type((n,), "f32")
            found = b.op(
                f'"stablehlo.batch_norm_training"({{0}}, {{1}}, {{2}}) <{{{{{attributes}}}}}>'
                f" : ({{t0}}, {{t1}}, {{t2}}) -> ({{r}}, {which_type}, {which_type})", train, x, scale, offset,
            )  # fmt: skip
        else:
            mean, variance = b.input("m", (n,), "f32"), b.input("v", (n,), "f32", low=1)
            gradient = b.input("g", x.shape, "f32")

            def grad(x: Any, s: Any, m: Any, v: Any, g: Any) -> Any:
                count = x.size // n
                root = np.sqrt(wide(v) + np.float32(0.5))
                centred = x - wide(m)
                total, by = g.sum(axes, keepdims=True), (g * centred).sum(axes, keepdims=True)
                return (
                    wide(s) / root / count * (count * g - total - centred * by / (wide(v) + np.float32(0.5)))
                )

            which_type = tensor_type((n,), "f32")
            found = b.op(
                f'"stablehlo.batch_norm_grad"({{0}}, {{1}}, {{2}}, {{3}}, {{4}}) <{{{{{attributes}}}}}>'
                f" : ({{t0}}, {{t1}}, {{t2}}, {{t3}}, {{t4}}) -> ({{r}}, {which_type}, {which_type})",
                grad, x, scale, mean, variance, gradient,
            )  # fmt: skip
        b.lines[-1] = b.lines[-1].replace(f"{found.name} =", f"{found.name}_all:3 =")
        return b.op(f"stablehlo.add {found.name}_all#0, {{0}} : {{t0}}", lambda x, r: r + x, x, found)

    return draw


def fft(b: Builder) -> Node:
    n = b.chance.randint(2, 4)
    word = b.chance.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
    if word == "RFFT":
        x = b.input("x", (2, n), "f32")
        z = b.op(
            f"stablehlo.fft {{0}}, type = RFFT, length = [{n}] : ({{t0}}) -> {{r}}",
            np.fft.rfft,
            x,
            kind="complex<f32>",
        )
        return b.op("stablehlo.real {0} : ({t0}) -> {r}", np.real, z, kind="f32")
    x, y = b.input("x", (2, n), "f32"), b.input("y", (2, n), "f32")
    z = b.op("stablehlo.complex {0}, {1} : {r}", lambda a, c: a + 1j * c, x, y, kind="complex<f32>")
    if word == "IRFFT":
        size = 2 * (n - 1)
        return b.op(
            f"stablehlo.fft {{0}}, type = IRFFT, length = [{size}] : ({{t0}}) -> {{r}}",
            lambda z: np.fft.irfft(z, size), z, kind="f32",
        )  # fmt: skip
    f = np.fft.fft if word == "FFT" else np.fft.ifft
    z = b.op(f"stablehlo.fft {{0}}, type = {word}, length = [{n}] : ({{t0}}) -> {{r}}", f, z)
    return b.op("stablehlo.real {0} : ({t0}) -> {r}", np.real, z, kind="f32")


def quantised(b: Builder) -> Node:
    scale, zero = b.chance.choice([0.5, 0.25]), b.chance.randint(-3, 3)
    x = masked(b, b.input("x", shape_of(b.chance), "f32"))
    q = b.op(
        "stablehlo.uniform_quantize {0} : ({t0}) -> {r}",
        lambda x: np.clip(np.rint(x / scale) + zero, -128, 127), x, kind="i8",
        quantised=f"!quant.uniform<i8:f32, {scale}:{zero}>",
    )  # fmt: skip
    return b.op(
        "stablehlo.uniform_dequantize {0} : ({t0}) -> {r}",
        lambda q: (q.astype(np.float32) - zero) * np.float32(scale), q, kind="f32",
    )  # fmt: skip


def mixture(b: Builder) -> Node:
    """Elements moved several times, and summed."""
    x = masked(b, b.input("x", shape_of(b.chance)))
    steps = b.chance.sample(MOVES, 3)
    for step in steps:
        if math.prod(x.shape) <= 40:
            x = step(b, x)
    return b.chance.choice([reduce, reduce_window, masked_last])(b, x)


def masked_last(b: Builder, x: Node) -> Node:
    return b.op("stablehlo.negate {0} : {t0}", np.negative, masked(b, x))


PROGRAMS: Mapping[str, Draw] = {
    **{name: unary(name) for name in _UNARY},
    **{name: binary(name) for name in _BINARY},
    **{f"batch_norm_{name}": batch_norm(name) for name in ("inference", "training", "grad")},
    **{draw.__name__.strip("_"): draw for draw in (
        compare, select, clamp, convert, bitcast, reduce_precision, is_finite, of_complex, reduce, reduce_window,
        select_and_scatter, dot_general, convolution, gather, dynamic_gather, scatter, dynamic_slice,
        dynamic_slice_by_data, dynamic_update_slice, dynamic_pad, dynamic_broadcast, dynamic_reshape, dynamic_iota,
        dimension_size, mapped, sort, branch, case, loop, barrier, fft, quantised, pad, transpose, reverse, reshape,
        slice_, concatenate, broadcast, mixture,
    )},
}  # fmt: skip

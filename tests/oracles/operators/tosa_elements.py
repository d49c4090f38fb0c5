"""Operations of tosa on elements and rows, and those that move elements."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tests.oracles.operators.builder import Builder, Node
from tests.oracles.operators.masks import Draw, masked, shape_of

UNARY: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "abs": ("i32", np.abs), "bitwise_not": ("i32", np.invert), "logical_not": ("i1", np.logical_not),
    "clz": ("i32", np.vectorize(lambda a: 32 - (int(a) & 0xFFFFFFFF).bit_length(), otypes=[np.int32])),
    "ceil": ("f32", np.ceil), "floor": ("f32", np.floor), "cos": ("f32", np.cos), "sin": ("f32", np.sin),
    "erf": ("f32", np.vectorize(math.erf, otypes=[np.float32])), "exp": ("f32", np.exp), "log": ("f32", np.log),
    "reciprocal": ("f32", lambda x: 1 / x), "rsqrt": ("f32", lambda x: 1 / np.sqrt(x)),
    "sigmoid": ("f32", lambda x: 1 / (1 + np.exp(-x))), "tanh": ("f32", np.tanh), "identity": ("i32", lambda x: x),
}  # fmt: skip
BINARY: Mapping[str, tuple[str, str, Callable[..., Any]]] = {
    "add": ("i32", "i32", np.add), "sub": ("i32", "i32", np.subtract),
    "intdiv": ("i32", "i32", lambda a, b: np.trunc(a / b)), "pow": ("f32", "f32", np.float_power),
    "maximum": ("i32", "i32", np.maximum), "minimum": ("f32", "f32", np.minimum),
    "bitwise_and": ("i32", "i32", np.bitwise_and), "bitwise_or": ("i32", "i32", np.bitwise_or),
    "bitwise_xor": ("i32", "i32", np.bitwise_xor), "logical_and": ("i1", "i1", np.logical_and),
    "logical_or": ("i1", "i1", np.logical_or), "logical_xor": ("i1", "i1", np.logical_xor),
    "logical_left_shift": ("i32", "i32", np.left_shift),
    "logical_right_shift": ("i32", "i32", lambda a, b: a.astype(np.uint32) >> b),
    "arithmetic_right_shift": ("i32", "i32", np.right_shift), "equal": ("i32", "i1", np.equal),
    "greater": ("i32", "i1", np.greater), "greater_equal": ("i32", "i1", np.greater_equal),
}  # fmt: skip
AXES: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "reduce_all": ("i1", np.all), "reduce_any": ("i1", np.any), "reduce_max": ("i32", np.max),
    "reduce_min": ("i32", np.min), "reduce_sum": ("i32", np.sum), "reduce_product": ("f32", np.prod),
}  # fmt: skip


def shape_operand(b: Builder, numbers: Sequence[int]) -> tuple[str, str]:
    """A list of sizes, and its type."""
    name, count = f"%s{len(b.lines)}", len(numbers)
    dense = f"dense<{list(numbers)}> : tensor<{count}xindex>" if count else "dense<> : tensor<0xindex>"
    b.line(f"{name} = tosa.const_shape {{values = {dense}}} : () -> !tosa.shape<{count}>")
    return name, f"!tosa.shape<{count}>"


def unary(name: str) -> Draw:
    def draw(b: Builder) -> Node:
        kind, compute = UNARY[name]
        x = b.input("x", shape_of(b.chance), kind, low=1 if name in ("log", "rsqrt", "reciprocal") else -6)
        x = masked(b, x) if kind != "i1" else x
        return b.op(f"tosa.{name} {{0}} : ({{t0}}) -> {{r}}", compute, x)

    return draw


def binary(name: str) -> Draw:
    def draw(b: Builder) -> Node:
        kind, result, compute = BINARY[name]
        shape = shape_of(b.chance)
        low, high = (1, 6) if "shift" in name or name in ("intdiv", "pow") else (-6, 6)
        if result != kind:
            low, high = -1, 1
        x = b.input("x", shape, kind, low, high)
        other = tuple(1 if b.chance.random() < 0.3 else n for n in shape)
        y = b.input("y", other, kind, low, high)
        x = masked(b, x) if kind == "i32" and low < 0 else x
        more = " {round = false}" if name == "arithmetic_right_shift" else ""
        return b.op(
            f"tosa.{name} {{0}}, {{1}}{'{{round = false}}' if more else ''} : ({{t0}}, {{t1}}) -> {{r}}",
            compute,
            x,
            y,
            kind=result,
        )

    return draw


def mul(b: Builder) -> Node:
    shape = shape_of(b.chance)
    shift = b.constant([0], "i8", "tosa")
    kind = b.chance.choice(["i32", "i32", "f32"])
    x, y = masked(b, b.input("x", shape, kind)), masked(b, b.input("y", shape, kind))
    return b.op("tosa.mul {0}, {1}, {2} : ({t0}, {t1}, {t2}) -> {r}", lambda x, y, _: x * y, x, y, shift)


def along(name: str) -> Draw:
    def draw(b: Builder) -> Node:
        kind, f = AXES[name]
        x = b.input("x", shape_of(b.chance), kind, *((-1, 1) if name == "reduce_product" else (-6, 6)))
        x = masked(b, x) if kind == "i32" else x
        axis = b.chance.randrange(len(x.shape))
        return b.op(
            f"tosa.{name} {{0}} {{{{axis = {axis} : i32}}}} : ({{t0}}) -> {{r}}",
            lambda x: f(x, axis, keepdims=True), x,
        )  # fmt: skip

    return draw


def argmax(b: Builder) -> Node:
    x, axis = b.input("x", (2, 3), "f32"), b.chance.randrange(2)
    return b.op(
        f"tosa.argmax {{0}} {{{{axis = {axis} : i32}}}} : ({{t0}}) -> {{r}}",
        lambda x: np.argmax(x, axis), x, kind="i32",
    )  # fmt: skip


def select(b: Builder) -> Node:
    shape = shape_of(b.chance)
    c, x, y = b.input("c", shape, "i1"), masked(b, b.input("x", shape)), b.input("y", shape)
    return b.op("tosa.select {0}, {1}, {2} : ({t0}, {t1}, {t2}) -> {r}", np.where, c, x, y, kind="i32")


def clamp(b: Builder) -> Node:
    x = masked(b, b.input("x", shape_of(b.chance)))
    low, high = sorted(b.chance.sample(range(-5, 6), 2))
    return b.op(
        f"tosa.clamp {{0}} {{{{min_val = {low} : i32, max_val = {high} : i32}}}} : ({{t0}}) -> {{r}}",
        lambda x: np.clip(x, low, high), x,
    )  # fmt: skip


def cast(b: Builder) -> Node:
    source, target = b.chance.choice(
        [("i8", "i32"), ("i32", "f32"), ("i32", "i1"), ("f32", "f16"), ("f32", "i32")]
    )
    x = masked(b, b.input("x", shape_of(b.chance), source))
    f: Callable[[Any], Any] = np.rint if (source, target) == ("f32", "i32") else lambda x: x
    if target == "i32" and source == "f32":
        f = lambda x: np.clip(np.rint(np.nan_to_num(x.astype(np.float64))), -(2.0**31), 2.0**31 - 1)  # noqa: E731
    return b.op("tosa.cast {0} : ({t0}) -> {r}", f, x, kind=target)


def negate(b: Builder) -> Node:
    one, other = (b.chance.randint(-2, 2) for _ in range(2))
    zeros = [b.constant([n], "i8", "tosa") for n in (one, other)]
    x = masked(b, b.input("x", shape_of(b.chance), "i8"))
    return b.op(
        "tosa.negate {0}, {1}, {2} : ({t0}, {t1}, {t2}) -> {r}",
        lambda x, a, c: np.clip(int(other) - (x.astype(int) - one), -128, 127), x, *zeros,
    )  # fmt: skip


def rescale(b: Builder) -> Node:
    shift = b.chance.randint(30, 32)
    multiplier, by = b.constant([1 << 30], "i32", "tosa"), b.constant([shift], "i8", "tosa")
    before, after = b.chance.randint(-2, 2), b.chance.randint(-2, 2)
    zeros = [b.constant([n], "i8", "tosa") for n in (before, after)]
    x = masked(b, b.input("x", shape_of(b.chance), "i8"))

    def compute(x: Any, *_: Any) -> Any:
        scaled = ((x.astype(np.int64) - before) * (1 << 30) + (1 << (shift - 1))) >> shift
        return np.clip(scaled + after, -128, 127)

    return b.op(
        "tosa.rescale {0}, {1}, {2}, {3}, {4} {{scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false,"
        " input_unsigned = false, output_unsigned = false}} : ({t0}, {t1}, {t2}, {t3}, {t4}) -> {r}",
        compute, x, multiplier, by, *zeros,
    )  # fmt: skip


def table(b: Builder) -> Node:
    x = b.input("x", shape_of(b.chance), "i8")
    numbers = [(7 * k + 3) % 256 - 128 for k in range(256)]
    values = b.constant(numbers, "i8", "tosa")
    return b.op("tosa.table {0}, {1} : ({t0}, {t1}) -> {r}", lambda x, t: t[x.astype(int) + 128], x, values)


def pad(b: Builder, x: Node | None = None) -> Node:
    x = x or masked(b, b.input("x", shape_of(b.chance)))
    widths = [b.chance.randint(0, 2) for _ in range(2 * len(x.shape))]
    name, kind = shape_operand(b, widths)
    fill = b.constant([b.chance.choice((0, 0, 3))], x.kind, "tosa")
    return b.op(
        f"tosa.pad {{0}}, {name}, {{1}} : ({{t0}}, {kind}, {{t1}}) -> {{r}}",
        lambda x, v: np.pad(x, list(zip(widths[::2], widths[1::2], strict=True)), constant_values=v[0]), x, fill,
    )  # fmt: skip


def slice_(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", shape_of(b.chance))
    first = [b.chance.randint(0, n - 1) for n in x.shape]
    size = [b.chance.randint(1, n - f) for n, f in zip(x.shape, first, strict=True)]
    (one, kind), (other, _) = shape_operand(b, first), shape_operand(b, size)
    at = tuple(slice(f, f + n) for f, n in zip(first, size, strict=True))
    return b.op(f"tosa.slice {{0}}, {one}, {other} : ({{t0}}, {kind}, {kind}) -> {{r}}", lambda x: x[at], x)


def reshape(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", (2, 3, 2))
    count = math.prod(x.shape)
    first = b.chance.choice([n for n in range(1, count + 1) if count % n == 0])
    name, kind = shape_operand(b, [first, count // first])
    return b.op(
        f"tosa.reshape {{0}}, {name} : ({{t0}}, {kind}) -> {{r}}",
        lambda x: x.reshape(first, count // first),
        x,
    )


def transpose(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", shape_of(b.chance, 3))
    order = b.chance.sample(range(len(x.shape)), len(x.shape))
    return b.op(
        f"tosa.transpose {{0}} {{{{perms = array<i32: {', '.join(map(str, order))}>}}}} : ({{t0}}) -> {{r}}",
        lambda x: x.transpose(order), x,
    )  # fmt: skip


def reverse(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", shape_of(b.chance))
    axis = b.chance.randrange(len(x.shape))
    return b.op(
        f"tosa.reverse {{0}} {{{{axis = {axis} : i32}}}} : ({{t0}}) -> {{r}}", lambda x: np.flip(x, axis), x
    )


def tile(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", shape_of(b.chance, 2))
    counts = [b.chance.randint(1, 3) for _ in x.shape]
    name, kind = shape_operand(b, counts)
    return b.op(f"tosa.tile {{0}}, {name} : ({{t0}}, {kind}) -> {{r}}", lambda x: np.tile(x, counts), x)


def concat(b: Builder, x: Node | None = None) -> Node:
    x = x or b.input("x", shape_of(b.chance))
    axis = b.chance.randrange(len(x.shape))
    other = b.input(f"y{len(b.inputs)}", x.shape, x.kind)
    return b.op(
        f"tosa.concat {{0}}, {{1}} {{{{axis = {axis} : i32}}}} : ({{t0}}, {{t1}}) -> {{r}}",
        lambda x, y: np.concatenate([x, y], axis), x, other,
    )  # fmt: skip


def gather(b: Builder) -> Node:
    rows = [b.chance.randint(0, 3) for _ in range(3)]
    x, indices = b.input("x", (1, 4, 2)), b.constant([rows], "i32", "tosa")
    return b.op("tosa.gather {0}, {1} : ({t0}, {t1}) -> {r}", lambda x, i: x[:, i[0]], x, indices)


def scatter(b: Builder) -> Node:
    rows = b.chance.sample(range(4), 2)
    x, y, indices = b.input("x", (1, 4, 2)), b.input("y", (1, 2, 2)), b.constant([rows], "i32", "tosa")

    def compute(x: Any, i: Any, y: Any) -> Any:
        found = x.copy()
        found[:, i[0]] = y
        return found

    return b.op("tosa.scatter {0}, {1}, {2} : ({t0}, {t1}, {t2}) -> {r}", compute, x, indices, y)

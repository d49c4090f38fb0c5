"""Random programs of tosa: for each operation how it is written, and what it is of arrays."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tests.oracles.operators import arrays
from tests.oracles.operators.builder import Builder, Node
from tests.oracles.operators.stablehlo import Draw, masked, shape_of

_UNARY: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "abs": ("i32", np.abs), "bitwise_not": ("i32", np.invert), "logical_not": ("i1", np.logical_not),
    "clz": ("i32", np.vectorize(lambda a: 32 - (int(a) & 0xFFFFFFFF).bit_length(), otypes=[np.int32])),
    "ceil": ("f32", np.ceil), "floor": ("f32", np.floor), "cos": ("f32", np.cos), "sin": ("f32", np.sin),
    "erf": ("f32", np.vectorize(math.erf, otypes=[np.float32])), "exp": ("f32", np.exp), "log": ("f32", np.log),
    "reciprocal": ("f32", lambda x: 1 / x), "rsqrt": ("f32", lambda x: 1 / np.sqrt(x)),
    "sigmoid": ("f32", lambda x: 1 / (1 + np.exp(-x))), "tanh": ("f32", np.tanh), "identity": ("i32", lambda x: x),
}  # fmt: skip
_BINARY: Mapping[str, tuple[str, str, Callable[..., Any]]] = {
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
_AXES: Mapping[str, tuple[str, Callable[..., Any]]] = {
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
        kind, compute = _UNARY[name]
        x = b.input("x", shape_of(b.chance), kind, low=1 if name in ("log", "rsqrt", "reciprocal") else -6)
        x = masked(b, x) if kind != "i1" else x
        return b.op(f"tosa.{name} {{0}} : ({{t0}}) -> {{r}}", compute, x)

    return draw


def binary(name: str) -> Draw:
    def draw(b: Builder) -> Node:
        kind, result, compute = _BINARY[name]
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
        kind, f = _AXES[name]
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
    x, y = masked(b, b.input("x", (n, m, k), kind)), masked(b, b.input("y", (n, k, p), kind))
    wide = np.int32 if kind == "i8" else np.float32
    found = b.op(
        "tosa.matmul {0}, {1}, {2}, {3} : ({t0}, {t1}, {t2}, {t3}) -> {r}",
        lambda x, y, *_: np.einsum("nmk,nkp->nmp", x.astype(wide) - wide(a), y.astype(wide) - wide(c)),
        x, y, *zeros, kind="i32" if kind == "i8" else "f32",
    )  # fmt: skip
    _counted(b, x, y, (a, c))
    return found


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
        more = "" if name == "transpose_conv2d" else f", dilation = array<i64: {_list(dilation)}>"
        found = b.op(
            f"tosa.{name} {{0}}, {{1}}, {{2}}, {{3}}, {{4}} {{{{acc_type = {out}, {where} = array<i64: {_list(pads)}>,"
            f" stride = array<i64: {_list(stride)}>{more}}}}} : ({{t0}}, {{t1}}, {{t2}}, {{t3}}, {{t4}}) -> {{r}}",
            compute, x, w, bias, *zeros, kind=out,
        )  # fmt: skip
        _counted(b, x, w, (a, c))
        return found

    return draw


def _list(numbers: Any) -> str:
    return ", ".join(map(str, numbers))


def max_pool(b: Builder) -> Node:
    x = masked(b, b.input("x", (1, b.chance.randint(2, 4), b.chance.randint(2, 4), 2)))
    pads = [b.chance.randint(0, 1) for _ in range(4)]
    shape = [x.shape[1] + pads[0] + pads[1], x.shape[2] + pads[2] + pads[3]]
    kernel = [b.chance.randint(2, n) if n > 2 else 2 for n in shape]
    stride = [
        b.chance.choice([t for t in (1, 2) if (n - k) % t == 0]) for n, k in zip(shape, kernel, strict=True)
    ]
    return b.op(
        f"tosa.max_pool2d {{0}} {{{{kernel = array<i64: {_list(kernel)}>, pad = array<i64: {_list(pads)}>,"
        f" stride = array<i64: {_list(stride)}>}}}} : ({{t0}}) -> {{r}}",
        lambda x: arrays.pool(x, max, kernel, stride, pads), x,
    )  # fmt: skip


def average_pool(b: Builder) -> Node:
    zeros, _ = _zero_points(b, "f32")
    x = masked(b, b.input("x", (1, b.chance.randint(2, 4), b.chance.randint(2, 4), 1), "f32"))
    pads = [b.chance.randint(0, 1) for _ in range(4)]
    kernel = [2, 2]
    return b.op(
        f"tosa.avg_pool2d {{0}}, {{1}}, {{2}} {{{{acc_type = f32, kernel = array<i64: 2, 2>,"
        f" pad = array<i64: {_list(pads)}>, stride = array<i64: 1, 1>}}}} : ({{t0}}, {{t1}}, {{t2}}) -> {{r}}",
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
    **{name: unary(name) for name in _UNARY},
    **{name: binary(name) for name in _BINARY},
    **{name: along(name) for name in _AXES},
    **{name: _product(name) for name in ("conv2d", "conv3d", "depthwise_conv2d", "transpose_conv2d")},
    **{name: transform(name) for name in ("fft2d", "rfft2d")},
    **{draw.__name__.strip("_"): draw for draw in (
        mul, argmax, select, clamp, cast, negate, rescale, table, pad, slice_, reshape, transpose, reverse, tile,
        concat, gather, scatter, matmul, max_pool, average_pool, resize, branch, mixture,
    )},
}  # fmt: skip

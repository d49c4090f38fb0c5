"""Operations of stablehlo on elements and rows."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tests.oracles.operators.builder import Builder, Node, tensor_type
from tests.oracles.operators.masks import Draw, masked, shape_of

UNARY: Mapping[str, tuple[str, Callable[..., Any]]] = {
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
BINARY: Mapping[str, tuple[str, Callable[..., Any]]] = {
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


def unary(name: str) -> Draw:
    def draw(b: Builder) -> Node:
        kind, compute = UNARY[name]
        low = 1 if name in ("log", "rsqrt", "sqrt", "log_plus_one") else -6
        x = masked(b, b.input("x", shape_of(b.chance), kind, low=low))
        return b.op(f"stablehlo.{name} {{0}} : {{t0}}", compute, x)

    return draw


def binary(name: str) -> Draw:
    def draw(b: Builder) -> Node:
        kind, compute = BINARY[name]
        shape, low = shape_of(b.chance), 1 if name == "power" else -6
        x, y = b.input("x", shape, kind, low=low), b.input("y", shape, kind, low=low)
        x = x if name.startswith(("shift", "rem", "power")) else masked(b, x)  # 0 of these is data to volcli
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

"""Shapes, and elements that coordinates mask."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from tests.oracles.operators.builder import Builder, Node

Draw = Callable[[Builder], Node]


def shape_of(chance: random.Random, rank: int | None = None) -> tuple[int, ...]:
    """A small shape."""
    rank = chance.randint(1, 3) if rank is None else rank
    return tuple(chance.randint(1, 4 if rank < 3 else 3) for _ in range(rank))


def masked(b: Builder, x: Node) -> Node:
    """X where coordinates say so, 0 elsewhere: a triangle, every other element, blocks, what clamps leave."""
    if len(x.shape) < 2 or b.chance.random() < 0.4 or x.kind == "complex<f32>":
        return x
    kind = b.chance.choice(("i32", "i32", "i8", "ui8"))
    one, other = (
        b.op(f"stablehlo.iota dim = {d} : {{r}}", lambda d=d: np.indices(x.shape)[d], kind=kind)
        for d in (0, 1)
    )
    if b.chance.random() < 0.4:
        word, compute = b.chance.choice([
            ("remainder", np.fmod), ("divide", np.floor_divide), ("subtract", np.subtract),
        ])  # fmt: skip
        number = b.constant(np.full(x.shape, b.chance.randint(2, 3)), kind)
        other = b.op(f"stablehlo.{word} {{0}}, {{1}} : {{t0}}", compute, other, number)
    if b.chance.random() < 0.3:
        limits = [b.constant(b.chance.randint(low, low + 1), kind) for low in (0, 1)]
        text = "stablehlo.clamp {0}, {1}, {2} : ({t0}, {t1}, {t2}) -> {t1}"
        low, high = limits
        other = b.op(text, lambda low, n, high: np.minimum(np.maximum(n, low), high), low, other, high)
    word, compare = b.chance.choice([("GE", np.greater_equal), ("LT", np.less), ("NE", np.not_equal)])
    sign = "UNSIGNED" if kind == "ui8" else "SIGNED"
    truth = b.op(
        f"stablehlo.compare {word}, {{0}}, {{1}}, {sign} : ({{t0}}, {{t1}}) -> {{r}}",
        compare,
        one,
        other,
        kind="i1",
    )
    zero = b.constant(np.zeros(x.shape), x.kind)
    return b.op("stablehlo.select {0}, {1}, {2} : {t0}, {t1}", np.where, truth, x, zero, kind=x.kind)

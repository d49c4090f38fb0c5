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
    """X where coordinates say so, 0 elsewhere: a triangle, every other element, or blocks."""
    if len(x.shape) < 2 or b.chance.random() < 0.4 or x.kind == "complex<f32>":
        return x
    one, other = (
        b.op(f"stablehlo.iota dim = {d} : {{r}}", lambda d=d: np.indices(x.shape)[d], kind="i32")
        for d in (0, 1)
    )
    if b.chance.random() < 0.4:
        word, compute = b.chance.choice([("remainder", np.fmod), ("divide", np.floor_divide)])
        divisor = b.constant(np.full(x.shape, b.chance.randint(2, 3)))
        other = b.op(f"stablehlo.{word} {{0}}, {{1}} : {{t0}}", compute, other, divisor)
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

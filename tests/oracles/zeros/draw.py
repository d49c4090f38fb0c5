"""Random programs, and inputs that try them."""

from __future__ import annotations

import math
import random

from tests.oracles.zeros.numbers import ARITY
from tests.oracles.zeros.programs import Argument, Generic, Node, Numbers, Program, Scalar, Surrounded

CONSTANTS = (0.0, 0.0, 0.0, 0.0, 0.0, -0.0, 1.0, 1.0, -2.0, math.inf, -math.inf, math.nan, 1e300, 5e-324)
SPECIAL = (0.0, -0.0, math.inf, -math.inf, math.nan, 1e300, -1e-300)
LIKELY = (
    *("arith.mulf",) * 8,
    "arith.addf",
    "arith.divf",
    "arith.addf",
    "arith.divf",
    "math.fma",
    "math.copysign",
)
FLAG_SETS = ((), (), (), ("nnan",), ("ninf",), ("nnan", "ninf"), ("nsz",), ("nnan", "ninf", "nsz"), ("fast",))


def stated(flags: tuple[str, ...]) -> tuple[str, ...]:
    """FLAGS, all of them for fast."""
    return ("nnan", "ninf", "nsz") if flags == ("fast",) else flags


def draw(seed: int) -> Program:
    """The program of SEED."""
    chance = random.Random(seed)
    arguments = (Argument("x", 4), Argument("y", 6), Argument("w", 3))
    nodes: list[Node] = []
    sizes = {a.result: a.size for a in arguments}
    for number in range(chance.randint(2, 6)):
        node = _node(chance, f"v{number}", sizes)
        nodes.append(node)
        sizes[node.result] = node.size
    return Program(arguments, tuple(nodes))


def _node(chance: random.Random, name: str, sizes: dict[str, int]) -> Node:
    kind = chance.choice(("numbers", "pad", "pad", "insert", "window", "body", "body", "body", "body"))
    source = chance.choice([*sizes][-4:])
    size = sizes[source]
    if kind == "numbers":
        count = chance.choice((3, 4, 6))
        numbers = (
            [chance.choice(CONSTANTS)] * count
            if chance.random() < 0.6
            else chance.choices(CONSTANTS, k=count)
        )
        return Numbers(name, tuple(numbers))
    if kind == "pad" and size <= 8:
        low, high = chance.randint(0, 2), chance.randint(0, 2)
        return Surrounded(name, source, size + low + high, low, 1, chance.choice(CONSTANTS))
    if kind == "insert" and size <= 4:
        return Surrounded(name, source, 2 * size + 1, 1, 2, chance.choice(CONSTANTS))
    if kind == "window" and size >= 4:
        inits = [other for other, n in sizes.items() if n == size - 2]
        weights = chance.choice([other for other, n in sizes.items() if n == 3])
        if inits:
            body = _body(chance, ["in0", "in1", "acc"])
            if chance.random() < 0.7:
                flags = stated(chance.choice(FLAG_SETS))
                body = (
                    Scalar("arith.mulf", ("in0", "in1"), flags),
                    Scalar("arith.addf", ("acc", "t0"), flags),
                )
            return Generic(name, (source, weights), size - 2, body, chance.choice(inits), 3)
    same = [other for other, n in sizes.items() if n == size]
    ins = (source, *chance.choices(same, k=chance.randint(0, 2)))
    return Generic(name, ins, size, _body(chance, [f"in{k}" for k in range(len(ins))]))


def _body(chance: random.Random, inputs: list[str]) -> tuple[Scalar, ...]:
    available, body = list(inputs), list[Scalar]()
    for number in range(chance.choice((1, 1, 2, 3, 4))):
        name = chance.choice((*LIKELY, *ARITY, "select", "smaller"))
        operands = tuple(
            _operand(chance, available) for _ in range(3 if name == "smaller" else ARITY.get(name, 2))
        )
        flags = () if name in ("select", "smaller") else stated(chance.choice(FLAG_SETS))
        body.append(Scalar(name, operands, flags, chance.randint(0, 6)))
        available += [f"t{number}"] * 2
    return tuple(body)


def _operand(chance: random.Random, available: list[str]) -> float | str:
    return chance.choice(available) if chance.random() < 0.75 else chance.choice(CONSTANTS)


def inputs(program: Program, seed: int) -> dict[str, list[float]]:
    """Numbers for the arguments: finite and nonzero ones only, some special ones, or mostly those."""
    chance = random.Random(seed)
    special = (0.0, 0.0, 0.3, 0.8)[seed % 4]

    def number() -> float:
        if chance.random() < special:
            return chance.choice(SPECIAL)
        return chance.choice((-1, 1)) * chance.randint(1, 40) / 8

    return {a.result: [number() for _ in range(a.size)] for a in program.arguments}

"""Programs of scalars executed by volcli and by mlir-runner: equal bits.

Floats are compared as the integers that their bits are, results of the C library's functions by at most one unit
in the last place: no two libraries agree on these.
"""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from tests.shared.execution import executed, needs_runner
from tests.shared.running import Code

pytestmark = [pytest.mark.mlir, needs_runner]

SPECIAL = (
    0.0,
    -0.0,
    1.0,
    -1.5,
    3.7,
    1e30,
    -1e-30,
    1e-45,
    float("inf"),
    float("-inf"),
    float("nan"),
    2.5,
    0.1,
)
BINARY = ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf")
PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
)  # fmt: skip
EXACT = (
    "math.absf",
    "math.ceil",
    "math.floor",
    "math.sqrt",
    "math.trunc",
    "math.round",
    "math.roundeven",
    "arith.negf",
)
ROUNDED = (
    "math.exp",
    "math.log",
    "math.sin",
    "math.cos",
    "math.tanh",
    "math.atan",
)


def _numbers(count: int, seed: int) -> list[float]:
    chance = random.Random(seed)
    return [*SPECIAL, *(chance.gauss(0, 10) for _ in range(count))]


def _literal(value: float, bits: int) -> str:
    array = np.array(value, np.float32 if bits == 32 else np.float64)
    return f"0x{int(array.view(f'u{bits // 8}')):0{bits // 4}X}"


Line = tuple[str, str, list[float]]
"""An operation, the type of its result, and the numbers that it is applied to."""


def _functions(lines: list[Line], bits: int) -> dict[str, str]:
    """A function for each operation, which returns the bits of its result: a float or an i1."""
    found: dict[str, str] = {}
    for operation, kind, numbers in lines:
        if operation in found:
            continue
        arguments = ", ".join(f"%x{j}: f{bits}" for j in range(len(numbers)))
        is_float = kind == f"f{bits}"
        returned = f"i{bits}" if is_float else kind
        cast = f"arith.bitcast %r : f{bits} to i{bits}" if is_float else "arith.ori %r, %r : i1"
        found[operation] = (
            f"func.func @f{len(found)}({arguments}) -> {returned} {{\n  %r = {operation}\n  %b = {cast}\n"
            f"  return %b : {returned}\n}}"
        )
    return found


def _program(lines: list[Line], bits: int) -> str:
    """@main prints the bits of each of the functions, applied to numbers."""
    functions = _functions(lines, bits)
    position = {operation: k for k, operation in enumerate(functions)}
    body: list[str] = []
    for k, (operation, kind, numbers) in enumerate(lines):
        returned = f"i{bits}" if kind == f"f{bits}" else kind
        names = [f"%c{k}_{j}" for j in range(len(numbers))]
        body += [
            f"{n} = arith.constant {_literal(v, bits)} : f{bits}" for n, v in zip(names, numbers, strict=True)
        ]
        types = ", ".join(f"f{bits}" for _ in numbers)
        body.append(f"%r{k} = call @f{position[operation]}({', '.join(names)}) : ({types}) -> {returned}")
        body.append(f"vector.print %r{k} : {returned}")
    return "\n".join([*functions.values(), "func.func @main() {", *body, "return", "}"])


def _ours(lines: list[Line], bits: int) -> list[int]:
    functions = _functions(lines, bits)
    code = Code("\n".join(functions.values()))
    position = {operation: k for k, operation in enumerate(functions)}
    real = np.float32 if bits == 32 else np.float64
    return [int(code(*map(real, numbers), function=f"f{position[op]}")[0]) for op, _, numbers in lines]


def _is_nan(value: int, bits: int) -> bool:
    return bool(np.isnan(np.array(value).astype(f"i{bits // 8}").view(f"f{bits // 8}")))


@pytest.mark.slow
@pytest.mark.parametrize("bits", [32, 64])
def test_floats(mlir_opt: str, bits: int) -> None:
    numbers = _numbers(6, bits)
    kind = f"f{bits}"
    lines: list[Line] = []
    pairs = random.Random(1).sample(list(itertools.product(numbers, repeat=2)), 40)
    for name in BINARY:
        lines += [(f"arith.{name} %x0, %x1 : {kind}", kind, list(pair)) for pair in pairs]
    for predicate in PREDICATES:
        lines += [(f"arith.cmpf {predicate}, %x0, %x1 : {kind}", "i1", list(pair)) for pair in pairs[:20]]
    for name in (*EXACT, *ROUNDED):
        lines += [(f"{name} %x0 : {kind}", kind, [x]) for x in numbers]
    text = _program(lines, bits)
    expected = [int(word) for word in executed(mlir_opt, text).split()]
    for line, theirs, ours in zip(lines, expected, _ours(lines, bits), strict=True):
        if line[1] == "i1":
            assert theirs == ours, line
        elif _is_nan(theirs, bits) or _is_nan(ours, bits):
            assert _is_nan(theirs, bits) == _is_nan(ours, bits), line
        elif not (theirs | ours) << 1 & (1 << bits) - 1 and "num" in line[0]:
            continue  # IEEE 754 leaves the sign of a zero open
        else:
            assert abs(theirs - ours) <= any(line[0].startswith(name) for name in ROUNDED), (
                line,
                theirs,
                ours,
            )


CASTS = (
    (
        "arith.sitofp",
        "i64",
        "f32",
        (0, 1, -1, 2**24 + 1, 2**62 + 2**38, 2**60 + 2**36 + 1, -(2**63), 2**63 - 1),
    ),
    ("arith.uitofp", "i32", "f32", (0, 1, -1, 2**24 + 1, 2**31 - 1)),
    ("arith.sitofp", "i64", "f64", (2**53 + 1, -(2**63), 2**63 - 1)),
)


def test_integers_to_floats(mlir_opt: str) -> None:
    for name, source, target, numbers in CASTS:
        bits = int(target[1:])
        function = (
            f"func.func @f(%x: {source}) -> i{bits} {{\n  %r = {name} %x : {source} to {target}\n"
            f"  %b = arith.bitcast %r : {target} to i{bits}\n  return %b : i{bits}\n}}\n"
        )
        body: list[str] = []
        for k, number in enumerate(numbers):
            body += [
                f"%c{k} = arith.constant {number} : {source}",
                f"%r{k} = call @f(%c{k}) : ({source}) -> i{bits}",
                f"vector.print %r{k} : i{bits}",
            ]
        text = "\n".join([function, "func.func @main() {", *body, "return", "}"])
        code = Code(function)
        assert [int(word) for word in executed(mlir_opt, text).split()] == [code(n)[0] for n in numbers]

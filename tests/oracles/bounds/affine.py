"""Random affine maps, as formulas."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.oracles.bounds.nodes import Formula
from tests.oracles.bounds.values import Value

Texts = tuple[str, str]  # an expression in MLIR and in Python


def expression(chance: random.Random, leaves: Sequence[Texts], depth: int) -> Texts:
    """A random affine expression, without products of operands."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(leaves)
    mlir, python = expression(chance, leaves, depth - 1)
    match chance.choice(["+", "+", "+", "-", "- constant", "*", "floordiv", "ceildiv", "mod"]):
        case "+":
            other = constant(chance) if chance.random() < 0.5 else expression(chance, leaves, depth - 1)
            return f"{mlir} + {other[0]}", f"{python} + {other[1]}"
        case "-":
            other = expression(chance, leaves, depth - 1)
            return f"{mlir} - ({other[0]})", f"{python} - ({other[1]})"
        case "- constant":
            by = chance.randint(1, 5)
            return f"{mlir} - {by}", f"{python} - {by}"
        case "*":
            by = chance.choice([-3, -2, -1, 2, 2, 3, 4])
            return f"({mlir}) * {by}", f"({python}) * {by}"
        case "floordiv":
            by = chance.randint(2, 5)
            return f"(({mlir}) floordiv {by})", f"(({python}) // {by})"
        case "ceildiv":
            by = chance.randint(2, 5)
            return f"(({mlir}) ceildiv {by})", f"(-(-({python}) // {by}))"
        case _:
            by = chance.randint(2, 6)
            return f"(({mlir}) mod {by})", f"(({python}) % {by})"


def constant(chance: random.Random) -> Texts:
    """A small number."""
    number = str(chance.randint(-4, 9))
    return number, number


def map_of(results: Sequence[str], dims: int, symbols: int) -> str:
    """An affine_map attribute."""
    d = ", ".join(f"d{number}" for number in range(dims))
    s = f"[{', '.join(f's{number}' for number in range(symbols))}]" if symbols else ""
    return f"affine_map<({d}){s} -> ({', '.join(results)})>"


def applied(
    chance: random.Random, operation: str, operands: Sequence[Value], dims: int, results: int
) -> Formula:
    """OPERATION (affine.apply, affine.min or affine.max) of a random map of the OPERANDS, the first are DIMS."""
    leaves = leaves_of(dims, len(operands) - dims)
    drawn = [
        constant(chance)
        if number > 0 and chance.random() < 0.6
        else expression(chance, leaves, chance.randint(0, 2))
        for number in range(results)
    ]
    return formula(operation, drawn, operands, dims)


def leaves_of(dims: int, symbols: int) -> list[Texts]:
    """The operands of a map: (d0, $0), ... (s0, $n), ..."""
    names = [*(f"d{number}" for number in range(dims)), *(f"s{number}" for number in range(symbols))]
    return [(name, f"${number}") for number, name in enumerate(names)]


def formula(operation: str, results: Sequence[Texts], operands: Sequence[Value], dims: int) -> Formula:
    """OPERATION of a map whose results are given, of which the first DIMS operands are dims."""
    attribute = map_of([mlir for mlir, _ in results], dims, len(operands) - dims)
    positions = [f"${number}" for number in range(len(operands))]
    symbols = f"[{', '.join(positions[dims:])}]" if operands[dims:] else ""
    mlir = f"{operation} {attribute}({', '.join(positions[:dims])}){symbols}"
    python = [python for _, python in results]
    if len(results) == 1:
        return Formula(mlir, python[0], tuple(operands))
    chooser = "max" if operation.startswith(("affine.max", "max")) else "min"
    return Formula(mlir, f"{chooser}({', '.join(python)})", tuple(operands))

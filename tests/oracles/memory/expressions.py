"""Expressions over index values, which are meant by their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.oracles.interpreter.arithmetic import SIGNED, UNSIGNED


@dataclass(frozen=True)
class Binary:
    """left + right, *, mod, floordiv, and in arith alone rem and div, which round toward zero.

    The right of all but + is an integer, and positive where it divides.
    """

    operator: str
    left: Expression
    right: Expression


Expression = int | str | Binary
FUNCTIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": SIGNED["addi"], "*": SIGNED["muli"], "mod": UNSIGNED["remui"], "floordiv": SIGNED["floordivsi"],
    "rem": SIGNED["remsi"], "div": SIGNED["divsi"],
}  # fmt: skip
Environment = Mapping[str, Any]


def plus(left: Expression, right: Expression) -> Expression:
    """left + right"""
    return left if right == 0 else right if left == 0 else Binary("+", left, right)


def times(left: Expression, by: int) -> Expression:
    """left * by"""
    return left if by == 1 else Binary("*", left, by)


def value(expression: Expression, environment: Environment) -> int:
    """What EXPRESSION is.

    >>> value(Binary("floordiv", plus("%i", -3), 2), {"%i": 0})
    -2
    """
    match expression:
        case int():
            return expression
        case str():
            return environment[expression]
        case Binary(operator, left, right):
            return FUNCTIONS[operator](value(left, environment), value(right, environment))


def operands(expressions: Sequence[Expression]) -> list[str]:
    """The values that EXPRESSIONS use, each once."""
    found: dict[str, None] = {}
    for expression in expressions:
        match expression:
            case str():
                found[expression] = None
            case Binary(_, left, right):
                found.update(dict.fromkeys(operands([left, right])))
            case _:
                pass
    return list(found)


def text(expression: Expression, names: Mapping[str, str] | None = None) -> str:
    """The affine expression, with other NAMES for the values.

    >>> text(plus(times("%i", 2), Binary("mod", plus("%j", -1), 3)), {"%j": "d0"})
    '%i * 2 + (d0 - 1) mod 3'
    """
    match expression:
        case int():
            return str(expression)
        case str():
            return (names or {}).get(expression, expression)
        case Binary("+", left, int(constant)) if constant < 0:
            return f"{text(left, names)} - {-constant}"
        case Binary("+", left, right):
            return f"{text(left, names)} + {text(right, names)}"
        case Binary(operator, left, right):
            inner = text(left, names)
            return f"{f'({inner})' if isinstance(left, Binary) else inner} {operator} {text(right, names)}"


def renamed(expression: Expression, old: str, new: Expression) -> Expression:
    """EXPRESSION with NEW for the value OLD."""
    match expression:
        case Binary(operator, left, right):
            return Binary(operator, renamed(left, old, new), renamed(right, old, new))
        case _:
            return new if expression == old else expression


def simpler(expression: Expression) -> Iterator[Expression]:
    """Expressions that are simpler than this one by a step each."""
    match expression:
        case int():
            yield from (n for n in (0, 1, expression // 2, expression - 1) if abs(n) < abs(expression))
        case str():
            yield 0
        case Binary(operator, left, right):
            yield 0
            yield left
            if operator == "+":
                yield right
            for smaller in simpler(left):
                yield Binary(operator, smaller, right)
            for smaller in simpler(right):
                if operator == "+" or (isinstance(smaller, int) and smaller > 1):
                    yield Binary(operator, left, smaller)


def affine_map(results: Sequence[Expression], symbols: Sequence[str]) -> tuple[str, str]:
    """`(d0)[s0] -> (d0 + s0` without the end, and its operands `(%i)[%n]`: those in SYMBOLS are symbols."""
    used = operands(results)
    dims = [each for each in used if each not in symbols]
    others = [each for each in used if each in symbols]
    names = {name: f"d{n}" for n, name in enumerate(dims)} | {name: f"s{n}" for n, name in enumerate(others)}
    head = f"({', '.join(names[d] for d in dims)}){bracketed([names[s] for s in others])}"
    return (
        f"{head} -> ({', '.join(text(each, names) for each in results)})",
        f"({', '.join(dims)}){bracketed(others)}",
    )


def bracketed(names: Sequence[str]) -> str:
    """[a, b], or nothing"""
    return f"[{', '.join(names)}]" if names else ""

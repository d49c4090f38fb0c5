"""What the tests of the cases for bounds share: one operation in a function, its formulas as numbers, and
integer arithmetic on bit patterns in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.ir import Operation, SSAValue

from tests.dialects.roundtrip import read_natively
from tests.enumeration import function
from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, Value, constant, substitute
from volcli.language.reads import Conjunction, Disjunction

Values = Mapping[SSAValue, int]
Sizes = Mapping[SSAValue, tuple[int, ...]]


def the(name: str, arguments: str, body: str, result: str) -> Operation:
    """The operation NAME in a function."""
    (op,) = (op for op in read_natively(function(arguments, body, result)).module.walk() if op.name == name)
    return op


def at(expression: Expression, values: Values, sizes: Sizes | None = None) -> int:
    """EXPRESSION as a number."""

    def leaf(atom: Atom) -> Expression | None:
        match atom:
            case Value(value):
                return constant(values[value])
            case Dim(value, dimension):
                return constant((sizes or {})[value][dimension])
            case _:
                return None

    found = substitute(expression, leaf)
    assert found.is_constant
    return found.constant


def true(conjunction: Conjunction, values: Values, sizes: Sizes | None = None) -> bool:
    return all(at(e, values, sizes) >= 0 for e in conjunction)


def holds(disjunction: Disjunction, values: Values) -> bool:
    return any(true(conjunction, values) for conjunction in disjunction)


def value_of_op(op: Operation) -> Expression:
    """The value as an engine asks for it: wide integers without wrapping, if they can be said so."""
    (result,) = op.results
    is_wide = str(result.type) in ("index", "i64", "i1")
    value = questions.value_of_result(result) if is_wide else None
    value = value if value is not None else questions.wrapped_value(op)
    assert value is not None
    return value


def as_signed(bits: int, width: int) -> int:
    """The number of a bit pattern: 0 or 1 of one bit, else the signed one."""
    bits %= 2**width
    return bits if width == 1 or bits < 2 ** (width - 1) else bits - 2**width


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# Of the signed numbers a, b and the unsigned ones x, y.
REFERENCE: Mapping[str, Callable[[int, int, int, int], int]] = {
    "addi": lambda a, b, x, y: x + y,
    "subi": lambda a, b, x, y: x - y,
    "muli": lambda a, b, x, y: x * y,
    "andi": lambda a, b, x, y: x & y,
    "ori": lambda a, b, x, y: x | y,
    "xori": lambda a, b, x, y: x ^ y,
    "divui": lambda a, b, x, y: x // y,
    "remui": lambda a, b, x, y: x % y,
    "ceildivui": lambda a, b, x, y: -(-x // y),
    "minui": lambda a, b, x, y: min(x, y),
    "maxui": lambda a, b, x, y: max(x, y),
    "divsi": lambda a, b, x, y: truncated(a, b),
    "remsi": lambda a, b, x, y: a - truncated(a, b) * b,
    "floordivsi": lambda a, b, x, y: a // b,
    "ceildivsi": lambda a, b, x, y: -(-a // b),
    "minsi": lambda a, b, x, y: min(a, b),
    "maxsi": lambda a, b, x, y: max(a, b),
}
SHIFTS: Mapping[str, Callable[[int, int, int], int]] = {
    "shli": lambda a, x, k: x << k,
    "shrsi": lambda a, x, k: a >> k,
    "shrui": lambda a, x, k: x >> k,
}
DIVISIONS = frozenset(("divui", "remui", "ceildivui", "divsi", "remsi", "floordivsi", "ceildivsi"))


def is_defined(name: str, a: int, b: int, width: int) -> bool:
    """A division by 0 is not, nor one whose quotient is too large (that of the least number by -1)."""
    return name not in DIVISIONS or (b != 0 and (name[-2] == "u" or (a, b) != (-(2 ** (width - 1)), -1)))


def signed_range(width: int) -> range:
    return range(2) if width == 1 else range(-(2 ** (width - 1)), 2 ** (width - 1))

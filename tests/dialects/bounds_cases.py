"""What the tests of the cases for bounds share: one operation in a function, its formulas as numbers."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation, SSAValue

from tests.dialects.roundtrip import read_natively
from tests.shared.enumeration import function
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


def signed_range(width: int) -> range:
    """All numbers of so many bits."""
    return range(2) if width == 1 else range(-(2 ** (width - 1)), 2 ** (width - 1))

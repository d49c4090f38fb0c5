"""Index arithmetic and conditions of the index dialect, against Python's integers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from xdsl.ir import Operation, SSAValue

from tests.dialects.roundtrip import read_natively
from tests.enumeration import Function, function
from tests.presburger.test_build import evaluate
from volcli.language import questions
from volcli.language.expressions import Expression, Value

RANGE = range(-7, 8)


def truncated(a: int, b: int) -> int:
    """Division towards zero, as divs."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordivs": lambda a, b: a // b,
    "ceildivs": lambda a, b: -(-a // b),
    "divs": truncated,
    "rems": lambda a, b: a - truncated(a, b) * b,
    "mins": min,
    "maxs": max,
}


@pytest.mark.parametrize("divisor", [1, 3, -2])
@pytest.mark.parametrize("name", OPERATIONS)
def test_arithmetic(name: str, divisor: int) -> None:
    f = Function(function(
        "%x: index", f"%c = index.constant {divisor}\n%r = index.{name} %x, %c", "%r : index"
    ))  # fmt: skip
    number = f.model.store.number(f.value("%r"))
    assert str(number) != "r", "the divisor is a constant: the result is affine"
    for x in RANGE:
        assert evaluate(number, (), {"x": x}) == OPERATIONS[name](x, divisor)


def test_a_divisor_is_a_constant_of_either_dialect() -> None:
    f = Function(function(
        "%x: index",
        "%c = arith.constant 3 : index\n%d = index.constant 3\n"
        "%r = index.floordivs %x, %c\n%s = arith.floordivsi %x, %d : index",
        "%r : index",
    ))  # fmt: skip
    assert f.number("%r") == f.number("%s") != "r"


UNSIGNED = {
    "divu": lambda a: a // 2,
    "remu": lambda a: a % 2,
    "shru": lambda a: a // 4,
    "maxu": lambda a: max(a, 2),
    "minu": lambda a: min(a, 2),
    "ceildivu": lambda a: -(-a // 2),
    "and": lambda a: a & 2,
    "xor": lambda a: a ^ 2,
}
"""With 2 as second operand."""


@pytest.mark.parametrize("name", UNSIGNED)
def test_unsigned_arithmetic_is_not_guessed(name: str) -> None:
    f = Function(function(
        "%x: index", f"%c = index.constant 2\n%r = index.{name} %x, %c", "%r : index"
    ))  # fmt: skip
    for x in (*range(-5, 6), 2**40):
        parameters = {"x": x, "r": (number := UNSIGNED[name](x % 2**64))}
        assert evaluate(f.model.store.number(f.value("%r")), (), parameters) % 2**64 == number


def test_shift() -> None:
    f = Function(function(
        "%x: index", "%c = index.constant 3\n%r = index.shl %x, %c\n%s = index.shl %x, %x", "%r : index"
    ))  # fmt: skip
    assert (f.number("%r"), f.number("%s")) == ("8 * x", "s")


COMPARISONS = {
    "eq": int.__eq__,
    "ne": int.__ne__,
    "slt": int.__lt__,
    "sle": int.__le__,
    "sgt": int.__gt__,
    "sge": int.__ge__,
    "ult": lambda a, b: a % 2**64 < b % 2**64,
    "ule": lambda a, b: a % 2**64 <= b % 2**64,
    "ugt": lambda a, b: a % 2**64 > b % 2**64,
    "uge": lambda a, b: a % 2**64 >= b % 2**64,
}


def compare(predicate: str) -> Operation:
    text = function("%x: index, %y: index", f"%r = index.cmp {predicate}(%x, %y)", "%r : i1")
    (op,) = (op for op in read_natively(text).module.walk() if op.name == "index.cmp")
    return op


def at(expression: Expression, values: Mapping[SSAValue, int]) -> int:
    """The value of an expression in operands."""
    return expression.constant + sum(
        coefficient * values[atom.value] for atom, coefficient in expression.terms if isinstance(atom, Value)
    )


@pytest.mark.parametrize("predicate", COMPARISONS)
def test_comparisons(predicate: str) -> None:
    op = compare(predicate)
    found = questions.condition(op)
    assert found is not None
    for a, b in product(RANGE, RANGE):
        values = dict(zip(op.operands, (a, b), strict=True))
        expected = COMPARISONS[predicate](a, b)
        for alternatives, wanted in ((found.true, expected), (found.false, not expected)):
            assert any(all(at(e, values) >= 0 for e in each) for each in alternatives) == wanted

"""Index arithmetic and conditions of the index dialect, against Python's integers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from xdsl.ir import Operation, SSAValue

from tests.dialects.roundtrip import read_natively
from tests.oracles.interpreter.arithmetic import PREDICATES, SIGNED, arith, compared, unsigned
from tests.presburger.test_build import evaluate
from tests.shared.enumeration import Function, function
from volcli.language import questions
from volcli.language.expressions import Expression, Value

RANGE = range(-7, 8)


@pytest.mark.sample(4)
@pytest.mark.parametrize("divisor", [1, 3, -2])
@pytest.mark.parametrize("name", [name[:-1] for name in SIGNED])
def test_arithmetic(name: str, divisor: int) -> None:
    f = Function(function(
        "%x: index", f"%c = index.constant {divisor}\n%r = index.{name} %x, %c", "%r : index"
    ))  # fmt: skip
    number = f.model.store.number(f.value("%r"))
    assert str(number) != "r", "the divisor is a constant: the result is affine"
    for x in RANGE:
        assert evaluate(number, (), {"x": x}) == arith(f"{name}i", x, divisor)


def test_a_divisor_is_a_constant_of_either_dialect() -> None:
    f = Function(function(
        "%x: index",
        "%c = arith.constant 3 : index\n%d = index.constant 3\n"
        "%r = index.floordivs %x, %c\n%s = arith.floordivsi %x, %d : index",
        "%r : index",
    ))  # fmt: skip
    assert f.number("%r") == f.number("%s") != "r"


@pytest.mark.parametrize("name", ["divu", "remu", "shru", "maxu", "minu", "ceildivu", "and", "xor"])
def test_unsigned_arithmetic_is_not_guessed(name: str) -> None:
    f = Function(function(
        "%x: index", f"%c = index.constant 2\n%r = index.{name} %x, %c", "%r : index"
    ))  # fmt: skip
    for x in (*range(-5, 6), 2**40):
        parameters = {"x": x, "r": (number := unsigned(arith(f"{name}i", x, 2), 64))}
        assert evaluate(f.model.store.number(f.value("%r")), (), parameters) % 2**64 == number


def test_shift() -> None:
    f = Function(function(
        "%x: index", "%c = index.constant 3\n%r = index.shl %x, %c\n%s = index.shl %x, %x", "%r : index"
    ))  # fmt: skip
    assert (f.number("%r"), f.number("%s")) == ("8 * x", "s")


def compare(predicate: str) -> Operation:
    text = function("%x: index, %y: index", f"%r = index.cmp {predicate}(%x, %y)", "%r : i1")
    (op,) = (op for op in read_natively(text).module.walk() if op.name == "index.cmp")
    return op


def at(expression: Expression, values: Mapping[SSAValue, int]) -> int:
    """The value of an expression in operands."""
    return expression.constant + sum(
        coefficient * values[atom.value] for atom, coefficient in expression.terms if isinstance(atom, Value)
    )


@pytest.mark.parametrize("predicate", PREDICATES)
def test_comparisons(predicate: str) -> None:
    op = compare(predicate)
    found = questions.condition(op)
    assert found is not None
    for a, b in product(RANGE, RANGE):
        values = dict(zip(op.operands, (a, b), strict=True))
        expected = bool(compared(predicate, a, b))
        for alternatives, wanted in ((found.true, expected), (found.false, not expected)):
            assert any(all(at(e, values) >= 0 for e in each) for each in alternatives) == wanted

"""Values of integer operations in wrap-around arithmetic, against Python's integers on all bit patterns."""

from __future__ import annotations

from itertools import product

import pytest

import volcli
from tests.dialects.bounds_cases import at, holds, signed_range, the, value_of_op
from tests.oracles.interpreter.arithmetic import (
    DIVISIONS,
    PREDICATES,
    SHIFTS,
    SIGNED,
    UNSIGNED,
    arith,
    cast,
    compared,
    is_defined,
)
from volcli.language import questions
from volcli.language.expressions import constant, value_of


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", [*SIGNED, *UNSIGNED])
def test_four_bits_by_a_constant(name: str) -> None:
    width = 4
    for b in signed_range(width):
        if name in DIVISIONS and b == 0:
            continue
        op = the(
            f"arith.{name}",
            "%x: i4",
            f"%c = arith.constant {b} : i4\n%r = arith.{name} %x, %c : i4",
            "%r : i4",
        )
        value = value_of_op(op)
        for a in signed_range(width):
            if is_defined(name, a, b, width):
                assert at(value, {op.operands[0]: a}) == arith(name, a, b, width), (a, b)


@pytest.mark.parametrize("name", sorted({*SIGNED, *UNSIGNED} - DIVISIONS - {"andi", "ori", "xori"}))
def test_three_bits_of_two_unknowns(name: str) -> None:
    op = the(f"arith.{name}", "%x: i3, %y: i3", f"%r = arith.{name} %x, %y : i3", "%r : i3")
    value = value_of_op(op)
    for a, b in product(signed_range(3), repeat=2):
        assert at(value, dict(zip(op.operands, (a, b), strict=True))) == arith(name, a, b, 3)


@pytest.mark.parametrize(
    "name", ["addi", "subi", "muli", "andi", "ori", "xori", "minui", "maxui", "minsi", "maxsi"]
)
def test_one_bit(name: str) -> None:
    """Signed, the i1 that is true is -1."""
    op = the(f"arith.{name}", "%x: i1, %y: i1", f"%r = arith.{name} %x, %y : i1", "%r : i1")
    for a, b in product(range(2), repeat=2):
        assert at(value_of_op(op), dict(zip(op.operands, (a, b), strict=True))) == arith(name, a, b, 1)


EDGES = (0, 1, 2, 7, 100, 2**63 - 1, -1, -2, -100, -(2**63))


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", ["divui", "remui", "ceildivui", "andi", "ori", "xori", "minui", "maxui"])
@pytest.mark.parametrize("kind", ["index", "i64"])
def test_sixty_four_bits(name: str, kind: str) -> None:
    for b in (1, 2, 3, 8, 100, -1, -4):
        body = f"%c = arith.constant {b} : {kind}\n%r = arith.{name} %x, %c : {kind}"
        op = the(f"arith.{name}", f"%x: {kind}", body, f"%r : {kind}")
        for a in EDGES:
            assert at(value_of_op(op), {op.operands[0]: a}) == arith(name, a, b), (a, b)


@pytest.mark.parametrize("name", SHIFTS)
def test_shifts(name: str) -> None:
    for k in range(4):
        body = f"%c = arith.constant {k} : i4\n%r = arith.{name} %x, %c : i4"
        op = the(f"arith.{name}", "%x: i4", body, "%r : i4")
        for a in signed_range(4):
            assert at(value_of_op(op), {op.operands[0]: a}) == arith(name, a, k, 4)


INDEX_NAMES = {
    "divu": "divui", "remu": "remui", "ceildivu": "ceildivui", "minu": "minui", "maxu": "maxui",
    "and": "andi", "or": "ori", "xor": "xori",
}  # fmt: skip


@pytest.mark.parametrize("name", INDEX_NAMES)
def test_the_index_dialect(name: str) -> None:
    for b in (1, 2, 3, 8, -4):
        op = the(
            f"index.{name}", "%x: index", f"%c = index.constant {b}\n%r = index.{name} %x, %c", "%r : index"
        )
        for a in EDGES:
            assert at(value_of_op(op), {op.operands[0]: a}) == arith(INDEX_NAMES[name], a, b)


def test_a_mask_of_the_lowest_bits_needs_no_wrapping() -> None:
    op = the(
        "arith.andi",
        "%x: index",
        "%c = arith.constant 7 : index\n%r = arith.andi %x, %c : index",
        "%r : index",
    )
    assert questions.index_value(op) == value_of(op.operands[0]) % 8


@pytest.mark.parametrize("flags", ["nsw", "nsw, nuw"])
def test_what_is_promised_not_to_overflow_does_not_wrap(flags: str) -> None:
    op = the("arith.addi", "%x: i8, %y: i8", f"%r = arith.addi %x, %y overflow<{flags}> : i8", "%r : i8")
    x, y = (value_of(operand) for operand in op.operands)
    assert questions.wrapped_value(op) == x + y


@pytest.mark.parametrize(("text", "kind", "number"), [
    ("true", "i1", 1), ("false", "i1", 0), ("200", "i8", -56), ("-1", "i32", -1),
])  # fmt: skip
def test_constants(text: str, kind: str, number: int) -> None:
    constant_text = text if kind == "i1" else f"{text} : {kind}"
    op = the("arith.constant", "", f"%r = arith.constant {constant_text}", f"%r : {kind}")
    assert value_of_op(op) == constant(number)


@pytest.mark.parametrize(("name", "source", "target"), [
    ("extsi", 3, 5), ("extui", 3, 5), ("trunci", 5, 3), ("extsi", 1, 4), ("extui", 1, 4), ("trunci", 4, 1),
])  # fmt: skip
def test_casts(name: str, source: int, target: int) -> None:
    op = the(
        f"arith.{name}", f"%x: i{source}", f"%r = arith.{name} %x : i{source} to i{target}", f"%r : i{target}"
    )
    for a in signed_range(source):
        assert at(value_of_op(op), {op.operands[0]: a}) == cast(name, a, source, target)


@pytest.mark.parametrize(("name", "source", "target", "a", "expected"), [
    ("index_cast", "i8", "index", -1, -1), ("index_castui", "i8", "index", -1, 255),
    ("index_cast", "index", "i8", 300, 44), ("index_castui", "index", "i8", 200, -56),
    ("index_cast", "i1", "index", 1, -1), ("index_castui", "i1", "index", 1, 1),
    ("index_cast", "index", "i1", 3, 1), ("index_castui", "i64", "index", -5, -5),
])  # fmt: skip
def test_casts_to_and_from_index(name: str, source: str, target: str, a: int, expected: int) -> None:
    op = the(
        f"arith.{name}", f"%x: {source}", f"%r = arith.{name} %x : {source} to {target}", f"%r : {target}"
    )
    assert at(value_of_op(op), {op.operands[0]: a}) == expected


@pytest.mark.sample(4)
@pytest.mark.parametrize("predicate", PREDICATES)
@pytest.mark.parametrize("width", [1, 3])
def test_comparisons_of_narrow_integers(predicate: str, width: int) -> None:
    """Of one bit as a condition, of more as a number."""
    op = the(
        "arith.cmpi",
        f"%x: i{width}, %y: i{width}",
        f"%r = arith.cmpi {predicate}, %x, %y : i{width}",
        "%r : i1",
    )
    for a, b in product(signed_range(width), repeat=2):
        expected = compared(predicate, a, b, width)
        values = dict(zip(op.operands, (a, b), strict=True))
        stated = questions.condition(op)
        if width == 1:
            assert stated is not None
            assert (holds(stated.true, values), holds(stated.false, values)) == (expected, not expected)
        else:
            assert at(value_of_op(op), values) == expected


@pytest.mark.parametrize("predicate", ["ult", "ule", "ugt", "uge"])
def test_unsigned_comparisons_of_index_values(predicate: str) -> None:
    op = the("arith.cmpi", "%x: index, %y: index", f"%r = arith.cmpi {predicate}, %x, %y : index", "%r : i1")
    stated = questions.condition(op)
    assert stated is not None
    for a, b in product(EDGES, repeat=2):
        expected = compared(predicate, a, b)
        values = dict(zip(op.operands, (a, b), strict=True))
        assert (holds(stated.true, values), holds(stated.false, values)) == (expected, not expected)


@pytest.mark.parametrize("kind", ["index", "i64", "i32"])
def test_bits_of_two_constants_with_many_runs(kind: str) -> None:
    """0x55555555 and 0x33333333 have eight bits in common; as truths both would be true."""
    a, b = 0x55555555, 0x33333333
    for op, expected in (("andi", a & b), ("ori", a | b), ("xori", a ^ b)):
        text = f"""func.func @f() {{
          %a = arith.constant {a} : {kind}
          %b = arith.constant {b} : {kind}
          %c = arith.{op} %a, %b : {kind}
          %size = arith.constant 0 : index
          %r = {"arith.addi %c, %size : index" if kind == "index" else f"arith.index_cast %c : {kind} to index"}
          return
        }}"""
        found = volcli.load(text).function("f").bounds("%r")
        assert (found.lower.constant, found.upper.constant) == (expected, expected)


def test_a_number_is_no_condition() -> None:
    """Of bits that have no expression, nothing is known but between what they are."""
    text = """func.func @f(%n: index) {
      %mask = arith.constant 1431655765 : index
      %few = arith.remui %n, %mask : index
      %a = arith.andi %few, %mask : index
      %b = arith.xori %few, %mask : index
      return
    }"""
    function = volcli.load(text).function("f")
    for name, number in (("%a", 1431655764), ("%b", 2)):  # for %n = 1431655764; and for %n = 1431655767
        found = function.bounds(name)
        assert found.upper.constant is None or found.upper.constant >= number

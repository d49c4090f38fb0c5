"""What does not depend on its operands is no difference, once it is folded."""

from __future__ import annotations

import pytest

import volcli

PROGRAM = """
func.func @f(%a: memref<8xi32>, %c: i1, %r: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %ones = arith.constant -1 : i32
  %true = arith.constant true
  %false = arith.constant false
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %again = affine.load %a[%i] : memref<8xi32>
    VALUE
    affine.store %v, %r[%i] : memref<8xi32>
  }
  return
}
"""
X, ZERO, ONE, ONES = (
    f"%v = arith.addi %{name}, %zero : i32" if name == "x" else f"%v = arith.constant {name} : i32"
    for name in ("x", "0", "1", "-1")
)
LAWS = [
    ("%v = arith.subi %x, %x : i32", ZERO),
    ("%v = arith.subi %x, %again : i32", ZERO),
    ("%v = arith.subi %x, %zero : i32", X),
    ("%v = arith.xori %x, %x : i32", ZERO),
    ("%v = arith.muli %x, %zero : i32", ZERO),
    ("%v = arith.muli %zero, %x : i32", ZERO),
    ("%v = arith.muli %x, %one : i32", X),
    ("%v = arith.andi %x, %zero : i32", ZERO),
    ("%v = arith.andi %x, %ones : i32", X),
    ("%v = arith.andi %x, %again : i32", X),
    ("%v = arith.ori %x, %ones : i32", ONES),
    ("%v = arith.ori %x, %zero : i32", X),
    ("%v = arith.maxsi %x, %x : i32", X),
    ("%v = arith.remsi %x, %one : i32", ZERO),
    ("%v = arith.divui %x, %one : i32", X),
    ("%v = arith.shli %x, %zero : i32", X),
    ("%e = arith.cmpi eq, %x, %x : i32 %v = arith.extui %e : i1 to i32", "%v = arith.extui %true : i1 to i32"),
    ("%e = arith.cmpi ult, %x, %again : i32 %v = arith.extui %e : i1 to i32", "%v = arith.extui %false : i1 to i32"),
    ("%v = arith.select %c, %x, %x : i32", X),
    ("%v = arith.select %true, %x, %one : i32", X),
    ("%e = arith.andi %c, %false : i1 %v = arith.extui %e : i1 to i32", "%v = arith.extui %false : i1 to i32"),
    ("%e = arith.ori %c, %true : i1 %v = arith.select %e, %x, %one : i32", X),
    ("%p = arith.addi %x, %one : i32 %q = arith.addi %again, %one : i32 %v = arith.subi %p, %q : i32", ZERO),
]  # fmt: skip
NONE = [
    "%v = arith.subi %x, %one : i32",
    "%v = arith.muli %x, %ones : i32",
    "%v = arith.ori %x, %one : i32",
    "%v = arith.andi %x, %one : i32",
    "affine.store %zero, %a[%i] : memref<8xi32> %y = affine.load %a[%i] : memref<8xi32> %v = arith.subi %x, %y : i32",
]


def verdict(before: str, after: str) -> str:
    programs = [volcli.loads(PROGRAM.replace("VALUE", text)) for text in (before, after)]
    assert [each.exit_code for each in programs] == [0, 0]
    (found,) = programs[0].diff(programs[1])
    return found.verdict


@pytest.mark.sample(1)
@pytest.mark.parametrize(("before", "after"), LAWS)
def test_what_a_law_folds_is_equal(before: str, after: str) -> None:
    assert verdict(before, after) == "equal"
    assert verdict(after, before) == "equal"


@pytest.mark.slow
@pytest.mark.parametrize("value", NONE)
def test_what_no_law_folds_is_not(value: str) -> None:
    assert verdict(value, ZERO) != "equal"
    assert verdict(value, ONE) != "equal"


def test_a_number_divided_by_itself_is_one_where_it_is_defined() -> None:
    quotient, one = "%v = arith.divsi %x, %x : i32", ONE
    assert verdict(quotient, one) == "equal"
    assert verdict(one, quotient) == "different"

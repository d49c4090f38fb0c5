"""A value is named by any spelling that MLIR has for it."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.bounds import BoundsFact

TEXT = """\
func.func @f(%n: index, %t: tensor<8xf32>) -> (index, index) {
  %x:2 = scf.execute_region -> (index, index) {
    scf.yield %n, %n : index, index
  }
  %y = arith.addi %n, %n : index
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %x#0, %y : index, index
}
"""


@pytest.mark.parametrize(
    ("of", "found"),
    [("%x", "%x#0"), ("%x#0", "%x#0"), ("%x#1", "%x#1"), ("%y", "%y"), ("%y#0", "%y"), ("%n#0", "%n")],
)
def test_bounds_of_a_value(of: str, found: str) -> None:
    program = volcli.load(TEXT).run(f"value-bounds{{of={of}}}")
    assert [getattr(fact, "value", None) for fact in program.facts] == [found]


@pytest.mark.parametrize("of", ["%t", "%t#0", "all"])
def test_slices_of_a_value(of: str) -> None:
    assert len(volcli.load(TEXT).run(f"compare-slices{{of={of}}}").facts) == 1


def test_slices_of_another_value() -> None:
    assert volcli.load(TEXT).run("compare-slices{of=%y#0}").facts == []


INTEGERS = """\
func.func @f(%x: i32) -> i32 {
  %c15 = arith.constant 15 : i32
  %m = arith.andi %x, %c15 : i32
  return %m : i32
}
"""


def test_bounds_of_an_integer_that_is_named() -> None:
    program = volcli.load(INTEGERS).run("value-bounds{of=%m}")
    (fact,) = program.facts
    assert isinstance(fact, BoundsFact)
    assert fact == program.function("f").bounds("%m")
    assert (fact.lower.constant, fact.upper.constant) == (0, 15)


def test_bounds_of_all_values_and_by_default() -> None:
    found = [getattr(each, "value", None) for each in volcli.load(INTEGERS).run("value-bounds{of=all}").facts]
    assert found == ["%x", "%c15", "%m"]
    assert volcli.load(INTEGERS).run("value-bounds").facts == []

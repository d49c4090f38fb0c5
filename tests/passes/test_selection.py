"""A value is named by any spelling that MLIR has for it."""

from __future__ import annotations

import pytest

import volcli

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

"""Sizes by unsigned arithmetic: no remainder by 2^64 is left where what uses them says that it does nothing."""

from __future__ import annotations

import pytest

import volcli

WINDOWS = """
func.func @f(%x: tensor<1x?x8x3xf32>, %w: tensor<?x3x3x8xf32>) -> tensor<1x?x6x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = tensor.dim %x, %c1 : tensor<1x?x8x3xf32>
  %k = tensor.dim %w, %c0 : tensor<?x3x3x8xf32>
  %a = arith.subi %h, %k : index
  %q = arith.divui %a, %c2 : index
  %b = arith.addi %q, %c1 : index
  %e = tensor.empty(%b) : tensor<1x?x6x8xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x?x6x8xf32>) -> tensor<1x?x6x8xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>}
      ins(%x, %w : tensor<1x?x8x3xf32>, tensor<?x3x3x8xf32>) outs(%f : tensor<1x?x6x8xf32>) -> tensor<1x?x6x8xf32>
  return %r : tensor<1x?x6x8xf32>
}
"""
SLICE = """
func.func @f(%x: tensor<?xf32>, %a: index, %b: index) -> tensor<?xf32> {
  %n = arith.subi %a, %b : index
  %c4 = arith.constant 4 : index
  %q = arith.divui %n, %c4 : index
  %t = tensor.extract_slice %x[%b] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %r = tensor.extract_slice %x[%b] [%q] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("text", [WINDOWS, SLICE])
def test_no_width_is_printed(text: str) -> None:
    """A window has to fit, and a slice has a size that is not negative."""
    function = volcli.loads(text).function("f")
    said = [function.shape("%r"), function.element_map("%r"), function.regions("%r")]
    said += [each for each in function.volumes() if each.value == "%r"]
    for fact in said:
        assert "18446744073709551" not in str(fact.to_json()), fact


def test_a_size_is_less_than_2_to_the_63() -> None:
    """Two numbers of 64 bits may differ by more."""
    found = volcli.loads(SLICE).function("f").bounds("%t", 0)
    assert (found.lower.constant, found.upper.constant) == (0, 2**63 - 1)

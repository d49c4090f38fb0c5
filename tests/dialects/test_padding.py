"""What lies in the padding of a convolution is 0, and multiplied: 0 times infinity is NaN."""

from __future__ import annotations

import math

import numpy as np
import pytest

import volcli
from tests.shared.running import Code, tensor

FAR = """
func.func @f(%x: tensor<1x4x1xf32>, %w: tensor<1x1x1xf32>) -> tensor<1x8x1xf32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<1x1x1xf32>) -> tensor<1x8x1xf32>
  return %r : tensor<1x8x1xf32>
}
"""
SPREAD = FAR.replace("stride = [1], pad = [[2, 2]]", "stride = [1], pad = [[0, 1]], lhs_dilate = [2]")
CONVOLUTION = """
func.func @f(%x: tensor<1x4x4x1xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<1x4x4x1xf32> {
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}
"""
LAYER = """
func.func @f(%x: tensor<1x4x4x1xf32>, %w: tensor<1x3x3x1xf32>, %b: tensor<1xf32>) -> tensor<1x4x4x1xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x4x4x1xf32>, tensor<1x3x3x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}
"""
PADDED = """
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<1x4x4x1xf32> to tensor<1x6x6x1xf32>
  %e = tensor.empty() : tensor<1x4x4x1xf32>
"""
CONVOLUTION_LOWERED = f"""
func.func @f(%x: tensor<1x4x4x1xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<1x4x4x1xf32> {{{PADDED}
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<1x6x6x1xf32>, tensor<3x3x1x1xf32>) outs(%f : tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}}
"""
LAYER_LOWERED = f"""
func.func @f(%x: tensor<1x4x4x1xf32>, %w: tensor<1x3x3x1xf32>, %b: tensor<1xf32>) -> tensor<1x4x4x1xf32> {{{PADDED}
  %f = linalg.broadcast ins(%b : tensor<1xf32>) outs(%e : tensor<1x4x4x1xf32>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_fhwc ins(%p, %w : tensor<1x6x6x1xf32>, tensor<1x3x3x1xf32>) outs(%f : tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  return %r : tensor<1x4x4x1xf32>
}}
"""
PAIRS = [(CONVOLUTION, CONVOLUTION_LOWERED), (LAYER, LAYER_LOWERED)]


@pytest.mark.parametrize("text", [FAR, SPREAD])
def test_what_reads_padding_alone_is_zero_of_finite_numbers(text: str) -> None:
    annotated = volcli.loads(text).run("element-maps,sparsity-regions").annotated()
    assert "static zero assuming nnan, ninf  4" in annotated
    assert "{ r[d0, d1, d2] -> w[d0', d1', d2'] }" in annotated


@pytest.mark.parametrize(("pair", "back"), [*zip(PAIRS, ["equal", "unknown"], strict=True)])
def test_a_convolution_is_its_lowering(pair: tuple[str, str], back: str) -> None:
    """A sum of TOSA may begin with its bias, or with a 0: the lowered one is not refined by the one that may."""
    one, other = map(volcli.loads, pair)
    compared = *one.diff(other, compare="sources"), *other.diff(one, compare="sources")
    assert [each.verdict for each in compared] == ["equal", back]


@pytest.mark.parametrize("pair", PAIRS)
def test_ones_in_the_padding_are_a_difference(pair: tuple[str, str]) -> None:
    other = (
        pair[1]
        .replace("tensor.yield %z", "tensor.yield %one")
        .replace("  %z", "  %one = arith.constant 1.0 : f32\n  %z", 1)
    )
    (found,) = volcli.loads(pair[0]).diff(volcli.loads(other))
    assert found.verdict == "different"


@pytest.mark.parametrize("text", [CONVOLUTION, CONVOLUTION_LOWERED, LAYER, LAYER_LOWERED])
def test_zero_times_infinity_in_padding_is_not_a_number(text: str) -> None:
    code = Code(text)
    x = tensor(np.ones((1, 4, 4, 1)))
    w = np.ones((1, 3, 3, 1) if "%b" in text else (3, 3, 1, 1))
    w.reshape(9)[0] = math.inf
    bias = [tensor([0.0])] if "%b" in text else []
    (found,) = code(x, tensor(w), *bias)
    nan = np.isnan(found.data[0, :, :, 0])
    assert nan.tolist() == [[True] * 4, *[[True, False, False, False]] * 3]

"""Test programs as frameworks write them: @main calls private @inputs, applies operations, and checks."""

from __future__ import annotations

import pytest

import volcli
from tests.campaigns.operators import private
from tests.oracles.operators.judge import facts_of_module, wrong_module
from tests.shared.seeds import seeds

PROGRAM = """module {{
  func.func public @main() -> tensor<{result}> {{
    %in:2 = call @inputs() : () -> (tensor<{one}>, tensor<{other}>)
    {body}
    stablehlo.custom_call @check.expect_close(%r, %r) {{has_side_effect = true}} : (tensor<{result}>, tensor<{result}>) -> ()
    return %r : tensor<{result}>
  }}
  func.func private @inputs() -> (tensor<{one}>, tensor<{other}>) {{
    %a = stablehlo.constant {first} : tensor<{one}>
    %b = stablehlo.constant {second} : tensor<{other}>
    return %a, %b : tensor<{one}>, tensor<{other}>
  }}
}}"""
PLACE = """%i = stablehlo.iota dim = 0 : tensor<4xi32>
    %v = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %k = stablehlo.constant dense<0> : tensor<i32>
    %p:2 = stablehlo.reduce(%in#0 init: %v), (%i init: %k) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
      %0 = stablehlo.compare GT, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %1 = stablehlo.compare EQ, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.and %1, %2 : tensor<i1>
      %4 = stablehlo.or %0, %3 : tensor<i1>
      %5 = stablehlo.select %0, %a, %c : tensor<i1>, tensor<f32>
      %6 = stablehlo.select %4, %b, %d : tensor<i1>, tensor<i32>
      stablehlo.return %5, %6 : tensor<f32>, tensor<i32>
    }
    %r = stablehlo.add %p#1, %k : tensor<i32>"""
ROWS = """%r = "stablehlo.gather"(%in#0, %in#1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>"""
WINDOW = """%s = stablehlo.reshape %in#1 : (tensor<1xi32>) -> tensor<i32>
    %r = stablehlo.dynamic_slice %in#0, %s, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>"""
ONES = "dense<1.0>"
CASES = {
    "the place of an extremum": ("i32", "4xf32", "1xi32", ONES, "dense<0>", PLACE),
    "rows": ("2x2xf32", "3x2xf32", "2x1xi32", ONES, "dense<[[2], [-1]]>", ROWS),
    "a window": ("2xf32", "4xf32", "1xi32", ONES, "dense<[7]>", WINDOW),
}


@pytest.mark.parametrize("name", CASES)
def test_the_map_is_exact(name: str) -> None:
    result, one, other, first, second, body = CASES[name]
    text = PROGRAM.format(result=result, one=one, other=other, first=first, second=second, body=body)
    facts = volcli.loads(text).run("element-maps").to_json()["files"][0]["facts"]
    [fact] = [fact for fact in facts if fact["value"] == "%r"]
    assert fact["exact"], fact
    if name == "rows":
        assert "r[d0 = 0, d1] -> in_0[d0' = 2, d1' = d1]" in fact["map"]
        assert "r[d0 = 1, d1] -> in_0[d0' = 0, d1' = d1]" in fact["map"]
    if name == "a window":
        assert fact["map"] == "{ r[d0] -> in_0[d0' = 2 + d0] : 0 <= d0 <= 1 }"


OPEN = (
    "data decides",
    "position of the window is data",
    "is not affine in the loops",
    "a number of the loops",
)
"""What is not exact: which element or position data selects, and masks of which too many numbers take part."""


@pytest.mark.parametrize("seed", seeds(8, of=250))
def test_programs_with_private_inputs_are_followed(seed: int) -> None:
    builder = private(seed)
    assert list(wrong_module(builder)) == []
    reasons = [fact["reason"] for fact in facts_of_module(builder) if not fact["exact"]]
    assert [reason for reason in reasons if not any(each in reason for each in OPEN)] == []

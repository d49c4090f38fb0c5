"""Which elements are known to be the number 0, against what the program computes for any data."""

from __future__ import annotations

import pytest

from tests.shared.enumeration import Function, Point, function, points_of
from volcli.model.volumes.domains.parts import as_set

PAD = """%z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index): tensor.yield %z : f32
  } : tensor<3xf32> to tensor<5xf32>
  %zeros = arith.constant dense<0.0> : tensor<5xf32>
  %ones = arith.constant dense<1.0> : tensor<5xf32>"""
EDGES: set[Point] = {(0,), (4,)}
ALL: set[Point] = {(i,) for i in range(5)}


def zeros(body: str) -> set[Point]:
    f = Function(function("%t: tensor<3xf32>, %u: tensor<5xf32>", f"{PAD}\n{body}", "%r : tensor<5xf32>"))
    value = f.value("%r")
    domain = f.model.store.domain(value)
    return points_of(domain) - points_of(as_set(f.model.flow.facts(value).nonzero, domain))


def elementwise(body: str, operand: str = "%p", init: str = "%u", maps: str = "(d0)") -> str:
    return f"""%r = linalg.generic {{indexing_maps = [affine_map<(d0) -> {maps}>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]}} ins({operand} : tensor<5xf32>) outs({init} : tensor<5xf32>) {{
      ^bb0(%x: f32, %y: f32):
        {body}
        linalg.yield %v : f32
      }} -> tensor<5xf32>"""


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (elementwise("%v = arith.mulf %x, %y : f32"), EDGES),
        (elementwise("%v = arith.addf %x, %y : f32"), set()),
        (elementwise("%v = arith.addf %x, %y : f32", init="%zeros"), EDGES),
        (elementwise("%v = arith.maximumf %x, %z : f32"), EDGES),
        (elementwise("%v = arith.maximumf %x, %one : f32"), set()),
        (elementwise("%v = arith.addf %x, %one : f32"), set()),
        (elementwise("%v = arith.mulf %y, %z : f32"), ALL),
        (elementwise("%v = arith.negf %x : f32"), EDGES),
        (elementwise("%n = arith.negf %x : f32\n%v = arith.mulf %n, %y : f32"), EDGES),
        (elementwise("%v = arith.divf %y, %x : f32"), set()),
        (elementwise("%v = math.exp %x : f32"), set()),
        (elementwise("%v = math.cos %x : f32"), set()),
        (elementwise("%k = arith.cmpf olt, %x, %y : f32\n%v = arith.select %k, %x, %z : f32"), EDGES),
        (elementwise("%k = arith.cmpf olt, %x, %y : f32\n%v = arith.select %k, %x, %y : f32"), set()),
        (elementwise("%v = arith.mulf %x, %y : f32", maps="(4 - d0)"), EDGES),
        ("%r = arith.mulf %p, %u : tensor<5xf32>", EDGES),
        ("%r = arith.addf %p, %zeros : tensor<5xf32>", EDGES),
        ("%r = arith.addf %p, %ones : tensor<5xf32>", set()),
        ("%r = linalg.fill ins(%z : f32) outs(%u : tensor<5xf32>) -> tensor<5xf32>", ALL),
        ("%r = linalg.fill ins(%one : f32) outs(%u : tensor<5xf32>) -> tensor<5xf32>", set()),
        ("%r = tensor.insert_slice %t into %zeros[1] [3] [1] : tensor<3xf32> into tensor<5xf32>", EDGES),
        ("%r = tensor.insert_slice %t into %ones[1] [3] [1] : tensor<3xf32> into tensor<5xf32>", set()),
        ("%c = arith.constant 2 : index\n%r = tensor.insert %z into %u[%c] : tensor<5xf32>", {(2,)}),
        ("%r = tensor.empty() : tensor<5xf32>", set()),
    ],
)
def test_zeros(body: str, expected: set[Point]) -> None:
    assert zeros(body) == expected


@pytest.mark.parametrize(("init", "expected"), [("%zeros", EDGES), ("%u", set()), ("%ones", set())])
def test_a_sum_of_zeros_on_a_zero_is_zero(init: str, expected: set[Point]) -> None:
    """Row sums of a matrix, two of whose rows are zero."""
    body = f"""%e = tensor.empty() : tensor<5x2xf32>
      %m = linalg.broadcast ins(%p : tensor<5xf32>) outs(%e : tensor<5x2xf32>) dimensions = [1]
      %r = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
        iterator_types = ["parallel", "reduction"]}} ins(%m : tensor<5x2xf32>) outs({init} : tensor<5xf32>) {{
      ^bb0(%x: f32, %y: f32):
        %v = arith.addf %x, %y : f32
        linalg.yield %v : f32
      }} -> tensor<5xf32>"""
    assert zeros(body) == expected

"""stablehlo.while: in its own syntax, a fixed point of printing; and what its results are computed from."""

from __future__ import annotations

import islpy as isl

import volcli
from volcli.facts.maps import MapFact

PROGRAM = """func.func @f(%n: tensor<i64>, %s: tensor<2xf32>) -> tensor<2xf32> {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %0:2 = stablehlo.while(%i = %n, %t = %s) : tensor<i64>, tensor<2xf32> attributes {x} cond {
    %c = stablehlo.compare LT, %i, %one : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %k = stablehlo.add %i, %one : tensor<i64>
    %u = stablehlo.add %t, %t : tensor<2xf32>
    stablehlo.return %k, %u : tensor<i64>, tensor<2xf32>
  }
  return %0#1 : tensor<2xf32>
}"""


def test_it_is_read_as_it_is_printed() -> None:
    program = volcli.loads(PROGRAM, via="xdsl")
    assert program.diagnostics == []
    assert program.text("none", reprint=True).strip() == PROGRAM


def test_each_element_may_be_made_of_all_that_it_uses() -> None:
    [fact] = [each for each in volcli.loads(PROGRAM).run("element-maps").facts if isinstance(each, MapFact)]
    assert "is loaded from data" in str(fact.certainty.reason)
    read = "f[i] -> n[] : 0 <= i < 2; f[i] -> s[i] : 0 <= i < 2"
    assert fact.map is not None
    assert isl.UnionMap(f"{{ {read.replace('f[', 't[')} }}").is_equal(fact.map)

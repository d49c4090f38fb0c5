"""The pass structural-zeros: what is counted, what is named, rows and JSON."""

from __future__ import annotations

import volcli
from tests.conftest import ROOT
from volcli.facts.zeros import ZerosFact

TEXT = (ROOT / "testdata" / "regions" / "contributions.mlir").read_text()


def zeros(name: str, text: str = TEXT) -> tuple[ZerosFact, ...]:
    return volcli.loads(text).function(name).zeros()


def test_counts_by_enumeration() -> None:
    spread = {2 + 2 * i for i in range(8)}
    one_axis = sum(o + k in spread for o in range(16) for k in range(4))
    (fact,) = zeros("transposed_convolution")
    assert (fact.multiplications, len(fact.live)) == (16 * 16 * 4 * 4, 1)
    assert fact.live[0].count == one_axis**2
    assert fact.zeros(fact.live[0]) == 4096 - one_axis**2
    assert (fact.live[0].assumes, fact.assumptions, fact.exact) == ((), (), True)


def test_what_it_rests_on_is_named() -> None:
    (fact,) = zeros("triangular")
    assert [row.assumes for row in fact.live] == [("nnan", "ninf")]
    assert fact.assumptions == ("%l is zero except where d0 - d1 >= 0",)
    assert fact.zeros(fact.live[0]) == 8 * 4 * 8 - 4 * sum(range(1, 9))


def test_parametric_counts_are_no_numbers() -> None:
    (fact,) = zeros("masked")
    assert (fact.multiplications, fact.live[0].count, fact.live[0].assumes) == (None, None, ())
    assert fact.rows()[0][1:4] == ("parametric", "parametric", "")
    assert fact.to_json()["live"][0]["zeros"] is None


def test_nothing_is_said_above_an_operation_without_zeros() -> None:
    (fact,) = zeros("dense")
    assert (fact.live, fact.annotation()) == ((), [])
    assert fact.rows() == [("%r", "256", "0", "0.0%", "all")]


def test_several_multiplications_at_each_point() -> None:
    text = """func.func @f(%a: tensor<4xi32>, %init: tensor<i32>) -> tensor<i32> {
      %c0 = arith.constant 0 : i32
      %p = tensor.pad %a low[1] high[1] {
      ^bb0(%i: index):
        tensor.yield %c0 : i32
      } : tensor<4xi32> to tensor<6xi32>
      %r = linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]
      } ins(%p : tensor<6xi32>) outs(%init : tensor<i32>) {
      ^bb0(%x: i32, %acc: i32):
        %square = arith.muli %x, %x : i32
        %cube = arith.muli %square, %x : i32
        %sum = arith.addi %acc, %cube : i32
        linalg.yield %sum : i32
      } -> tensor<i32>
      return %r : tensor<i32>
    }"""
    (fact,) = zeros("f", text)
    assert (fact.multiplications, fact.zeros(fact.live[0])) == (12, 4)


def test_levels_of_assumptions() -> None:
    """Two zeros multiply to one for all numbers, a zero and data only where that is finite."""
    kind, lower = "tensor<4x4xf64>", "affine_set<(d0, d1) : (d0 - d1 >= 0)>"
    text = f"""
    func.func @f(%u: {kind} {{volcli.domain = {lower}}}, %v: {kind} {{volcli.domain = {lower}}}) -> {kind} {{
      %z = arith.constant dense<0.0> : {kind}
      %r = linalg.matmul ins(%u, %v : {kind}, {kind}) outs(%z : {kind}) -> {kind}
      return %r : {kind}
    }}"""
    (fact,) = zeros("f", text)
    assert [row.assumes for row in fact.live] == [(), ("nnan", "ninf")]
    points = [(m, n, k) for m in range(4) for n in range(4) for k in range(4)]
    either = sum(k <= m or n <= k for m, n, k in points)
    assert [row.count for row in fact.live] == [either, sum(n <= k <= m for m, n, k in points)]


def test_one_value_can_be_asked_for() -> None:
    program = volcli.loads(TEXT).run("structural-zeros{of=%r}")
    assert len(program.facts) == 4
    assert volcli.loads(TEXT).run("structural-zeros{of=%init}").facts == []

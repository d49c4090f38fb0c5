"""Operations that state a definition, against the same program written with linalg: zeros and regions."""

from __future__ import annotations

from typing import Any

import islpy as isl
import pytest

import volcli
from volcli.testing import check_execution

PIPELINES = {"zeros": "structural-zeros", "regions": "sparsity-regions", "maps": "element-maps"}
MASKED = """func.func @f(%x: tensor<4x4xKIND>, %v: tensor<4x3xKIND>) -> tensor<4x3xKIND> {
  %e = tensor.empty() : tensor<4x4xKIND>
  %z = arith.constant ZERO : KIND
  %m = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xKIND>) outs(%e : tensor<4x4xKIND>) {
  ^bb0(%p: KIND, %o: KIND):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %c = arith.cmpi sge, %a, %b : index
    %s = arith.select %c, %p, %z : KIND
    linalg.yield %s : KIND
  } -> tensor<4x4xKIND>
  BODY
}"""
LINALG = """%i = tensor.empty() : tensor<4x3xKIND>
  %k = linalg.fill ins(%z : KIND) outs(%i : tensor<4x3xKIND>) -> tensor<4x3xKIND>
  %r = linalg.matmul ins(%m, %v : tensor<4x4xKIND>, tensor<4x3xKIND>) outs(%k : tensor<4x3xKIND>) -> tensor<4x3xKIND>
  return %r : tensor<4x3xKIND>"""
DOT = """%r = stablehlo.dot_general %m, %v, contracting_dims = [1] x [0] : (tensor<4x4xKIND>, tensor<4x3xKIND>) -> tensor<4x3xKIND>
  return %r : tensor<4x3xKIND>"""
MATMUL = """%u = tensor.expand_shape %m [[0, 1], [2]] output_shape [1, 4, 4] : tensor<4x4xKIND> into tensor<1x4x4xKIND>
  %w = tensor.expand_shape %v [[0, 1], [2]] output_shape [1, 4, 3] : tensor<4x3xKIND> into tensor<1x4x3xKIND>
  %n = "tosa.const"() <{values = dense<ZERO> : tensor<1xKIND>}> : () -> tensor<1xKIND>
  %t = tosa.matmul %u, %w, %n, %n : (tensor<1x4x4xKIND>, tensor<1x4x3xKIND>, tensor<1xKIND>, tensor<1xKIND>) -> tensor<1x4x3xKIND>
  %r = tensor.collapse_shape %t [[0, 1], [2]] : tensor<1x4x3xKIND> into tensor<4x3xKIND>
  return %r : tensor<4x3xKIND>"""


def facts(text: str, question: str) -> list[dict[str, Any]]:
    [file] = volcli.loads(text).run(PIPELINES[question]).to_json()["files"]
    assert file["diagnostics"] == []
    return file["facts"]


def zeros(text: str) -> list[tuple[int, list[tuple[list[str], int]]]]:
    return [
        (fact["multiplications"], [(live["assumes"], live["zeros"]) for live in fact["live"]])
        for fact in facts(text, "zeros")
    ]


def regions(text: str) -> list[Any]:
    return [[(each["kind"], each["count"]) for each in fact["regions"]] for fact in facts(text, "regions")]


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", ["f32", "i32"])
@pytest.mark.parametrize("body", [DOT, MATMUL])
def test_a_mask_makes_the_same_zeros(body: str, kind: str) -> None:
    zero = "0.0" if kind == "f32" else "0"
    old, new = (
        MASKED.replace("BODY", each).replace("KIND", kind).replace("ZERO", zero) for each in (LINALG, body)
    )
    assert zeros(new) == zeros(old) == [(48, [(["nnan", "ninf"] if kind == "f32" else [], 18)])]
    assert regions(new) == regions(old)


def test_what_a_reducer_captures_is_read() -> None:
    text = """func.func @f(%k: tensor<f32>, %x: tensor<2xf32>, %c: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
   reducer(%p: tensor<f32>, %q: tensor<f32>) {
    %t = stablehlo.multiply %q, %k : tensor<f32>
    %s = stablehlo.add %p, %t : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  return %r : tensor<f32>
}"""
    [fact] = facts(text, "maps")
    assert fact["exact"]
    assert all(name in fact["map"] for name in ("x[d0]", "k[]", "c[]"))


BRANCH = """func.func @f(%c: i1, %n: index, %x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
  %two = arith.constant 2 : index
  %p = arith.cmpi slt, %n, %two : index
  %z = arith.constant dense<0.0> : tensor<3xf64>
  %r = scf.if TRUTH -> tensor<3xf64> {
    %t = arith.addf %x, %y : tensor<3xf64>
    scf.yield %t : tensor<3xf64>
  } else {
    scf.yield %z : tensor<3xf64>
  }
  return %r : tensor<3xf64>
}"""


def test_a_branch_is_its_values_where_they_are_chosen() -> None:
    [fact] = facts(BRANCH.replace("TRUTH", "%p"), "maps")
    assert fact["exact"]
    assert "x[d0' = d0] : n <= 1" in fact["map"]
    assert "c[]" not in fact["map"]
    [fact] = facts(BRANCH.replace("TRUTH", "%p"), "regions")
    assert [(each["kind"], each["set"]) for each in fact["regions"]] == [
        ("dense", "[n] -> { r[d0] : n <= 1 and 0 <= d0 <= 2 }"),
        ("static", "[n] -> { r[d0] : n >= 2 and 0 <= d0 <= 2 }"),
    ]


def test_a_branch_by_a_given_truth_is_what_that_chooses() -> None:
    """It is a number of the function, 1 or 0, and so a parameter, as %n is."""
    [fact] = facts(BRANCH.replace("TRUTH", "%c"), "maps")
    assert fact["exact"]
    chosen = {"x": "c > 0", "y": "c > 0", "z": "c <= 0"}
    assert all(f"-> {name}[d0' = d0] : {when}" in fact["map"] for name, when in chosen.items())
    assert "c[]" not in fact["map"]


def test_a_branch_by_a_truth_that_a_given_one_takes_part_in_is_what_that_chooses() -> None:
    text = BRANCH.replace("  %z =", "  %q = arith.shli %c, %p : i1\n  %z =").replace("TRUTH", "%q")
    [fact] = facts(text, "maps")
    assert fact["exact"]
    assert all(f"-> {name}[d0' = d0] : q " in fact["map"] for name in "xyz")


def test_a_branch_by_a_product_of_numbers_is_what_that_chooses() -> None:
    product = "  %m = arith.muli %n, %n : index\n  %q = arith.cmpi slt, %m, %two : index\n  %z ="
    [fact] = facts(BRANCH.replace("  %z =", product).replace("TRUTH", "%q"), "maps")
    assert fact["exact"]
    assert "x[d0' = d0] : m <= 1" in fact["map"]


def test_regions_of_tosa_get_the_inputs_of_their_operation() -> None:
    text = """func.func @f(%c: tensor<i1>, %x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = tosa.cond_if %c (%p = %x, %q = %y) : tensor<i1> (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%p: tensor<3xf32>, %q: tensor<3xf32>):
    %s = tosa.add %p, %q : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    tosa.yield %s : tensor<3xf32>
  } else {
  ^bb0(%p: tensor<3xf32>, %q: tensor<3xf32>):
    tosa.yield %p : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}"""
    [fact] = facts(text, "maps")
    assert fact["exact"]
    assert all(f"-> {name}" in fact["map"] for name in ("c[]", "x[d0' = d0]", "y[d0' = d0]"))


def test_rows_that_numbers_name_are_those_rows() -> None:
    text = """func.func @f(%v: tensor<1x4x2xf32>) -> tensor<1x3x2xf32> {
  %i = stablehlo.iota dim = 1 : tensor<1x3xi32>
  %one = stablehlo.constant dense<1> : tensor<1x3xi32>
  %j = stablehlo.add %i, %one : tensor<1x3xi32>
  %r = tosa.gather %v, %j : (tensor<1x4x2xf32>, tensor<1x3xi32>) -> tensor<1x3x2xf32>
  return %r : tensor<1x3x2xf32>
}"""
    [fact] = facts(text, "maps")
    assert fact["exact"]
    assert "v[d0' = 0, d1' = 1 + d1, d2' = d2]" in fact["map"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("%r = tosa.gather %v, %i : (tensor<1x4x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>",
         "{ r[0, 0, c] -> v[0, 3, c] : 0 <= c < 2; r[0, 1, c] -> v[0, 0, c] : 0 <= c < 2 }"),
        ("%r = tosa.scatter %v, %i, %u : (tensor<1x4x2xf32>, tensor<1x2xi32>, tensor<1x2x2xf32>) -> tensor<1x4x2xf32>",
         "{ r[0, 3, c] -> u[0, 0, c] : 0 <= c < 2; r[0, 0, c] -> u[0, 1, c] : 0 <= c < 2; "
         "r[0, w, c] -> v[0, w, c] : 0 < w < 3 and 0 <= c < 2 }"),
    ],
)  # fmt: skip
def test_rows_that_constants_name_are_those_rows(lines: str, expected: str) -> None:
    result = lines.rpartition(" -> ")[2]
    text = f"""func.func @f(%v: tensor<1x4x2xf32>, %u: tensor<1x2x2xf32>) -> {result} {{
  %i = "tosa.const"() <{{values = dense<[[3, 0]]> : tensor<1x2xi32>}}> : () -> tensor<1x2xi32>
  {lines}
  return %r : {result}
}}"""
    [fact] = facts(text, "maps")
    assert fact["exact"]
    assert isl.UnionMap(fact["map"]) == isl.UnionMap(expected)
    check_execution(text)

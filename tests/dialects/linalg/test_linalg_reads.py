"""Element maps of structured operations where reading one loop point at a time would be wrong."""

from __future__ import annotations

import islpy as isl

from volcli.facts.maps import MapFact
from volcli.facts.regions import RegionsFact
from volcli.loading.driver import load

HEADER = """
#in = affine_map<(i, k) -> (i, k)>
#out = affine_map<(i, k) -> (i)>
"""


def map_of(text: str, value: str) -> isl.UnionMap:
    (fact,) = load(text).run(f"element-maps{{of={value}}}").facts
    assert isinstance(fact, MapFact)
    assert fact.exact
    assert fact.map is not None
    return fact.map


def test_an_accumulator_carries_what_another_result_read() -> None:
    """%r#1 adds up the running sums of %r#0: it depends on the input though its own formula does not name it.

    The last element that %r#0 adds comes after the last running sum, and is not among them.
    """
    text = (
        HEADER
        + """
func.func @f(%x: tensor<2x3xf32>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %r:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x3xf32>) outs(%a, %b : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%in: f32, %sum: f32, %total: f32):
    %next = arith.addf %sum, %in : f32
    %more = arith.addf %total, %sum : f32
    linalg.yield %next, %more : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}
"""
    )
    expected = isl.UnionMap(
        "{ r_1[i] -> x[i, k] : 0 <= i < 2 and 0 <= k < 2; r_1[i] -> a[i] : 0 <= i < 2; r_1[i] -> b[i] : 0 <= i < 2 }"
    )
    assert map_of(text, "%r#1").is_equal(expected)


def test_without_a_reduction_nothing_is_carried() -> None:
    text = """
#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<2xf32>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<2xf32>) outs(%a, %b : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%in: f32, %sum: f32, %total: f32):
    %next = arith.addf %sum, %in : f32
    %more = arith.addf %total, %sum : f32
    linalg.yield %next, %more : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  return %r#1 : tensor<2xf32>
}
"""
    text = text.replace("-> (tensor<2xf32>, tensor<2xf32>) {\n  %r", "-> tensor<2xf32> {\n  %r", 1)
    expected = isl.UnionMap("{ r_1[i] -> a[i] : 0 <= i < 2; r_1[i] -> b[i] : 0 <= i < 2 }")
    assert map_of(text, "%r#1").is_equal(expected)


def test_an_accumulator_that_begins_with_zero_is_not_zero_later() -> None:
    """acc' = acc * x + 1: from the second point on the accumulator is data, so that x does matter."""
    text = (
        HEADER
        + """
func.func @f(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %one = arith.constant 1.0 : f32
  %r = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x3xf32>) outs(%zero : tensor<2xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %product = arith.mulf %acc, %in : f32
    %next = arith.addf %product, %one : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}
"""
    )
    (fact,) = load(text).run("sparsity-regions").facts
    assert isinstance(fact, RegionsFact)
    assert [(r.kind, r.count) for r in fact.regions] == [("dense", 2)]


def test_what_no_loop_point_writes_keeps_its_initial_value() -> None:
    """A generic that writes the even elements only: the odd ones are those of the initial tensor."""
    text = """
#even = affine_map<(i) -> (2 * i)>
#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<3xf32>, %init: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.generic {indexing_maps = [#id, #even], iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%init : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}
"""
    expected = isl.UnionMap(
        "{ r[j] -> x[i] : j = 2i and 0 <= i < 3; r[j] -> init[j] : 0 <= j < 6 and j mod 2 = 1 }"
    )
    assert map_of(text, "%r").is_equal(expected)


def test_a_reduction_over_nothing_is_the_initial_value() -> None:
    """With K = 0 no loop point writes: for that parameter value the result is %init, and for no other.

    For others it is the last element of the row only.
    """
    text = (
        HEADER
        + """
func.func @f(%x: tensor<2x?xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x?xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}
"""
    )
    expected = isl.UnionMap(
        "[x_d1] -> { r[i] -> x[i, k] : 0 <= i < 2 and 0 <= k = x_d1 - 1; r[i] -> init[i] : 0 <= i < 2 and x_d1 = 0 }"
    )
    assert map_of(text, "%r").is_equal(expected)


def test_what_begins_anew_does_not_depend_on_what_was_before() -> None:
    """The elements of %r are begun anew by k = 1, and added to by k >= 2; what %init holds is of no use."""
    text = (
        HEADER
        + """
func.func @f(%x: tensor<2x5xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x5xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %k = linalg.index 1 : index
    %c2 = arith.constant 2 : index
    %first = arith.cmpi slt, %k, %c2 : index
    %sum = arith.addf %in, %out : f32
    %next = arith.select %first, %in, %sum : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}
"""
    )
    expected = isl.UnionMap("{ r[i] -> x[i, k] : 0 <= i < 2 and 1 <= k < 5 }")
    assert map_of(text, "%r").is_equal(expected)


def test_elements_that_no_point_overwrites_keep_what_they_were() -> None:
    """Row 0 is overwritten by its first two points and then kept; row 1 adds up all."""
    text = (
        HEADER
        + """
func.func @f(%x: tensor<2x3xf32>, %init: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x3xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %both = arith.addi %i, %i : index
    %place = arith.addi %both, %k : index
    %c2 = arith.constant 2 : index
    %first = arith.cmpi slt, %place, %c2 : index
    %sum = arith.addf %in, %out : f32
    %next = arith.select %first, %in, %sum : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}
"""
    )
    expected = isl.UnionMap("{ r[0] -> x[0, k] : 1 <= k < 3; r[1] -> x[1, k] : 0 <= k < 3; r[1] -> init[1] }")
    assert map_of(text, "%r").is_equal(expected)


def test_a_map_whose_body_has_no_output() -> None:
    """LLVM 21 and before wrote it so; the element that it does not use is one that it has today."""
    text = """
      func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
        %r = linalg.map ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) (%a: f32, %b: f32) {
          %s = arith.subf %a, %b : f32
          linalg.yield %s : f32
        }
        return %r : tensor<4xf32>
      }"""
    assert map_of(text, "%r").is_equal(isl.UnionMap("{ r[i] -> x[i] : 0 <= i < 4 }"))

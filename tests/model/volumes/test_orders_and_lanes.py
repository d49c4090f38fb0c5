"""Memory that is accessed in no order, lane by lane, and byte by byte."""

from __future__ import annotations

import islpy as isl
import pytest

from tests.model.volumes.test_contents import A_AND_B, function, is_map, maps, regions
from tests.oracles.contents import lanes, orders, recursions
from tests.oracles.contents.judge import judge
from tests.shared.seeds import seeds
from volcli.limits import dialects as limits
from volcli.limits import structure as structure_limits

_BYTES = """
  %c0 = arith.constant 0 : index
  %v = memref.view %q[%c0][] : memref<32xi8> to memref<8xf32>"""


@pytest.mark.parametrize("seed", seeds(8, 1000))
def test_random_orders_against_all_of_them(seed: int) -> None:
    orders.judge(orders.drawn(seed))


@pytest.mark.parametrize("seed", seeds(8, 1000))
def test_random_lanes_against_executions(seed: int) -> None:
    judge(lanes.drawn(seed), lanes.SHAPES)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_most_random_lanes_have_an_exact_map(seed: int) -> None:
    exact, inexact = judge(lanes.drawn(seed), lanes.SHAPES)
    assert exact > inexact


@pytest.mark.parametrize("seed", seeds(6, 600))
def test_random_recursions_against_executions(seed: int) -> None:
    _, inexact = judge(recursions.drawn(seed), recursions.SHAPES)
    assert not inexact


_RECURSION = """
func.func private @p(%m: memref<8xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.cmpi sgt, %n, %c0 : index
  scf.if %k {
    memref.store %x, %m[%n] : memref<8xf32>
    %l = arith.subi %n, %c1 : index
    func.call @p(%m, %x, %l) : (memref<8xf32>, f32, index) -> ()
  }
  return
}
"""


def recursion(number: str, arguments: str = "") -> str:
    body = f"{number}\n  func.call @p(%m, %x, %n) : (memref<8xf32>, f32, index) -> ()"
    return _RECURSION + function(f"%m: memref<8xf32>, %x: f32{arguments}", body)


def test_a_recursion_whose_depth_is_a_number_is_followed() -> None:
    fact = maps(recursion("%n = arith.constant 3 : index"))["%m"]
    assert is_map(fact, "{ m[i] -> x[] : 1 <= i <= 3; m[i] -> m[i] : i = 0 or 4 <= i < 8 }")


def test_a_recursion_whose_depth_is_not_known_or_too_large_is_not_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    because = "%m is memory: the memory effects of @p are unknown"
    assert maps(recursion("", ", %n: index"))["%m"].reason == because
    monkeypatch.setattr(structure_limits, "UNROLLED_CALLS", 2)
    assert maps(recursion("%n = arith.constant 3 : index"))["%m"].reason == because


def test_iterations_that_race_may_come_in_any_order() -> None:
    """The last one in the text's order is one of five that may be the last."""
    body = """
      affine.parallel (%i) = (0) to (5) {
        %x = affine.load %a[%i] : memref<8xf32>
        affine.store %x, %b[1] : memref<8xf32>
      }"""
    fact = maps(function(A_AND_B, body))["%b"]
    assert not fact.exact
    assert fact.reason == "the iterations of 'affine.parallel' are not ordered"
    expected = isl.UnionMap("{ b[1] -> a[i] : 0 <= i < 5; b[i] -> b[i] : i = 0 or 2 <= i < 8 }")
    assert fact.map is not None
    assert fact.map.is_equal(expected)


def test_a_parallel_loop_without_a_race_is_exact() -> None:
    body = """
      affine.parallel (%i) = (0) to (8) {
        %x = affine.load %a[7 - %i] : memref<8xf32>
        affine.store %x, %b[%i] : memref<8xf32>
      }"""
    assert is_map(maps(function(A_AND_B, body))["%b"], "{ b[i] -> a[7 - i] : 0 <= i < 8 }")


def test_what_points_of_an_operation_write_to_one_element_has_no_order() -> None:
    body = """
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>],
          iterator_types = ["parallel"]} ins(%a : memref<8xf32>) outs(%b : memref<8xf32>) {
      ^bb0(%x: f32, %y: f32):
        linalg.yield %x : f32
      }"""
    fact = maps(function(A_AND_B, body))["%b"]
    assert fact.reason == "the points of 'linalg.generic' are not ordered"


@pytest.mark.parametrize(("offset", "exact"), [("0", False), ("%i", True)])
def test_slices_that_iterations_insert_into_one_element_have_no_order(offset: str, exact: bool) -> None:
    body = f"""
      %r = scf.forall (%i) in (4) shared_outs(%o = %b) -> (tensor<8xf32>) {{
        %s = tensor.extract_slice %a[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
        scf.forall.in_parallel {{
          tensor.parallel_insert_slice %s into %o[{offset}] [1] [1] : tensor<1xf32> into tensor<8xf32>
        }}
      }}"""
    fact = maps(function("%a: tensor<4xf32>, %b: tensor<8xf32>", body, "%r : tensor<8xf32>"))["%r"]
    assert fact.exact is exact
    assert exact or fact.reason == "the iterations of 'scf.forall' are not ordered"


def test_one_value_that_all_points_write_needs_no_order() -> None:
    body = """
      %v = memref.reinterpret_cast %b to offset: [2], sizes: [5], strides: [0]
        : memref<8xf32> to memref<5xf32, strided<[0], offset: 2>>
      linalg.fill ins(%x : f32) outs(%v : memref<5xf32, strided<[0], offset: 2>>)"""
    fact = maps(function("%b: memref<8xf32>, %x: f32", body))["%b"]
    assert is_map(fact, "{ b[2] -> x[]; b[i] -> b[i] : 0 <= i < 2 or 3 <= i < 8 }")


def test_a_number_that_is_loaded_from_bytes_is_computed_from_all_of_them() -> None:
    body = (
        _BYTES
        + """
      %x = affine.load %v[2] : memref<8xf32>
      affine.store %x, %b[0] : memref<8xf32>"""
    )
    fact = maps(function("%q: memref<32xi8>, %b: memref<8xf32>", body))["%b"]
    assert is_map(fact, "{ b[0] -> q[i] : 8 <= i < 12; b[i] -> b[i] : 1 <= i < 8 }")


def test_each_byte_of_a_number_that_is_computed_depends_on_all_bytes_of_its_operands() -> None:
    body = (
        _BYTES
        + """
      affine.for %i = 0 to 8 {
        %x = affine.load %v[%i] : memref<8xf32>
        %y = arith.addf %x, %x : f32
        affine.store %y, %v[%i] : memref<8xf32>
      }"""
    )
    fact = maps(function("%q: memref<32xi8>", body))["%q"]
    assert is_map(fact, "{ q[i] -> q[j] : 0 <= i < 32 and j - 3 <= 4 * floor(i/4) <= j }")


def test_bytes_of_a_copied_number_are_copied_one_by_one() -> None:
    body = (
        _BYTES
        + """
      %w = memref.view %p[%c0][] : memref<32xi8> to memref<8xf32>
      memref.copy %v, %w : memref<8xf32> to memref<8xf32>"""
    )
    fact = maps(function("%q: memref<32xi8>, %p: memref<32xi8>", body))["%p"]
    assert is_map(fact, "{ p[i] -> q[i] : 0 <= i < 32 }")


def test_a_byte_of_a_zero_need_not_be_zero() -> None:
    """The sign of -0.0 stands in its last byte."""
    body = """
      %c0 = arith.constant 0 : index
      %zero = arith.constant -0.0 : f32
      %new = memref.alloc() : memref<4xi8>
      %v = memref.view %new[%c0][] : memref<4xi8> to memref<1xf32>
      affine.store %zero, %v[0] : memref<1xf32>
      %x = affine.load %new[3] : memref<4xi8>"""
    (row,) = regions(function("", body, "%x : i8"))["%x"].regions
    assert row.kind == "static"
    assert not row.zero


def test_lanes_that_a_constant_mask_leaves_out_are_what_they_were() -> None:
    body = """
      %c1 = arith.constant 1 : index
      %mask = arith.constant dense<[true, false, true, true]> : vector<4xi1>
      %v = vector.load %a[%c1] : memref<8xf32>, vector<4xf32>
      vector.maskedstore %b[%c1], %mask, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>"""
    expected = "{ b[i] -> a[i] : i = 1 or 3 <= i <= 4; b[i] -> b[i] : i = 0 or i = 2 or 5 <= i < 8 }"
    assert is_map(maps(function(A_AND_B, body))["%b"], expected)


def test_of_equal_indices_of_a_scatter_the_last_lane_stays() -> None:
    body = """
      %c0 = arith.constant 0 : index
      %ix = arith.constant dense<[2, 3, 2, 2]> : vector<4xindex>
      %mask = arith.constant dense<[true, true, true, false]> : vector<4xi1>
      %v = vector.load %a[%c0] : memref<8xf32>, vector<4xf32>
      vector.scatter %b[%c0] [%ix], %mask, %v
        : memref<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>"""
    expected = "{ b[2] -> a[2]; b[3] -> a[1]; b[i] -> b[i] : 0 <= i < 2 or 4 <= i < 8 }"
    assert is_map(maps(function(A_AND_B, body))["%b"], expected)


def test_more_runs_of_lanes_than_the_limit_are_data(monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
      %c0 = arith.constant 0 : index
      %mask = arith.constant dense<[true, false, true, false]> : vector<4xi1>
      %v = vector.load %a[%c0] : memref<8xf32>, vector<4xf32>
      vector.maskedstore %b[%c0], %mask, %v : memref<8xf32>, vector<4xi1>, vector<4xf32>"""
    text = function(A_AND_B, body)
    assert maps(text)["%b"].exact
    monkeypatch.setattr(limits, "LANE_RUNS", 1)
    assert maps(text)["%b"].reason == "%b is memory: a mask"


def test_indices_that_are_no_row_of_lanes_do_not_pass_for_one() -> None:
    """3 * l mod 7 goes down, too: that its ends are in a row says nothing of the lanes between."""
    body = """
      %c1 = arith.constant 1 : index
      %st = vector.step : vector<8xindex>
      %three = arith.constant dense<3> : vector<8xindex>
      %seven = arith.constant dense<7> : vector<8xindex>
      %i = arith.muli %st, %three : vector<8xindex>
      %ix = arith.remui %i, %seven : vector<8xindex>
      %mask = vector.constant_mask [8] : vector<8xi1>
      %g = vector.gather %m[%c1, %c1] [%ix], %mask, %p
        : memref<4x8xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>"""
    text = function("%m: memref<4x8xf32>, %p: vector<8xf32>", body, "%g : vector<8xf32>")
    fact = maps(text)["%g"]
    assert not fact.exact


def test_a_reallocation_gives_what_fits_of_what_was_there() -> None:
    body = """
      %new = memref.alloc() : memref<4xf32>
      memref.copy %a, %new : memref<4xf32> to memref<4xf32>
      %r = memref.realloc %new : memref<4xf32> to memref<6xf32>"""
    fact = maps(function("%a: memref<4xf32>", body, "%r : memref<6xf32>"))["%r"]
    assert is_map(fact, "{ r[i] -> a[i] : 0 <= i < 4 }")


def test_memory_is_known_until_it_escapes() -> None:
    """What a call does to memory later changes nothing of what was read before."""
    body = """
      %c0 = arith.constant 0 : index
      %new = memref.alloc() : memref<4xf32>
      memref.store %x, %new[%c0] : memref<4xf32>
      %y = memref.load %new[%c0] : memref<4xf32>
      func.call @ext(%new) : (memref<4xf32>) -> ()
      %z = memref.load %new[%c0] : memref<4xf32>"""
    text = f"func.func private @ext(memref<4xf32>)\n{function('%x: f32', body, '%y : f32')}"
    assert is_map(maps(text)["%y"], "{ y[] -> x[] }")
    later = text.replace("return %y", "return %z")
    assert not maps(later)["%z"].exact

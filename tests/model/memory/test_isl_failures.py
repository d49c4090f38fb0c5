"""Programs on which isl fails, or does not return: they have an answer all the same."""

from __future__ import annotations

import islpy as isl

import volcli
from volcli.model.memory.occurrence.certainty import first_point
from volcli.model.values.elimination.closure import reachable
from volcli.presburger.sets.build import DIM

LAST_LOADED = """func.func @f(%d: memref<7xindex>, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %end = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %m) -> (index) {
    %v = memref.load %d[%i] : memref<7xindex>
    scf.yield %v : index
  }
  scf.for %j = %c1 to %end step %c3 {
  }
  return
}
"""
PRODUCTS = """func.func @f(%m: index, %x: i32, %y: i32) -> i32 {
  %p = affine.for %i = 2 to %m iter_args(%a = %x) -> (i32) {
    %b = arith.muli %a, %y : i32
    affine.yield %b : i32
  }
  return %p : i32
}
"""


def test_bounds_of_a_loop_to_what_was_loaded_last() -> None:
    (model,) = volcli.load(LAST_LOADED).units[0].models()
    for value, dim in model.bounds.variables():
        model.bounds.bounds(value, dim)


def test_products_that_go_around_a_loop_have_no_closure() -> None:
    (model,) = volcli.load(PRODUCTS).units[0].models()
    (loop,) = (op for op in model.function.walk() if op.regions and op is not model.function)
    found = model.bounds.bounds(loop.regions[0].blocks[0].args[0])
    assert (found.lower.constant, found.lower.exact) == (2, True)


def test_what_a_step_with_large_numbers_reaches_contains_its_image() -> None:
    first, step = isl.Set("{ [0] }"), isl.Map(f"{{ [a] -> [b] : {2**41} * a <= b <= {2**41} * a + 1 }}")
    known = reachable(first, step, None, 8)
    assert not known.exact
    assert first.is_subset(known.points)
    assert first.apply(step).apply(step).is_subset(known.points)


def test_the_first_point_is_the_least_for_the_nearest_parameters() -> None:
    points = isl.Set(
        "[n] -> { [i, j] : n >= 3 and i >= n and 2 * i >= j and j >= i and j mod 3 = 1 and i <= 9 }"
    )
    point = first_point(points)
    numbers = [point.get_coordinate_val(DIM.set, k).to_python() for k in range(2)]
    assert numbers == [3, 4]
    assert point.get_coordinate_val(DIM.param, 0).to_python() == 3

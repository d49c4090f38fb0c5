"""States of linalg.generic that go from iteration to iteration, through the same output or another one."""

from __future__ import annotations

import pytest

import volcli
from tests.shared.enumeration import model_of, pairs_of, points_of
from volcli.facts.maps import MapFact

HEAD = """func.func @f(%x: tensor<3x4xf32>) -> tensor<3xf32> {
  %z3 = arith.constant dense<0.0> : tensor<3xf32>
  %z4 = arith.constant dense<0.0> : tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
      MAP], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%z3, INIT : tensor<3xf32>, TYPE) {
  ^bb0(%a: f32, %u: f32, %v: f32):
"""
TAIL = """  } -> (tensor<3xf32>, TYPE)
  return %r#0 : tensor<3xf32>
}
"""
DELAYED = "linalg.yield %v, %a : f32, f32\n"
SUMS = """%s = arith.addf %a, %u : f32
  %t = arith.addf %a, %v : f32
  linalg.yield %s, %t : f32, f32
"""
LARGEST = """%c = arith.cmpf ogt, %a, %v : f32
  %s = arith.select %c, %a, %v : f32
  %t = arith.select %c, %a, %u : f32
  linalg.yield %t, %s : f32, f32
"""
LAST = """%t = arith.addf %a, %v : f32
  linalg.yield %a, %t : f32, f32
"""
COLUMN = ("affine_map<(i, j) -> (j)>", "%z4", "tensor<4xf32>")
ROW = ("affine_map<(i, j) -> (i)>", "%z3", "tensor<3xf32>")


def written(other: tuple[str, str, str], body: str) -> str:
    text = HEAD + body + TAIL
    for hole, part in zip(("MAP", "INIT", "TYPE"), other, strict=True):
        text = text.replace(hole, part)
    return text


def depends(other: tuple[str, str, str], body: str) -> tuple[set[tuple[int, int, int]], bool]:
    """The triples (r, i, j) for which the map says that r#0[r] depends on x[i, j]; whether it is exact."""
    model = model_of(written(other, body))
    (result,) = model.results()
    found = model.maps.to_inputs(result)
    pairs = {
        (r[0], x[0], x[1])
        for use, relation in found.targets.items()
        if use.volume in model.function.regions[0].block.args
        for r, x in pairs_of(relation)
    }
    return pairs, found.inexact is None


def truth_of_delayed(column: bool) -> set[tuple[int, int, int]]:
    """r#0[i] is what the state held before (i, 3): x[i - 1, 3] by columns, x[i, 2] by rows."""
    state: dict[int, tuple[int, int]] = {}
    found: dict[int, tuple[int, int] | None] = {}
    for i in range(3):
        for j in range(4):
            key = j if column else i
            found[i] = state.get(key)
            state[key] = (i, j)
    return {(r, *source) for r, source in found.items() if source is not None}


@pytest.mark.parametrize("column", [True, False])
def test_what_another_output_holds_is_read(column: bool) -> None:
    pairs, exact = depends(COLUMN if column else ROW, DELAYED)
    truth = truth_of_delayed(column)
    assert truth <= pairs
    assert not exact or pairs == truth


@pytest.mark.parametrize("column", [True, False])
def test_a_state_of_data_is_not_zero(column: bool) -> None:
    model = model_of(written(COLUMN if column else ROW, DELAYED))
    (result,) = model.results()
    facts = model.flow.facts(result)
    reached = facts.reaching
    assert reached is True or (reached is not False and points_of(reached) >= {(1,), (2,)})


@pytest.mark.parametrize(("other", "body"), [(COLUMN, SUMS), (ROW, SUMS), (ROW, LARGEST)])
def test_sums_and_argmax_stay_exact(other: tuple[str, str, str], body: str) -> None:
    pairs, exact = depends(other, body)
    assert exact
    assert pairs == {(i, i, j) for i in range(3) for j in range(4)}


def test_a_result_that_is_overwritten_is_what_the_last_point_read() -> None:
    assert depends(COLUMN, LAST) == ({(i, i, 3) for i in range(3)}, True)


RUNNING = """%s = arith.addf %u, %v : f32
  %t = arith.addf %a, %v : f32
  linalg.yield %s, %t : f32, f32
"""
BEGUN = """%i = linalg.index 1 : index
  %c2 = arith.constant 2 : index
  %first = arith.cmpi slt, %i, %c2 : index
  %s = arith.addf %u, %v : f32
  %n = arith.select %first, %v, %s : f32
  %t = arith.addf %a, %v : f32
  linalg.yield %n, %t : f32, f32
"""


def test_what_is_added_to_another_result_last_is_not_among_its_running_sums() -> None:
    assert depends(ROW, RUNNING) == ({(i, i, j) for i in range(3) for j in range(3)}, True)


def test_nor_is_it_called_exact_where_points_begin_anew_or_maps_differ() -> None:
    pairs, exact = depends(ROW, BEGUN)
    assert pairs >= {(i, i, j) for i in range(3) for j in range(3)}
    assert not exact
    pairs, exact = depends(COLUMN, RUNNING)
    assert pairs >= {(i, before, j) for i in range(3) for before in range(i) for j in range(4)}
    assert not exact


def all_pairs(fact: MapFact) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    assert fact.map is not None
    maps = fact.map.get_map_list()
    return set().union(*(pairs_of(maps.get_at(k)) for k in range(maps.n_map())))


def test_a_state_is_not_the_number_that_it_starts_with() -> None:
    """Of the third point on all is read: there the state, which is 0 at first, is 2."""
    text = """func.func @f(%a: tensor<9xi64>) -> tensor<i64> {
      %init = arith.constant dense<0> : tensor<i64>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
        iterator_types = ["reduction"]} ins(%a : tensor<9xi64>) outs(%init : tensor<i64>) {
      ^bb0(%x: i64, %acc: i64):
        %two = arith.constant 2 : i64
        %one = arith.constant 1 : i64
        %c = arith.cmpi sge, %acc, %two : i64
        %s = arith.select %c, %x, %one : i64
        %t = arith.addi %acc, %s : i64
        linalg.yield %t : i64
      } -> tensor<i64>
      return %r : tensor<i64>
    }"""
    f = volcli.loads(text).function("f")
    assert {place for _, place in all_pairs(f.element_map("%r", to="%a"))} >= {(k,) for k in range(2, 9)}
    assert [region.kind for region in f.regions("%r").regions] == ["dense"]


def test_nor_is_it_where_another_result_is_a_number_of_it() -> None:
    """%r#1 counts the points of a column so far: %r#0 is not 0 + 1 everywhere."""
    text = """func.func @f(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
      %zero = arith.constant 0.0 : f32
      %ones = arith.constant dense<0> : tensor<3xi64>
      %e = tensor.empty() : tensor<4x3xi64>
      %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
        iterator_types = ["reduction", "parallel"]} outs(%e, %ones : tensor<4x3xi64>, tensor<3xi64>) {
      ^bb0(%o: i64, %acc: i64):
        %one = arith.constant 1 : i64
        %n = arith.addi %acc, %one : i64
        linalg.yield %n, %n : i64, i64
      } -> (tensor<4x3xi64>, tensor<3xi64>)
      %f = tensor.empty() : tensor<4x3xf32>
      %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
        affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%r#0, %x : tensor<4x3xi64>, tensor<4x3xf32>) outs(%f : tensor<4x3xf32>) {
      ^bb0(%n: i64, %v: f32, %o: f32):
        %two = arith.constant 2 : i64
        %c = arith.cmpi sge, %n, %two : i64
        %s = arith.select %c, %v, %zero : f32
        linalg.yield %s : f32
      } -> tensor<4x3xf32>
      return %m : tensor<4x3xf32>
    }"""
    found = volcli.loads(text).function("f").element_map("%m", to="%x")
    assert {place for _, place in all_pairs(found)} >= {(i, j) for i in range(1, 4) for j in range(3)}

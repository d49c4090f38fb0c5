"""Tilings whose tiles cannot run one after the other, and the order that is asked for."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.mars import MarsFact

BACKWARDS = """func.func @f(%a: memref<100x100xf32>, %b: memref<100x100xf32>) {
  affine.for %i = 1 to 99 {
    affine.for %j = 1 to 99 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<100x100xf32>
      %y = affine.load %b[%i, %j] : memref<100x100xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %a[%i, %j] : memref<100x100xf32>
    }
  }
  return
}"""

SHORTEST_PATHS = """func.func @f(%d: memref<?x?xf32>) {
  affine.for %k = 0 to 12 {
    affine.for %i = 0 to 12 {
      affine.for %j = 0 to 12 {
        %0 = affine.load %d[%i, %j] : memref<?x?xf32>
        %1 = affine.load %d[%i, %k] : memref<?x?xf32>
        %2 = affine.load %d[%k, %j] : memref<?x?xf32>
        %s = arith.addf %1, %2 : f32
        %m = arith.minimumf %0, %s : f32
        affine.store %m, %d[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}"""


def facts(text: str, pipeline: str) -> list[MarsFact]:
    (unit,) = volcli.loads(text).run(pipeline).units
    return [fact for fact in unit.facts if isinstance(fact, MarsFact)]


@pytest.mark.parametrize("tile", ["i:4, j:4", "i:s, j:s"])
def test_nothing_is_answered_of_an_illegal_tiling(tile: str) -> None:
    """The array that is only read has no sets either: the tiles do not run."""
    found = facts(BACKWARDS, f"mars{{tile='{tile}'}}")
    assert {(fact.array, fact.exact) for fact in found} == {("%a", False), ("%b", False)}
    assert all("%a[%i - 1, %j + 1] reads in the tile" in (fact.reason or "") for fact in found)


def test_a_skewed_tiling_of_the_same_loops_is_legal() -> None:
    assert all(fact.exact for fact in facts(BACKWARDS, "mars{tile='i:4, i+j:4'}"))


def test_tiles_from_right_to_left_have_an_order() -> None:
    """Three elements to the left, three below, and the corner to both."""
    found = next(f for f in facts(BACKWARDS, "mars{tile='i:4, j:4' any-order}") if f.kind == "produced")
    assert sorted(count or "" for _, count in found.classes[0].members) == ["1", "3", "3"]


def test_cubes_of_shortest_paths_have_an_order() -> None:
    """The tile (0, 1, 1) hands 9, 3, 3 elements and 1 on, to five tiles in all."""
    (refused, *_) = facts(SHORTEST_PATHS, "mars{tile='k:4, i:4, j:4'}")
    assert not refused.exact
    found = next(
        f for f in facts(SHORTEST_PATHS, "mars{tile='k:4, i:4, j:4' any-order}") if f.kind == "produced"
    )
    (one,) = (each for each in found.classes if each.example == (0, 1, 1))
    assert sorted(int(count or 0) for _, count in one.members) == [1, 3, 3, 9]


def test_tiles_that_need_each_other_have_no_order() -> None:
    """Tiles of all i and some j of a wavefront that goes both ways."""
    text = BACKWARDS.replace("%b[%i, %j]", "%a[%i - 1, %j - 1]")
    found = facts(text, "mars{tile='i:100, j:4' any-order}")
    assert all("values of each other" in (fact.reason or "") for fact in found)


@pytest.mark.parametrize("budget", [100, 1000, 5000])
def test_a_budget_that_ends_anywhere_leaves_a_fact_with_the_reason(budget: int) -> None:
    """Nothing is said of an array whose tiles may have no order, but that it is not known."""
    (unit,) = volcli.loads(BACKWARDS, budget=budget).run("mars{tile='%i:8, %j:8'}").units
    found = [each for each in unit.facts if isinstance(each, MarsFact)]
    assert {each.array for each in found} == {"%a", "%b"}
    assert all(
        each.certainty.degree == "unknown" and "operations" in str(each.certainty.reason) for each in found
    )
    assert not any(each.sets for each in found)


BETWEEN = """func.func @f(%a: memref<64x64xf32>, %b: memref<64xf32>) {
  affine.for %i = 1 to 63 {
    %s = affine.load %b[%i - 1] : memref<64xf32>
    affine.for %j = 0 to 63 {
      %x = affine.load %a[%i - 1, %j] : memref<64x64xf32>
      %y = arith.addf %x, %s : f32
      affine.store %y, %a[%i, %j] : memref<64x64xf32>
      affine.store %y, %b[%i] : memref<64xf32>
    }
  }
  return
}"""


def test_an_order_that_a_read_in_no_tile_may_forbid_is_assumed_to_be_legal() -> None:
    """%b[%i - 1] needs what the last iteration of the row above gives: the tiles (0, 1) and (1, 0)."""
    found = {each.array: each for each in facts(BETWEEN, "mars{tile='%i:8, %j:8'}")}
    assert found["%b"].certainty.degree == "unknown"
    assert found["%a"].certainty.degree == "exact"
    assert "the order of tiles is legal for %b[%i - 1]" in found["%a"].assumptions


SUM_OF_ROWS = """func.func @f(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %z: f32) {
  affine.for %i = 0 to 16 {
    %r = affine.for %j = 0 to 16 iter_args(%sum = %z) -> (f32) {
      %0 = affine.load %a[%i, %j] : memref<16x16xf32>
      %1 = arith.addf %sum, %0 : f32
      affine.store %sum, %b[%i, %j] : memref<16x16xf32>
      affine.yield %1 : f32
    }
  }
  return
}"""


def test_what_loops_carry_is_unknown_where_the_budget_ends() -> None:
    (unit,) = volcli.loads(SUM_OF_ROWS, budget=100).run("mars{tile='i:4, j:4'}").units
    found = {each.array: each.certainty for each in unit.facts if isinstance(each, MarsFact)}
    assert {"%a", "%sum"} <= found.keys()
    assert all(each.degree == "unknown" and "operations" in str(each.reason) for each in found.values())


@pytest.mark.parametrize(
    ("tile", "legal", "handed_on"),
    [
        ("i:4, j:4", True, True),
        ("i:4, 0-j:4", False, True),
        ("i-j:4, j:4", False, True),
        ("i:2, j:16", True, False),
        ("i:4", True, False),
        ("i:s, j:r", True, True),
        ("i:s, 0-j:r", False, True),
    ],
)
def test_tiles_hand_on_what_a_loop_carries(tile: str, *, legal: bool, handed_on: bool) -> None:
    """The sum of a row comes from the tile on the left; where that one is later, no tile may run."""
    found = {fact.array: fact for fact in facts(SUM_OF_ROWS, f"mars{{tile='{tile}'}}")}
    assert found["%a"].exact is legal
    assert ("%sum" in found) is handed_on
    assert not handed_on or not found["%sum"].exact
    assert legal or "may be illegal in the lexicographic order" in (found["%a"].reason or "")


def test_a_number_that_the_iterators_tell_is_not_handed_on() -> None:
    text = """func.func @f(%a: memref<64xf32>, %b: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 iter_args(%k = %c0) -> (index) {
      %0 = memref.load %a[%k] : memref<64xf32>
      memref.store %0, %b[%i, %k] : memref<64x64xf32>
      %n = arith.addi %k, %c2 : index
      affine.yield %n : index
    }
  }
  return
}"""
    (fact,) = facts(text, "mars{tile='i:4, j:4'}")
    assert (fact.array, fact.exact) == ("%a", True)


TWO_SWEEPS = """func.func @f(%a: memref<22xf32>, %b: memref<22xf32>) {
  affine.for %t = 0 to 5 {
    affine.for %i = 1 to 21 {
      %0 = affine.load %a[%i - 1] : memref<22xf32>
      affine.store %0, %b[%i] : memref<22xf32>
    }
    affine.for %i = 1 to 21 {
      %0 = affine.load %b[%i] : memref<22xf32>
      affine.store %0, %a[%i] : memref<22xf32>
    }
  }
  return
}"""


@pytest.mark.parametrize("tile", ["i:4", "t:2, i:4", "t:s, i:s", "i:4, t:5"])
@pytest.mark.parametrize("order", ["", " any-order"])
def test_tiles_of_two_nests_that_a_loop_repeats_need_each_other(tile: str, order: str) -> None:
    """A tile has several t: it needs what the other nest's gives at one of them, and gives it what that needs."""
    found = facts(TWO_SWEEPS, f"mars{{tile='{tile}' assume-noalias-args{order}}}")
    assert {fact.array for fact in found} == {"%a", "%b"}
    for fact in found:
        assert not fact.exact
        assert "a tile that reads %a[%i - 1] needs values of one that reads %b[%i]" in (fact.reason or "")


def test_tiles_of_one_repetition_run_one_after_the_other() -> None:
    """The consumers are in the inner loops, which have lines of their own."""
    found = facts(TWO_SWEEPS, "mars{tile='t:1, i:4' assume-noalias-args}")
    assert [(fact.array, fact.kind, fact.exact, fact.reader) for fact in found] == [
        ("%a", "produced", True, 3),
        ("%a", "read", True, None),
        ("%b", "produced", True, 7),
    ]


def test_what_one_repeated_nest_gives_the_next_one_alone_needs_no_order() -> None:
    forwards = TWO_SWEEPS.replace("%a[%i] : memref<22xf32>", "%b[%i] : memref<22xf32>")
    found = facts(forwards, "mars{tile='i:s' assume-noalias-args}")
    assert {fact.reason for fact in found if "none can be first" in (fact.reason or "")} == set()


BOTH_WAYS = """#even = affine_set<(d0) : (d0 mod 2 == 0)>
func.func @f(%a: memref<20x40xf32>) {
  affine.for %k = 1 to 20 {
    affine.for %j = 1 to 38 {
      affine.if #even(%j) {
        %x = affine.load %a[%k - 1, %j + 2] : memref<20x40xf32>
        affine.store %x, %a[%k, %j] : memref<20x40xf32>
      } else {
        %x = affine.load %a[%k - 1, %j - FAR] : memref<20x40xf32>
        affine.store %x, %a[%k, %j] : memref<20x40xf32>
      }
    }
  }
  return
}
"""


@pytest.mark.parametrize("far", [1, 2])
def test_tiles_whose_steps_go_both_ways_are_sorted(far: int) -> None:
    """Even tiles read from the right, one after the other; odd ones from even ones, or from the left."""
    found = facts(BOTH_WAYS.replace("FAR", str(far)), "mars{tile='j:1' any-order}")
    assert all(fact.exact for fact in found)


def test_a_cycle_among_many_tiles_is_found() -> None:
    """The tile of 2 and 3 reads from the next one, which reads from it."""
    found = facts(BOTH_WAYS.replace("FAR", "2"), "mars{tile='j:2' any-order}")
    assert all("values of each other" in (fact.reason or "") for fact in found)

"""What a yielded scalar is computed from: the backward slice, conditions, and annihilators."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tests.shared.enumeration import Function, Point, function
from volcli.model.volumes.knowledge.regions import regions


def generic(body: str) -> Function:
    text = f"""%c2 = arith.constant 2 : index
      %r = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>,
          affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}}
        ins(%a, %b : tensor<3xf32>, tensor<4xf32>) outs(%o : tensor<3x4xf32>) {{
      ^bb0(%x: f32, %y: f32, %z: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        {body}
        linalg.yield %v : f32
      }} -> tensor<3x4xf32>"""
    arguments = (
        "%a: tensor<3xf32>, %b: tensor<4xf32>, %o: tensor<3x4xf32>, %s: f32, %t: tensor<9xf32>, %k: i1,"
        " %n: index"
    )
    return Function(function(arguments, text, "%r : tensor<3x4xf32>"))


GRID = [(i, j) for i in range(3) for j in range(4)]
Reads = set[tuple[Point, str, Point]]


def reads(*operands: str) -> Reads:
    index: Mapping[str, Callable[[int, int], Point]] = {
        "a": lambda i, j: (i,),
        "b": lambda i, j: (j,),
        "o": lambda i, j: (i, j),
        "s": lambda i, j: (),
        "k": lambda i, j: (),
    }
    return {((i, j), name, index[name](i, j)) for i, j in GRID for name in operands}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%v = arith.addf %x, %y : f32", reads("a", "b")),
        ("%u = arith.addf %x, %z : f32\n%v = arith.negf %y : f32", reads("b")),
        ("%v = arith.addf %z, %y : f32", reads("o", "b")),
        ("%v = arith.mulf %x, %s : f32", reads("a", "s")),
        ("%v = arith.constant 1.0 : f32", set()),
        ("%q = arith.index_cast %i : index to i32\n%v = arith.sitofp %q : i32 to f32", set()),
        ("%v = arith.select %k, %x, %y : f32", reads("a", "b", "k")),
        ("%q = arith.cmpf olt, %z, %y : f32\n%v = arith.select %q, %x, %y : f32", reads("a", "b", "o")),
    ],
)
def test_the_backward_slice(body: str, expected: Reads) -> None:
    f = generic(body)
    assert f.reads("%r") == expected
    assert f.exact("%r")


def test_a_condition_on_the_loops_splits_the_points() -> None:
    f = generic("""%q = arith.cmpi sle, %i, %j : index
        %w = arith.cmpi ne, %j, %c2 : index
        %m = arith.andi %q, %w : i1
        %v = arith.select %m, %x, %y : f32""")
    expected = {((i, j), "a", (i,)) if i <= j and j != 2 else ((i, j), "b", (j,)) for i, j in GRID}
    assert f.reads("%r") == expected
    assert f.exact("%r")


@pytest.mark.parametrize("n", [-1, 0, 2, 9])
def test_a_condition_on_a_parameter(n: int) -> None:
    f = generic("%q = arith.cmpi slt, %i, %n : index\n%v = arith.select %q, %x, %y : f32")
    assert f.reads("%r", n=n) == {((i, j), "a", (i,)) if i < n else ((i, j), "b", (j,)) for i, j in GRID}


def test_a_captured_tensor_is_read_at_the_extracted_index() -> None:
    f = generic(
        "%q = affine.apply affine_map<(d0, d1) -> (d0 + 2 * d1)>(%i, %j)\n"
        "%v = tensor.extract %t[%q] : tensor<9xf32>"
    )
    assert f.reads("%r") == {((i, j), "t", (i + 2 * j,)) for i, j in GRID}
    assert f.exact("%r")


def test_a_gather_is_over_approximated_and_says_so() -> None:
    f = generic("""%q = arith.fptosi %x : f32 to i64
        %w = arith.index_cast %q : i64 to index
        %v = tensor.extract %t[%w] : tensor<9xf32>""")
    assert f.reads("%r") == {((i, j), "t", (k,)) for i, j in GRID for k in range(9)} | reads("a")
    assert not f.exact("%r")


def test_an_operation_with_a_region_reads_what_it_captures() -> None:
    f = generic("""%v = scf.if %k -> (f32) {
          scf.yield %x : f32
        } else {
          scf.yield %s : f32
        }""")
    assert f.reads("%r") >= reads("a", "s", "k")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%v = arith.mulf %x, %y : f32", {"static"}),
        ("%w = arith.negf %y : f32\n%v = arith.mulf %w, %x : f32", {"static"}),
        ("%m = arith.mulf %x, %y : f32\n%v = arith.addf %m, %y : f32", {"static"}),
        ("%m = arith.mulf %x, %y : f32\n%v = arith.addf %m, %z : f32", {"dense"}),
        ("%m = arith.mulf %x, %y : f32\n%v = arith.addf %m, %x : f32", {"dense"}),
        ("%v = arith.addf %x, %y : f32", {"dense"}),
        ("%v = arith.divf %y, %x : f32", {"dense"}),
        ("%w = arith.addf %y, %s : f32\n%v = arith.mulf %w, %x : f32", {"dense"}),
    ],
)
def test_a_factor_of_zero_annihilates(body: str, expected: set[str]) -> None:
    """%y is zero everywhere; what is only multiplied by it does not matter."""
    text = f"""%b = arith.constant dense<0.0> : tensor<4xf32>
      %r = linalg.generic {{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>,
          affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}}
        ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) {{
      ^bb0(%x: f32, %y: f32, %z: f32):
        {body}
        linalg.yield %v : f32
      }} -> tensor<4xf32>"""
    f = Function(function("%a: tensor<4xf32>, %o: tensor<4xf32>, %s: f32", text, "%r : tensor<4xf32>"))
    value = f.value("%r")
    found = regions(f.model.flow.facts(value), f.model.volume(value).domain)
    assert {region.kind for region in found} == expected


POINTWISE: Mapping[str, tuple[str, Callable[[int, int], bool]]] = {
    "remainder": ("%h = arith.remui %j, %c2 : index\n%q = arith.cmpi ne, %h, %i : index", lambda i, j: j % 2 != i),
    "negative quotient": (
        "%d = arith.subi %j, %c2 : index\n%h = arith.divui %d, %c2 : index\n%q = arith.cmpi eq, %h, %zero : index",
        lambda i, j: j >= 2,
    ),
    "largest unsigned": (
        "%d = arith.subi %i, %c2 : index\n%h = arith.maxui %d, %j : index\n%q = arith.cmpi eq, %h, %j : index",
        lambda i, j: i == 2,
    ),
    "selected before": (
        "%p = arith.cmpi sgt, %j, %c2 : index\n%h = arith.select %p, %zero, %j : index\n"
        "%q = arith.cmpi sge, %zero, %h : index",
        lambda i, j: j in (0, 3),
    ),
    "parity": (
        "%h = arith.index_cast %j : index to i64\n%q = arith.trunci %h : i64 to i1",
        lambda i, j: j % 2 == 1,
    ),
    "byte": (
        "%d = arith.subi %i, %c2 : index\n%h = arith.index_cast %d : index to i8\n"
        "%w = arith.index_castui %h : i8 to index\n%q = arith.cmpi sgt, %w, %c2 : index",
        lambda i, j: i < 2,
    ),
    "widened truth": (
        "%p = arith.cmpi ult, %i, %c2 : index\n%h = arith.extsi %p : i1 to i64\n"
        "%w = arith.index_cast %h : i64 to index\n%q = arith.cmpi slt, %w, %zero : index",
        lambda i, j: i < 2,
    ),
    "branch": (
        "%p = arith.cmpi eq, %i, %j : index\n"
        "%h = scf.if %p -> (index) {\n scf.yield %c2 : index\n} else {\n scf.yield %j : index\n}\n"
        "%q = arith.cmpi eq, %h, %c2 : index",
        lambda i, j: j in (i, 2),
    ),
}  # fmt: skip


@pytest.mark.sample(4)
@pytest.mark.parametrize("kind", ["select", "branch"])
@pytest.mark.parametrize("name", POINTWISE)
def test_numbers_of_the_loops_split_the_points(name: str, kind: str) -> None:
    body, holds = POINTWISE[name]
    chosen = {
        "select": "%v = arith.select %q, %x, %y : f32",
        "branch": "%v = scf.if %q -> (f32) {\n scf.yield %x : f32\n} else {\n scf.yield %y : f32\n}",
    }[kind]
    f = generic(f"%zero = arith.constant 0 : index\n{body}\n{chosen}")
    expected = {((i, j), "a", (i,)) if holds(i, j) else ((i, j), "b", (j,)) for i, j in GRID}
    assert f.reads("%r") == expected
    assert f.exact("%r")


SELECTED: Mapping[str, Callable[[int, int], int]] = {
    "%h = arith.minui %i, %j : index": lambda i, j: min(i, j),
    "%p = arith.cmpi eq, %i, %c2 : index\n%h = arith.select %p, %j, %i : index": lambda i, j: j if i == 2 else i,
    "%q = arith.shli %i, %c2 : index\n%h = arith.remui %q, %c2 : index": lambda i, j: 0,
}  # fmt: skip


@pytest.mark.parametrize("index", SELECTED)
def test_an_index_that_is_selected_by_the_loops_selects_one_element(index: str) -> None:
    at = SELECTED[index]
    f = generic(f"{index}\n%v = tensor.extract %t[%h] : tensor<9xf32>")
    assert f.reads("%r") == {((i, j), "t", (at(i, j),)) for i, j in GRID}
    assert f.exact("%r")


UNFOLLOWED = {
    "a factor depends on the loops": "%p = arith.cmpi slt, %i, %j : index\n%w = arith.uitofp %p : i1 to f32\n"
    "%v = arith.mulf %x, %w : f32",
    "a condition of arith.select is not affine in the loops": "%p = arith.cmpi slt, %i, %j : index\n"
    "%w = arith.cmpf olt, %x, %y : f32\n%q = arith.andi %p, %w : i1\n%v = arith.select %q, %x, %y : f32",
    "arith.divf of data and a number of the loops": "%h = arith.index_cast %i : index to i32\n"
    "%w = arith.sitofp %h : i32 to f32\n%v = arith.divf %w, %x : f32",
}


@pytest.mark.parametrize("reason", UNFOLLOWED)
def test_what_the_loops_may_hide_is_over_approximate(reason: str) -> None:
    f = generic(UNFOLLOWED[reason])
    assert f.model.maps.of_operation(f.value("%r")).inexact == reason


def test_no_data_selects_where_there_is_none() -> None:
    f = generic("%h = arith.divui %c2, %n : index\n%v = tensor.extract %t[%h] : tensor<9xf32>")
    reason = f.model.maps.of_operation(f.value("%r")).inexact
    assert reason == "an index, the result of arith.divui, is not affine"
    g = generic("%w = arith.fptosi %x : f32 to i64\n%h = arith.index_cast %w : i64 to index\n"
                "%v = tensor.extract %t[%h] : tensor<9xf32>")  # fmt: skip
    assert g.model.maps.of_operation(g.value("%r")).inexact == "an element is selected by data"


def test_a_mask_of_truths_is_a_condition() -> None:
    """`p and m` is false where p is, whatever m: there the mask m is not read."""
    text = """func.func @f(%m: tensor<5xi1>) -> tensor<5xi1> {
      %c3 = arith.constant 3 : index
      %e = tensor.empty() : tensor<5xi1>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
          iterator_types = ["parallel"]} ins(%m : tensor<5xi1>) outs(%e : tensor<5xi1>) {
      ^bb0(%a: i1, %o: i1):
        %i = linalg.index 0 : index
        %c1 = arith.constant 1 : index
        %s = arith.addi %i, %c1 : index
        %p = arith.cmpi uge, %s, %c3 : index
        %v = arith.andi %p, %a : i1
        linalg.yield %v : i1
      } -> tensor<5xi1>
      return %r : tensor<5xi1>
    }"""
    f = Function(text)
    assert {(r, x) for r, name, x in f.reads("%r") if name == "m"} == {((i,), (i,)) for i in (2, 3, 4)}
    assert f.exact("%r")
    facts = f.model.flow.facts(f.value("%r"))
    assert [(r.kind, r.count, r.zero) for r in regions(facts, f.model.store.domain(f.value("%r")))] == [
        ("dense", 3, False), ("static", 2, True)
    ]  # fmt: skip


def test_regions_of_what_has_no_case_are_over_approximate() -> None:
    f = generic('%w = "some.op"(%x) : (f32) -> f32\n%v = arith.addf %w, %y : f32')
    assert f.model.flow.facts(f.value("%r")).inexact == "some.op has no case"


@pytest.mark.parametrize("arguments", ["%s: f32", "%whole: tensor<f32>"])
@pytest.mark.parametrize("hiding", ["arith.divf %f, %q", "arith.remf %f, %q", "math.copysign %f, %q"])
def test_a_scalar_from_outside_is_data_that_a_number_of_the_loops_may_hide(
    arguments: str, hiding: str
) -> None:
    """At i = 0 the quotient 0 / s is 0, whatever s is: the element does not move with it."""
    source, q = ("ins(%whole : tensor<f32>)", "%w") if "whole" in arguments else ("", "%s")
    maps, block = ("affine_map<(i) -> ()>, ", "%w: f32, ") if source else ("", "")
    f = Function(
        function(
            arguments,
            f"""%e = tensor.empty() : tensor<4xf32>
      %r = linalg.generic {{indexing_maps = [{maps}affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
          {source} outs(%e : tensor<4xf32>) {{
      ^bb0({block}%o: f32):
        %i = linalg.index 0 : index
        %n = arith.index_cast %i : index to i32
        %f = arith.sitofp %n : i32 to f32
        %v = {hiding.replace("%q", q)} : f32
        linalg.yield %v : f32
      }} -> tensor<4xf32>""",
            "%r : tensor<4xf32>",
        )
    )
    assert not f.exact("%r")
    assert {r for r, name, _ in f.reads("%r") if name in arguments} == {(i,) for i in range(4)}


def test_a_difference_of_an_element_with_itself_is_not_made_from_the_loops() -> None:
    f = Function(
        function(
            "%a: tensor<i32>, %o: tensor<i32>",
            """%r = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>],
          iterator_types = []} ins(%a : tensor<i32>) outs(%o : tensor<i32>) {
      ^bb0(%x: i32, %y: i32):
        %c0 = arith.constant 0 : i32
        %more = arith.cmpi sgt, %x, %x : i32
        %v = arith.select %more, %x, %c0 : i32
        linalg.yield %v : i32
      } -> tensor<i32>""",
            "%r : tensor<i32>",
        )
    )
    assert f.exact("%r")

"""What a yielded scalar is computed from: the backward slice, conditions, and annihilators."""

from __future__ import annotations

import pytest

from tests.enumeration import Function, Point, function
from volcli.model.regions import regions


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
    index = {
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

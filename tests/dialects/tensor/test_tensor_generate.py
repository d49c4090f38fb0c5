"""Element maps of tensor.generate, whose body computes with its indices or with data."""

from __future__ import annotations

import pytest

from tests.oracles.interpreter.arithmetic import PREDICATES, arith, compared
from tests.shared.enumeration import Function, Point, box_points, function

Reads = set[tuple[Point, str, Point]]


@pytest.mark.sample(4)
@pytest.mark.parametrize("first", [name for name in PREDICATES if name[0] != "u"])
@pytest.mark.parametrize("second", ["sge", "ne"])
@pytest.mark.parametrize("connective", ["andi", "ori", "xori"])
def test_generate_with_a_select_on_indices(first: str, second: str, connective: str) -> None:
    f = Function(function(
        "%a: tensor<4x5xf32>, %b: f32",
        f"""%c1 = arith.constant 1 : index
            %r = tensor.generate {{
            ^bb0(%i: index, %j: index):
              %s = arith.addi %i, %c1 : index
              %p = arith.cmpi {first}, %s, %j : index
              %q = arith.cmpi {second}, %i, %c1 : index
              %k = arith.{connective} %p, %q : i1
              %x = tensor.extract %a[%i, %j] : tensor<4x5xf32>
              %y = arith.select %k, %x, %b : f32
              tensor.yield %y : f32
            }} : tensor<4x5xf32>""",
        "%r : tensor<4x5xf32>",
    ))  # fmt: skip
    expected: Reads = set()
    for i, j in box_points(4, 5):
        chosen = arith(connective, compared(first, i + 1, j), compared(second, i, 1), 1)
        expected.add(((i, j), "a", (i, j)) if chosen else ((i, j), "b", ()))
    assert f.reads("%r") == expected
    assert f.exact("%r")


def test_generate_with_a_dynamic_extent() -> None:
    f = Function(function(
        "%a: tensor<?xf32>, %n: index",
        """%r = tensor.generate %n {
           ^bb0(%i: index):
             %k = affine.apply affine_map<(d0)[s0] -> (s0 - d0 - 1)>(%i)[%n]
             %x = tensor.extract %a[%k] : tensor<?xf32>
             tensor.yield %x : f32
           } : tensor<?xf32>""",
        "%r : tensor<?xf32>",
    ))  # fmt: skip
    assert f.reads("%r", a_d0=4, n=4) == {((i,), "a", (3 - i,)) for i in range(4)}


def test_generate_by_data_reads_what_the_data_may_select() -> None:
    f = Function(function(
        "%a: tensor<3xf32>, %p: tensor<2xindex>",
        """%r = tensor.generate {
           ^bb0(%i: index):
             %k = tensor.extract %p[%i] : tensor<2xindex>
             %x = tensor.extract %a[%k] : tensor<3xf32>
             tensor.yield %x : f32
           } : tensor<2xf32>""",
        "%r : tensor<2xf32>",
    ))  # fmt: skip
    expected: Reads = {((i,), "a", (k,)) for i in range(2) for k in range(3)}
    assert f.reads("%r") == expected | {((i,), "p", (i,)) for i in range(2)}
    assert not f.exact("%r")

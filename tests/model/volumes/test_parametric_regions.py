"""Regions and maps whose parameters are restricted: by what is assumed, and by what is defined; and counts."""

from __future__ import annotations

from itertools import product

import islpy as isl
import pytest

import volcli
from tests.oracles.elements.compare import enumerate_set
from volcli.facts.regions import RegionRow

PADDED = """
func.func @f(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %z = arith.constant 0 : i32
  %r = tensor.pad %x low[1, 2] high[3, 0] {
  ^bb0(%h: index, %w: index):
    tensor.yield %z : i32
  } : tensor<?x?xi32> to tensor<?x?xi32>
  return %r : tensor<?x?xi32>
}"""
WINDOW = """
func.func @f(%x: tensor<20xi32>, %q: index) -> tensor<8xi32> {
  %z = arith.constant 0 : i32
  %p = tensor.pad %x low[2] high[3] {
  ^bb0(%h: index):
    tensor.yield %z : i32
  } : tensor<20xi32> to tensor<25xi32>
  %o = affine.apply affine_map<(q) -> (4 * q)>(%q)
  %r = tensor.extract_slice %p[%o] [8] [1] : tensor<25xi32> to tensor<8xi32>
  return %r : tensor<8xi32>
}"""
STRIDED = """
func.func @f(%x: tensor<?xi32>, %o: index, %n: index) -> tensor<?xi32> {
  %r = tensor.extract_slice %x[%o] [%n] [3] : tensor<?xi32> to tensor<?xi32>
  return %r : tensor<?xi32>
}"""


def rows_of(text: str, *assume: str) -> tuple[RegionRow, ...]:
    return volcli.loads(text, assume=assume).function("f").regions("%r").regions


def at(points: isl.Set, **values: int) -> isl.Set:
    for name, value in values.items():
        position = points.find_dim_by_name(isl.dim_type.param, name)
        if position >= 0:
            points = points.fix_val(isl.dim_type.param, position, isl.Val(value))
    return points.project_out_all_params()


def number(text: str, **values: int) -> int:
    for name, value in values.items():
        text = text.replace(name, str(value))
    return eval(text.replace("floordiv", "//"))


@pytest.mark.parametrize(
    "text", [PADDED, PADDED.replace("high[3, 0]", "high[0, 0]").replace("low[1, 2]", "low[2, 0]")]
)
def test_counts_are_polynomials_of_the_sizes(text: str) -> None:
    rows = rows_of(text)
    assert all(row.polynomial is not None for row in rows)
    for height, width in product(range(5), repeat=2):
        for row in rows:
            counted = len(enumerate_set(at(row.set, x_d0=height, x_d1=width)))
            if counted:
                assert number(str(row.polynomial), x_d0=height, x_d1=width) == counted


def test_a_count_that_is_no_polynomial_is_parametric() -> None:
    (dense, *_) = rows_of(WINDOW)
    assert (dense.count, dense.polynomial) == (None, None)


@pytest.mark.slow
def test_a_slice_is_defined_where_it_lies_in_its_tensor() -> None:
    """4 * q + 7 <= 24 and 4 * q >= 0: q from 0 to 4; and each element of the slices of these has a region."""
    found = {
        (q, *point)
        for q in range(-8, 12)
        for row in rows_of(WINDOW)
        for point in enumerate_set(at(row.set, q=q))
    }
    assert found == set(product(range(5), range(8)))


@pytest.mark.parametrize("size", [0, 1, 5])
def test_undefined_sizes_and_offsets_do_not_appear(size: int) -> None:
    fact = volcli.loads(STRIDED).function("f").element_map("%r")
    assert fact.map is not None
    pairs = isl.Map.from_union_map(fact.map).wrap().flatten()
    for offset, count in product(range(-2, 7), range(4)):
        read = {(k, offset + 3 * k) for k in range(count)}
        defined = all(0 <= place < size for _, place in read)
        assert enumerate_set(at(pairs, x_d0=size, o=offset, n=count)) == (read if defined else set())


CONDITIONS = {
    "1 <= %q": lambda q: q >= 1,
    "%q <= 3": lambda q: q <= 3,
    "1 <= %q and %q <= 3": lambda q: 1 <= q <= 3,
    "%q mod 2 = 0": lambda q: q % 2 == 0,
    "%q = 0 or %q >= 4": lambda q: q == 0 or q >= 4,
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_is_assumed_restricts_regions(condition: str) -> None:
    """Unless the answer is the same without it: then it is that one."""
    fact = volcli.loads(WINDOW, assume=[condition]).function("f").regions("%r")
    own = [each for each in fact.assumptions if "%q" in each]
    for q in range(5):
        expected = {
            (row.kind, row.degree, point)
            for row in rows_of(WINDOW)
            for point in enumerate_set(at(row.set, q=q))
            if CONDITIONS[condition](q) or not own
        }
        said = {
            (row.kind, row.degree, point) for row in fact.regions for point in enumerate_set(at(row.set, q=q))
        }
        assert said == expected
    assert bool(own) == (condition != "%q mod 2 = 0")


def test_of_inner_tiles_the_regions_are_constant() -> None:
    fact = volcli.loads(WINDOW, assume=["1 <= %q and %q <= 3"]).function("f").regions("%r")
    assert [(row.kind, row.count) for row in fact.regions] == [("dense", 8)]
    assert "x" in str(
        volcli.loads(WINDOW, assume=["1 <= %q and %q <= 3"]).function("f").element_map("%r").map
    )
    assert fact.assumptions == ("1 <= %q", "%q <= 3")


def test_an_assertion_restricts_as_an_assumption_does() -> None:
    text = WINDOW.replace(
        "  %z =",
        """  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %low = arith.cmpi sge, %q, %one : index
  %high = arith.cmpi sle, %q, %three : index
  cf.assert %low, "low"
  cf.assert %high, "high"
  %z =""",
    )
    fact = volcli.loads(text).function("f").regions("%r")
    assert [(row.kind, row.count) for row in fact.regions] == [("dense", 8)]
    assert fact.assumptions == ("cf.assert %low", "cf.assert %high")

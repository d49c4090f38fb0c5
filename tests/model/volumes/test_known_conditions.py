"""Masks and conditions that are known before the program runs: quotients of coordinates, elements of constants."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli

EVEN, BLOCKS = "j mod 2 = 0", "2 * i <= j <= 2 * i + 1"
WHOLE = """func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {{
  %i = stablehlo.iota dim = 0 : tensor<4x6xi32>
  %j = stablehlo.iota dim = 1 : tensor<4x6xi32>
  %two = stablehlo.constant dense<2> : tensor<4x6xi32>
  %nil = stablehlo.constant dense<0> : tensor<4x6xi32>
  %z = stablehlo.constant dense<0.0> : tensor<4x6xf32>
  {quotient}
  %c = stablehlo.compare EQ, %q, {other}, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
  %r = stablehlo.select %c, %x, %z : tensor<4x6xi1>, tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}}"""
CHOSEN = """func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {{
  %i = arith.constant 1 : index
  %m = arith.constant {mask}
  {lines}
  return %r : tensor<3xf32>
}}"""
BRANCH = """%r = scf.if %t -> tensor<3xf32> {
    scf.yield %x : tensor<3xf32>
  } else {
    scf.yield %y : tensor<3xf32>
  }"""
EXTRACT = "%t = tensor.extract %m[%i] : tensor<2xi1>\n  "
SELECT = "%r = arith.select %t, %x, %y : tensor<3xf32>"
COMPARED = """%e = tensor.extract %m[%i] : tensor<2xi32>
  %k = arith.constant 2 : i32
  %t = arith.cmpi sgt, %e, %k : i32
  """


def map_of(text: str) -> str:
    """The map of the result, which is exact."""
    [file] = volcli.loads(text).run("element-maps").to_json()["files"]
    (fact,) = (each for each in file["facts"] if each["value"] == "%r")
    assert fact["exact"], fact["reason"]
    return fact["map"]


@pytest.mark.parametrize(
    ("quotient", "other", "where"),
    [
        ("%q = stablehlo.remainder %j, %two : tensor<4x6xi32>", "%nil", EVEN),
        ("%q = stablehlo.divide %j, %two : tensor<4x6xi32>", "%i", BLOCKS),
        ("%q = arith.remsi %j, %two : tensor<4x6xi32>", "%nil", EVEN),
        ("%q = arith.divsi %j, %two : tensor<4x6xi32>", "%i", BLOCKS),
        (
            "%q = tosa.intdiv %j, %two : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>",
            "%i",
            BLOCKS,
        ),
    ],
)
def test_quotients_of_coordinates_mask(quotient: str, other: str, where: str) -> None:
    told = map_of(WHOLE.format(quotient=quotient, other=other))
    expected = isl.UnionMap(f"{{ r[i, j] -> x[i, j] : 0 <= i < 4 and 0 <= j < 6 and {where} }}")
    assert isl.UnionMap(told).intersect_range(isl.UnionSet("{ x[i, j] }")) == expected


@pytest.mark.parametrize(
    ("mask", "lines", "name"),
    [
        ("dense<[true, false]> : tensor<2xi1>", EXTRACT + SELECT, "y"),
        ("dense<[false, true]> : tensor<2xi1>", EXTRACT + SELECT, "x"),
        ("dense<true> : tensor<2xi1>", EXTRACT + SELECT, "x"),
        ("dense<[true, false]> : tensor<2xi1>", EXTRACT + BRANCH, "y"),
        ("dense<true> : tensor<2xi1>", EXTRACT + BRANCH, "x"),
        ("dense<[0, 3]> : tensor<2xi32>", COMPARED + BRANCH, "x"),
        ("dense<[3, -1]> : tensor<2xi32>", COMPARED + SELECT, "y"),
    ],
)
def test_a_constant_chooses_what_it_says(mask: str, lines: str, name: str) -> None:
    assert map_of(CHOSEN.format(mask=mask, lines=lines)) == f"{{ r[d0] -> {name}[d0' = d0] : 0 <= d0 <= 2 }}"


def test_an_element_out_of_bounds_chooses_nothing() -> None:
    mask = "dense<[true, false]> : tensor<2xi1>"
    text = CHOSEN.format(mask=mask, lines=EXTRACT + BRANCH).replace(
        "constant 1 : index", "constant 2 : index"
    )
    [file] = volcli.loads(text).run("element-maps").to_json()["files"]
    (fact,) = (each for each in file["facts"] if each["value"] == "%r")
    assert all(f"-> {name}[" in fact["map"] for name in "xy")


def test_bits_of_a_coordinate_mask() -> None:
    text = """func.func @f(%x: tensor<6xf32>) -> tensor<6xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1 : i32
  %nil = arith.constant 0 : i32
  %e = tensor.empty() : tensor<6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>],
      iterator_types = ["parallel"]} ins(%x : tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%p: f32, %o: f32):
    %a = linalg.index 0 : index
    %b = arith.index_cast %a : index to i32
    %k = arith.constant 1 : i32
    %q = arith.andi %b, %k : i32
    %n = arith.constant 0 : i32
    %c = arith.cmpi eq, %q, %n : i32
    %s = arith.select %c, %p, %z : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}"""
    expected = isl.UnionMap("{ r[j] -> x[j] : 0 <= j < 6 and j mod 2 = 0 }")
    assert isl.UnionMap(map_of(text)).intersect_range(isl.UnionSet("{ x[j] }")) == expected


def test_parts_of_complex_numbers_are_functions_of_elements() -> None:
    text = """func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>],
      iterator_types = ["parallel"]} ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %z = complex.create %p, %q : complex<f32>
    %w = complex.mul %z, %z : complex<f32>
    %s = complex.im %w : complex<f32>
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}"""
    told = map_of(text)
    assert all(f"-> {name}[d0' = d0]" in told for name in "ab")

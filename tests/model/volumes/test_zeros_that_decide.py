"""A known zero is left out of maps only as what multiplies: a shift by 0, or a comparison with it, depends on it."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli

DECIDES = ("shli", "shrsi", "shrui", "floordivsi", "divsi", "divui", "remsi", "remui", "addi", "subi", "ori",
           "xori", "minsi", "maxui")  # fmt: skip


def reads(body: str, name: str, of: str) -> isl.UnionMap:
    text = f"""
func.func @f(%x: tensor<4xi32>, %f: tensor<4xf32>) {{
  %z = arith.constant dense<[0, 1, 0, 2]> : tensor<4xi32>
  %g = arith.constant dense<[0.0, 1.0, 0.0, 2.0]> : tensor<4xf32>
  {body}
  return
}}
"""
    found = volcli.loads(text).function("f").value(name).element_map()
    assert found.map is not None
    return found.map.intersect_range(isl.UnionSet(f"{{ {of}[i] }}"))


@pytest.mark.sample(5)
@pytest.mark.parametrize("operation", DECIDES)
def test_each_element_is_read(operation: str) -> None:
    for body in (
        f"%r = arith.{operation} %x, %z : tensor<4xi32>",
        f"%r = arith.{operation} %z, %x : tensor<4xi32>",
    ):
        for of in "xz":
            assert reads(body, "%r", of).is_equal(isl.UnionMap(f"{{ r[i] -> {of}[i] : 0 <= i <= 3 }}")), body


@pytest.mark.parametrize("operands", ["%x, %z", "%z, %x"])
def test_each_element_is_compared(operands: str) -> None:
    body = f"%r = arith.cmpi slt, {operands} : tensor<4xi32>"
    for of in "xz":
        assert reads(body, "%r", of).is_equal(isl.UnionMap(f"{{ r[i] -> {of}[i] : 0 <= i <= 3 }}"))


@pytest.mark.parametrize("operation", ["muli", "andi"])
def test_factors_of_zeros_are_left_out(operation: str) -> None:
    body = f"%r = arith.{operation} %x, %z : tensor<4xi32>"
    for of in "xz":
        assert reads(body, "%r", of).is_equal(isl.UnionMap(f"{{ r[1] -> {of}[1]; r[3] -> {of}[3] }}"))


def test_a_product_that_shifts() -> None:
    """x >> (x * z): what is multiplied by 0 is not read, and x is read in any case; so is y at 1 and 3 alone."""
    body = """%p = arith.muli %x, %z : tensor<4xi32>
    %y = arith.addi %x, %x : tensor<4xi32>
    %r = arith.shrsi %y, %p : tensor<4xi32>"""
    assert reads(body, "%r", "x").is_equal(isl.UnionMap("{ r[i] -> x[i] : 0 <= i <= 3 }"))
    assert reads(body, "%r", "z").is_equal(isl.UnionMap("{ r[1] -> z[1]; r[3] -> z[3] }"))


def test_in_the_body_of_an_operation() -> None:
    body = """%e = tensor.empty() : tensor<4xi32>
    %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]} ins(%x, %z : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) {
    ^bb0(%a: i32, %b: i32, %c: i32):
      %s = arith.shrsi %a, %b : i32
      linalg.yield %s : i32
    } -> tensor<4xi32>"""
    assert reads(body, "%r", "z").is_equal(isl.UnionMap("{ r[i] -> z[i] : 0 <= i <= 3 }"))


def test_a_division_of_floats_by_what_may_be_zero() -> None:
    body = "%r = arith.divf %f, %g : tensor<4xf32>"
    for of in "fg":
        assert reads(body, "%r", of).is_equal(isl.UnionMap(f"{{ r[i] -> {of}[i] : 0 <= i <= 3 }}"))

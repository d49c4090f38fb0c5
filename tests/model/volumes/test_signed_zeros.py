"""Products with zero, and who sees the sign of a zero: what is static in fact, by assumption, or not at all."""

from __future__ import annotations

import pytest

from tests.shared.enumeration import function, run
from volcli.facts.regions import RegionsFact

Row = tuple[str, bool, tuple[str, ...], tuple[str, ...], int | None]
FINITE = ("nnan", "ninf")
CONSTANTS = """%zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %inf = arith.constant 0x7F800000 : f32
  %nan = arith.constant 0x7FC00000 : f32"""


def rows(body: str, arguments: str = "%a: f32, %n: i32", result: str = "%r : f32") -> list[Row]:
    text = function(arguments, f"{CONSTANTS}\n{body}", result)
    (fact,) = (f for f in run(text, "sparsity-regions").facts if isinstance(f, RegionsFact))
    return [(r.kind, r.zero, r.assumes, r.zero_assumes, r.count) for r in fact.regions]


DENSE: list[Row] = [("dense", False, (), (), 1)]
STATIC: list[Row] = [("static", False, (), (), 1)]
ZERO: list[Row] = [("static", True, (), (), 1)]
ZERO_IF_FINITE: list[Row] = [("static", True, FINITE, (), 1)]
STATIC_IF_FINITE: list[Row] = [("static", False, FINITE, (), 1)]


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # constants: by IEEE 754, without any assumption
        ("%r = arith.mulf %zero, %inf : f32", STATIC),
        ("%r = arith.mulf %nan, %minus : f32", STATIC),
        ("%r = arith.mulf %zero, %one : f32", ZERO),
        ("%q = arith.divf %one, %zero : f32\n%r = arith.mulf %q, %zero : f32", STATIC),
        ("%q = arith.divf %zero, %one : f32\n%r = arith.mulf %q, %one : f32", ZERO),
        ("%q = math.log %zero : f32\n%r = arith.mulf %q, %zero : f32", STATIC),
        ("%q = math.rsqrt %minus : f32\n%r = arith.mulf %q, %zero : f32", STATIC),
        ("%q = arith.subf %inf, %one : f32\n%r = arith.mulf %q, %zero : f32", STATIC),
        # data: a fact where the operation has both flags or the number is finite, else an assumption
        ("%r = arith.mulf %a, %zero : f32", ZERO_IF_FINITE),
        ("%r = arith.mulf %a, %zero fastmath<nnan,ninf> : f32", ZERO),
        ("%r = arith.mulf %a, %zero fastmath<fast> : f32", ZERO),
        ("%r = arith.mulf %a, %zero fastmath<nnan> : f32", [("static", True, ("ninf",), (), 1)]),
        ("%r = arith.mulf %a, %zero fastmath<nsz> : f32", ZERO_IF_FINITE),
        ("%f = arith.sitofp %n : i32 to f32\n%r = arith.mulf %f, %zero : f32", ZERO),
        ("%f = arith.addf %a, %one fastmath<fast> : f32\n%r = arith.mulf %f, %zero : f32", ZERO_IF_FINITE),
        ("%r = math.fma %zero, %a, %one : f32", STATIC_IF_FINITE),
        ("%r = math.fma %a, %zero, %minus fastmath<fast> : f32", ZERO),
        ("%r = math.fma %zero, %inf, %a : f32", DENSE),
        ("%r = math.fma %a, %one, %zero : f32", DENSE),
        ("%p = arith.mulf %zero, %inf : f32\n%r = arith.mulf %p, %a : f32", DENSE),
    ],
)
def test_products(body: str, expected: list[Row]) -> None:
    assert rows(body) == expected


PRODUCT = "%p = arith.mulf %zero, %a : f32"


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # who sees the sign
        ("%r = arith.divf %one, %p : f32", DENSE),
        ("%r = math.copysign %one, %p : f32", DENSE),
        ("%r = math.rsqrt %p : f32", DENSE),
        ("%r = math.atan2 %p, %minus : f32", DENSE),
        ("%r = math.powf %p, %minus : f32", DENSE),
        ("%m = arith.maximumf %p, %minus : f32\n%r = arith.divf %one, %m : f32", DENSE),
        ("%s = math.sqrt %p : f32\n%r = arith.divf %one, %s : f32", DENSE),
        ("%b = arith.bitcast %p : f32 to i32\n%r = arith.sitofp %b : i32 to f32", DENSE),
        ("%q = arith.divf %one, %p : f32\n%r = arith.cmpf olt, %q, %zero : f32", DENSE),
        # who does not
        ("%r = arith.addf %p, %one : f32", STATIC_IF_FINITE),
        ("%r = arith.divf %p, %one : f32", ZERO_IF_FINITE),
        ("%r = math.exp %p : f32", STATIC_IF_FINITE),
        ("%r = math.copysign %p, %one : f32", ZERO_IF_FINITE),
        ("%r = arith.cmpf oeq, %p, %zero : f32", STATIC_IF_FINITE),
        # where the sign is known again
        ("%s = arith.addf %p, %zero : f32\n%r = arith.divf %one, %s : f32", STATIC_IF_FINITE),
        ("%s = arith.addf %p, %minus : f32\n%r = arith.divf %one, %s : f32", DENSE),
        ("%s = math.absf %p : f32\n%r = arith.divf %one, %s : f32", STATIC_IF_FINITE),
    ],
)
def test_the_sign_of_a_zero(body: str, expected: list[Row]) -> None:
    result = "%r : i1" if "= arith.cmpf" in body.splitlines()[-1] else "%r : f32"
    assert rows(f"{PRODUCT}\n{body}", result=result) == expected


@pytest.mark.parametrize("sees", ["arith.divf %one, %s", "math.copysign %one, %s", "math.rsqrt %s"])
def test_the_sign_inside_a_body(sees: str) -> None:
    """The same within one linalg.generic, where no value of the function holds the zero."""
    body = f"""%e = tensor.empty() : tensor<3xf32>
      %r = linalg.map ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) (%in: f32, %out: f32) {{
        %s = arith.mulf %in, %zero : f32
        %d = {sees} : f32
        linalg.yield %d : f32
      }}"""
    assert rows(body, "%x: tensor<3xf32>", "%r : tensor<3xf32>") == [("dense", False, (), (), 3)]


@pytest.mark.parametrize(
    ("start", "expected"),
    [("%zero", [("static", True, FINITE, (), 2)]), ("%minus", [("static", True, FINITE, (), 2)]),
     ("%one", [("static", False, FINITE, (), 2)]), ("%nan", [("static", False, FINITE, (), 2)])],
)  # fmt: skip
def test_accumulated(start: str, expected: list[Row]) -> None:
    """A named product of zeros with data: named operations carry no flags."""
    body = f"""%z = arith.constant dense<0.0> : tensor<2x3xf32>
      %e = tensor.empty() : tensor<2xf32>
      %s = linalg.fill ins({start} : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      %r = linalg.matvec ins(%z, %x : tensor<2x3xf32>, tensor<3xf32>) outs(%s : tensor<2xf32>) -> tensor<2xf32>"""
    assert rows(body, "%x: tensor<3xf32>", "%r : tensor<2xf32>") == expected


def test_a_sum_of_products_has_the_sign_of_its_start() -> None:
    """(+0) + 0 * x is +0, and 1 / (+0) a constant; from -0 the sign is that of the products."""
    body = """%z = arith.constant dense<0.0> : tensor<2x3xf32>
      %o = arith.constant dense<1.0> : tensor<2xf32>
      %s = arith.constant dense<START> : tensor<2xf32>
      %m = linalg.matvec ins(%z, %x : tensor<2x3xf32>, tensor<3xf32>) outs(%s : tensor<2xf32>) -> tensor<2xf32>
      %r = arith.divf %o, %m : tensor<2xf32>"""
    found = [
        rows(body.replace("START", n), "%x: tensor<3xf32>", "%r : tensor<2xf32>") for n in ("0.0", "-0.0")
    ]
    assert found == [[("static", False, FINITE, (), 2)], [("dense", False, (), (), 2)]]


def test_facts_and_assumptions_are_regions_of_their_own() -> None:
    body = """%z = arith.constant dense<0.0> : tensor<3xf32>
      %m = arith.mulf %z, %x : tensor<3xf32>
      %r = tensor.pad %m low[2] high[0] {
      ^bb0(%i: index): tensor.yield %zero : f32
      } : tensor<3xf32> to tensor<5xf32>"""
    expected = [("static", True, (), (), 2), ("static", True, FINITE, (), 3)]
    assert rows(body, "%x: tensor<3xf32>", "%r : tensor<5xf32>") == expected


def test_an_infinite_padding() -> None:
    body = """%p = tensor.pad %x low[1] high[0] {
      ^bb0(%i: index): tensor.yield %inf : f32
      } : tensor<3xf32> to tensor<4xf32>
      %z = arith.constant dense<0.0> : tensor<4xf32>
      %r = arith.mulf %p, %z : tensor<4xf32>"""
    expected = [("static", False, (), (), 1), ("static", True, FINITE, (), 3)]
    assert rows(body, "%x: tensor<3xf32>", "%r : tensor<4xf32>") == expected


def test_a_product_with_an_infinity_is_no_zero() -> None:
    """A constant in each run, whatever it is: no number where it is an infinity times zero."""
    body = """%z = arith.constant dense<0.0> : tensor<2xf32>
      %c = arith.constant dense<[3.0, 0x7F800000]> : tensor<2xf32>
      %r = arith.mulf %c, %z : tensor<2xf32>"""
    assert rows(body, result="%r : tensor<2xf32>") == [("static", False, (), (), 2)]


def test_integers_need_no_assumption() -> None:
    body = "%z = arith.constant 0 : i32\n%r = arith.muli %n, %z : i32"
    assert rows(body, result="%r : i32") == ZERO


@pytest.mark.parametrize(
    ("number", "expected"), [("0.0", ("static", True, (), (), 3)), ("-0.0", ("static", False, (), (), 3))]
)
def test_the_bits_of_a_zero(number: str, expected: Row) -> None:
    body = f"""%z = arith.constant dense<{number}> : tensor<3xf32>
      %r = tensor.bitcast %z : tensor<3xf32> to tensor<3xi32>"""
    assert rows(body, result="%r : tensor<3xi32>") == [expected]


def test_sizes_are_no_data() -> None:
    body = """%c = arith.constant 0 : index
      %d = tensor.dim %x, %c : tensor<?xf32>
      %k = arith.addi %d, %d : index
      %r = tensor.splat %k : tensor<3xindex>"""
    assert rows(body, "%x: tensor<?xf32>", "%r : tensor<3xindex>") == [("static", False, (), (), 3)]


def test_sizes_that_were_loaded_are_data() -> None:
    body = """%c = arith.constant 0 : index
      %n = tensor.extract %s[%c] : tensor<2xindex>
      %t = tensor.empty(%n) : tensor<?xf32>
      %d = tensor.dim %t, %c : tensor<?xf32>
      %r = tensor.splat %d : tensor<3xindex>"""
    assert [row[0] for row in rows(body, "%s: tensor<2xindex>", "%r : tensor<3xindex>")] == ["dense"]


def test_a_scalar_tensor_beside_others_is_answered() -> None:
    body = """%e = tensor.empty() : tensor<f32>
      %s = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
      %r = linalg.dot ins(%x, %x : tensor<3xf32>, tensor<3xf32>) outs(%s : tensor<f32>) -> tensor<f32>"""
    text = function("%x: tensor<3xf32>", f"{CONSTANTS}\n{body}", "%r, %x : tensor<f32>, tensor<3xf32>")
    text = text.replace("-> tensor<f32>, tensor<3xf32> {", "-> (tensor<f32>, tensor<3xf32>) {")
    facts = [f for f in run(text, "sparsity-regions").facts if isinstance(f, RegionsFact)]
    assert [f.value for f in facts] == ["%r", "%x"]


def test_zero_times_what_was_undefined_is_zero_if_that_was_finite() -> None:
    """The product over a row of zeros starts with an undefined number, and is 0 after the first factor."""
    body = """%e = tensor.empty() : tensor<3xf32>
      %o = tensor.empty() : tensor<3x2xf32>
      %z = linalg.fill ins(%zero : f32) outs(%o : tensor<3x2xf32>) -> tensor<3x2xf32>
      %p = linalg.reduce {arith.mulf} ins(%z : tensor<3x2xf32>) outs(%e : tensor<3xf32>) dimensions = [1]
      %r = arith.mulf %p, %x : tensor<3xf32>"""
    found = rows(body, "%x: tensor<3xf32>", "%r : tensor<3xf32>")
    assert found == [("static", True, FINITE, (), 3)]

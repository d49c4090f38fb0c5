"""Why a number lies between its bounds: what is collected, projected out and left, and what bounds need."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

import volcli
from volcli.facts.derivations import DerivationFact

SUMS = """
func.func @f(%arg0: index, %arg1: index, %arg2: index) -> index {
  %0 = arith.addi %arg0, %arg1 : index
  %1 = arith.addi %0, %arg2 : index
  return %1 : index
}
"""
TILE = """
func.func @f(%t: tensor<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c128 step %c9 {
    %w = affine.min affine_map<(d0) -> (-d0 + 128, 9)>(%i)
    %s = tensor.extract_slice %t[0, %i] [4, %w] [1, 1] : tensor<128x128xf32> to tensor<4x?xf32>
  }
  return
}
"""


def derivation(text: str, name: str, dim: int | None = None, assume: tuple[str, ...] = ()) -> DerivationFact:
    return volcli.loads(text, assume=assume).functions[0].value(name).derivation(dim)


def test_the_sums_of_the_slides() -> None:
    """Page 20: the constraint set of %1, in the order of its columns, before and after %0 is projected out."""
    found = derivation(SUMS, "%1")
    assert found.columns_of == ("%1", "%0", "%arg2", "%arg0", "%arg1")
    assert [each.equalities for each in found.constraints] == [
        ((1, -1, -1, 0, 0, 0),),
        ((0, 1, 0, -1, -1, 0),),
    ]
    assert found.projected == ("%0",)
    (piece,) = found.pieces
    assert ({c.label for c in piece.columns}, piece.inequalities) == ({"%1", "%arg0", "%arg1", "%arg2"}, ())
    assert [(each.text, each.exact, each.needs) for each in found.bounds] == [
        ("%1 = %arg0 + %arg1 + %arg2", True, (1, 2))
    ]


def test_the_tile_of_the_slides() -> None:
    """Page 40, with %arg5 for %arg7 (E002-3): the upper bound needs no loop, the lower one needs its end."""
    found = derivation(TILE, "%s", 1)
    assert found.columns_of == ("dim(%s, 1)", "%w", "%i", "s0")
    assert found.constraints[0].equalities == ((1, -1, 0, 0, 0),)
    assert {row for each in found.constraints for row in each.inequalities} >= {
        (0, -1, 0, 0, 9),
        (0, -1, -1, 0, 128),
    }
    said = {
        each.text: {found.constraints[number - 1].text for number in each.needs or ()}
        for each in found.bounds
    }
    assert said["dim(%s, 1) <= 9"] == {"dim(%s, 1) = %w", "%w <= 9"}
    assert "%i <= 127" in said["dim(%s, 1) >= 2"]
    assert all(each.exact for each in found.bounds)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("%x = affine.apply affine_map<(d0, d1) -> (d0 * 2 - d1)>(%i, %j)", "%x"),
        ("%x = affine.apply affine_map<(d0, d1) -> (d1 * 3 + d0)>(%i, %j)", "%x"),
        ("%x = arith.subi %j, %i : index", "%x"),
        ("%y = arith.addi %i, %j : index  %x = arith.addi %y, %j : index", "%x"),
    ],
)
def test_what_a_bound_needs_implies_it_and_no_less_does(body: str, name: str) -> None:
    """By trying all numbers of a box: the rows that a bound needs exclude what exceeds it; fewer do not."""
    text = f"""
func.func @f() {{
  affine.for %i = 0 to 4 {{
    affine.for %j = 1 to 3 {{
      {body}
    }}
  }}
  return
}}
"""
    found = derivation(text, name)
    assert not any(c.startswith(("q", "s")) for c in found.columns_of)
    box = [range(-4, 12)] * len(found.columns_of)

    def holds(number: int, point: tuple[int, ...]) -> bool:
        each = found.constraints[number - 1]
        values = (*point, 1)
        zero = all(sum(map(int.__mul__, row, values)) == 0 for row in each.equalities)
        return zero and all(sum(map(int.__mul__, row, values)) >= 0 for row in each.inequalities)

    assert len(found.bounds) == 2
    for bound in found.bounds:
        relation, number = bound.text.split()[1:]
        assert bound.needs
        exceeding = [
            p for p in product(*box) if (p[0] < int(number) if relation == ">=" else p[0] > int(number))
        ]
        kept = exceeding
        for each in bound.needs:
            kept = [p for p in kept if holds(each, p)]
        assert kept == []
        for left_out in bound.needs:
            rest = [each for each in bound.needs if each != left_out]
            assert any(all(holds(each, p) for each in rest) for p in exceeding), (bound, left_out)


def test_what_holds_at_the_place_is_a_constraint() -> None:
    text = """
func.func @f(%n: index, %m: index) {
  %c4 = arith.constant 4 : index
  %c = arith.cmpi slt, %n, %m : index
  %d = arith.cmpi sle, %m, %c4 : index
  cf.assert %d, "m is small"
  scf.if %c {
    %x = arith.addi %n, %c4 : index
  }
  return
}
"""
    found = derivation(text, "%x", None, ("%n >= 1",))
    by = {each.by: each.text for each in found.constraints}
    assert by["a condition around it"] in ("%m >= %n + 1", "%n <= %m - 1")
    assert by["cf.assert %d"] in ("%m <= 4", "4 >= %m")
    assert by["%n >= 1"] == "%n >= 1"
    (upper,) = [each for each in found.bounds if each.text == "%x <= 7"]
    assert {found.constraints[number - 1].by for number in upper.needs or ()} == {
        "arith.addi",
        "a condition around it",
        "cf.assert %d",
    }
    assert set(found.assumptions) == {"%n >= 1", "cf.assert %d"}


def test_a_choice_is_a_constraint_without_a_row() -> None:
    text = """
func.func @f(%k: i1, %n: index) -> index {
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %x = arith.select %k, %c4, %c9 : index
  return %x : index
}
"""
    found = derivation(text, "%x")
    first = found.constraints[0]
    assert (first.equalities, first.inequalities) == ((), ())
    assert "%x = 4" in first.text
    assert " or " in first.text
    assert all(1 in (each.needs or ()) for each in found.bounds)


def test_what_is_no_constraint_is_said() -> None:
    """A square is not negative, which no linear constraint of its factors says."""
    text = """
func.func @f(%n: index) -> index {
  %x = arith.muli %n, %n : index
  return %x : index
}
"""
    found = derivation(text, "%x")
    assert [each.text for each in found.constraints] == ["%x = %n * %n"]
    assert found.constraints[0].equalities == ()
    for bound in found.bounds:
        assert (bound.needs is None) == (bound.because is not None)


def test_products_are_put_into_each_other() -> None:
    text = """
func.func @f(%a: index, %b: index) -> index {
  %c1 = arith.constant 1 : index
  %p = arith.muli %a, %b : index
  %q = arith.addi %p, %c1 : index
  %x = arith.muli %q, %a : index
  return %x : index
}
"""
    found = derivation(text, "%x")
    (equal,) = [each for each in found.bounds if " = " in each.text]
    assert {found.constraints[number - 1].text for number in equal.needs or ()} == {
        "%x = %a * %q",
        "%q = %p + 1",
        "%p = %a * %b",
    }


def test_a_place_that_is_never_reached() -> None:
    text = """
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c = arith.cmpi slt, %n, %n : index
  scf.if %c {
    %x = arith.addi %n, %c0 : index
  }
  return
}
"""
    found = derivation(text, "%x")
    assert (found.never, found.bounds) == (True, ())
    assert "never executed" in found.rows()[0][1]


PRODUCTS = (Path(__file__).parents[3] / "testdata/bounds/products.mlir").read_text()


def _holds(text: str) -> str:
    """TEXT, a condition as it is printed, in Python."""
    return f"({re.sub(' = ', ' == ', re.sub('%', '', text))})"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("scaled", "%last"),
        ("scaled", "%covered"),
        ("row_major", "%row"),
        ("tiled", "%first"),
    ],
)
def test_what_bounds_of_products_need(function: str, name: str) -> None:
    """By enumeration: what a bound needs implies it, and does not without any one of the constraints."""
    found = volcli.loads(PRODUCTS).function(function).value(name).derivation()
    names = {word for each in found.constraints for word in re.findall(r"%(\w+)", each.text)}
    for bound in found.bounds:
        assert bound.needs is not None
        needed = [_holds(found.constraints[number - 1].text) for number in bound.needs]
        cases = [needed, *(needed[:k] + needed[k + 1 :] for k in range(len(needed)))]
        checks = [
            compile(f"{' and '.join(case) or True} and not {_holds(bound.text)}", "", "eval")
            for case in cases
        ]
        failing = {
            k
            for numbers in product(range(-2, 4), repeat=len(names))
            for k, check in enumerate(checks)
            if eval(check, dict(zip(sorted(names), numbers, strict=True)))
        }
        assert failing == set(range(1, len(checks))), bound.text

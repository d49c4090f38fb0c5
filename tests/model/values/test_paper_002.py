"""The examples of "Computing Bounds of SSA Values in MLIR" (EuroLLVM 2024), with the errata of its slides."""

from __future__ import annotations

import pytest
from xdsl.ir import SSAValue

import volcli
from volcli.language.expressions import Expression, dim_of
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Bounds, Verdict


class Example:
    """One function, its values by name."""

    def __init__(self, text: str) -> None:
        (unit,) = volcli.load(text).units
        (model,) = unit.models()
        self.bounds: BoundsStore = model.bounds
        self._find = lambda name: unit.parsed.names.find(model.function, name)

    def __getitem__(self, name: str) -> SSAValue:
        value = self._find(name)
        assert value is not None
        return value

    def dim(self, name: str, dimension: int) -> Expression:
        return dim_of(self[name], dimension)

    def verdict(self, left: SSAValue | Expression, relation: str, right: SSAValue | Expression) -> Verdict:
        return self.bounds.compare(left, relation, right).verdict

    def text(self, found: Bounds) -> tuple[str | None, str | None]:
        """Both sides in terms of what the function does not determine."""
        low, high = found.lower.expression, found.upper.expression
        assert low is not None
        assert high is not None
        return self.bounds.texts.of(low), self.bounds.texts.of(high)


TWO_SUMS = """
func.func @test_case(%arg0: index, %arg1: index) {
  %0 = arith.addi %arg0, %arg1 : index
  %1 = arith.addi %arg1, %arg0 : index
  return
}
"""


@pytest.mark.parametrize(
    ("left", "relation", "right", "verdict"),
    [
        ("%0", "==", "%1", Verdict.PROVED),
        ("%0", ">=", "%1", Verdict.PROVED),
        ("%0", "<", "%1", Verdict.REFUTED),
        ("%0", ">=", "%arg0", Verdict.REFUTED),
    ],
)
def test_two_sums(left: str, relation: str, right: str, verdict: Verdict) -> None:
    """Page 4; what the paper only fails to prove is refuted here, with a witness."""
    example = Example(TWO_SUMS)
    assert example.verdict(example[left], relation, example[right]) is verdict


def test_not_proved_is_not_refuted_always() -> None:
    """`%0 >= %arg0` holds for some values, and `%0 < %1` for none."""
    example = Example(TWO_SUMS)
    sometimes = example.bounds.compare(example["%0"], ">=", example["%arg0"])
    assert (sometimes.never, sometimes.precondition) == (False, "%arg1 >= 0")
    assert example.bounds.compare(example["%0"], "<", example["%1"]).never


def test_the_induction_variable_lies_in_its_loop() -> None:
    """Page 5."""
    example = Example("""
func.func @scf_for(%lb: index, %ub: index, %s: index) {
  scf.for %iv = %lb to %ub step %s { }
  return
}
""")
    assert example.verdict(example["%iv"], ">=", example["%lb"]) is Verdict.PROVED
    assert example.verdict(example["%iv"], "<", example["%ub"]) is Verdict.PROVED


def test_what_goes_around_a_loop_keeps_its_size() -> None:
    """Page 6."""
    example = Example("""
func.func @scf_for_tensor(%init: tensor<?xf32>, %a: index, %b: index, %c: index, %f: f32) {
  %r = scf.for %iv = %a to %b step %c iter_args(%t = %init) -> tensor<?xf32> {
    %0 = tensor.insert %f into %t[%iv] : tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  return
}
""")
    assert example.verdict(example.dim("%r", 0), "==", example.dim("%init", 0)) is Verdict.PROVED
    assert example.verdict(example.dim("%r", 0), "==", example.dim("%t", 0)) is Verdict.PROVED


FILLED = """
func.func @test_case(%arg0: tensor<?xf32>, %f: f32, %i: index) {
  %0 = tensor.insert %f into %arg0[%i] : tensor<?xf32>
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return
}
"""


def test_a_size_in_terms_of_the_arguments() -> None:
    """Page 8."""
    example = Example(FILLED)
    found = example.bounds.bounds(example["%1"], 0, kept=example.bounds.arguments())
    assert found.equal is not None
    assert example.bounds.texts.of(found.equal) == "dim(%arg0, 0)"


def test_no_constant_bounds_a_size_that_is_an_argument() -> None:
    """Page 9: no value may be spoken of; but a size is never negative."""
    example = Example(FILLED)
    found = example.bounds.constant_bounds(example["%1"], 0)
    assert (found.lower, found.upper, found.because) == (0, None, "%arg0 is an argument of the function")


def branches(condition: str, then: str, otherwise: str) -> Example:
    return Example(f"""
func.func @branches(%a: index, %b: index, %c: i1) {{
  %c4 = arith.constant 4 : index
  %more = arith.addi %a, %c4 : index
  %less = arith.cmpi slt, %a, %b : index
  %r = scf.if {condition} -> index {{
    scf.yield {then} : index
  }} else {{
    scf.yield {otherwise} : index
  }}
  return
}}
""")


def test_a_branch_whose_values_are_not_ordered_is_between_their_minimum_and_maximum() -> None:
    """Page 23: the paper's constraint sets cannot represent it."""
    example = branches("%c", "%a", "%b")
    low, high = example.text(example.bounds.bounds(example["%r"]))
    assert low in ("min(%a, %b)", "min(%b, %a)")
    assert high in ("max(%a, %b)", "max(%b, %a)")


@pytest.mark.parametrize(("then", "otherwise"), [("%a", "%more"), ("%more", "%a")])
def test_a_branch_whose_values_are_ordered_is_between_them(then: str, otherwise: str) -> None:
    """Page 24."""
    example = branches("%c", then, otherwise)
    found = example.bounds.bounds(example["%r"])
    assert example.text(found) == ("%a", "%a + 4")
    assert found.lower.exact
    assert found.upper.exact


def test_a_branch_that_orders_its_values_itself_is_their_minimum() -> None:
    """Page 23, with a condition that says which is less."""
    example = branches("%less", "%a", "%b")
    assert example.verdict(example["%r"], "<=", example["%a"]) is Verdict.PROVED
    assert example.verdict(example["%r"], "<=", example["%b"]) is Verdict.PROVED


def tiled(size: int) -> Example:
    """A matmul tiled by [4, SIZE, 4], as pages 37 to 40 print it."""
    return Example(f"""
#map = affine_map<(d0) -> (-d0 + 128, {size})>
func.func @tiled(%arg0: tensor<128x128xf32>, %arg1: tensor<128x128xf32>, %arg2: tensor<128x128xf32>) -> tensor<128x128xf32> {{
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c4 = arith.constant 4 : index
  %cn = arith.constant {size} : index
  %0 = scf.for %arg3 = %c0 to %c128 step %c4 iter_args(%arg4 = %arg2) -> (tensor<128x128xf32>) {{
    %1 = scf.for %arg5 = %c0 to %c128 step %cn iter_args(%arg6 = %arg4) -> (tensor<128x128xf32>) {{
      %2 = scf.for %arg7 = %c0 to %c128 step %c4 iter_args(%arg8 = %arg6) -> (tensor<128x128xf32>) {{
        %3 = affine.min #map(%arg5)
        %a = tensor.extract_slice %arg0[%arg3, %arg7] [4, 4] [1, 1] : tensor<128x128xf32> to tensor<4x4xf32>
        %b = tensor.extract_slice %arg1[%arg7, %arg5] [4, %3] [1, 1] : tensor<128x128xf32> to tensor<4x?xf32>
        %c = tensor.extract_slice %arg8[%arg3, %arg5] [4, %3] [1, 1] : tensor<128x128xf32> to tensor<4x?xf32>
        %4 = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x?xf32>) outs(%c : tensor<4x?xf32>) -> tensor<4x?xf32>
        %5 = tensor.insert_slice %4 into %arg8[%arg3, %arg5] [4, %3] [1, 1] : tensor<4x?xf32> into tensor<128x128xf32>
        scf.yield %5 : tensor<128x128xf32>
      }}
      scf.yield %2 : tensor<128x128xf32>
    }}
    scf.yield %1 : tensor<128x128xf32>
  }}
  return %0 : tensor<128x128xf32>
}}
""")


@pytest.mark.parametrize("size", [4, 9, 16, 37, 128, 200])
def test_the_width_of_a_tile(size: int) -> None:
    """Pages 38 to 40: for 9 the paper has 10, exclusive, and no lower bound; the last tile is 2 wide (E002-3)."""
    example = tiled(size)
    widths = {min(size, 128 - start) for start in range(0, 128, size)}
    found = example.bounds.constant_bounds(example["%4"], 1)
    assert (found.lower, found.upper, found.exact) == (min(widths), max(widths), True)


def test_the_tile_of_nine() -> None:
    example = tiled(9)
    found = example.bounds.constant_bounds(example["%4"], 1)
    assert (found.lower, found.upper) == (2, 9)

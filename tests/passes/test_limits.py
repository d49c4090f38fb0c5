"""What cannot be answered is said, and costs only itself."""

from __future__ import annotations

import pytest

from volcli.facts.regions import RegionsFact
from volcli.loading.driver import load

CONDITIONS = 4000


def conjunction(count: int) -> str:
    """A generated tensor whose elements are chosen by COUNT nested conditions."""
    conditions = "\n".join(f"    %c{k + 1} = arith.andi %c{k}, %c0 : i1" for k in range(count))
    return f"""
func.func @f(%x: f32) -> (tensor<4xf32>, tensor<4xf32>) {{
  %zero = arith.constant 0.0 : f32
  %chosen = tensor.generate {{
  ^bb0(%i: index):
    %c0 = arith.cmpi sle, %i, %i : index
{conditions}
    %element = arith.select %c{count}, %x, %zero : f32
    tensor.yield %element : f32
  }} : tensor<4xf32>
  %other = tensor.splat %x : tensor<4xf32>
  return %chosen, %other : tensor<4xf32>, tensor<4xf32>
}}
"""


@pytest.mark.slow
def test_too_deep_a_condition_is_inexact_for_this_value_alone() -> None:
    program = load(conjunction(CONDITIONS)).run("sparsity-regions")
    assert [diagnostic.code for diagnostic in program.diagnostics] == ["V303"]
    chosen, other = program.facts
    assert isinstance(chosen, RegionsFact)
    assert isinstance(other, RegionsFact)
    assert (chosen.exact, chosen.reason) == (False, "a condition is nested too deeply")
    assert other.exact
    assert [(region.kind, region.count) for region in other.regions] == [("dense", 4)]


@pytest.mark.slow
def test_exclusive_disjunctions_do_not_double_without_end() -> None:
    """In disjunctive normal form, the condition asserted here would have 2^60 conjunctions."""
    steps = "".join(
        f"%k{k} = arith.constant {k} : index\n%d{k} = arith.cmpi slt, %a, %k{k} : index\n"
        f"%c{k + 1} = arith.xori %c{k}, %d{k} : i1\n"
        for k in range(60)
    )
    text = f"""func.func @f(%a: index, %b: index) {{
      %c0 = arith.cmpi slt, %a, %b : index
      {steps}
      cf.assert %c60, "odd"
      %e = tensor.empty(%a) : tensor<?xf32>
      return
    }}"""
    assert load(text).run("infer-shapes,value-bounds").facts


def test_a_few_conditions_are_followed() -> None:
    program = load(conjunction(3)).run("sparsity-regions")
    assert program.diagnostics == []


def test_a_budget_is_per_query() -> None:
    text = """
func.func @f(%x: tensor<4x4xf32>, %y: tensor<4xf32>) -> (tensor<6x6xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x4xf32> to tensor<6x6xf32>
  return %padded, %y : tensor<6x6xf32>, tensor<4xf32>
}
"""
    program = load(text, budget=3000).run("sparsity-regions")
    padded, y = program.facts
    assert isinstance(padded, RegionsFact)
    assert isinstance(y, RegionsFact)
    assert padded.reason == "budget: more than 3000 integer set operations"
    assert [d.code for d in program.diagnostics] == ["V302"]
    assert y.exact


@pytest.mark.slow
def test_a_budget_does_not_depend_on_other_programs() -> None:
    """Whatever ran before in this process, the same program gets the same answer."""
    text = """
func.func @f(%x: tensor<?x4xf32>, %low: index) -> tensor<?x6xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[%low, 1] high[3, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x4xf32> to tensor<?x6xf32>
  return %padded : tensor<?x6xf32>
}
"""

    def reasons() -> list[str | None]:
        budgets = range(500, 12_000, 500)
        return [
            load(text, budget=b).run("element-maps").to_json()["files"][0]["facts"][0]["reason"]
            for b in budgets
        ]

    assert reasons() == reasons()

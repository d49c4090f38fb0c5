"""The pass element-maps: its options, its limits, and what it says of values that it cannot speak about."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from tests.shared.enumeration import function, run
from volcli.diagnostics import UsageError
from volcli.facts.maps import MapFact
from volcli.facts.regions import RegionsFact

TWO = function(
    "%a: tensor<4xf32>, %b: tensor<4xf32>",
    "%s = arith.addf %a, %b : tensor<4xf32>\n%r = arith.mulf %s, %a : tensor<4xf32>",
    "%r : tensor<4xf32>",
)
NESTED = """
func.func @f(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4xf32>) {
    %y = arith.addf %x, %x : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
"""
BLOCKS = """
func.func @f(%t: tensor<4xf32>, %k: i1) -> tensor<4xf32> {
  cf.cond_br %k, ^bb1, ^bb2
^bb1:
  %x = arith.addf %t, %t : tensor<4xf32>
  return %x : tensor<4xf32>
^bb2:
  return %t : tensor<4xf32>
}
"""


def maps(text: str, options: str = "") -> list[MapFact]:
    return [f for f in run(text, f"element-maps{options}").facts if isinstance(f, MapFact)]


def test_by_default_from_results_to_inputs() -> None:
    (fact,) = maps(TWO)
    assert (fact.value, fact.exact) == ("%r", True)
    expected = isl.UnionMap("{ r[i] -> a[i] : 0 <= i < 4; r[i] -> b[i] : 0 <= i < 4 }")
    assert fact.map is not None
    assert fact.map.is_equal(expected)
    assert len(fact.pieces) == 2


def test_to_operands() -> None:
    (fact,) = maps(TWO, "{to=operands}")
    expected = isl.UnionMap("{ r[i] -> a[i] : 0 <= i < 4; r[i] -> s[i] : 0 <= i < 4 }")
    assert fact.map is not None
    assert fact.map.is_equal(expected)


def test_of_one_value_and_of_all() -> None:
    assert [f.value for f in maps(TWO, "{of=%s}")] == ["%s"]
    assert [f.value for f in maps(TWO, "{of=all}")] == ["%s", "%r"]
    (fact,) = maps(TWO, "{of=%a}")
    assert fact.map is not None
    assert fact.map.is_equal(isl.UnionMap("{ a[i] -> a[i] : 0 <= i < 4 }"))


@pytest.mark.parametrize(("options", "code"), [("{of=%nothing}", "V005"), ("{to=somewhere}", "V002")])
def test_wrong_options(options: str, code: str) -> None:
    with pytest.raises(UsageError) as caught:
        run(TWO, f"element-maps{options}")
    assert caught.value.diagnostic.code == code


def test_a_value_of_one_of_several_functions() -> None:
    text = TWO + TWO.replace("@f", "@g").replace("%s", "%only")
    assert [(f.function, f.value) for f in maps(text, "{of=%only}")] == [("g", "%only")]
    assert [f.function for f in maps(text)] == ["f", "g"]


def test_a_value_in_a_loop_is_of_one_iteration() -> None:
    (fact,) = maps(NESTED, "{of=%y}")
    assert fact.exact
    assert fact.map is not None
    assert fact.map.is_equal(isl.UnionMap("[n, i] -> { y[d0] -> x[d0] : 0 <= d0 < 4 and 0 <= i < n }"))


def test_an_unknown_operation_is_named() -> None:
    text = function(
        "%a: tensor<4xf32>", '%r = "my.op"(%a) : (tensor<4xf32>) -> tensor<2xf32>', "%r : tensor<2xf32>"
    )
    program = run(text, "element-maps,element-maps{of=all}")
    assert [d.code for d in program.diagnostics] == ["V301"]
    assert "my.op" in program.diagnostics[0].message
    fact = program.facts[0]
    assert isinstance(fact, MapFact)
    assert not fact.exact
    assert fact.map is not None
    assert fact.map.is_equal(isl.UnionMap("{ r[i] -> a[j] : 0 <= i < 2 and 0 <= j < 4 }"))


def test_a_loop_that_computes_a_tensor_is_known() -> None:
    program = run(NESTED, "element-maps")
    assert not program.diagnostics
    assert all(fact.exact for fact in program.facts if isinstance(fact, MapFact))


def test_branches_between_blocks_are_followed() -> None:
    program = run(BLOCKS, "element-maps,sparsity-regions")
    assert not program.diagnostics
    assert all(f.exact for f in program.facts if isinstance(f, MapFact))


def test_branches_that_are_not_understood_are_said() -> None:
    program = run(
        BLOCKS.replace("cf.cond_br %k, ^bb1, ^bb2", '"my.br"(%k)[^bb1, ^bb2] : (i1) -> ()'), "element-maps"
    )
    assert "V304" in [d.code for d in program.diagnostics]
    assert not any(f.exact for f in program.facts if isinstance(f, MapFact))


def test_a_small_budget_is_an_unknown_answer_and_the_same_every_time() -> None:
    reasons = set()
    for _ in range(2):
        program = run(TWO, "element-maps", budget=1)
        (fact,) = program.facts
        assert isinstance(fact, MapFact)
        assert [d.code for d in program.diagnostics] == ["V302"]
        assert not fact.exact
        reasons.add(fact.reason)
    assert len(reasons) == 1
    assert maps(TWO)[0].exact


@pytest.mark.parametrize("budget", [1, 10, 30, 100, 300, 1000, 3000])
def test_every_budget_gives_an_answer_or_a_reason(budget: int) -> None:
    text = function("%t: tensor<?x?xf32>, %x: f32", """
      %p = tensor.pad %t low[1, 0] high[2, 0] {
      ^bb0(%i: index, %j: index): tensor.yield %x : f32
      } : tensor<?x?xf32> to tensor<?x?xf32>
      %c = tensor.collapse_shape %p [[0, 1]] : tensor<?x?xf32>
        into tensor<?xf32>""", "%p : tensor<?x?xf32>")  # fmt: skip
    program = run(text, "element-maps,sparsity-regions,element-maps{of=all}", budget=budget)
    assert {d.code for d in program.diagnostics} <= {"V302", "V303"}


def test_functions_without_results_and_with_memrefs() -> None:
    text = """
      func.func @nothing() { return }
      func.func @external(tensor<4xf32>) -> tensor<4xf32>
      func.func @memory(%m: memref<4xf32>, %n: memref<4xf32>) {
        linalg.copy ins(%m : memref<4xf32>) outs(%n : memref<4xf32>)
        return
      }"""
    text = text.replace("func.func @external", "func.func private @external")
    for pipeline in ("element-maps", "sparsity-regions", "infer-shapes", "infer-shapes{refine-types}"):
        program = run(text, pipeline)
        assert [d for d in program.diagnostics if not d.code.startswith("V3")] == []
    (of_memory,) = maps(text)
    assert of_memory.certainty.degree == "exact"


def test_what_is_computed_from_sizes_alone_depends_on_no_element() -> None:
    program = volcli.load("""
        func.func @f(%x: tensor<?xf32>) -> tensor<2xindex> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %x, %c0 : tensor<?xf32>
          %r = tensor.splat %n : tensor<2xindex>
          return %r : tensor<2xindex>
        }
    """).run("element-maps")
    (fact,) = program.facts
    assert fact.rows() == [("%r", "depends on no element", "yes")]
    assert fact.annotation() == ["map %r: depends on no element"]


HALF = """
  func.func private @half(%t: tensor<8xf32>) -> tensor<4xf32> {
    %s = tensor.extract_slice %t[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
    return %s : tensor<4xf32>
  }
"""


def _of(text: str, options: str = "") -> dict[str, MapFact]:
    """The maps of the function @f."""
    return {fact.value: fact for fact in maps(text, options) if fact.where.function == "f"}


def test_calls_of_known_functions_are_followed() -> None:
    """Each call by itself: the second one gets what the first one returns; names are those of the caller."""
    text = (
        HALF
        + """
      func.func private @outer(%u: tensor<8xf32>, %w: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
        %s = call @half(%u) : (tensor<8xf32>) -> tensor<4xf32>
        %a = arith.addf %s, %w : tensor<4xf32>
        return %a, %w : tensor<4xf32>, tensor<4xf32>
      }
      func.func @f(%x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
        %p:2 = call @outer(%x, %y) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
        %q:2 = call @outer(%x, %p#0) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
        %r = arith.mulf %q#0, %p#1 : tensor<4xf32>
        return %r : tensor<4xf32>
      }"""
    )
    fact = _of(text)["%r"]
    assert fact.exact
    assert fact.map is not None
    expected = isl.UnionMap("{ r[i] -> x[i + 2] : 0 <= i < 4; r[i] -> y[i] : 0 <= i < 4 }")
    assert fact.map.is_equal(expected)
    operands = _of(text, "{of=%q to=operands}")["%q#0"]
    assert operands.exact
    assert {each.value for each in operands.names.volumes} == {"%q#0", "%x", "%p#0"}


def test_calls_without_operands_return_constants() -> None:
    text = """
      func.func private @inputs() -> (tensor<4xf32>, tensor<4xf32>) {
        %c:2 = call @both() : () -> (tensor<4xf32>, tensor<4xf32>)
        return %c#1, %c#0 : tensor<4xf32>, tensor<4xf32>
      }
      func.func private @both() -> (tensor<4xf32>, tensor<4xf32>) {
        %c = arith.constant dense<1.0> : tensor<4xf32>
        %d = arith.constant dense<0.0> : tensor<4xf32>
        return %c, %d : tensor<4xf32>, tensor<4xf32>
      }
      func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
        %i:2 = call @inputs() : () -> (tensor<4xf32>, tensor<4xf32>)
        %r = arith.addf %i#1, %i#1 : tensor<4xf32>
        return %r, %i#0 : tensor<4xf32>, tensor<4xf32>
      }"""
    assert all(fact.exact for fact in _of(text).values())
    assert {name for fact in _of(text).values() for name in (v.value for v in fact.names.volumes)}.isdisjoint(
        {"%x"}
    )
    facts = [f for f in run(text, "sparsity-regions").facts if f.where.function == "f"]
    labels = [row.label for fact in facts if isinstance(fact, RegionsFact) for row in fact.regions]
    assert labels == ["static", "static zero"]


def test_what_is_not_followed_is_named() -> None:
    text = """
      func.func private @ext() -> tensor<4xf32>
      func.func private @rec(%x: tensor<4xf32>) -> tensor<4xf32> {
        %r = call @rec(%x) : (tensor<4xf32>) -> tensor<4xf32>
        return %r : tensor<4xf32>
      }
      func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
        %p = call @ext() : () -> tensor<4xf32>
        %q = call @rec(%x) : (tensor<4xf32>) -> tensor<4xf32>
        return %p, %q : tensor<4xf32>, tensor<4xf32>
      }"""
    found = _of(text)
    assert str(found["%p"].reason).startswith("@ext is only declared")
    assert str(found["%q"].reason).startswith("@rec is not followed: it recurs")
    facts = [f for f in run(text, "sparsity-regions").facts if f.where.function == "f"]
    assert [[row.kind for row in f.regions] for f in facts if isinstance(f, RegionsFact)] == [
        ["dense"],
        ["dense"],
    ]


def test_facts_of_the_user_hold_where_calls_are_followed() -> None:
    """%t is another value in the called function."""
    text = (
        HALF
        + """
      func.func @f(%t: tensor<8xf32>) -> tensor<4xf32> {
        %r = call @half(%t) : (tensor<8xf32>) -> tensor<4xf32>
        return %r : tensor<4xf32>
      }"""
    )
    program = volcli.loads(text, given=["@f:%t[i] = 0 : i < 4"]).run("sparsity-regions")
    (fact,) = (f for f in program.facts if isinstance(f, RegionsFact) and f.where.function == "f")
    assert {row.label for row in fact.regions} == {"dense", "static zero"}

"""Answers that rest on arithmetic that does not overflow name that, whichever question is asked."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.fact import Fact
from volcli.model.values.trust.arithmetic import OVERFLOW, PRODUCTS

HEAD = """func.func @f(%n: index, %a: memref<4xf32>, %t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %greatest = arith.constant 9223372036854775807 : index
"""
TESTED = """
  scf.if %p { memref.store %x, %a[%c0] : memref<4xf32> }
  %r = scf.if %p -> tensor<4xf32> {
    %u = tensor.insert %x into %t[%c0] : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  %k = arith.select %p, %c1, %c0 : index
  return %r : tensor<4xf32>
}"""
SQUARE = "%q = arith.muli %n, %n : index\n  %p = arith.cmpi slt, %q, %c0 : index"
SUCCESSOR = "%q = arith.addi %n, %c1 : index\n  %p = arith.cmpi slt, %q, %n : index"
WRAPPED = "%q = arith.addi %n, %greatest : index\n  %p = arith.cmpi slt, %q, %n : index"
BODY = """
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %s = arith.addi %i, @MORE : index
    %p = arith.cmpi slt, %s, @MORE : index
    %v = arith.select %p, %in, %x : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}"""
LOOP = """
  %m = arith.muli %n, %c3 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c3 : index
    %end = arith.addi %j, %c3 : index
    scf.for %k = %j to %end step %c1 {
      %y = memref.load %d[%k] : memref<?xf32>
      memref.store %y, %d[%k] : memref<?xf32>
    }
  }
  return
}"""


def facts(text: str, question: str, *assume: str) -> dict[str, tuple[str, ...]]:
    """What facts assume, by what they are about."""
    found: list[Fact] = volcli.load(text, assume=assume).run(question).facts
    return {fact.subject: getattr(fact, "assumptions", ()) for fact in found}


@pytest.mark.parametrize(
    ("computed", "assume", "needed"),
    [
        (SQUARE, (), (PRODUCTS,)),
        (SQUARE, ("-1000 <= n <= 1000",), ("-1000 <= n <= 1000",)),
        (SUCCESSOR, (), (OVERFLOW,)),
        (SUCCESSOR, ("n <= 1000",), ("n <= 1000",)),
        (WRAPPED, (), ()),
    ],
)
def test_elements_and_memory_name_it_alike(
    computed: str, assume: tuple[str, ...], needed: tuple[str, ...]
) -> None:
    text = HEAD + "  " + computed + TESTED

    def of(question: str, subject: str) -> tuple[str, ...]:
        return facts(text, question, *assume)[subject]

    assert of("element-maps", "%a") == of("memory-flow", "%a") == needed
    of_parameter = () if computed is SQUARE else needed  # %q itself is the parameter of the map
    assert of("element-maps", "%r") == of_parameter
    assert of("value-bounds", "%k") == (() if computed is WRAPPED else needed)


def test_a_condition_that_wraps_around_is_followed_with_a_product_that_is_assumed_to_fit() -> None:
    body = SQUARE + "\n  scf.if %p { memref.store %x, %a[%c0] : memref<4xf32> }\n  "
    text = HEAD + "  " + body + WRAPPED.replace("%q", "%s").replace("%p", "%o") + TESTED.replace("%p", "%o")
    assert facts(text, "element-maps")["%a"] == (PRODUCTS,)


@pytest.mark.parametrize(("more", "needed"), [("%n", (OVERFLOW,)), ("%c3", ())])
def test_a_body_computes_with_integers_and_says_so(more: str, needed: tuple[str, ...]) -> None:
    text = HEAD + BODY.replace("@MORE", more)
    assert facts(text, "element-maps")["%r"] == needed
    assert facts(text, "sparsity-regions")["%r"] == needed


@pytest.mark.parametrize(("assume", "needed"), [((), (OVERFLOW,)), (("n <= 1000",), ("n <= 1000",))])
def test_a_loop_is_parallel_if_its_tiles_do_not_wrap_around(
    assume: tuple[str, ...], needed: tuple[str, ...]
) -> None:
    text = HEAD.replace("memref<4xf32>", "memref<?xf32>").replace("%a", "%d").replace(" -> tensor<4xf32>", "")
    assert facts(text + LOOP, "dependences{loops-only}", *assume)["%i"] == needed


BESIDE = """
#id = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<8xf32>, %steps: tensor<8xi64>) -> (tensor<8xf32>, tensor<8xi64>) {
  %one = arith.constant 1 : i64
  %none = tensor.empty() : tensor<8xi64>
  %counted = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%steps : tensor<8xi64>) outs(%none : tensor<8xi64>) {
  ^bb0(%in: i64, %out: i64):
    %next = arith.addi %in, %one : i64
    linalg.yield %next : i64
  } -> tensor<8xi64>
  %doubled = arith.addf %a, %a : tensor<8xf32>
  return %doubled, %counted : tensor<8xf32>, tensor<8xi64>
}
"""


def test_numbers_of_a_body_concern_only_what_is_computed_from_them() -> None:
    program = volcli.loads(BESIDE)
    (model,) = program.units[0].models()
    arithmetic = model.assuming.arithmetic
    assert len(arithmetic.doubtful) == 1
    doubled, counted = model.results()
    assert not arithmetic.may_change(doubled)
    assert arithmetic.may_change(counted)
    found = {fact.subject: fact for fact in program.run("element-maps").facts}
    assert found["%doubled"].to_json()["assumptions"] == []

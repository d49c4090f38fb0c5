"""What is said of accesses and slices names the assumption that index arithmetic does not overflow, if needed."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.access import AccessFact
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.values.trust.arithmetic import OVERFLOW, PRODUCTS

GUARDED = """
func.func @f(%a: index, %b: index, %m: memref<?xf32>, %x: f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %size = memref.dim %m, %c0 : memref<?xf32>
  {computed}
  %first = arith.cmpi {first} : index
  scf.if %first {{
    %second = arith.cmpi {second} : index
    scf.if %second {{
      memref.store %x, %m[{index}] : memref<?xf32>
    }}
  }}
  return
}}
"""
SUM = "%s = arith.addi %a, %c1 : index"


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("computed", "first", "second", "index", "assumptions"),
    [
        (SUM, "slt, %s, %size", "sge, %a, %c0", "%a", (OVERFLOW,)),  # %a = 2^63 - 1
        (SUM, "slt, %s, %size", "sge, %s, %c0", "%s", ()),  # whatever %s is
        (SUM, "slt, %a, %size", "sge, %s, %c1", "%a", ()),  # %a < %size, so that %s has 64 bits
        ("%s = arith.addi %a, %c1 overflow<nsw> : index", "slt, %s, %size", "sge, %a, %c0", "%a", ()),
        (
            "%s = index.sub %a, %c3",
            "sge, %s, %c0",
            "slt, %a, %size",
            "%a",
            (OVERFLOW,),
        ),  # %a = -2^63
        (
            "%s = affine.apply affine_map<(d0) -> ((d0 + 2) floordiv 2)>(%a)",
            "sle, %s, %size",
            "sge, %a, %size",
            "%c0",
            (OVERFLOW,),
        ),
    ],
)
def test_accesses(computed: str, first: str, second: str, index: str, assumptions: tuple[str, ...]) -> None:
    text = GUARDED.format(computed=computed, first=first, second=second, index=index)
    (model,) = volcli.loads(text).units[0].models()
    (answer,) = AccessChecks(model.memory).all()
    assert (answer.verdict.value, answer.assumptions) == ("in-bounds", assumptions)


def test_in_a_loop_from_what_may_overflow() -> None:
    """For %a = -2^63 and a size of 1, %a - 1 is 2^63 - 1, so %first is 16, and the store is executed."""
    (model,) = (
        volcli.loads("""
        func.func @f(%a: index, %b: index, %m: memref<?xf32>, %x: f32) {
          %c0 = arith.constant 0 : index
          %c3 = arith.constant 3 : index
          %d = memref.dim %m, %c0 : memref<?xf32>
          %first = affine.min affine_map<(d0, d1) -> (16, d0 - d1)>(%a, %d)
          scf.for %i = %first to %b step %c3 {
            %less = arith.cmpi slt, %a, %first : index
            scf.if %less {
              memref.store %x, %m[%b] : memref<?xf32>
            }
          }
          return
        }""")
        .units[0]
        .models()
    )
    (answer,) = AccessChecks(model.memory).all()
    assert (answer.verdict.value, answer.assumptions) == ("in-bounds", (OVERFLOW,))


def test_products_alone() -> None:
    """For 2^32 by 2^32 the buffer is empty."""
    (model,) = (
        volcli.loads("""
        func.func @f(%n: index, %b: index, %x: f32) {
          %size = arith.muli %n, %b : index
          %m = memref.alloc(%size) : memref<?xf32>
          affine.for %i = 0 to %n {
            affine.for %j = 0 to %b {
              memref.store %x, %m[%j] : memref<?xf32>
            }
          }
          return
        }""")
        .units[0]
        .models()
    )
    (answer,) = AccessChecks(model.memory).all()
    assert (answer.verdict.value, answer.assumptions) == ("in-bounds", (PRODUCTS,))


def test_products_beside_a_sum_that_does_not_matter() -> None:
    """For %b = 2^32 the size is 0; that %next may overflow changes the second answer alone."""
    program = volcli.loads("""
      func.func @f(%b: index, %x: f32) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %s = arith.maxsi %b, %c1 : index
        %area = arith.muli %s, %s : index
        %next = arith.addi %area, %c1 : index
        %m = memref.alloc(%area) : memref<?xf32>
        memref.store %x, %m[%c0] : memref<?xf32>
        %w = memref.alloc(%next) : memref<?xf32>
        memref.store %x, %w[%c1] : memref<?xf32>
        return
      }""")
    facts = [fact for fact in program.run("check-accesses").facts if isinstance(fact, AccessFact)]
    assert [fact.verdict for fact in facts] == ["in-bounds", "in-bounds"]
    assert [fact.assumptions for fact in facts] == [(PRODUCTS,), (OVERFLOW,)]
    assert [fact.to_json()["assumptions"] for fact in facts] == [[PRODUCTS], [OVERFLOW]]
    assert facts[0].annotation() == [f"write %m[%c0] in bounds, if {PRODUCTS}"]


@pytest.mark.parametrize(("inside", "assumption"), [("%n", PRODUCTS), ("%next", OVERFLOW)])
def test_a_call_that_multiplies_sums_is_no_product(inside: str, assumption: str) -> None:
    program = volcli.loads(f"""
      func.func private @area(%n: index) -> index {{
        %c1 = arith.constant 1 : index
        %next = arith.addi %n, %c1 {"" if inside == "%next" else "overflow<nsw> "}: index
        %s = arith.muli {inside}, {inside} : index
        return %s : index
      }}
      func.func @f(%b: index) -> index {{
        %size = func.call @area(%b) : (index) -> index
        return %size : index
      }}""")
    model = next(model for model in program.units[0].models() if model.name == "f")
    found = model.assuming.arithmetic.assumption(lambda store: store is model.bounds)
    assert found == assumption


def test_in_bounds_for_what_calls_pass_names_it_too() -> None:
    """With 2^63 - 1 for %a, which no range of the arguments excludes, the sum is negative."""
    program = volcli.loads("""
      func.func private @put(%a: index, %low: index, %m: memref<?xf32>, %x: f32) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %size = memref.dim %m, %c0 : memref<?xf32>
        %next = arith.addi %a, %c1 : index
        %below = arith.cmpi slt, %next, %size : index
        scf.if %below {
          %above = arith.cmpi sge, %a, %low : index
          scf.if %above {
            memref.store %x, %m[%a] : memref<?xf32>
          }
        }
        return
      }
      func.func @f(%a: index, %m: memref<?xf32>, %x: f32) {
        %c0 = arith.constant 0 : index
        func.call @put(%a, %c0, %m, %x) : (index, index, memref<?xf32>, f32) -> ()
        return
      }""")
    (fact,) = (fact for fact in program.run("check-accesses").facts if isinstance(fact, AccessFact))
    calls = "its arguments are as in the calls of @put in this file"
    assert (fact.verdict, fact.assumptions) == ("in-bounds", (OVERFLOW, calls))


def test_a_sum_that_is_not_affine_is_any_number() -> None:
    program = volcli.loads("""
      func.func @f(%m: memref<8xf32>, %a: index, %b: index, %c: index) -> f32 {
        %c8 = arith.constant 8 : index
        %x = affine.apply affine_map<(d0, d1)[s0] -> (d1 + d0 mod s0)>(%a, %b)[%c]
        %s = arith.addi %a, %b : index
        %y = affine.max affine_map<(d0) -> (d0, 0)>(%s)
        %z = affine.min affine_map<(d0) -> (d0, 7)>(%y)
        %r = arith.remui %x, %c8 : index
        %v = memref.load %m[%r] : memref<8xf32>
        %w = memref.load %m[%z] : memref<8xf32>
        %t = arith.addf %v, %w : f32
        return %t : f32
      }""")
    facts = [fact for fact in program.run("check-accesses").facts if isinstance(fact, AccessFact)]
    assert [fact.verdict for fact in facts] == ["in-bounds", "in-bounds"]
    assert program.exit_code == 0

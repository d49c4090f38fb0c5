"""What is said of accesses and slices names the assumption that index arithmetic does not overflow, if needed."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.memory.checks.accesses import AccessChecks
from volcli.model.values.arithmetic import OVERFLOW, PRODUCTS

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
    assert [fact.verdict for fact in program.run("check-accesses").facts] == ["in-bounds", "in-bounds"]
    assert program.exit_code == 0

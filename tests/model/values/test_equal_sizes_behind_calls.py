"""An equality of sizes holds before the operation that demands it only if each execution gets there."""

from __future__ import annotations

import pytest

import volcli

TEXT = """
func.func private @other()
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %v: f32, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %b, %c0 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %b[%i, %c0] : memref<?x?xf32>
  }
  @BETWEEN
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  @BEHIND
  scf.for %j = %c0 to %n step %c1 {
    memref.store %v, %b[%j, %c0] : memref<?x?xf32>
  }
  return
}"""
OWN, DEMANDED = "[0, dim(%b, 0) - 1]", "[0, dim(%a, 1) - 1]"


def bound_of(text: str, name: str) -> str:
    rows = [fact.rows() for fact in volcli.load(text).run("value-bounds").facts]
    return next(row[0][2] for row in rows if row[0][0] == name)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("between", "before"),
    [
        ("", DEMANDED),
        ("%q = arith.addi %c1, %c1 : index", DEMANDED),
        ("vector.print %v : f32", DEMANDED),
        ("func.call @other() : () -> ()", OWN),
        ('"some.thing"() : () -> ()', OWN),
        ('cf.assert %p, "goes on"', OWN),
        ('scf.if %p { cf.assert %p, "goes on" }', OWN),
        ("scf.if %p { func.call @other() : () -> () }", OWN),
        ("scf.while : () -> () { scf.condition(%p) } do { scf.yield }", OWN),
    ],
)
def test_what_may_end_the_execution_before(between: str, before: str) -> None:
    """`%n` is dim(%b, 0); the product demands that this is dim(%a, 1): for %j, which is behind it, in any case."""
    text = TEXT.replace("@BETWEEN", between).replace("@BEHIND", "")
    assert bound_of(text, "%i") == before
    assert bound_of(text, "%j") == DEMANDED


def test_the_first_block_has_run_before_the_others() -> None:
    text = TEXT.replace("@BETWEEN", "func.call @other() : () -> ()").replace("@BEHIND", "cf.br ^next\n^next:")
    assert bound_of(text, "%i") == OWN
    assert bound_of(text, "%j") == DEMANDED

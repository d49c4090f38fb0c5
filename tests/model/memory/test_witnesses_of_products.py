"""Examples are executions: a value that is a product of others is one in them, and numbers have 64 bits."""

from __future__ import annotations

import pytest

import volcli
from volcli.facts.access import AccessFact

PRODUCT = """
func.func @f(%n: index, %m: memref<?x?xi32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %m, %c0 : memref<?x?xi32>
  %columns = memref.dim %m, %c1 : memref<?x?xi32>
  %p = arith.muli {left}, {right} : index
  scf.for %i = %c0 to %p step %c1 {{
    %twice = arith.addi %rows, %rows : index
    %x = memref.load %m[%twice, %i] : memref<?x?xi32>
  }}
  return
}}
"""
UNSIGNED = """
func.func @f(%n: index, %k: index, %m: memref<?xi32>, %o: memref<100xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %d = memref.dim %m, %c0 : memref<?xi32>
  %from = arith.minui %n, %k : index
  %p = arith.cmpi sge, %k, %c0 : index
  %q = arith.cmpi slt, %from, %d : index
  %inside = arith.andi %p, %q : i1
  scf.if %inside {
    %y = memref.load %m[%from] : memref<?xi32>
  }
  %r = arith.cmpi slt, %from, %c0 : index
  %never = arith.andi %p, %r : i1
  scf.parallel (%i) = (%c0) to (%c9) step (%c1) {
    scf.if %never {
      memref.store %x, %o[%c1] : memref<100xi32>
    }
  }
  return
}
"""


@pytest.mark.parametrize(
    ("left", "right"), [("%n", "%columns"), ("%columns", "%n"), ("%n", "%n"), ("%rows", "%columns")]
)
def test_a_product_is_one(left: str, right: str) -> None:
    program = volcli.loads(PRODUCT.format(left=left, right=right)).run("check-accesses")
    (fact,) = (each for each in program.facts if isinstance(each, AccessFact))
    assert fact.verdict == "out-of-bounds"
    assert fact.witness is not None
    stated = fact.witness.parameters
    numbers = {"%rows": stated["dim(%m, 0)"], "%columns": stated.get("dim(%m, 1)"), "%n": stated.get("%n")}
    one, other = numbers[left], numbers[right]
    assert one is not None
    assert other is not None
    assert 0 <= fact.witness.iteration[fact.names.index("%i")] < one * other


def test_what_is_read_without_a_sign_has_64_bits() -> None:
    """minui(n, k) is not negative if k is not, and not above k."""
    program = volcli.loads(UNSIGNED)
    assert {each.verdict for each in program.function("f").accesses()} == {"in-bounds"}
    assert program.function("f").compare("%from >= 0 or %k < 0").found.verdict.value == "proved"
    program.run("check-races")
    assert "V207" not in {each.code for each in program.diagnostics}


@pytest.mark.slow
def test_sizes_have_64_bits_too() -> None:
    """minui of a size is not negative: the first index is 0 at least, whatever the other numbers are."""
    text = """func.func @f(%n: index, %k: index, %m: memref<?xi32>, %o: memref<?x?xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %d = memref.dim %m, %c0 : memref<?xi32>
      %rows = memref.dim %o, %c0 : memref<?x?xi32>
      %one = arith.minui %n, %d : index
      %from = arith.minui %one, %k : index
      scf.for %i = %from to %rows step %c1 {
        %x = memref.load %o[%i, %i] : memref<?x?xi32>
      }
      return
    }"""
    program = volcli.loads(text)
    assert program.function("f").compare("%from >= 0").found.verdict.value == "proved"
    (fact,) = program.function("f").accesses()
    assert fact.witness is not None
    assert min(fact.witness.index) >= 0
    assert max(fact.witness.parameters.values()) < 2**63

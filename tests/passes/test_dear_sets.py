"""What takes isl long without an operation that it counts is not asked, and the answer says what is left out."""

from __future__ import annotations

import volcli
from volcli.limits.memory import DEAR_DIFFERENCE

SHIFTED = """
func.func @f(%a: i8, %c: i64, %d: memref<?xi32>) {
  %c5 = arith.constant 5 : i32
  %t = arith.trunci %c : i64 to i8
  %s = arith.shrui %t, %a : i8
  %i = arith.index_cast %s : i8 to index
  %u = arith.index_castui %s : i8 to index
  %p = arith.index_cast %u : index to i32
  %q = arith.index_castui %i : index to i32
  %r = arith.muli %p, %q : i32
  %v = memref.subview %d[%u] [%i] [2] : memref<?xi32> to memref<?xi32, strided<[2], offset: ?>>
  %w = memref.subview %v[%i] [%i] [3]
    : memref<?xi32, strided<[2], offset: ?>> to memref<?xi32, strided<[6], offset: ?>>
  %j = arith.index_cast %r : i32 to index
  memref.store %c5, %w[%j] : memref<?xi32, strided<[6], offset: ?>>
  %x = memref.load %d[%j] : memref<?xi32>
  "u.do"(%d) : (memref<?xi32>) -> ()
  return
}
"""

DIGITS = """
func.func @f(%b: index, %m: memref<16xi8>, %d: memref<?xi32>, %n: index) {
  %v1, %v2 = affine.delinearize_index %b into (8, 5) : index, index
  %v3 = affine.linearize_index [%v2, %v1] by (7, 9) : index
  %v4, %v5 = affine.delinearize_index %v2 into (8, 5) : index, index
  %v6 = affine.linearize_index [%v5, %v3] by (7, 2) : index
  %v7, %v8 = affine.delinearize_index %v6 into (3, 5) : index, index
  %v9 = affine.linearize_index [%v8, %v5] by (7, 9) : index
  %x = memref.load %m[%n] : memref<16xi8>
  scf.for %i = %v8 to %v9 step %v9 {
    %y = memref.load %d[%v7] : memref<?xi32>
  }
  return
}
"""


def test_a_difference_of_numbers_that_grow_is_not_computed() -> None:
    """It took isl a minute within 200,000 operations, which a clock ended."""
    facts = volcli.load(SHIFTED).run("memory-flow").to_json()["files"][0]["facts"]
    reasons = {str(write.get("reason")) for fact in facts for write in (fact, *fact.get("writes", ()))}
    assert any(f"more than {DEAR_DIFFERENCE} integer" in reason for reason in reasons), reasons


def test_what_one_access_needs_is_left_out_of_what_is_necessary() -> None:
    program = volcli.load(DIGITS).run("check-accesses")
    said = {diagnostic.code: diagnostic.message for diagnostic in program.diagnostics}
    assert "(necessary, perhaps not sufficient)" in said["V204"]
    assert "all that @f needs of its arguments (budget:" in said["V302"]

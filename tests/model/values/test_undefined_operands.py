"""What is undefined or poison restricts the operands, in bounds and in findings; every width truncates."""

from __future__ import annotations

import volcli

DIVIDED = """
func.func @f(%a: i8, %m: memref<200xi8>, %v: i8) -> index {
  %minus = arith.constant -1 : i8
  %r = arith.ceildivsi %a, %minus : i8
  %x = arith.index_cast %r : i8 to index
  %c128 = arith.constant 128 : index
  %p = arith.cmpi eq, %x, %c128 : index
  scf.if %p {
    %c200 = arith.constant 200 : index
    memref.store %v, %m[%c200] : memref<200xi8>
  }
  return %x : index
}
"""


def test_the_least_number_by_minus_one_is_undefined() -> None:
    function = volcli.loads(DIVIDED).function("f")
    assert str(function.bounds("%x").upper) == "127"
    assert function.bounds("%c200").never
    assert [each.verdict for each in function.accesses()] == ["in-bounds"]


def test_poison_that_is_not_chosen_restricts_nothing() -> None:
    function = volcli.loads("""
func.func @f(%a: i8) -> index {
  %one = arith.constant 1 : i8
  %large = arith.constant 127 : i8
  %s = arith.addi %a, %one overflow<nsw> : i8
  %p = arith.cmpi eq, %a, %large : i8
  %r = arith.select %p, %a, %s : i8
  %x = arith.index_cast %r : i8 to index
  %y = arith.index_cast %s : i8 to index
  return %x : index
}""").function("f")
    assert function.bounds("%x").upper.constant == 127
    assert (function.bounds("%y").lower.constant, function.bounds("%y").upper.constant) == (-127, 127)
    assert function.compare("%x < 127").found.verdict.value != "proved"


def test_128_bits_are_truncated() -> None:
    function = volcli.loads("""
func.func @f(%a: i128, %m: memref<16xi8>, %v: i8) {
  %big = arith.constant 18446744073709551616 : i128
  %c16 = arith.constant 16 : index
  %p = arith.cmpi sge, %a, %big : i128
  scf.if %p {
    %y = arith.index_cast %a : i128 to index
    %q = arith.cmpi ult, %y, %c16 : index
    scf.if %q {
      memref.store %v, %m[%y] : memref<16xi8>
    }
  }
  return
}""").function("f")
    assert [each.verdict for each in function.accesses()] == ["in-bounds"]
    assert function.compare("%a < 18446744073709551616").found.verdict.value == "refuted"
    assert not function.bounds("%y").never
    assert str(function.bounds("%y").equal) != "%a"


def test_slices_do_not_overlap_where_no_condition_is_known() -> None:
    function = volcli.loads("""
func.func @f(%t: tensor<?xf32>, %n: index, %k: index, %s: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %x = tensor.extract_slice %t[%n] [%k] [2] : tensor<?xf32> to tensor<?xf32>
  %n1 = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%n]
  %w = tensor.extract_slice %t[%n1] [%k] [%s] : tensor<?xf32> to tensor<?xf32>
  return %x, %w : tensor<?xf32>, tensor<?xf32>
}""").function("f")
    (fact,) = function.slices()
    assert "false" not in " ".join(map(str, fact.rows()))
    assert fact.certainty.degree == "unknown"

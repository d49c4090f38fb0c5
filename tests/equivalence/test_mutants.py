"""Programs with one error each: another offset, bound, map or stride, an iteration less. Each is found."""

from __future__ import annotations

import pytest

import volcli
from tests.equivalence.test_pairs import BUFFERS, TENSORS
from tests.shared.seeds import spread

_SLICES = """\
func.func @windows(%x: tensor<16x12xf32>, %y: tensor<4x12xf32>) -> tensor<16x12xf32> {
  %s = tensor.extract_slice %x[4, 0] [4, 12] [2, 1] : tensor<16x12xf32> to tensor<4x12xf32>
  %e = tensor.empty() : tensor<4x12xf32>
  %a = linalg.add ins(%s, %y : tensor<4x12xf32>, tensor<4x12xf32>) outs(%e : tensor<4x12xf32>) -> tensor<4x12xf32>
  %r = tensor.insert_slice %a into %x[4, 0] [4, 12] [2, 1] : tensor<4x12xf32> into tensor<16x12xf32>
  return %r : tensor<16x12xf32>
}
func.func @tiles(%x: tensor<16xf32>) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %e = tensor.empty() : tensor<16xf32>
  %r = scf.for %i = %c0 to %c16 step %c4 iter_args(%t = %e) -> (tensor<16xf32>) {
    %s = tensor.extract_slice %x[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %f = tensor.empty() : tensor<4xf32>
    %a = linalg.exp ins(%s : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
    %u = tensor.insert_slice %a into %t[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
    scf.yield %u : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
func.func @coordinates() -> tensor<4x4xindex> {
  %e = tensor.empty() : tensor<4x4xindex>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<4x4xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<4x4xindex>
  return %r : tensor<4x4xindex>
}
"""
PROGRAM = TENSORS + BUFFERS + _SLICES

MUTANTS: list[tuple[str, str, str]] = [
    # a function, what is there, and what is there instead
    ("product", "%k = 0 to 8 {", "%k = 0 to 7 {"),
    ("product", "%k = 0 to 8 {", "%k = 1 to 8 {"),
    ("product", "%k = 0 to 8 {", "%k = 0 to 8 step 2 {"),
    ("product", "%a[%i, %k] :", "%a[%i, %k mod 7] :"),
    ("product", "%b[%k, %j] :", "%b[%j, %j] :"),
    ("product", "affine.store %q, %r[%i, %j]", "affine.store %p, %r[%i, %j]"),
    ("product", "%i = 0 to 6 { affine.for %j = 0 to 5 { affine.for %k", "%i = 0 to 5 { affine.for %j = 0 to 5 { affine.for %k"),
    ("product", "%zero, %r[%i, %j]", "%zero, %r[0, %j]"),
    ("smoothed", "%i = 0 to 20 {", "%i = 0 to 19 {"),
    ("smoothed", "%i = 1 to 19 {", "%i = 2 to 19 {"),
    ("smoothed", "%i = 1 to 19 {", "%i = 1 to 18 {"),
    ("smoothed", "%t[%i - 1]", "%t[%i]"),
    ("smoothed", "%t[%i + 1]", "%t[%i - 1]"),
    ("smoothed", "%u, %r[%i]", "%u, %r[%i - 1]"),
    ("smoothed", "%a[%i] : memref<20xf32>\n    %y", "%a[19 - %i] : memref<20xf32>\n    %y"),
    ("sums", "%a[%i - 1]", "%a[0]"),
    ("dot", "%i = 0 to 16 iter", "%i = 0 to 15 iter"),
    ("dot", "affine.load %b[%i]", "affine.load %b[15 - %i mod 15]"),
    ("dot", "affine.yield %n", "affine.yield %p"),
    ("dynamic", "%i = 0 to %n {", "%i = 1 to %n {"),
    ("dynamic", "affine.load %a[%i]", "affine.load %a[0]"),
    ("upper", "(d0) -> (d0)>(%i) to 8", "(d0) -> (d0 + 1)>(%i) to 8"),
    ("upper", "%r[%j, %i]", "%r[%i, %j]"),
    ("padded", "low[1, 1] high[1, 1]", "low[0, 1] high[2, 1]"),
    ("padded", "low[1, 1] high[1, 1]", "low[2, 1] high[0, 1]"),
    ("mask", "cmpi sle, %j, %i", "cmpi slt, %j, %i"),
    ("mask", "cmpi sle, %j, %i", "cmpi sle, %i, %j"),
    ("mask", "select %c, %p, %z", "select %c, %z, %p"),
    ("chain", "linalg.mul ins(%t, %y :", "linalg.mul ins(%t, %t :"),
    ("softmax", "affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>, affine_map<(i,j)->(i,j)>], "
     'iterator_types = ["parallel","parallel"]} ins(%x, %m',
     "affine_map<(i,j)->(5 - i,j)>, affine_map<(i,j)->(i)>, affine_map<(i,j)->(i,j)>], "
     'iterator_types = ["parallel","parallel"]} ins(%x, %m'),
    ("windows", "%x[4, 0] [4, 12] [2, 1] : tensor<16x12xf32> to", "%x[5, 0] [4, 12] [2, 1] : tensor<16x12xf32> to"),
    ("windows", "%x[4, 0] [4, 12] [2, 1] : tensor<16x12xf32> to", "%x[4, 0] [4, 12] [1, 1] : tensor<16x12xf32> to"),
    ("windows", "into %x[4, 0] [4, 12] [2, 1]", "into %x[3, 0] [4, 12] [2, 1]"),
    ("tiles", "%c0 to %c16", "%c4 to %c16"),
    ("tiles", "extract_slice %x[%i]", "extract_slice %x[%c0]"),
    ("tiles", "into %t[%i] [4]", "into %e[%i] [4]"),
    ("coordinates", "linalg.index 0", "linalg.index 1"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("function", "old", "new"), spread(MUTANTS, 20))
def test_an_error_is_found(function: str, old: str, new: str) -> None:
    start = PROGRAM.index(f"func.func @{function}(")
    end = PROGRAM.find("\nfunc.func", start + 1)
    body = PROGRAM[start:end]
    assert old in body
    before, after = volcli.loads(body), volcli.loads(body.replace(old, new, 1))
    assert after.exit_code == 0
    (found,) = before.diff(after, function)
    assert found.verdict == "different", found.lines()
    witnesses = [each.witness for each in found.outputs if each.witness is not None]
    assert witnesses, "an element is named"

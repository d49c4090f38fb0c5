"""Programs of vectors, executed by volcli and by mlir-runner behind mlir-opt's lowering: the same text is printed."""

from __future__ import annotations

import numpy as np
import pytest

from tests.shared.execution import executed, needs_runner
from tests.shared.running import Code
from volcli.execution.code.code import call
from volcli.execution.memory.machine import Machine

pytestmark = [pytest.mark.mlir, needs_runner]

LOWERING = (
    "builtin.module(func.func(test-vector-scan-lowering,lower-vector-mask,lower-vector-multi-reduction,convert-vector-to-scf,lower-affine,convert-scf-to-cf,"
    "expand-strided-metadata,lower-affine),convert-vector-to-llvm,finalize-memref-to-llvm,convert-math-to-llvm,"
    "convert-ub-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
)
SETUP = """
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %i6 = arith.constant 6 : index
  %pad = arith.constant -1.5 : f32
  %x = arith.constant 3 : i32
  %v = arith.constant dense<[1.25, -2.5, 3.75, 5.0]> : vector<4xf32>
  %w = arith.constant dense<[[1.0, 2.0, -3.0], [4.5, 5.0, 6.0]]> : vector<2x3xf32>
  %n = arith.constant dense<[3, -1, 7, 2]> : vector<4xi32>
  %mask = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %m = memref.alloc() : memref<4x8xf32>
  scf.for %i = %i0 to %c4 step %i1 {
    scf.for %j = %i0 to %c8 step %i1 {
      %k = arith.muli %i, %c8 : index
      %l = arith.addi %k, %j : index
      %a = arith.index_cast %l : index to i32
      %f = arith.sitofp %a : i32 to f32
      memref.store %f, %m[%i, %j] : memref<4x8xf32>
    }
  }"""
PROGRAMS = {
    "transfers behind the end": """
  %a = vector.transfer_read %m[%i2, %i6], %pad : memref<4x8xf32>, vector<3x4xf32>
  vector.print %a : vector<3x4xf32>
  %b = vector.transfer_read %m[%i2, %i6], %pad {permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
    : memref<4x8xf32>, vector<3x4xf32>
  vector.print %b : vector<3x4xf32>
  %c = vector.transfer_read %m[%i1, %i6], %pad {permutation_map = affine_map<(d0, d1) -> (d0)>}
    : memref<4x8xf32>, vector<4xf32>
  vector.print %c : vector<4xf32>
  %d = vector.transfer_read %m[%i1, %i6], %pad {permutation_map = affine_map<(d0, d1) -> (0, d1)>}
    : memref<4x8xf32>, vector<2x4xf32>
  vector.print %d : vector<2x4xf32>
  vector.transfer_write %w, %m[%i3, %i6] : vector<2x3xf32>, memref<4x8xf32>
  vector.transfer_write %w, %m[%i0, %i1] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>}
    : vector<2x3xf32>, memref<4x8xf32>""",
    "transfers under a mask": """
  %a = vector.transfer_read %m[%i2, %i6], %pad, %mask : memref<4x8xf32>, vector<4xf32>
  vector.print %a : vector<4xf32>
  vector.transfer_write %v, %m[%i1, %i6], %mask : vector<4xf32>, memref<4x8xf32>
  vector.transfer_write %v, %m[%i3, %i1], %mask {in_bounds = [true]} : vector<4xf32>, memref<4x8xf32>""",
    "masks of memory": """
  %a = vector.maskedload %m[%i2, %i3], %mask, %v : memref<4x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %a : vector<4xf32>
  vector.maskedstore %m[%i0, %i1], %mask, %v : memref<4x8xf32>, vector<4xi1>, vector<4xf32>
  %b = vector.expandload %m[%i2, %i3], %mask, %v : memref<4x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %b : vector<4xf32>
  vector.compressstore %m[%i3, %i1], %mask, %v : memref<4x8xf32>, vector<4xi1>, vector<4xf32>""",
    "gather and scatter": """
  %a = vector.gather %m[%i2, %i0] [%n], %mask, %v
    : memref<4x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %a : vector<4xf32>
  %same = arith.constant dense<[3, 3, 0, 3]> : vector<4xi32>
  vector.scatter %m[%i1, %i2] [%same], %mask, %v : memref<4x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>""",
    "reductions": "".join(f"""
  %{kind} = vector.reduction <{kind}>, %n : vector<4xi32> into i32
  %{kind}_x = vector.reduction <{kind}>, %n, %x : vector<4xi32> into i32
  vector.print %{kind} : i32
  vector.print %{kind}_x : i32""" for kind in ("add", "mul", "minsi", "maxsi", "minui", "maxui", "and", "or", "xor"))
    + "".join(f"""
  %{kind} = vector.reduction <{kind}>, %v : vector<4xf32> into f32
  vector.print %{kind} : f32""" for kind in ("maxnumf", "minnumf", "maximumf", "minimumf"))
    + """
  %large = arith.constant dense<[1.0e8, 1.0, -1.0e8, 3.0]> : vector<4xf32>
  %sum = vector.reduction <add>, %large : vector<4xf32> into f32
  vector.print %sum : f32
  %sum_x = vector.reduction <add>, %large, %pad : vector<4xf32> into f32
  vector.print %sum_x : f32
  %under = vector.mask %mask { vector.reduction <add>, %n, %x : vector<4xi32> into i32 } : vector<4xi1> -> i32
  vector.print %under : i32""",
    "reductions of some dimensions": """
  %acc = arith.constant dense<[0.5, -0.5]> : vector<2xf32>
  %a = vector.multi_reduction <add>, %w, %acc [1] : vector<2x3xf32> to vector<2xf32>
  vector.print %a : vector<2xf32>
  %b = vector.multi_reduction <mul>, %w, %pad [0, 1] : vector<2x3xf32> to f32
  vector.print %b : f32
  %c = vector.multi_reduction <maxnumf>, %w, %row [0] : vector<2x3xf32> to vector<3xf32>
  vector.print %c : vector<3xf32>""",
    "products": """
  %acc = arith.constant dense<[0.5, -0.5]> : vector<2xf32>
  %a = vector.contract {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>,
    affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %w, %row, %acc
    : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  vector.print %a : vector<2xf32>
  %b = vector.outerproduct %acc, %row : vector<2xf32>, vector<3xf32>
  vector.print %b : vector<2x3xf32>
  %c = vector.outerproduct %acc, %row, %w : vector<2xf32>, vector<3xf32>
  vector.print %c : vector<2x3xf32>
  %d = vector.outerproduct %row, %pad, %row : vector<3xf32>, f32
  vector.print %d : vector<3xf32>
  %tiny = arith.constant dense<[1.000244140625, -1.0, 3.0]> : vector<3xf32>
  %e = vector.fma %tiny, %tiny, %row : vector<3xf32>
  %f = arith.subf %e, %row : vector<3xf32>
  vector.print %f : vector<3xf32>""",
    "scans": """
  %first = arith.constant dense<[10.0, 20.0]> : vector<2xf32>
  %a:2 = vector.scan <add>, %w, %first {inclusive = true, reduction_dim = 1 : i64} : vector<2x3xf32>, vector<2xf32>
  %b:2 = vector.scan <mul>, %w, %first {inclusive = false, reduction_dim = 1 : i64} : vector<2x3xf32>, vector<2xf32>
  vector.print %a#0 : vector<2x3xf32>
  vector.print %a#1 : vector<2xf32>
  vector.print %b#0 : vector<2x3xf32>
  vector.print %b#1 : vector<2xf32>""",
    "parts": """
  %a = vector.shuffle %v, %v [7, 0, 3, 2, 2] : vector<4xf32>, vector<4xf32>
  vector.print %a : vector<5xf32>
  %b = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  vector.print %b : vector<8xf32>
  %even, %odd = vector.deinterleave %b : vector<8xf32> -> vector<4xf32>
  vector.print %odd : vector<4xf32>
  %c = vector.extract_strided_slice %w {offsets = [1, 1], sizes = [1, 2], strides = [1, 1]}
    : vector<2x3xf32> to vector<1x2xf32>
  vector.print %c : vector<1x2xf32>
  %d = vector.insert_strided_slice %c, %w {offsets = [0, 1], strides = [1, 1]} : vector<1x2xf32> into vector<2x3xf32>
  vector.print %d : vector<2x3xf32>
  %e = vector.bitcast %n : vector<4xi32> to vector<8xi16>
  vector.print %e : vector<8xi16>
  %f = vector.bitcast %v : vector<4xf32> to vector<2xi64>
  vector.print %f : vector<2xi64>
  %g = vector.create_mask %i1, %i2 : vector<2x3xi1>
  vector.print %g : vector<2x3xi1>
  %h = vector.step : vector<3xindex>
  vector.print %h : vector<3xindex>
  vector.print %pad : f32 punctuation <comma>
  vector.print str "text"
  vector.print punctuation <newline>""",
}  # fmt: skip


def _text(program: str) -> str:
    return f"""func.func @main() {{
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index{SETUP}
  %row = arith.constant dense<[0.25, -0.75, 2.0]> : vector<3xf32>{program}
  scf.for %i = %i0 to %c4 step %i1 {{
    %end = vector.load %m[%i, %i0] : memref<4x8xf32>, vector<8xf32>
    vector.print %end : vector<8xf32>
  }}
  return
}}"""


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_is_printed(mlir_opt: str, name: str) -> None:
    text = _text(PROGRAMS[name])
    code = Code(text)
    machine = Machine(code.module)
    with np.errstate(all="ignore"):
        call(machine, code.module.body.block.first_op, ())
    assert machine.printed == executed(mlir_opt, text, LOWERING).splitlines()

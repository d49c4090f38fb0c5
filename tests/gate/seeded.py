"""Programs without findings, and what may go wrong in each: one edit, and the code that has to report it."""

from __future__ import annotations

from dataclasses import dataclass

LOOPS = """
func.func @shifted(%m: memref<9xf32>, %o: memref<9xf32>) {
  affine.for %i = 0 to 9 {
    %v = affine.load %m[%i] : memref<9xf32>
    affine.store %v, %o[%i] : memref<9xf32>
  }
  return
}

func.func @bounded(%m: memref<6x10xf32>, %x: f32) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 10 {
      affine.store %x, %m[%i, %j] : memref<6x10xf32>
    }
  }
  return
}

func.func @initialised(%x: f32) -> f32 {
  %a = memref.alloc() : memref<4x8xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      affine.store %x, %a[%i, %j] : memref<4x8xf32>
    }
  }
  %sum = affine.for %i = 0 to 4 iter_args(%s = %x) -> (f32) {
    %row = affine.for %j = 0 to 8 iter_args(%t = %s) -> (f32) {
      %v = affine.load %a[%i, %j] : memref<4x8xf32>
      %u = arith.addf %t, %v : f32
      affine.yield %u : f32
    }
    affine.yield %row : f32
  }
  memref.dealloc %a : memref<4x8xf32>
  return %sum : f32
}

func.func @stored(%b: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %b[%i] : memref<8xf32>
    %w = affine.load %b[%i] : memref<8xf32>
    %s = arith.addf %x, %w : f32
    affine.store %s, %b[%i] : memref<8xf32>
  }
  return
}

func.func @columns(%m: memref<16x16xf32>) {
  affine.for %i = 1 to 16 {
    affine.for %j = 0 to 16 {
      %v = affine.load %m[%i - 1, %j] : memref<16x16xf32>
      affine.store %v, %m[%i, %j] : memref<16x16xf32>
    }
  }
  return
}

func.func @summed(%m: memref<8xf32>, %s: memref<1xf32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %m[%i] : memref<8xf32>
    %old = affine.load %s[0] : memref<1xf32>
    %new = arith.addf %old, %v : f32
    affine.store %new, %s[0] : memref<1xf32>
  }
  return
}

func.func @marked(%m: memref<8xf32>, %x: f32) -> f32 {
  %r = affine.for %i = 0 to 8 iter_args(%a = %x) -> (f32) {
    %c = affine.load %m[%i] : memref<8xf32>
    %s = arith.addf %a, %c : f32
    affine.yield %s : f32
  } {volcli.parallel}
  return %r : f32
}

func.func @halves(%m: memref<16xindex>) {
  affine.parallel (%i) = (0) to (16) {
    affine.store %i, %m[%i] : memref<16xindex>
  }
  return
}

func.func @indirect(%m: memref<8xf32>, %k: memref<8xindex>, %x: f32) {
  affine.for %i = 0 to 8 {
    %j = memref.load %k[%i] : memref<8xindex>
    memref.store %x, %m[%i] : memref<8xf32>
    memref.store %j, %k[%i] : memref<8xindex>
  }
  return
}
"""

ARGUMENTS = """
func.func @asserted(%n: index) -> index {
  %c64 = arith.constant 64 : index
  %small = arith.cmpi slt, %n, %c64 : index
  cf.assert %small, "small"
  %size = affine.max affine_map<(n) -> (n, 1)>(%n)
  return %size : index
}

func.func @by_size(%m: memref<?xf32>) {
  affine.for %i = 0 to 40 {
    %v = affine.load %m[%i] : memref<?xf32>
    affine.store %v, %m[%i] : memref<?xf32>
  }
  return
}

func.func @element(%m: memref<8xf32>, %k: index) -> f32 {
  %v = memref.load %m[%k] : memref<8xf32>
  return %v : f32
}

func.func @calling(%m: memref<8xf32>) -> f32 {
  %k = arith.constant 7 : index
  %v = func.call @element(%m, %k) : (memref<8xf32>, index) -> f32
  return %v : f32
}

func.func @expected(%n: index) -> index {
  %most = affine.min affine_map<(n) -> (n, 32)>(%n)
  // volcli: expect bound %twice <= 64
  %twice = affine.apply affine_map<(n) -> (2 * n)>(%most)
  return %twice : index
}
"""

TENSORS = """
func.func @tiles(%t: tensor<104xf32>, %m: memref<7xf32>) {
  affine.for %i = 0 to 104 step 16 {
    %width = affine.min affine_map<(i) -> (16, 104 - i)>(%i)
    %tile = tensor.extract_slice %t[%i] [%width] [1] : tensor<104xf32> to tensor<?xf32>
    %c0 = arith.constant 0 : index
    %first = tensor.extract %tile[%c0] : tensor<?xf32>
    affine.store %first, %m[%i floordiv 16] : memref<7xf32>
  }
  return
}

func.func @strided(%t: tensor<64xf32>, %m: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %c0 = arith.constant 0 : index
    %s = tensor.extract_slice %t[%i] [16] [4] : tensor<64xf32> to tensor<16xf32>
    %first = tensor.extract %s[%c0] : tensor<16xf32>
    affine.store %first, %m[%i] : memref<4xf32>
  }
  return
}

func.func @parts(%t: tensor<32xf32>, %s: tensor<8xf32>) -> tensor<32xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<32xf32>) {
    %from = affine.apply affine_map<(i) -> (8 * i)>(%i)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%from] [8] [1] : tensor<8xf32> into tensor<32xf32>
    }
  }
  return %r : tensor<32xf32>
}

func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

func.func @sizes(%a: tensor<4x8xf32>) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%c4, %c8) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.exp ins(%a : tensor<4x8xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @padded(%t: tensor<8xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2 : index
  %p = tensor.pad %t low[%two] high[%two] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

func.func @bordered(%t: tensor<8xf32>) -> tensor<12xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %t low[2] high[2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<12xf32>
  return %p : tensor<12xf32>
}

func.func @guarded(%m: memref<40xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %edge = arith.constant 38 : index
  scf.for %i = %c0 to %c40 step %c1 {
    %is_last = arith.cmpi sgt, %i, %edge : index
    scf.if %is_last {
      memref.store %x, %m[%i] : memref<40xf32>
    }
  }
  return
}
"""

PROGRAMS = {"loops.mlir": LOOPS, "arguments.mlir": ARGUMENTS, "tensors.mlir": TENSORS}


@dataclass(frozen=True)
class Defect:
    """An edit of a FUNCTION, and the CODE with which it is reported."""

    function: str
    old: str
    new: str
    code: str


DEFECTS = (
    Defect("shifted", "load %m[%i]", "load %m[%i + 1]", "V203"),
    Defect("bounded", "%j = 0 to 10", "%j = 0 to 11", "V203"),
    Defect("strided", "[16] [4]", "[16] [5]", "V203"),
    Defect("initialised", "%j = 0 to 8 {", "%j = 0 to 7 {", "V205"),
    Defect("stored", "%w = affine.load %b[%i] : memref<8xf32>", "%w = arith.mulf %x, %x : f32", "V206"),
    Defect("columns", "store %v, %m[%i, %j]", "store %v, %m[%i, 0]", "V232"),
    Defect("summed", "arith.addf %old, %v", "arith.subf %v, %old", "V232"),
    Defect("marked", "arith.addf %a, %c", "arith.subf %c, %a", "V213"),
    Defect("halves", "%m[%i]", "%m[%i floordiv 2]", "V207"),
    Defect("indirect", "store %x, %m[%i]", "store %x, %m[%j]", "V231"),
    Defect("asserted", "constant 64", "constant 96", "V230"),
    Defect("by_size", "0 to 40", "0 to 41", "V234"),
    Defect("calling", "constant 7", "constant 8", "V208"),
    Defect("expected", "(n, 32)", "(n, 33)", "V220"),
    Defect("tiles", "(16, 104 - i)", "(16, 105 - i)", "V203"),
    Defect("parts", "(8 * i)", "(6 * i)", "V207"),
    Defect("product", "outs(%f :", "outs(%e :", "V205"),
    Defect("sizes", "tensor.empty(%c4, %c8)", "tensor.empty(%c8, %c4)", "V201"),
    Defect("padded", "constant 2 : index", "constant 0 : index", "V211"),
    Defect("bordered", "constant 0.0", "constant 1.0", "V233"),
    Defect("guarded", "constant 38", "constant 39", "V210"),
)  # fmt: skip

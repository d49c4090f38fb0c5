// Pairs of accesses for `volcli explain`, which names them by their lines: 8,9 and 20,21 and 31,30.
// Each row is read two iterations after it was written (example 1 of "MemRef dependence checks in MLIR").
func.func @rows() {
  %m = memref.alloc() : memref<10x10xf32>
  %c = arith.constant 7.0 : f32
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 9 {
      affine.store %c, %m[%i, %j] : memref<10x10xf32>
      %x = affine.load %m[%i - 2, %j] : memref<10x10xf32>
    }
  }
  return
}

// The distances are no box (example 2 of the same paper, with a larger memref).
func.func @slanted(%m: memref<64x128xf32>) {
  %c = arith.constant 7.0 : f32
  affine.for %i0 = 0 to 10 {
    affine.for %i1 = 0 to 7 {
      affine.store %c, %m[%i0 + 3 * %i1, 4 * %i0 + 5 * %i1] : memref<64x128xf32>
      %x = affine.load %m[%i0 + %i1, %i0 + 2 * %i1 + 3] : memref<64x128xf32>
    }
  }
  return
}

// One loop with a parameter: what was written is read two iterations later.
func.func @shift(%m: memref<?xf32>, %n: index) {
  affine.for %i = 2 to %n {
    %x = affine.load %m[%i - 2] : memref<?xf32>
    affine.store %x, %m[%i] : memref<?xf32>
  }
  return
}

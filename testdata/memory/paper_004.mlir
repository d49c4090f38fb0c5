// RUN: volcli annotate %s -p dependences
// The two examples of "MemRef dependence checks in MLIR". In the second one there are exactly six distances
// from the store to the load at depth 1, none at depth 2, and one from the load to the store (E004-1).
func.func @two_rows_behind() {
  %m = memref.alloc() : memref<10x10xf32>
  %c = arith.constant 7.000000e+00 : f32
  // volcli: %i carries RAW %m[%i, %j] -> %m[%i - 2, %j], distance (2, 0): (0, 0) then (2, 0) at [0, 0]
  affine.for %i = 0 to 9 {
    // volcli: %j: parallel
    affine.for %j = 0 to 9 {
      affine.store %c, %m[%i, %j] : memref<10x10xf32>
      %x = affine.load %m[%i - 2, %j] : memref<10x10xf32>
    }
  }
  return
}

func.func @skewed() {
  %m = memref.alloc() : memref<10x10xf32>
  %c = arith.constant 7.000000e+00 : f32
  // volcli: %i carries RAW %m[%i + 3 * %j, 4 * %i + 5 * %j] -> %m[%i + %j, %i + 2 * %j + 3], distances (1, 1), (2, 2), (3, 3), (5, -1), (6, 0), (7, 1): (0, 2) then (5, 1) at [6, 10]
  // volcli: %i carries WAR %m[%i + %j, %i + 2 * %j + 3] -> %m[%i + 3 * %j, 4 * %i + 5 * %j], distance (2, -4): (0, 5) then (2, 1) at [5, 13]
  affine.for %i = 0 to 10 {
    // volcli: %j: parallel
    affine.for %j = 0 to 7 {
      affine.store %c, %m[%i + 3 * %j, 4 * %i + 5 * %j] : memref<10x10xf32>
      %x = affine.load %m[%i + %j, %i + 2 * %j + 3] : memref<10x10xf32>
    }
  }
  return
}

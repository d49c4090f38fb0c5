// RUN: volcli annotate %s -p allocations
// How large what is allocated can be: the last tile is smaller, and %kept is as large as the caller says.
func.func @tiles(%n: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c8 {
    %size = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
    // volcli: %tile has at most 32 elements, 256 bytes
    %tile = memref.alloc(%size) : memref<?x4xf64>
    %sums = memref.alloca() : memref<3xi32>
    memref.copy %tile, %tile : memref<?x4xf64> to memref<?x4xf64>
    "test.add"(%tile, %sums) : (memref<?x4xf64>, memref<3xi32>) -> ()
    memref.dealloc %tile : memref<?x4xf64>
  }
  return
}

func.func @kept(%n: index, %m: index) -> memref<?x?xf32> {
  %c3 = arith.constant 3 : index
  %rows = arith.minsi %n, %c3 : index
  // volcli: %kept has no largest size: %n is an argument of the function
  %kept = memref.alloc(%n, %m) : memref<?x?xf32>
  // volcli: %lost has at most 3 elements, 3 bytes
  %lost = memref.alloc(%rows) : memref<?xi8>
  return %kept : memref<?x?xf32>
}

func.func @padded_rows() {
  %rows = memref.alloc() : memref<4x5xf32, strided<[10, 1]>>
  return
}

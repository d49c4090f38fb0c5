// RUN: volcli annotate %s -p check-accesses
// Accesses and slices: in bounds, or an example in which they are not.

// The second example of "MemRef dependence checks in MLIR": 65 of the 70 stores, and 54 of the loads.
func.func @skewed(%m: memref<10x10xf32>, %x: f32) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 7 {
      // volcli: write %m[%i + 3 * %j, 4 * %i + 5 * %j] out of bounds: index 10 in dimension 1 of size 10, at %i = 0, %j = 2 (65 of 70)
      affine.store %x, %m[%i + 3 * %j, 4 * %i + 5 * %j] : memref<10x10xf32>
      // volcli: read %m[%i + %j, %i + 2 * %j + 3] out of bounds: index 11 in dimension 1 of size 10, at %i = 0, %j = 4 (54 of 70)
      %v = affine.load %m[%i + %j, %i + 2 * %j + 3] : memref<10x10xf32>
    }
  }
  return
}

// A loop to the size; a loop to anything; a branch that asks first; an index that is loaded.
// volcli: @dynamic needs %n <= dim(%m, 0) (necessary, perhaps not sufficient)
func.func @dynamic(%m: memref<?x4xf32>, %n: index, %x: f32, %k: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %m, %c0 : memref<?x4xf32>
  scf.for %i = %c0 to %rows step %c1 {
    // volcli: write %m[%i, %c1] in bounds
    memref.store %x, %m[%i, %c1] : memref<?x4xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    // volcli: write %m[%i, %c1] out of bounds: index 1 in dimension 0 of size 1, at %i = 1, for dim(%m, 0) = 1, %n = 2; in bounds if %n <= dim(%m, 0)
    memref.store %x, %m[%i, %c1] : memref<?x4xf32>
  }
  %above = arith.cmpi sge, %n, %c0 : index
  %below = arith.cmpi slt, %n, %rows : index
  %both = arith.andi %above, %below : i1
  scf.if %both {
    // volcli: write %m[%n, %c1] in bounds
    memref.store %x, %m[%n, %c1] : memref<?x4xf32>
  }
  scf.for %i = %c0 to %rows step %c1 {
    // volcli: read %k[%c0] in bounds
    %j = memref.load %k[%c0] : memref<4xindex>
    // volcli: write %m[%i, %j] may be out of bounds: %j is a result of memref.load
    memref.store %x, %m[%i, %j] : memref<?x4xf32>
  }
  return
}

// The last tile is shorter; without the minimum it is not.
// volcli: @tiles needs dim(%t, 1) = 0
func.func @tiles(%t: tensor<100x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c100 = arith.constant 100 : index
  %width = tensor.dim %t, %c1 : tensor<100x?xf32>
  %none = tensor.empty(%c16, %width) : tensor<?x?xf32>
  %r = scf.for %i = %c0 to %c100 step %c16 iter_args(%last = %none) -> tensor<?x?xf32> {
    %height = affine.min affine_map<(d0) -> (16, -d0 + 100)>(%i)
    // volcli: slice %t[%i, 0] [%height, %width] [1, 1] in bounds
    %tile = tensor.extract_slice %t[%i, 0] [%height, %width] [1, 1] : tensor<100x?xf32> to tensor<?x?xf32>
    // volcli: slice %t[%i, 0] [16, %width] [1, 1] out of bounds: index 111 in dimension 0 of size 100, at %i = 96, for dim(%t, 1) = 1
    %whole = tensor.extract_slice %t[%i, 0] [16, %width] [1, 1] : tensor<100x?xf32> to tensor<16x?xf32>
    scf.yield %tile : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// A view has its own shape: its element 3 is inside of the buffer, and outside of the view.
func.func @view(%m: memref<8xf32>) -> (f32, f32) {
  // volcli: slice %m[1] [3] [2] in bounds
  %v = memref.subview %m[1] [3] [2] : memref<8xf32> to memref<3xf32, strided<[2], offset: 1>>
  // volcli: read %v[2] in bounds
  %a = affine.load %v[2] : memref<3xf32, strided<[2], offset: 1>>
  // volcli: read %v[3] out of bounds: index 3 in dimension 0 of size 3
  %b = affine.load %v[3] : memref<3xf32, strided<[2], offset: 1>>
  return %a, %b : f32, f32
}

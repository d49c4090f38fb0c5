// mlir-opt-22: says dependence from 0 to 1 at depth 1 = [1, 15]
// options: -test-memref-dependence-check
// Each iteration has a buffer of its own.
func.func @f(%x: f32) {
  affine.for %i = 0 to 16 {
    %t = memref.alloca() : memref<4xf32>
    affine.store %x, %t[0] : memref<4xf32>
    %y = affine.load %t[0] : memref<4xf32>
  }
  return
}

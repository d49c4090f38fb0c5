// mlir-opt-22: says dependence from 0 to 1 at depth 1 = false
// options: -test-memref-dependence-check
// %flat[8 * %i + 11] is %m[%i + 1, 3].
func.func @f(%m: memref<8x8xf32>, %x: f32) {
  %flat = memref.collapse_shape %m [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  affine.for %i = 0 to 7 {
    affine.store %x, %flat[8 * %i + 11] : memref<64xf32>
    %y = affine.load %m[%i, 3] : memref<8x8xf32>
  }
  return
}

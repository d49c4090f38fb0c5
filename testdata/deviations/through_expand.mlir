// mlir-opt-22: says dependence from 0 to 1 at depth 1 = false
// options: -test-memref-dependence-check
// %rows[%i + 1, 3] is %m[8 * %i + 11].
func.func @f(%m: memref<64xf32>, %x: f32) {
  %rows = memref.expand_shape %m [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  affine.for %i = 0 to 7 {
    affine.store %x, %rows[%i + 1, 3] : memref<8x8xf32>
    %y = affine.load %m[8 * %i + 3] : memref<64xf32>
  }
  return
}

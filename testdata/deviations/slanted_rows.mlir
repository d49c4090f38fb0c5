// mlir-opt-22: says dependence from 0 to 1 at depth 2 = [0, 0][2, 4]
// options: -test-memref-dependence-check
// In one iteration of %i there is none: only with fractions of iterations.
func.func @f(%m: memref<64x128xf32>, %x: f32) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 7 {
      affine.store %x, %m[%i + 3 * %j, 4 * %i + 5 * %j] : memref<64x128xf32>
      %y = affine.load %m[%i + %j, %i + 2 * %j + 3] : memref<64x128xf32>
    }
  }
  return
}

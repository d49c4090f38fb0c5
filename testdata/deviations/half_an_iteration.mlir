// mlir-opt-22: says dependence from 0 to 1 at depth 2 = true
// options: -test-memref-dependence-check
// The two go to one element where 20 - %i = %i + 5: in no iteration.
func.func @f(%m: memref<100xf32>, %x: f32) {
  affine.for %i = 0 to 20 {
    affine.store %x, %m[20 - %i] : memref<100xf32>
    %y = affine.load %m[%i + 5] : memref<100xf32>
  }
  return
}

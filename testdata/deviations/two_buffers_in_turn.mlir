// mlir-opt-22: says dependence from 0 to 1 at depth 1 = false
// options: -test-memref-dependence-check
// What one iteration of %t writes to %to, the next one reads from %from.
func.func @f(%a: memref<64xf32>, %b: memref<64xf32>, %x: f32) {
  %r:2 = affine.for %t = 0 to 10 iter_args(%from = %a, %to = %b) -> (memref<64xf32>, memref<64xf32>) {
    affine.for %i = 0 to 64 {
      %y = affine.load %from[%i] : memref<64xf32>
      affine.store %y, %to[%i] : memref<64xf32>
    }
    affine.yield %to, %from : memref<64xf32>, memref<64xf32>
  }
  return
}

// mlir-opt-22: says dependence from 0 to 1 at depth 1 = false
// options: -test-memref-dependence-check
// What is written to %v[%i] is read two iterations later.
func.func @f(%m: memref<64xf32>, %x: f32) {
  %v = memref.subview %m[8] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 8>>
  affine.for %i = 0 to 16 {
    affine.store %x, %v[%i] : memref<32xf32, strided<[1], offset: 8>>
    %y = affine.load %m[%i + 6] : memref<64xf32>
  }
  return
}

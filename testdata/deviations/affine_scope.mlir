// mlir-opt-22: says dependence from 0 to 0 at depth 1 = false
// options: -test-memref-dependence-check
// Each iteration of %t writes what the one before it wrote.
func.func @f(%m: memref<100xf32>, %x: f32) {
  affine.for %t = 0 to 10 {
    "test.affine_scope"() ({
      affine.for %i = 2 to 20 {
        affine.store %x, %m[%i] : memref<100xf32>
      }
      "test.terminator"() : () -> ()
    }) : () -> ()
  }
  return
}

// mlir-opt-22: says dependence check failed
// options: -test-memref-dependence-check
// A branch that is not affine may be taken, or not.
func.func @f(%m: memref<100xf32>, %x: f32, %b: i1) {
  affine.for %i = 2 to 20 {
    scf.if %b {
      affine.store %x, %m[%i] : memref<100xf32>
    }
    %y = affine.load %m[%i - 2] : memref<100xf32>
  }
  return
}

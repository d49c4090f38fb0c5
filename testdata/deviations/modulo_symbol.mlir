// mlir-opt-22: says dependence check failed
// options: -test-memref-dependence-check
// A subscript that is affine only if %n is known.
func.func @f(%m: memref<?xf32>, %x: f32, %n: index) {
  affine.for %i = 0 to 16 {
    affine.store %x, %m[%i mod symbol(%n)] : memref<?xf32>
    %y = affine.load %m[%i + 20] : memref<?xf32>
  }
  return
}

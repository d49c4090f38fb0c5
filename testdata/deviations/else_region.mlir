// mlir-opt-22: says dependence from 0 to 1 at depth 1 = false
// options: -test-memref-dependence-check
// The store runs where %i is less than 30; it is read 20 iterations later.
func.func @f(%m: memref<100xf32>, %x: f32) {
  affine.for %i = 0 to 40 {
    affine.if affine_set<(d0) : (d0 - 30 >= 0)>(%i) {
    } else {
      affine.store %x, %m[%i] : memref<100xf32>
    }
    %y = affine.load %m[%i - 20] : memref<100xf32>
  }
  return
}

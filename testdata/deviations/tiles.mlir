// mlir-opt-22: says dependence from 0 to 1 at depth 1 = [8, 11][4, 4]
// options: -test-memref-dependence-check
// Tiles are 8 apart, not 11.
func.func @f(%m: memref<100xf32>, %x: f32) {
  affine.for %t = 0 to 64 step 8 {
    affine.for %i = affine_map<(d0) -> (d0)>(%t) to affine_map<(d0) -> (d0 + 8)>(%t) {
      affine.store %x, %m[%i] : memref<100xf32>
      %y = affine.load %m[%i - 4] : memref<100xf32>
    }
  }
  return
}

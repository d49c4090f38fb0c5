// mlir-opt-22: says dependence from 0 to 1 at depth 1 = false
// options: -test-memref-dependence-check
// Two handles of one global.
memref.global "private" @table : memref<64xf32>
func.func @f(%x: f32) {
  %a = memref.get_global @table : memref<64xf32>
  %b = memref.get_global @table : memref<64xf32>
  affine.for %i = 0 to 60 {
    affine.store %x, %a[%i + 2] : memref<64xf32>
    %y = affine.load %b[%i] : memref<64xf32>
  }
  return
}

// Each element is copied by an iteration of its own, in any order: unless %from and %to overlap.
// RUN: volcli opt %s -p mark-parallel
func.func @copy(%from: memref<64xf32>, %to: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %from[%i] : memref<64xf32>
    affine.store %x, %to[%i] : memref<64xf32>
  }
  return
}

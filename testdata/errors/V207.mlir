// Each iteration writes the element that the next one reads.
// RUN: volcli opt %s -p check-races
func.func @next(%m: memref<9xf32>) {
  affine.parallel (%i) = (1) to (9) {
    %v = affine.load %m[%i - 1] : memref<9xf32>
    affine.store %v, %m[%i] : memref<9xf32>
  }
  return
}

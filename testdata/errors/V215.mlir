// Five iterations are one too many: the first one reads what the fifth one writes.
// RUN: volcli opt %s -p check-races
func.func @behind(%m: memref<?xf32>, %n: index) {
  affine.parallel (%i) = (0) to (symbol(%n)) {
    %v = affine.load %m[%i + 4] : memref<?xf32>
    affine.store %v, %m[%i] : memref<?xf32>
  }
  return
}

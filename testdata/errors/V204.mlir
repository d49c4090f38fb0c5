// Whoever calls this with more than nine iterations writes behind the last element.
// RUN: volcli opt %s -p check-accesses
func.func @behind(%m: memref<9xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to %n {
    affine.store %x, %m[%i] : memref<9xf32>
  }
  return
}

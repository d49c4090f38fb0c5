// RUN: volcli opt %s -p dead-code
// The loop runs from 9 to 1.
func.func @backwards(%m: memref<9xf32>, %x: f32) {
  affine.for %i = 9 to 1 {
    affine.store %x, %m[%i - 1] : memref<9xf32>
  }
  return
}

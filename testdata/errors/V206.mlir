// Each element is written, and written again before anything reads it.
// RUN: volcli opt %s -p memory-flow
func.func @twice(%m: memref<9xf32>, %x: f32, %y: f32) {
  affine.for %i = 0 to 9 {
    affine.store %x, %m[%i] : memref<9xf32>
  }
  affine.for %i = 0 to 9 {
    affine.store %y, %m[8 - %i] : memref<9xf32>
  }
  return
}

// What is stored first is overwritten before it is read.
func.func @fires(%m: memref<9xf32>, %x: f32, %y: f32) {
  affine.for %i = 0 to 9 {
    affine.store %x, %m[%i] : memref<9xf32>
    affine.store %y, %m[%i] : memref<9xf32>
  }
  return
}

func.func @silent(%m: memref<9xf32>, %x: f32, %y: f32) {
  affine.for %i = 0 to 9 {
    affine.store %x, %m[%i] : memref<9xf32>
  }
  affine.for %i = 0 to 8 {
    affine.store %y, %m[%i] : memref<9xf32>
  }
  return
}

// The last element is not written any more; in @silent all are, in another order.
func.func @fires(%m: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i] : memref<8xf32>
  }
  return
}

func.func @silent(%m: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %m[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @fires(%m: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 7 {
    affine.store %x, %m[%i] : memref<8xf32>
  }
  return
}

func.func @silent(%m: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %m[7 - %i] : memref<8xf32>
  }
  return
}

// The contents of %k are unknown: the first loop may store twice to one element.
func.func @fires(%m: memref<64xf32>, %k: memref<8xindex>, %x: f32) {
  // volcli: expect parallel %i
  affine.for %i = 0 to 8 {
    %at = affine.load %k[%i] : memref<8xindex>
    memref.store %x, %m[%at] : memref<64xf32>
  }
  return
}

func.func @silent(%m: memref<64xf32>, %x: f32) {
  // volcli: expect parallel %i
  affine.for %i = 0 to 8 {
    affine.store %x, %m[8 * %i] : memref<64xf32>
  }
  return
}

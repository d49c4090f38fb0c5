// The contents of %k are unknown: the first loop may store twice to one element.
func.func @fires(%m: memref<64xindex>, %k: memref<8xindex>) {
  // volcli: expect parallel %i
  affine.for %i = 0 to 8 {
    %at = affine.load %k[%i] : memref<8xindex>
    memref.store %i, %m[%at] : memref<64xindex>
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

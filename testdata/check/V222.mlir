// It is written as what it is.
func.func @fires(%m: memref<64xf32>, %x: f32) {
  // volcli: expect inbounds
  affine.store %x, %m[63] : memref<64xf32>
  return
}

func.func @silent(%m: memref<64xf32>, %x: f32) {
  // volcli: expect in-bounds
  affine.store %x, %m[63] : memref<64xf32>
  return
}

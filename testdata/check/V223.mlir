// The second store is out of bounds on purpose, the first one is not.
func.func @fires(%m: memref<64xf32>, %x: f32) {
  // volcli: ignore V203 no caller uses so large a tile
  affine.store %x, %m[63] : memref<64xf32>
  return
}

func.func @silent(%m: memref<64xf32>, %x: f32) {
  affine.store %x, %m[64] : memref<64xf32>  // volcli: ignore V203 what the tests of out-of-bounds checks need
  return
}

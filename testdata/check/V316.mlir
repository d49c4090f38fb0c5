// Told where proofs are asked for (V314, V315): what was not read may go anywhere.
func.func @fires(%table: memref<16xf32>, %x: f32) {
  mystery.launch %table, %x twice
  return
}

func.func @silent(%table: memref<16xf32>, %x: f32) {
  affine.for %i = 0 to 16 {
    affine.store %x, %table[%i] : memref<16xf32>
  }
  return
}

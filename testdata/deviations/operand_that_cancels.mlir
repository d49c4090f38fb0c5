// mlir-opt-22: prints affine.load %arg0[0]
// A subscript that is 0 whatever %i is; the operation has %i as an operand.
func.func @f(%m: memref<8xf32>, %i: index) -> f32 {
  %x = affine.load %m[%i - %i] : memref<8xf32>
  return %x : f32
}

// mlir-opt-22: crashes
// A condition for each element of what has no elements.
func.func @f(%c: vector<5xi1>, %x: f32) -> f32 {
  %r = arith.select %c, %x, %x : vector<5xi1>, f32
  return %r : f32
}

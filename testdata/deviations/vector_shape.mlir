// mlir-opt-22: error: 'vector.transpose' op dimension size mismatch at: 1
// The shape of a transposed vector.
func.func @f(%x: vector<4x5xf32>) -> vector<4x5xf32> {
  %r = vector.transpose %x, [1, 0] : vector<4x5xf32> to vector<4x5xf32>
  return %r : vector<4x5xf32>
}

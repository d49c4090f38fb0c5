// The function returns a matrix, and there is one size of a tile.
// RUN: volcli opt %s -p tile{sizes=4}
func.func @negative(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %empty = tensor.empty() : tensor<8x8xf32>
  %y = linalg.negf ins(%x : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

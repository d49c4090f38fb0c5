// mlir-opt-22: error: 'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 5, but found 6
// Both reject it; the words differ.
func.func @f(%a: tensor<4x5xf32>, %b: tensor<6x7xf32>, %c: tensor<4x7xf32>) -> tensor<4x7xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<6x7xf32>) outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %r : tensor<4x7xf32>
}

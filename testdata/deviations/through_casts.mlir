// mlir-opt-22: accepts
// The same, with the sizes hidden behind casts.
func.func @f(%a: tensor<4x5xf32>, %b: tensor<6x7xf32>, %c: tensor<4x7xf32>) -> tensor<4x7xf32> {
  %x = tensor.cast %a : tensor<4x5xf32> to tensor<4x?xf32>
  %y = tensor.cast %b : tensor<6x7xf32> to tensor<?x7xf32>
  %r = linalg.matmul ins(%x, %y : tensor<4x?xf32>, tensor<?x7xf32>) outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %r : tensor<4x7xf32>
}

// mlir-opt-22: error: slice along dimension 0 runs out-of-bounds: 11 >= 10
// A slice that ends behind its source.
func.func @f(%a: tensor<10xf32>) -> tensor<4xf32> {
  %s = tensor.extract_slice %a[8] [4] [1] : tensor<10xf32> to tensor<4xf32>
  return %s : tensor<4xf32>
}

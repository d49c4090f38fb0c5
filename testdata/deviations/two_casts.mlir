// mlir-opt-22: accepts
// Each of the two casts is possible, both together are not.
func.func @f(%a: tensor<4xf32>) -> tensor<5xf32> {
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %y = tensor.cast %x : tensor<?xf32> to tensor<5xf32>
  return %y : tensor<5xf32>
}

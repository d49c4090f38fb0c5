// mlir-opt-22: error: custom op 'linalg.matmull' is unknown
// A slip of the pen.
func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmull ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// Two sizes that must agree and cannot: the padded operand has at least 6 rows, the product needs 5.
// RUN: volcli opt %s -p infer-shapes
func.func @product(%x: tensor<4x5xf32>, %w: tensor<?x9xf32>, %init: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %w low[6, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x9xf32> to tensor<?x9xf32>
  %y = linalg.matmul ins(%x, %padded : tensor<4x5xf32>, tensor<?x9xf32>)
      outs(%init : tensor<4x9xf32>) -> tensor<4x9xf32>
  return %y : tensor<4x9xf32>
}

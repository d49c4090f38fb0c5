// RUN: volcli opt %s -p infer-shapes,element-maps,sparsity-regions
// Max pooling of an image padded with -inf: the window operand has a shape and no data.
func.func @pool(%image: tensor<1x4x9x9xf32>) -> tensor<1x4x5x5xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %padded = tensor.pad %image low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %lowest : f32
  } : tensor<1x4x9x9xf32> to tensor<1x4x11x11xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<1x4x5x5xf32>
  %init = linalg.fill ins(%lowest : f32) outs(%empty : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  %result = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%padded, %window : tensor<1x4x11x11xf32>, tensor<3x3xf32>)
      outs(%init : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %result : tensor<1x4x5x5xf32>
}

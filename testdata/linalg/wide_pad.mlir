// RUN: volcli opt %s -p infer-shapes,element-maps,sparsity-regions
// A padding as wide as the 3x3 kernel: the rim of the result never sees the image. It depends on constants
// only (static), and since the padding is 0 it is 0 whatever the weights are.
func.func @wide(%image: tensor<1x2x6x6xf32>, %weights: tensor<4x2x3x3xf32>) -> tensor<1x4x10x10xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 3, 3] high[0, 0, 3, 3] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x2x6x6xf32> to tensor<1x2x12x12xf32>
  %empty = tensor.empty() : tensor<1x4x10x10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x10x10xf32>) -> tensor<1x4x10x10xf32>
  %result = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %weights : tensor<1x2x12x12xf32>, tensor<4x2x3x3xf32>)
      outs(%init : tensor<1x4x10x10xf32>) -> tensor<1x4x10x10xf32>
  return %result : tensor<1x4x10x10xf32>
}

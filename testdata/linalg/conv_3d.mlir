// RUN: volcli opt %s -p infer-shapes,element-maps,sparsity-regions
// A 3-D convolution: faces, edges and corners are sparse of degree 1, 2 and 3.
func.func @volume(%image: tensor<1x1x6x6x6xf32>, %weights: tensor<2x1x3x3x3xf32>) -> tensor<1x2x6x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 1, 1, 1] high[0, 0, 1, 1, 1] {
  ^bb0(%n: index, %c: index, %d: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x1x6x6x6xf32> to tensor<1x1x8x8x8xf32>
  %empty = tensor.empty() : tensor<1x2x6x6x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x6x6x6xf32>) -> tensor<1x2x6x6x6xf32>
  %result = linalg.conv_3d_ncdhw_fcdhw ins(%padded, %weights : tensor<1x1x8x8x8xf32>, tensor<2x1x3x3x3xf32>)
      outs(%init : tensor<1x2x6x6x6xf32>) -> tensor<1x2x6x6x6xf32>
  return %result : tensor<1x2x6x6x6xf32>
}

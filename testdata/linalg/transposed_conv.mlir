// RUN: volcli opt %s -p infer-shapes,element-maps,sparsity-regions
// A transposed convolution as it is lowered: the image is inserted with stride 2 into zeros, then convolved.
// Every window covers zeros; which weights meet data depends on the parity of the row and of the column.
func.func @upsample(%image: tensor<1x2x5x5xf32>, %weights: tensor<3x2x4x4xf32>) -> tensor<1x3x10x10xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x2x13x13xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x13x13xf32>) -> tensor<1x2x13x13xf32>
  %spread = tensor.insert_slice %image into %zeros[0, 0, 2, 2] [1, 2, 5, 5] [1, 1, 2, 2]
      : tensor<1x2x5x5xf32> into tensor<1x2x13x13xf32>
  %dest = tensor.empty() : tensor<1x3x10x10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%dest : tensor<1x3x10x10xf32>) -> tensor<1x3x10x10xf32>
  %result = linalg.conv_2d_nchw_fchw ins(%spread, %weights : tensor<1x2x13x13xf32>, tensor<3x2x4x4xf32>)
      outs(%init : tensor<1x3x10x10xf32>) -> tensor<1x3x10x10xf32>
  return %result : tensor<1x3x10x10xf32>
}

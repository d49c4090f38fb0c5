// RUN: volcli opt %s -p infer-shapes,element-maps,sparsity-regions
// Two padded 3x3 convolutions: the boundary grows by one with each layer, and stays one boundary per side.
func.func @layers(%x: tensor<1x2x12x12xf32>, %w1: tensor<4x2x3x3xf32>, %w2: tensor<2x4x3x3xf32>)
    -> tensor<1x2x12x12xf32> {
  %zero = arith.constant 0.0 : f32
  %pad1 = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x2x12x12xf32> to tensor<1x2x14x14xf32>
  %empty1 = tensor.empty() : tensor<1x4x12x12xf32>
  %init1 = linalg.fill ins(%zero : f32) outs(%empty1 : tensor<1x4x12x12xf32>) -> tensor<1x4x12x12xf32>
  %conv1 = linalg.conv_2d_nchw_fchw ins(%pad1, %w1 : tensor<1x2x14x14xf32>, tensor<4x2x3x3xf32>)
      outs(%init1 : tensor<1x4x12x12xf32>) -> tensor<1x4x12x12xf32>
  %pad2 = tensor.pad %conv1 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x4x12x12xf32> to tensor<1x4x14x14xf32>
  %empty2 = tensor.empty() : tensor<1x2x12x12xf32>
  %init2 = linalg.fill ins(%zero : f32) outs(%empty2 : tensor<1x2x12x12xf32>) -> tensor<1x2x12x12xf32>
  %conv2 = linalg.conv_2d_nchw_fchw ins(%pad2, %w2 : tensor<1x4x14x14xf32>, tensor<2x4x3x3xf32>)
      outs(%init2 : tensor<1x2x12x12xf32>) -> tensor<1x2x12x12xf32>
  return %conv2 : tensor<1x2x12x12xf32>
}

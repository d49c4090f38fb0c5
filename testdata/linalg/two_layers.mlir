// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
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
  // volcli: shape %conv2: [1, 2, 12, 12]
  // volcli: map %conv2:
  // volcli:   { conv2[n, f, h, w] -> x[n', c, h', w'] : -2 + h <= h' <= 2 + h and -2 + w <= w' <= 2 + w }
  // volcli:   { conv2[n, f, h, w] -> w1[f', c, kh, kw] }
  // volcli:   { conv2[n, f, h, w] -> w2[f' = f, c, kh, kw] }
  // volcli:   { conv2[n, f, h, w] -> zero_pad1[] : w >= 10 or h >= 10 or h <= 1 or w <= 1 }
  // volcli:   { conv2[n, f, h, w] -> zero_init1[] }
  // volcli:   { conv2[n, f, h, w = 11] -> zero_pad2[]; conv2[n, f, h = 11, w] -> zero_pad2[]; conv2[n, f, h, w = 0] -> zero_pad2[]; conv2[n, f, h = 0, w] -> zero_pad2[] }
  // volcli:   { conv2[n, f, h, w] -> zero_init2[] }
  // volcli: regions %conv2:
  // volcli:   dense               128  { conv2[n, f, h, w] : 2 <= h <= 9 and 2 <= w <= 9 }
  // volcli:   sparse of degree 1  128  { conv2[n, f, h, w] : (h >= 10 and 2 <= w <= 9) or (2 <= h <= 9 and w >= 10) or (2 <= h <= 9 and w <= 1) or (h <= 1 and 2 <= w <= 9) }
  // volcli:   sparse of degree 2   32  { conv2[n, f, h, w] : (h >= 10 and w >= 10) or (h >= 10 and w <= 1) or (h <= 1 and w >= 10) or (h <= 1 and w <= 1) }
  %conv2 = linalg.conv_2d_nchw_fchw ins(%pad2, %w2 : tensor<1x4x14x14xf32>, tensor<2x4x3x3xf32>)
      outs(%init2 : tensor<1x2x12x12xf32>) -> tensor<1x2x12x12xf32>
  return %conv2 : tensor<1x2x12x12xf32>
}

// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// A 3-D convolution: faces, edges and corners are sparse of degree 1, 2 and 3.
func.func @volume(%image: tensor<1x1x6x6x6xf32>, %weights: tensor<2x1x3x3x3xf32>) -> tensor<1x2x6x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 1, 1, 1] high[0, 0, 1, 1, 1] {
  ^bb0(%n: index, %c: index, %d: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x1x6x6x6xf32> to tensor<1x1x8x8x8xf32>
  %empty = tensor.empty() : tensor<1x2x6x6x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x6x6x6xf32>) -> tensor<1x2x6x6x6xf32>
  // volcli: shape %result: [1, 2, 6, 6, 6]
  // volcli: map %result:
  // volcli:   { result[n, f, d, h, w] -> image[n', c, d', h', w'] : -1 + d <= d' <= 1 + d and -1 + h <= h' <= 1 + h and -1 + w <= w' <= 1 + w }
  // volcli:   { result[n, f, d, h, w] -> weights[f' = f, c, kd, kh, kw] }
  // volcli:   { result[n, f, d, h, w = 5] -> zero_padded[]; result[n, f, d, h = 5, w] -> zero_padded[]; result[n, f, d = 5, h, w] -> zero_padded[]; result[n, f, d, h, w = 0] -> zero_padded[]; result[n, f, d, h = 0, w] -> zero_padded[]; result[n, f, d = 0, h, w] -> zero_padded[] }
  // volcli:   { result[n, f, d, h, w] -> zero_init[] }
  // volcli: regions %result:
  // volcli:   dense               128  { result[n, f, d, h, w] : 0 < d <= 4 and 0 < h <= 4 and 0 < w <= 4 }
  // volcli:   sparse of degree 1  192  { result[n, f, d, h, w = 5] : 0 < d <= 4 and 0 < h <= 4; result[n, f, d, h = 5, w] : 0 < d <= 4 and 0 < w <= 4; result[n, f, d = 5, h, w] : 0 < h <= 4 and 0 < w <= 4; result[n, f, d, h, w = 0] : 0 < d <= 4 and 0 < h <= 4; result[n, f, d, h = 0, w] : 0 < d <= 4 and 0 < w <= 4; result[n, f, d = 0, h, w] : 0 < h <= 4 and 0 < w <= 4 }
  // volcli:   sparse of degree 2   96  { result[n, f, d, h = 5, w = 5] : 0 < d <= 4; result[n, f, d = 5, h, w = 5] : 0 < h <= 4; result[n, f, d, h = 0, w = 5] : 0 < d <= 4; result[n, f, d = 0, h, w = 5] : 0 < h <= 4; result[n, f, d = 5, h = 5, w] : 0 < w <= 4; result[n, f, d = 0, h = 5, w] : 0 < w <= 4; result[n, f, d, h = 5, w = 0] : 0 < d <= 4; result[n, f, d = 5, h, w = 0] : 0 < h <= 4; result[n, f, d, h = 0, w = 0] : 0 < d <= 4; result[n, f, d = 0, h, w = 0] : 0 < h <= 4; result[n, f, d = 5, h = 0, w] : 0 < w <= 4; result[n, f, d = 0, h = 0, w] : 0 < w <= 4 }
  // volcli:   sparse of degree 3   16  { result[n, f, d = 5, h = 5, w = 5]; result[n, f, d = 0, h = 5, w = 5]; result[n, f, d = 5, h = 0, w = 5]; result[n, f, d = 0, h = 0, w = 5]; result[n, f, d = 5, h = 5, w = 0]; result[n, f, d = 0, h = 5, w = 0]; result[n, f, d = 5, h = 0, w = 0]; result[n, f, d = 0, h = 0, w = 0] }
  %result = linalg.conv_3d_ncdhw_fcdhw ins(%padded, %weights : tensor<1x1x8x8x8xf32>, tensor<2x1x3x3x3xf32>)
      outs(%init : tensor<1x2x6x6x6xf32>) -> tensor<1x2x6x6x6xf32>
  return %result : tensor<1x2x6x6x6xf32>
}

// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
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
  // volcli: shape %result: [1, 4, 10, 10]
  // volcli: map %result:
  // volcli:   { result[n, f, h, w] -> image[n', c, h', w'] : -3 + h <= h' < h and -3 + w <= w' < w }
  // volcli:   { result[n, f, h, w] -> weights[f' = f, c, kh, kw] }
  // volcli:   { result[n, f, h, w] -> zero_padded[] : h >= 7 or h <= 2 or (0 < h <= 8 and w >= 7) or (0 < h <= 8 and w <= 2) }
  // volcli:   { result[n, f, h, w] -> zero_init[] }
  // volcli: regions %result:
  // volcli:   dense                             64  { result[n, f, h, w] : 3 <= h <= 6 and 3 <= w <= 6 }
  // volcli:   sparse of degree 1               128  { result[n, f, h, w] : 0 < h <= 8 and 0 < w <= 8 and ((h >= 7 and 3 <= w <= 6) or (3 <= h <= 6 and w >= 7) or (3 <= h <= 6 and w <= 2) or (h <= 2 and 3 <= w <= 6)) }
  // volcli:   sparse of degree 2                64  { result[n, f, h, w] : 0 < h <= 8 and 0 < w <= 8 and ((h >= 7 and w >= 7) or (h >= 7 and w <= 2) or (h <= 2 and w >= 7) or (h <= 2 and w <= 2)) }
  // volcli:   static zero assuming nnan, ninf  144  { result[n, f, h, w = 9] : 0 < h <= 8; result[n, f, h = 9, w]; result[n, f, h, w = 0] : 0 < h <= 8; result[n, f, h = 0, w] }
  %result = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %weights : tensor<1x2x12x12xf32>, tensor<4x2x3x3xf32>)
      outs(%init : tensor<1x4x10x10xf32>) -> tensor<1x4x10x10xf32>
  return %result : tensor<1x4x10x10xf32>
}

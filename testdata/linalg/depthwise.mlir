// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// A depthwise convolution with stride 2 and dilation 2, padded on all sides.
func.func @depthwise(%image: tensor<1x8x16x16xf32>, %weights: tensor<8x3x3xf32>) -> tensor<1x8x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 2, 2] high[0, 0, 2, 2] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x8x16x16xf32> to tensor<1x8x20x20xf32>
  %empty = tensor.empty() : tensor<1x8x8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  // volcli: shape %result: [1, 8, 8, 8]
  // volcli: map %result:
  // volcli:   { result[n, ic, h, w] -> image[n', ic' = ic, h', w'] : (h') mod 2 = 0 and (w') mod 2 = 0 and -2 + 2h <= h' <= 2 + 2h and -2 + 2w <= w' <= 2 + 2w }
  // volcli:   { result[n, ic, h, w] -> weights[ic' = ic, kh, kw] }
  // volcli:   { result[n, ic, h, w = 7] -> zero_padded[]; result[n, ic, h = 7, w] -> zero_padded[]; result[n, ic, h, w = 0] -> zero_padded[]; result[n, ic, h = 0, w] -> zero_padded[] }
  // volcli:   { result[n, ic, h, w] -> zero_init[] }
  // volcli: regions %result:
  // volcli:   dense               288  { result[n, ic, h, w] : 0 < h <= 6 and 0 < w <= 6 }
  // volcli:   sparse of degree 1  192  { result[n, ic, h, w = 7] : 0 < h <= 6; result[n, ic, h = 7, w] : 0 < w <= 6; result[n, ic, h, w = 0] : 0 < h <= 6; result[n, ic, h = 0, w] : 0 < w <= 6 }
  // volcli:   sparse of degree 2   32  { result[n, ic, h = 7, w = 7]; result[n, ic, h = 0, w = 7]; result[n, ic, h = 7, w = 0]; result[n, ic, h = 0, w = 0] }
  %result = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<2> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%padded, %weights : tensor<1x8x20x20xf32>, tensor<8x3x3xf32>)
      outs(%init : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %result : tensor<1x8x8x8xf32>
}

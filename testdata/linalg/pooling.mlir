// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
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
  // volcli: shape %result: [1, 4, 5, 5]
  // volcli: map %result:
  // volcli:   { result[n, c, h, w] -> image[n', c' = c, h', w'] : -1 + 2h <= h' <= 1 + 2h and -1 + 2w <= w' <= 1 + 2w }
  // volcli:   { result[n, c, h, w = 4] -> lowest_padded[]; result[n, c, h = 4, w] -> lowest_padded[]; result[n, c, h, w = 0] -> lowest_padded[]; result[n, c, h = 0, w] -> lowest_padded[] }
  // volcli:   { result[n, c, h, w] -> lowest_init[] }
  // volcli: regions %result:
  // volcli:   dense               36  { result[n, c, h, w] : 0 < h <= 3 and 0 < w <= 3 }
  // volcli:   sparse of degree 1  48  { result[n, c, h, w = 4] : 0 < h <= 3; result[n, c, h = 4, w] : 0 < w <= 3; result[n, c, h, w = 0] : 0 < h <= 3; result[n, c, h = 0, w] : 0 < w <= 3 }
  // volcli:   sparse of degree 2  16  { result[n, c, h = 4, w = 4]; result[n, c, h = 0, w = 4]; result[n, c, h = 4, w = 0]; result[n, c, h = 0, w = 0] }
  %result = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%padded, %window : tensor<1x4x11x11xf32>, tensor<3x3xf32>)
      outs(%init : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %result : tensor<1x4x5x5xf32>
}

// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
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
  // volcli: shape %result: [1, 3, 10, 10]
  // volcli: map %result:
  // volcli:   { result[n, f, h, w] -> image[n', c, h', w'] : -2 + h <= 2h' <= 1 + h and -2 + w <= 2w' <= 1 + w }
  // volcli:   { result[n, f, h, w] -> weights[f' = f, c, kh, kw] }
  // volcli:   { result[n, f, h, w] -> zero_zeros[] }
  // volcli:   { result[n, f, h, w] -> zero_init[] }
  // volcli: regions %result:
  // volcli:   sparse in gaps, h mod 2 = 0, w mod 2 = 0      27  { result[n, f, h, w] : (h) mod 2 = 0 and (w) mod 2 = 0 and 2 <= h <= 6 and 2 <= w <= 6 }
  // volcli:   sparse in gaps, h mod 2 = 0, w mod 2 = 1      27  { result[n, f, h, w] : (h) mod 2 = 0 and (1 + w) mod 2 = 0 and 2 <= h <= 6 and 3 <= w <= 7 }
  // volcli:   sparse in gaps, h mod 2 = 1, w mod 2 = 0      27  { result[n, f, h, w] : (1 + h) mod 2 = 0 and (w) mod 2 = 0 and 3 <= h <= 7 and 2 <= w <= 6 }
  // volcli:   sparse in gaps, h mod 2 = 1, w mod 2 = 1      27  { result[n, f, h, w] : (1 + h) mod 2 = 0 and (1 + w) mod 2 = 0 and 3 <= h <= 7 and 3 <= w <= 7 }
  // volcli:   sparse of degree 1, h mod 2 = 0, w mod 2 = 0  36  { result[n, f, h, w = 8] : (h) mod 2 = 0 and 2 <= h <= 6; result[n, f, h = 8, w] : (w) mod 2 = 0 and 2 <= w <= 6; result[n, f, h, w = 0] : (h) mod 2 = 0 and 2 <= h <= 6; result[n, f, h = 0, w] : (w) mod 2 = 0 and 2 <= w <= 6 }
  // volcli:   sparse of degree 1, h mod 2 = 0, w mod 2 = 1  36  { result[n, f, h, w = 9] : (h) mod 2 = 0 and 2 <= h <= 6; result[n, f, h = 8, w] : (1 + w) mod 2 = 0 and 3 <= w <= 7; result[n, f, h, w = 1] : (h) mod 2 = 0 and 2 <= h <= 6; result[n, f, h = 0, w] : (1 + w) mod 2 = 0 and 3 <= w <= 7 }
  // volcli:   sparse of degree 1, h mod 2 = 1, w mod 2 = 0  36  { result[n, f, h = 9, w] : (w) mod 2 = 0 and 2 <= w <= 6; result[n, f, h, w = 8] : (1 + h) mod 2 = 0 and 3 <= h <= 7; result[n, f, h = 1, w] : (w) mod 2 = 0 and 2 <= w <= 6; result[n, f, h, w = 0] : (1 + h) mod 2 = 0 and 3 <= h <= 7 }
  // volcli:   sparse of degree 1, h mod 2 = 1, w mod 2 = 1  36  { result[n, f, h, w = 9] : (1 + h) mod 2 = 0 and 3 <= h <= 7; result[n, f, h = 9, w] : (1 + w) mod 2 = 0 and 3 <= w <= 7; result[n, f, h, w = 1] : (1 + h) mod 2 = 0 and 3 <= h <= 7; result[n, f, h = 1, w] : (1 + w) mod 2 = 0 and 3 <= w <= 7 }
  // volcli:   sparse of degree 2, h mod 2 = 0, w mod 2 = 0  12  { result[n, f, h = 8, w = 8]; result[n, f, h = 0, w = 8]; result[n, f, h = 8, w = 0]; result[n, f, h = 0, w = 0] }
  // volcli:   sparse of degree 2, h mod 2 = 0, w mod 2 = 1  12  { result[n, f, h = 8, w = 9]; result[n, f, h = 0, w = 9]; result[n, f, h = 8, w = 1]; result[n, f, h = 0, w = 1] }
  // volcli:   sparse of degree 2, h mod 2 = 1, w mod 2 = 0  12  { result[n, f, h = 9, w = 8]; result[n, f, h = 1, w = 8]; result[n, f, h = 9, w = 0]; result[n, f, h = 1, w = 0] }
  // volcli:   sparse of degree 2, h mod 2 = 1, w mod 2 = 1  12  { result[n, f, h = 9, w = 9]; result[n, f, h = 1, w = 9]; result[n, f, h = 9, w = 1]; result[n, f, h = 1, w = 1] }
  %result = linalg.conv_2d_nchw_fchw ins(%spread, %weights : tensor<1x2x13x13xf32>, tensor<3x2x4x4xf32>)
      outs(%init : tensor<1x3x10x10xf32>) -> tensor<1x3x10x10xf32>
  return %result : tensor<1x3x10x10xf32>
}

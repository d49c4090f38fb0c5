// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// A matrix of two rows padded to four, times weights: 0 * w is 0 for every finite w, so that the outer rows of
// the product do not depend on the weights.
func.func @product(%a: tensor<2x3xf32>, %w: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %a low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x3xf32> to tensor<4x3xf32>
  %empty = tensor.empty() : tensor<4x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x5xf32>) -> tensor<4x5xf32>
  // volcli: shape %product: [4, 5]
  // volcli: map %product:
  // volcli:   { product[m, n] -> a[m' = -1 + m, k] }
  // volcli:   { product[m, n] -> w[k, n' = n] }
  // volcli:   { product[m = 3, n] -> zero_padded[]; product[m = 0, n] -> zero_padded[] }
  // volcli:   { product[m, n] -> zero_init[] }
  // volcli: regions %product:
  // volcli:   dense                            10  { product[m, n] : 0 < m <= 2 }
  // volcli:   static zero assuming nnan, ninf  10  { product[m = 3, n]; product[m = 0, n] }
  %product = linalg.matmul ins(%padded, %w : tensor<4x3xf32>, tensor<3x5xf32>)
      outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %product : tensor<4x5xf32>
}

// With -1 as the padding nothing is lost, and the outer rows depend on the weights: sparse.
func.func @not_zero(%a: tensor<2x3xf32>, %w: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %minus_one = arith.constant -1.0 : f32
  %padded = tensor.pad %a low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %minus_one : f32
  } : tensor<2x3xf32> to tensor<4x3xf32>
  %empty = tensor.empty() : tensor<4x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x5xf32>) -> tensor<4x5xf32>
  // volcli: shape %product: [4, 5]
  // volcli: map %product:
  // volcli:   { product[m, n] -> a[m' = -1 + m, k] }
  // volcli:   { product[m, n] -> w[k, n' = n] }
  // volcli:   { product[m = 3, n] -> minus_one_padded[]; product[m = 0, n] -> minus_one_padded[] }
  // volcli:   { product[m, n] -> zero_init[] }
  // volcli: regions %product:
  // volcli:   dense               10  { product[m, n] : 0 < m <= 2 }
  // volcli:   sparse of degree 1  10  { product[m = 3, n]; product[m = 0, n] }
  %product = linalg.matmul ins(%padded, %w : tensor<4x3xf32>, tensor<3x5xf32>)
      outs(%init : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %product : tensor<4x5xf32>
}

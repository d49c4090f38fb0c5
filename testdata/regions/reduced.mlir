// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// The sums of the rows of a padded matrix: the padding left and right of a row has no dimension of the result
// to lie along. It stays a boundary of %padded, which every sum touches.
func.func @row_sums(%a: tensor<3x4xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<3x4xf32> to tensor<5x6xf32>
  %empty = tensor.empty() : tensor<5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<5xf32>) -> tensor<5xf32>
  // volcli: shape %sums: [5]
  // volcli: map %sums:
  // volcli:   { sums[d0] -> a[d0' = -1 + d0, d1] }
  // volcli:   { sums[d0] -> zero_padded[] }
  // volcli:   { sums[d0] -> zero_init[] }
  // volcli: regions %sums (2 boundaries reach every element that depends on data):
  // volcli:   dense        3  { sums[d0] : 0 < d0 <= 3 }
  // volcli:   static zero  2  { sums[d0 = 4]; sums[d0 = 0] }
  %sums = linalg.reduce { arith.addf } ins(%padded : tensor<5x6xf32>) outs(%init : tensor<5xf32>) dimensions = [1]
  return %sums : tensor<5xf32>
}

// RUN: volcli annotate %s -p infer-shapes,element-maps
// A loop that adds up columns: the row of an element is all that it depends on, beside its bias.
func.func @row_sums(%rows: tensor<4x8xf32>, %bias: tensor<4xf32>, %scale: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %sums = scf.for %j = %c0 to %c8 step %c1 iter_args(%sum = %bias) -> tensor<4xf32> {
    %column = tensor.extract_slice %rows[0, %j] [4, 1] [1, 1] : tensor<4x8xf32> to tensor<4xf32>
    %next = arith.addf %sum, %column : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  // volcli: shape %scaled: [4]
  // volcli: map %scaled:
  // volcli:   { scaled[d0] -> rows[d0' = d0, d1] }
  // volcli:   { scaled[d0] -> bias[d0' = d0] }
  // volcli:   { scaled[d0] -> scale[d0' = d0] }
  %scaled = arith.mulf %sums, %scale : tensor<4xf32>
  return %scaled : tensor<4xf32>
}

// The sums of the first rows are short, as %l is said to be lower triangular: nobody has checked what callers pass.
// RUN: volcli opt %s -p partition
func.func @triangular(%l: tensor<32x32xi32> {volcli.domain = affine_set<(d0, d1) : (d0 - d1 >= 0)>},
                      %b: tensor<32x32xi32>) -> tensor<32x32xi32> {
  %zeros = arith.constant dense<0> : tensor<32x32xi32>
  %r = linalg.matmul ins(%l, %b : tensor<32x32xi32>, tensor<32x32xi32>) outs(%zeros : tensor<32x32xi32>)
      -> tensor<32x32xi32>
  return %r : tensor<32x32xi32>
}

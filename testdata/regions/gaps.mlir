// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// Three numbers, spread with stride 2 among zeros, and the sum of each three neighbours: zeros before and
// behind the data are halfspaces, zeros between the data are gaps with a period of 2.
func.func @spread(%a: tensor<3xf32>) -> (tensor<9xf32>, tensor<7xf32>) {
  %zero = arith.constant 0.0 : f32
  %zeros = tensor.splat %zero : tensor<9xf32>
  // volcli: shape %spread: [9]
  // volcli: map %spread:
  // volcli:   { spread[d0] -> a[d0'] : 2d0' = -2 + d0 }
  // volcli:   { spread[d0] -> zero_zeros[] : (1 + d0) mod 2 = 0; spread[d0 = 8] -> zero_zeros[]; spread[d0 = 0] -> zero_zeros[] }
  // volcli: regions %spread:
  // volcli:   dense        3  { spread[d0] : (d0) mod 2 = 0 and 2 <= d0 <= 6 }
  // volcli:   static zero  6  { spread[d0] : (1 + d0) mod 2 = 0; spread[d0 = 8]; spread[d0 = 0] }
  %spread = tensor.insert_slice %a into %zeros[2] [3] [2] : tensor<3xf32> into tensor<9xf32>
  %window = tensor.empty() : tensor<3xf32>
  %empty = tensor.empty() : tensor<7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7xf32>) -> tensor<7xf32>
  // volcli: shape %sums: [7]
  // volcli: map %sums:
  // volcli:   { sums[d0] -> a[d0'] : -2 + d0 <= 2d0' <= d0 }
  // volcli:   { sums[d0] -> zero_zeros[] }
  // volcli:   { sums[d0] -> zero_init[] }
  // volcli: regions %sums:
  // volcli:   sparse in gaps, d0 mod 2 = 0      2  { sums[d0] : (d0) mod 2 = 0 and 2 <= d0 <= 4 }
  // volcli:   sparse in gaps, d0 mod 2 = 1      1  { sums[d0 = 3] }
  // volcli:   sparse of degree 1, d0 mod 2 = 0  2  { sums[d0 = 6]; sums[d0 = 0] }
  // volcli:   sparse of degree 1, d0 mod 2 = 1  2  { sums[d0 = 5]; sums[d0 = 1] }
  %sums = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%spread, %window : tensor<9xf32>, tensor<3xf32>) outs(%init : tensor<7xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0 : f32
  } -> tensor<7xf32>
  return %spread, %sums : tensor<9xf32>, tensor<7xf32>
}

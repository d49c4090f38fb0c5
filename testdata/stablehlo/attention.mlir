// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// Scores of two sequences of which one is padded: a batched product, a mask, a sum along a row.
func.func @scores(%query: tensor<2x4x3xf32>, %key: tensor<2x3x3xf32>) -> (tensor<2x4x5xf32>, tensor<2x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %padded = stablehlo.pad %key, %zero, low = [0, 0, 0], high = [0, 2, 0], interior = [0, 0, 0] : (tensor<2x3x3xf32>, tensor<f32>) -> tensor<2x5x3xf32>
  // volcli: shape %product: [2, 4, 5]
  // volcli: map %product:
  // volcli:   { product[d0, d1, d2] -> query[d0' = d0, d1' = d1, d2'] }
  // volcli:   { product[d0, d1, d2] -> key[d0' = d0, d1' = d2, d2'] }
  // volcli:   { product[d0, d1, d2] -> zero_padded[] : d2 >= 3 }
  // volcli: regions %product:
  // volcli:   dense                            24  { product[d0, d1, d2] : d2 <= 2 }
  // volcli:   static zero assuming nnan, ninf  16  { product[d0, d1, d2] : d2 >= 3 }
  %product = stablehlo.dot_general %query, %padded, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x3xf32>, tensor<2x5x3xf32>) -> tensor<2x4x5xf32>
  // volcli: shape %sum: [2, 4]
  // volcli: map %sum:
  // volcli:   { sum[d0, d1] -> query[d0' = d0, d1' = d1, d2] }
  // volcli:   { sum[d0, d1] -> key[d0' = d0, d1', d2] }
  // volcli:   { sum[d0, d1] -> zero_padded[] }
  // volcli:   { sum[d0, d1] -> zero_sum[] }
  // volcli: regions %sum (1 boundary reaches every element that depends on data):
  // volcli:   dense  8  { sum[d0, d1] }
  %sum = stablehlo.reduce(%product init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<2x4x5xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %product, %sum : tensor<2x4x5xf32>, tensor<2x4xf32>
}

// A bias for each row, a window of every second column, and zeros between the elements.
func.func @layout(%x: tensor<3x6xf32>, %bias: tensor<3xf32>) -> (tensor<3x3xf32>, tensor<5x6xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rows = stablehlo.broadcast_in_dim %bias, dims = [0] : (tensor<3xf32>) -> tensor<3x6xf32>
  %moved = stablehlo.add %x, %rows : tensor<3x6xf32>
  // volcli: shape %half: [3, 3]
  // volcli: map %half:
  // volcli:   { half[d0, d1] -> x[d0' = d0, d1' = 1 + 2d1] }
  // volcli:   { half[d0, d1] -> bias[d0' = d0] }
  // volcli: regions %half:
  // volcli:   dense  9  { half[d0, d1] }
  %half = stablehlo.slice %moved [0:3, 1:6:2] : (tensor<3x6xf32>) -> tensor<3x3xf32>
  // volcli: shape %spread: [5, 6]
  // volcli: map %spread:
  // volcli:   { spread[d0, d1] -> x[d0', d1' = d1] : 2d0' = d0 }
  // volcli:   { spread[d0, d1] -> zero_spread[] : (1 + d0) mod 2 = 0 }
  // volcli: regions %spread:
  // volcli:   dense        18  { spread[d0, d1] : (d0) mod 2 = 0 }
  // volcli:   static zero  12  { spread[d0, d1] : (1 + d0) mod 2 = 0 }
  %spread = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<3x6xf32>, tensor<f32>) -> tensor<5x6xf32>
  return %half, %spread : tensor<3x3xf32>, tensor<5x6xf32>
}

// Sizes that are known only at run time, in generic form.
// volcli: shape %a: [a_d0, 4]
// volcli: shape %b: [b_d0, 4]
func.func @sums(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %init: tensor<f32>) -> tensor<?xf32> {
  // volcli: shape %joined: [a_d0 + b_d0, 4]
  %joined = "stablehlo.concatenate"(%a, %b) <{dimension = 0 : i64}> : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  // volcli: shape %rows: [a_d0 + b_d0]
  // volcli: map %rows:
  // volcli:   { rows[d0] -> a[d0' = d0, d1] }
  // volcli:   [a_d0] -> { rows[d0] -> b[d0' = -a_d0 + d0, d1] }
  // volcli:   { rows[d0] -> init[] }
  // volcli: regions %rows:
  // volcli:   dense  a_d0 + b_d0  { rows[d0] }
  %rows = "stablehlo.reduce"(%joined, %init) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.maximum"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
  return %rows : tensor<?xf32>
}

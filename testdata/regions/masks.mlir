// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// Masks that other operations compute: coordinates, their difference, a comparison, a selection.
#column = affine_map<(i, j) -> (i, 0)>
#row = affine_map<(i, j) -> (0, j)>
#whole = affine_map<(i, j) -> (i, j)>

func.func @triangular(%a: tensor<6x6xi32>, %b: tensor<6x6xi32>) -> (tensor<6x6xi32>, tensor<6x6xi32>) {
  %zero = arith.constant 0 : i32
  %none = tensor.empty() : tensor<6xi64>
  %coordinates = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%none : tensor<6xi64>) {
    ^bb0(%out: i64):
      %i = linalg.index 0 : index
      %number = arith.index_cast %i : index to i64
      linalg.yield %number : i64
  } -> tensor<6xi64>
  %rows = tensor.expand_shape %coordinates [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
  %columns = tensor.expand_shape %coordinates [[0, 1]] output_shape [1, 6] : tensor<6xi64> into tensor<1x6xi64>
  %truths = tensor.empty() : tensor<6x6xi1>
  %upper = linalg.generic {
      indexing_maps = [#column, #row, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%rows, %columns : tensor<6x1xi64>, tensor<1x6xi64>) outs(%truths : tensor<6x6xi1>) {
    ^bb0(%i: i64, %j: i64, %out: i1):
      %is_upper = arith.cmpi sle, %i, %j : i64
      linalg.yield %is_upper : i1
  } -> tensor<6x6xi1>
  %numbers = tensor.empty() : tensor<6x6xi32>
  %u = linalg.generic {
      indexing_maps = [#whole, #whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%upper, %a : tensor<6x6xi1>, tensor<6x6xi32>) outs(%numbers : tensor<6x6xi32>) {
    ^bb0(%is_upper: i1, %x: i32, %out: i32):
      %kept = arith.select %is_upper, %x, %zero : i32
      linalg.yield %kept : i32
  } -> tensor<6x6xi32>
  %v = linalg.generic {
      indexing_maps = [#whole, #whole, #whole], iterator_types = ["parallel", "parallel"]}
      ins(%upper, %b : tensor<6x6xi1>, tensor<6x6xi32>) outs(%numbers : tensor<6x6xi32>) {
    ^bb0(%is_upper: i1, %x: i32, %out: i32):
      %kept = arith.select %is_upper, %x, %zero : i32
      linalg.yield %kept : i32
  } -> tensor<6x6xi32>
  %start = linalg.fill ins(%zero : i32) outs(%numbers : tensor<6x6xi32>) -> tensor<6x6xi32>
  // volcli: shape %product: [6, 6]
  // volcli: map %product:
  // volcli:   { product[m, n] -> a[m' = m, k] : k >= m }
  // volcli:   { product[m, n] -> b[m', k = n] : m' <= n }
  // volcli:   { product[m, n] -> zero_u[] : m > 0 }
  // volcli:   { product[m, n] -> zero_v[] : n <= 4 }
  // volcli:   { product[m, n] -> zero_start[] }
  // volcli: regions %product:
  // volcli:   dense            1  { product[m = 0, n = 5] }
  // volcli:   sparse in gaps  20  { product[m, n] : m <= n <= 4 + m }
  // volcli:   static zero     15  { product[m, n] : n < m }
  %product = linalg.matmul ins(%u, %v : tensor<6x6xi32>, tensor<6x6xi32>)
      outs(%start : tensor<6x6xi32>) -> tensor<6x6xi32>
  // volcli: shape %elementwise: [6, 6]
  // volcli: map %elementwise:
  // volcli:   { elementwise[m, k] -> a[m' = m, k' = k] : k >= m }
  // volcli:   { elementwise[m, k] -> b[m' = m, k' = k] }
  // volcli:   { elementwise[m, k] -> zero_u[] : k < m }
  // volcli: regions %elementwise:
  // volcli:   dense        21  { elementwise[m, k] : k >= m }
  // volcli:   static zero  15  { elementwise[m, k] : k < m }
  %elementwise = linalg.mul ins(%u, %b : tensor<6x6xi32>, tensor<6x6xi32>)
      outs(%numbers : tensor<6x6xi32>) -> tensor<6x6xi32>
  return %product, %elementwise : tensor<6x6xi32>, tensor<6x6xi32>
}

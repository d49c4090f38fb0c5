// RUN: volcli annotate %s -p infer-shapes,element-maps,sparsity-regions
// Reshapes: the same elements in row-major order.
func.func @reshapes(%a: tensor<2x3x4xf32>) -> (tensor<6x4xf32>, tensor<2x3x2x2xf32>, tensor<8x3xf32>) {
  %shape = arith.constant dense<[8, 3]> : tensor<2xi64>
  // volcli: shape %collapsed: [6, 4]
  // volcli: map %collapsed:
  // volcli:   { collapsed[d0, d1] -> a[d0', d1' = d0 - 3d0', d2 = d1] }
  // volcli: regions %collapsed:
  // volcli:   dense  24  { collapsed[d0, d1] }
  %collapsed = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>
  // volcli: shape %expanded: [2, 3, 2, 2]
  // volcli: map %expanded:
  // volcli:   { expanded[d0, d1, d2, d3] -> a[d0' = d0, d1' = d1, d2' = 2d2 + d3] }
  // volcli: regions %expanded:
  // volcli:   dense  24  { expanded[d0, d1, d2, d3] }
  %expanded = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [2, 3, 2, 2]
      : tensor<2x3x4xf32> into tensor<2x3x2x2xf32>
  // volcli: shape %reshaped: [8, 3]
  // volcli: map %reshaped:
  // volcli:   { reshaped[d0, d1] -> a[d0', d1', d2 = 3d0 + d1 - 12d0' - 4d1'] : -3 + d0 <= 4d0' <= d0 }
  // volcli: regions %reshaped:
  // volcli:   dense  24  { reshaped[d0, d1] }
  %reshaped = tensor.reshape %a(%shape) : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<8x3xf32>
  return %collapsed, %expanded, %reshaped : tensor<6x4xf32>, tensor<2x3x2x2xf32>, tensor<8x3xf32>
}

// Rank-reducing slices out of and into a tensor.
func.func @rows(%a: tensor<4x5xf32>) -> (tensor<5xf32>, tensor<4x5xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4x5xf32>
  // volcli: shape %row: [5]
  // volcli: map %row:
  // volcli:   { row[d0] -> a[d0' = 2, d1 = d0] }
  // volcli: regions %row:
  // volcli:   dense  5  { row[d0] }
  %row = tensor.extract_slice %a[2, 0] [1, 5] [1, 1] : tensor<4x5xf32> to tensor<5xf32>
  // volcli: shape %only: [4, 5]
  // volcli: map %only:
  // volcli:   { only[d0 = 1, d1] -> a[d0' = 2, d1' = d1] }
  // volcli:   { only[d0, d1] -> zero[d0' = d0, d1' = d1] : d0 >= 2; only[d0 = 0, d1] -> zero[d0' = 0, d1' = d1] }
  // volcli: regions %only:
  // volcli:   dense         5  { only[d0 = 1, d1] }
  // volcli:   static zero  15  { only[d0, d1] : d0 >= 2; only[d0 = 0, d1] }
  %only = tensor.insert_slice %row into %zero[1, 0] [1, 5] [1, 1] : tensor<5xf32> into tensor<4x5xf32>
  return %row, %only : tensor<5xf32>, tensor<4x5xf32>
}

// A slice whose offset and size are values.
// volcli: shape %a: [a_d0]
func.func @window(%a: tensor<?xf32>, %from: index, %count: index) -> tensor<?xf32> {
  // volcli: shape %slice: [count]
  // volcli: map %slice:
  // volcli:   [from] -> { slice[d0] -> a[d0' = from + 2d0] }
  // volcli: regions %slice:
  // volcli:   dense  count  { slice[d0] }
  %slice = tensor.extract_slice %a[%from] [%count] [2] : tensor<?xf32> to tensor<?xf32>
  return %slice : tensor<?xf32>
}

// A reshape to a shape that is data: sound, and its element map is not affine.
// volcli: shape %a: [a_d0, 4]
func.func @dynamic_reshape(%a: tensor<?x4xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %shape = tensor.from_elements %n, %m : tensor<2xindex>
  // volcli: shape %reshaped: [n, m]
  // volcli: map %reshaped (over-approximate: the row-major position in a dynamic shape is not affine):
  // volcli:   { reshaped[d0, d1] -> a[d0', d1'] }
  // volcli: regions %reshaped (over-approximate: the row-major position in a dynamic shape is not affine):
  // volcli:   dense  m * n  { reshaped[d0, d1] }
  %reshaped = tensor.reshape %a(%shape) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %reshaped : tensor<?x?xf32>
}

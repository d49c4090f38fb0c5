// RUN: volcli annotate %s -p volumes
// What each value is: an array, a volume of another domain, a view or a slice of another value.

// volcli: volume %upper: volume, not a box, hull offset [0, 0], size [6, 8]; packed at (-d0^2 + 15*d0)/2 + d1 assuming %upper is zero except where -d0 + d1 >= 0
func.func @volumes(%upper: tensor<6x8xf32> {volcli.domain = affine_set<(i, j) : (j - i >= 0)>}, %n: index) -> tensor<3x4xf32> {
  // volcli: volume %band: slice of %upper: offset [1, 2], size [4, 4], stride [1, 1] assuming %upper is zero except where -d0 + d1 >= 0
  %band = tensor.extract_slice %upper[1, 2] [4, 4] [1, 1] : tensor<6x8xf32> to tensor<4x4xf32>
  // volcli: volume %strided: slice of %upper: offset [0, 1], size [3, 4], stride [2, 2]; packed at (-d0^2 + 7*d0)/2 + d1 assuming %upper is zero except where -d0 + d1 >= 0
  %strided = tensor.extract_slice %upper[0, 1] [3, 4] [2, 2] : tensor<6x8xf32> to tensor<3x4xf32>
  // volcli: volume %row: slice of %upper: offset [n, 0], size [1, 8], stride [0, 1] assuming %upper is zero except where -d0 + d1 >= 0
  %row = tensor.extract_slice %upper[%n, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<8xf32>
  // volcli: volume %flat: view of %upper, not a slice: none of its indices is an offset and a stride; its elements are offset [0, 0], size [6, 8], stride [1, 1], in another order assuming %upper is zero except where -d0 + d1 >= 0
  %flat = tensor.collapse_shape %upper [[0, 1]] : tensor<6x8xf32> into tensor<48xf32>
  // volcli: volume %empty: array, offset [0, 0], size [8, 6]
  %empty = tensor.empty() : tensor<8x6xf32>
  // volcli: volume %turned: view of %upper, not a slice: its dimensions are in another order; its elements are offset [0, 0], size [6, 8], stride [1, 1], in another order assuming %upper is zero except where -d0 + d1 >= 0
  %turned = linalg.transpose ins(%upper : tensor<6x8xf32>) outs(%empty : tensor<8x6xf32>) permutation = [1, 0]
  %one = arith.constant 1.0 : f32
  // volcli: volume %scalar: scalar
  %scalar = tensor.from_elements %one : tensor<f32>
  return %strided : tensor<3x4xf32>
}

// volcli: volume %m: volume, not a box, hull offset [0, 0], size [min(m_d0, m_d1), m_d1]; packed at (2*d0*m_d1 - d0^2 - d0)/2 + d1 assuming %m is zero except where -d0 + d1 >= 0
func.func @triangle(%m: tensor<?x?xf32> {volcli.domain = affine_set<(i, j) : (j - i >= 0)>}) -> tensor<?x?xf32> {
  // volcli: volume %doubled: volume, not a box, hull offset [0, 0], size [min(m_d0, m_d1), m_d1]; packed at (2*d0*m_d1 - d0^2 - d0)/2 + d1 assuming %m is zero except where -d0 + d1 >= 0
  %doubled = arith.addf %m, %m : tensor<?x?xf32>
  return %doubled : tensor<?x?xf32>
}

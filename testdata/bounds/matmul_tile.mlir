// RUN: volcli annotate %s -p value-bounds
// The last tile of a matrix of 128 columns in tiles of 9 has 2 columns: both sides are exact.
func.func @tiled(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>, %c: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %c128 = arith.constant 128 : index
  // volcli: %i in [0, 124]
  %rows = scf.for %i = %c0 to %c128 step %c4 iter_args(%c_i = %c) -> (tensor<128x128xf32>) {
    // volcli: %j in [0, 126]
    %columns = scf.for %j = %c0 to %c128 step %c9 iter_args(%c_j = %c_i) -> (tensor<128x128xf32>) {
      // volcli: %width in [2, 9]
      %width = affine.min affine_map<(d0) -> (-d0 + 128, 9)>(%j)
      %a_tile = tensor.extract_slice %a[%i, 0] [4, 128] [1, 1] : tensor<128x128xf32> to tensor<4x128xf32>
      // volcli: dim(%b_tile, 1) in [2, 9]
      %b_tile = tensor.extract_slice %b[0, %j] [128, %width] [1, 1] : tensor<128x128xf32> to tensor<128x?xf32>
      // volcli: dim(%c_tile, 1) in [2, 9]
      %c_tile = tensor.extract_slice %c_j[%i, %j] [4, %width] [1, 1] : tensor<128x128xf32> to tensor<4x?xf32>
      // volcli: dim(%product, 1) in [2, 9]
      %product = linalg.matmul ins(%a_tile, %b_tile : tensor<4x128xf32>, tensor<128x?xf32>) outs(%c_tile : tensor<4x?xf32>) -> tensor<4x?xf32>
      %written = tensor.insert_slice %product into %c_j[%i, %j] [4, %width] [1, 1] : tensor<4x?xf32> into tensor<128x128xf32>
      scf.yield %written : tensor<128x128xf32>
    }
    scf.yield %columns : tensor<128x128xf32>
  }
  return %rows : tensor<128x128xf32>
}

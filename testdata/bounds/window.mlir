// RUN: volcli annotate %s -p 'infer-shapes,value-bounds{of=%rows},value-bounds{of=%columns}'
// The size of a result is that of the destination; that windows stay inside of what they slide over bounds it. If
// some size of the result is 0, nothing is read, and nothing is required: what bounds one, is said of another.
// volcli: shape %o: [1, 8, o_d2, o_d3]
func.func @conv(%x: tensor<1x3x512x512xf32>, %w: tensor<8x3x5x5xf32>,
                %o: tensor<1x8x?x?xf32> {volcli.assume = affine_set<(n, f, h, w) : (w - 1 >= 0)>}) -> (index, index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  // volcli: shape %r: [1, 8, o_d2, o_d3]
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<1x3x512x512xf32>, tensor<8x3x5x5xf32>) outs(%o : tensor<1x8x?x?xf32>) -> tensor<1x8x?x?xf32>
  // volcli: %rows = dim(%o, 2), in [0, 254] assuming dim(%o, 3) - 1 >= 0
  %rows = tensor.dim %r, %c2 : tensor<1x8x?x?xf32>
  // volcli: %columns = dim(%o, 3), in [1, +inf] assuming dim(%o, 3) - 1 >= 0
  %columns = tensor.dim %r, %c3 : tensor<1x8x?x?xf32>
  return %rows, %columns : index, index
}

// volcli: shape %x: [4, x_d1]
// volcli: shape %w: [x_d1, 7]
// volcli: shape %o: [4, 7]
func.func @matmul(%x: tensor<?x?xf32>, %w: tensor<?x7xf32>, %o: tensor<4x?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // volcli: shape %r: [4, 7]
  %r = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x7xf32>) outs(%o : tensor<4x?xf32>) -> tensor<4x?xf32>
  // volcli: %rows = 4
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  // volcli: %columns = 7
  %columns = tensor.dim %r, %c1 : tensor<4x?xf32>
  return %rows, %columns : index, index
}

// Values of unknown size: the tiles at the edges are found at run time, with few pieces of code.
// RUN: volcli opt %s -p tile{sizes=4,4} --split-input-file
func.func @padded_layer(%x: tensor<?x?xf32>, %w: tensor<3x3xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %x, %c0 : tensor<?x?xf32>
  %v = tensor.dim %x, %c1 : tensor<?x?xf32>
  %p = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %e = tensor.empty(%h, %v) : tensor<?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.conv_2d ins(%p, %w : tensor<?x?xf32>, tensor<3x3xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
// -----
func.func @inserted_anywhere(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x6xf32>
  %n = affine.apply affine_map<()[d] -> (2 * d + 3)>()[%d]
  %e = tensor.empty(%n) : tensor<?x6xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %r = tensor.insert_slice %x into %f[%d, 0] [%d, 6] [1, 1] : tensor<?x6xf32> into tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}
// -----
func.func @concatenated(%x: tensor<?x6xf32>, %y: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %r = tensor.concat dim(0) %x, %y : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}

// Layers whose sizes are known at run time: their edges are parts where there is room for them.
// RUN: volcli opt %s -p partition{assume-finite part-cost=512} --split-input-file
func.func @padded_image(%x: tensor<?x?xf32>, %w: tensor<3x3xf32>) -> tensor<?x?xf32> {
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
// Stride 2, and two elements of padding behind: the last window may begin one element earlier.
func.func @every_second(%x: tensor<1x4x?xf32>, %w: tensor<4x4x5xf32>) -> tensor<1x4x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c2 : tensor<1x4x?xf32>
  %o = affine.apply affine_map<()[n] -> ((n + 1) floordiv 2)>()[%n]
  %p = tensor.pad %x low[0, 0, 2] high[0, 0, 2] {
  ^bb0(%i: index, %c: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<1x4x?xf32> to tensor<1x4x?xf32>
  %e = tensor.empty(%o) : tensor<1x4x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %y = linalg.conv_1d_ncw_fcw {strides = dense<2> : tensor<1xi64>}
      ins(%p, %w : tensor<1x4x?xf32>, tensor<4x4x5xf32>) outs(%z : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  return %y : tensor<1x4x?xf32>
}

// What is multiplied by a zero of the padding may be infinite, and the product is no zero then.
// RUN: volcli opt %s -p partition
func.func @padded(%x: tensor<8xf32>, %w: tensor<3xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%j: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  %e = tensor.empty() : tensor<8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.conv_1d ins(%p, %w : tensor<10xf32>, tensor<3xf32>) outs(%i : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

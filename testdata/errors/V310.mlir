// A padded convolution in a loop.
// RUN: volcli opt %s -p partition
func.func @repeated(%x: tensor<8xf32>, %w: tensor<3xf32>, %n: index) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = scf.for %k = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %p = tensor.pad %a low[1] high[1] {
    ^bb0(%j: index):
      tensor.yield %zero : f32
    } : tensor<8xf32> to tensor<10xf32>
    %c = linalg.conv_1d ins(%p, %w : tensor<10xf32>, tensor<3xf32>) outs(%i : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %c : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

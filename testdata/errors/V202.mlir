// A declared type that the operands contradict: 4 + 1 + 2 is not 8. One of them is a value, so no type shows it.
// RUN: volcli opt %s -p infer-shapes
func.func @pad(%x: tensor<4xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %padded = tensor.pad %x low[1] high[%c2] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<?xf32>
  %declared = tensor.cast %padded : tensor<?xf32> to tensor<8xf32>
  return %declared : tensor<8xf32>
}

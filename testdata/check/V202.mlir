// The type of a result says another size than its operands give.
func.func @fires(%t: tensor<4xf32>, %x: f32) -> tensor<7xf32> {
  %c2 = arith.constant 2 : index
  %p = tensor.pad %t low[%c2] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %p : tensor<7xf32>
}

func.func @silent(%t: tensor<4xf32>, %x: f32) -> tensor<8xf32> {
  %c2 = arith.constant 2 : index
  %p = tensor.pad %t low[%c2] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}

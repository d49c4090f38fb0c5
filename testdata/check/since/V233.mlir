// The padding does not consist of zeros any more; in @silent there are as many, elsewhere.
func.func @fires(%t: tensor<8xf32>) -> tensor<12xf32> {
  %c = arith.constant 0.0 : f32
  %p = tensor.pad %t low[2] high[2] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<8xf32> to tensor<12xf32>
  return %p : tensor<12xf32>
}

func.func @silent(%t: tensor<8xf32>) -> tensor<12xf32> {
  %c = arith.constant 0.0 : f32
  %p = tensor.pad %t low[2] high[2] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<8xf32> to tensor<12xf32>
  return %p : tensor<12xf32>
}

// -----

func.func @fires(%t: tensor<8xf32>) -> tensor<12xf32> {
  %c = arith.constant 1.0 : f32
  %p = tensor.pad %t low[2] high[2] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<8xf32> to tensor<12xf32>
  return %p : tensor<12xf32>
}

func.func @silent(%t: tensor<8xf32>) -> tensor<12xf32> {
  %c = arith.constant 0.0 : f32
  %p = tensor.pad %t low[3] high[1] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<8xf32> to tensor<12xf32>
  return %p : tensor<12xf32>
}

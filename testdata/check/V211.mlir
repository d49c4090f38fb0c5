// The slice is what was padded; in @silent it has one of the elements that were added.
func.func @fires(%t: tensor<8xf32>, %zero: f32) -> tensor<8xf32> {
  %p = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  %s = tensor.extract_slice %p[1] [8] [1] : tensor<10xf32> to tensor<8xf32>
  return %s : tensor<8xf32>
}

func.func @silent(%t: tensor<8xf32>, %zero: f32) -> tensor<8xf32> {
  %p = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  %s = tensor.extract_slice %p[2] [8] [1] : tensor<10xf32> to tensor<8xf32>
  return %s : tensor<8xf32>
}

// A number of elements that may be 0.
func.func @some(%t: tensor<8xf32>, %zero: f32, %n: index) -> tensor<?xf32> {
  %p = tensor.pad %t low[0] high[%n] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

// It is asked for as a copy.
func.func @copied(%t: tensor<8xf32>, %zero: f32) -> tensor<8xf32> {
  %p = tensor.pad %t nofold low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}

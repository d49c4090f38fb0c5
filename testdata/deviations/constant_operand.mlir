// mlir-opt-22: accepts
// A padding width that is a constant, but not in the attribute: 4 + 1 + 2 is not 8.
func.func @f(%a: tensor<4xf32>, %v: f32, %b: tensor<8xf32>) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %p = tensor.pad %a low[%c1] high[2] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<?xf32>
  %q = tensor.cast %p : tensor<?xf32> to tensor<8xf32>
  return %q : tensor<8xf32>
}

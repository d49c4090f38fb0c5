// mlir-opt-22: accepts
// At least ten elements of padding in a result of eight: no size of %a fits.
func.func @f(%a: tensor<?xf32>, %v: f32) -> tensor<8xf32> {
  %p = tensor.pad %a low[1] high[9] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<?xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}

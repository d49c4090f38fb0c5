// mlir-opt-22: error: operation being parsed with an unregistered dialect
// An operation of a dialect that is not there.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = "some.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// mlir-opt-22: prints #sparse =
// An attribute of a dialect that gives its attributes names.
func.func private @f(tensor<4x4xf32, #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>>)

// mlir-opt-22: accepts
// The assertion says that %b has 5 elements, the addition that it has 4.
func.func @f(%a: tensor<4xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %d = tensor.dim %b, %c0 : tensor<?xf32>
  %e = arith.cmpi eq, %d, %c5 : index
  cf.assert %e, "m"
  %x = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %s = arith.addf %x, %b : tensor<?xf32>
  return %s : tensor<?xf32>
}

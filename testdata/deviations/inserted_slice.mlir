// mlir-opt-22: accepts
// Three elements for a slice of four.
func.func @f(%a: tensor<3xf32>, %b: tensor<10xf32>) -> tensor<10xf32> {
  %x = tensor.cast %a : tensor<3xf32> to tensor<?xf32>
  %c4 = arith.constant 4 : index
  %s = tensor.insert_slice %x into %b[0] [%c4] [1] : tensor<?xf32> into tensor<10xf32>
  return %s : tensor<10xf32>
}
